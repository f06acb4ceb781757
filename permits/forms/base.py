"""What all steps of the application have in common: answers are kept as they come."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django import forms
from django.core.serializers.json import DjangoJSONEncoder
from django.utils.html import format_html

from permits.models import Application
from portal.ordinance import Citation
from portal.ordinance.wording import figure, measure, plain_day

__all__ = [
    "Difference",
    "NothingAsked",
    "StepForm",
    "digest",
    "same",
    "show",
    "with_citation",
]


@dataclass(frozen=True)
class Difference:
    """An answer that stands on record otherwise than it was typed here."""

    label: str
    on_record: str
    typed: str
    for_city_only: bool = False
    """Whether it is a telephone number or an e-mail address, which other parties never see."""


def digest(answers: Any) -> str:
    """Return a short mark of stored answers, to see whether another window changed them."""
    text = json.dumps(answers, sort_keys=True, cls=_Exact)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


class _Exact(DjangoJSONEncoder):
    def default(self, o: Any) -> Any:
        return str(o.normalize()) if isinstance(o, Decimal) else super().default(o)


def with_citation(text: str, citation: Citation | str) -> str:
    """Return a hint with the place where it stands written."""
    return format_html('{} <span class="cite">{}</span>', text, str(citation))


class StepForm(forms.Form):
    """Answers of one step; what is valid is saved even where another answer is not."""

    def __init__(
        self, application: Application, data: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> None:
        self.application = application
        super().__init__(data, initial=self.read(), **kwargs)

    @property
    def forms(self) -> list[forms.Form]:
        """The forms of the step: this one."""
        return [self]

    def read(self) -> dict[str, Any]:
        """Return the answers as they stand on record."""
        raise NotImplementedError

    def is_stale(self, seen: str) -> bool:
        """Whether other answers stand on record than when the page was opened."""
        return seen != digest(self.read())

    def write(self, answers: dict[str, Any]) -> None:
        """Put answers on record; only what the form asks ever gets here."""
        raise NotImplementedError

    def save(self) -> None:
        """Keep every answer that is valid; the others stay on record as they were."""
        self.is_valid()
        self.write(self.cleaned_data)

    def differences(self) -> list[Difference]:
        """Return each valid answer that differs from what stands on record."""
        self.is_valid()
        typed = self.cleaned_data
        return [
            Difference(
                str(self.fields[name].label),
                show(self.fields[name], before),
                show(self.fields[name], typed[name]),
            )
            for name, before in self.read().items()
            if name in typed and not same(before, typed[name])
        ]


class NothingAsked(StepForm):
    """The step on the fee asks nothing: it says how to pay."""

    def read(self) -> dict[str, Any]:
        """Return nothing: no answer is kept here."""
        return {}

    def write(self, answers: dict[str, Any]) -> None:
        """Keep nothing: no answer was asked."""


def same(one: Any, other: Any) -> bool:
    """Whether two answers are the same; no answer is no answer, however it is kept."""
    if one in (None, "", []) and other in (None, "", []):
        return True
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        if one and one[0] is None and other and other[0] is None:
            return True  # a unit without its number
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def show(field: forms.Field | None, value: Any) -> str:
    """Return an answer as people read it."""
    if value in (None, "", []):
        return "no answer"
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, Decimal):
        return figure(value)
    if isinstance(value, date):
        return plain_day(value)
    names = _names(field)
    if isinstance(value, (list, tuple)):
        if value[0] is None:
            return "no answer"
        if isinstance(value, tuple) and isinstance(value[0], Decimal):
            return measure(value[0], names.get(str(value[1]), str(value[1])))
        between = " " if isinstance(value, tuple) else ", "
        return between.join(names.get(str(each), show(None, each)) for each in value)
    return names.get(str(value), str(value))


def _names(field: forms.Field | None) -> dict[str, str]:
    """Return what the choices of a field are called."""
    if field is None:
        return {}
    parts: Iterable[Any] = getattr(field, "fields", None) or [field]
    return {
        str(key): str(label) for part in parts for key, label in getattr(part, "choices", ()) or ()
    }
