"""Whom an act is told and by what means: the persons known, and rows for others."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.datastructures import MultiValueDict

from enforcement.models import Addressee
from enforcement.persons import Person
from permits.forms.fields import EmailLine, Line, Paragraph
from portal.models import Mailing

__all__ = ["TellForm", "ToldRow"]

Means = Mailing.Means
NOBODY = "none"
ROLES = [
    (role.value, role.label)
    for role in (
        Addressee.Role.LANDOWNER,
        Addressee.Role.LAND_USER,
        Addressee.Role.CONTRACTOR,
        Addressee.Role.PERMITTEE,
    )
]
MEANS = (Means.US_MAIL, Means.CERTIFIED, Means.PERSONAL, Means.EMAIL)
BY_POST = (Means.US_MAIL, Means.CERTIFIED)
LEAST_NEW, FIRST_NEW, MOST_NEW = 1, 2, 30
ROWS = "new-rows"


@dataclass(frozen=True)
class ToldRow:
    """One person of the form with its questions, as the page shows them."""

    title: str
    note: str
    fields: list[forms.BoundField]


class TellForm(forms.Form):
    """A form of an act that is told to persons; the means is chosen for each of them.

    Somebody may be left out, as where a company is dissolved or a person is dead; at least
    one person is told. `means` are the ways that the law lets this act go.
    """

    means: Sequence[Means] = MEANS
    preferred: Means = Means.US_MAIL

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        known: Sequence[Person],
        more: int = 0,
        **kwargs: Any,
    ) -> None:
        rows = _count(data, default=LEAST_NEW if known else FIRST_NEW) + more
        self.new_rows = min(rows, MOST_NEW)
        if data is not None and more:
            data = MultiValueDict({**_lists(data), ROWS: [str(self.new_rows)]})
        super().__init__(data, **kwargs)
        self.known = list(known)
        self.by_key = {_key(person): person for person in known}
        self.fields[ROWS] = forms.CharField(
            required=False, widget=forms.HiddenInput, initial=self.new_rows
        )
        for key, person in self.by_key.items():
            self._ask_known(key, person)
        for n in range(self.new_rows):
            self._ask_new(n)

    def _choices(self) -> list[tuple[str, str]]:
        return [(means.value, means.label) for means in self.means]

    def _ask_known(self, key: str, person: Person) -> None:
        choices = [*self._choices(), (NOBODY, "Not told")]
        self.fields[f"known-{key}-means"] = forms.ChoiceField(
            label=f"How is {person.name} told?", choices=choices, initial=self._first(person)
        )
        self.fields[f"known-{key}-address"] = Paragraph(
            label="Mailing address",
            required=False,
            rows=3,
            max_length=600,
            initial=person.mailing_address,
        )

    def _first(self, person: Person) -> str:
        """The means that is offered first: a letter where there is an address."""
        if self.preferred in BY_POST and not person.mailing_address:
            return Means.EMAIL if person.email and Means.EMAIL in self.means else self.preferred
        return self.preferred

    def _ask_new(self, n: int) -> None:
        fields: dict[str, forms.Field] = {
            "name": Line(label="Name", required=False, max_length=400),
            "role": forms.ChoiceField(label="Is", choices=ROLES, required=False),
            "parcel": Line(
                label="Parcel number",
                required=False,
                max_length=120,
                help_text="Where several people own the land of a site.",
            ),
            "address": Paragraph(label="Mailing address", required=False, rows=3, max_length=600),
            "email": EmailLine(label="E-mail", required=False),
            "means": forms.ChoiceField(
                label="How told", choices=self._choices(), initial=self.preferred, required=False
            ),
        }
        for name, field in fields.items():
            self.fields[f"new-{n}-{name}"] = field

    # What the page shows ------------------------------------------------------------------

    @property
    def tell_names(self) -> set[str]:
        """The names of the questions about persons; the others are the act's own."""
        return {name for name in self.fields if name.startswith(("known-", "new-"))}

    @property
    def rows_field(self) -> forms.BoundField:
        """The hidden number of rows for persons who are not known yet."""
        return self[ROWS]

    def own_fields(self) -> list[forms.BoundField]:
        """Return the act's own questions."""
        return [self[name] for name in self.fields if name not in self.tell_names]

    def known_rows(self) -> list[ToldRow]:
        """Return the persons known, each with its questions."""
        return [
            ToldRow(
                f"{person.title}: {person.name}",
                ", ".join(filter(None, [person.parcel_note, person.email, person.source])),
                [self[f"known-{key}-means"], self[f"known-{key}-address"]],
            )
            for key, person in self.by_key.items()
        ]

    def more_rows(self) -> list[ToldRow]:
        """Return the rows for somebody else."""
        names = ("name", "role", "parcel", "address", "email", "means")
        return [
            ToldRow(f"Somebody else, row {n + 1}", "", [self[f"new-{n}-{each}"] for each in names])
            for n in range(self.new_rows)
        ]

    # What was chosen ----------------------------------------------------------------------

    def clean(self) -> dict[str, Any]:
        """Ask for an address where a letter or e-mail needs one, and for somebody to tell."""
        cleaned = super().clean() or self.cleaned_data
        for key, person in self.by_key.items():
            self._check(f"known-{key}", person.email, cleaned)
        for n in range(self.new_rows):
            self._check_new(n, cleaned)
        if not self.errors and not self.told():
            raise ValidationError("Choose at least one person who is told.")
        return cleaned

    def _check(self, prefix: str, email: str, cleaned: dict[str, Any]) -> None:
        means = cleaned.get(f"{prefix}-means")
        if means in BY_POST and not (cleaned.get(f"{prefix}-address") or "").strip():
            self.add_error(f"{prefix}-address", "A letter needs an address to go to.")
        if means == Means.EMAIL and not email:
            self.add_error(f"{prefix}-means", "There is no e-mail address; choose another way.")

    def _check_new(self, n: int, cleaned: dict[str, Any]) -> None:
        prefix = f"new-{n}"
        given = [cleaned.get(f"{prefix}-{name}") for name in ("address", "email", "parcel")]
        if not cleaned.get(f"{prefix}-name"):
            if any(given) and f"{prefix}-name" not in self.errors:
                self.add_error(f"{prefix}-name", "Write the name of this person.")
            return
        self._check(prefix, cleaned.get(f"{prefix}-email") or "", cleaned)

    def told(self) -> list[tuple[Person, str]]:
        """Return whom the act is told and by what means, as it was chosen."""
        cleaned = self.cleaned_data
        found = []
        for key, person in self.by_key.items():
            means = cleaned.get(f"known-{key}-means", NOBODY)
            if means != NOBODY:
                address = (cleaned.get(f"known-{key}-address") or "").strip()
                found.append((replace(person, mailing_address=address), means))
        for n in range(self.new_rows):
            if name := cleaned.get(f"new-{n}-name"):
                found.append((self._new_person(n, name), cleaned[f"new-{n}-means"]))
        return found

    def _new_person(self, n: int, name: str) -> Person:
        cleaned = self.cleaned_data
        return Person(
            role=cleaned.get(f"new-{n}-role") or Addressee.Role.LANDOWNER,
            name=name,
            mailing_address=(cleaned.get(f"new-{n}-address") or "").strip(),
            email=(cleaned.get(f"new-{n}-email") or "").lower(),
            parcel_number=cleaned.get(f"new-{n}-parcel") or "",
        )

    def left_out(self) -> list[Person]:
        """Return the persons known who are not told."""
        chosen = self.cleaned_data
        return [
            person
            for key, person in self.by_key.items()
            if chosen.get(f"known-{key}-means") == NOBODY
        ]

    def told_in_words(self) -> list[tuple[Person, str]]:
        """Return whom the act is told, with the means in words, for the page that asks."""
        return [(person, Means(means).label) for person, means in self.told()]


def _key(person: Person) -> str:
    """A name for the questions about a person that stays the same while others come and go."""
    return hashlib.sha256("|".join(person.mark).encode()).hexdigest()[:12]


def _lists(data: Mapping[str, Any]) -> dict[str, list[Any]]:
    lists = getattr(data, "lists", None)
    return dict(lists()) if lists else {name: [value] for name, value in data.items()}


def _count(data: Mapping[str, Any] | None, *, default: int) -> int:
    text = str(data.get(ROWS) or "") if data is not None else ""
    return int(text) if text.isdecimal() and len(text) < 4 else default
