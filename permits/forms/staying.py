"""Practices that stay beyond the permit, and what drains to each: rows of a form.

The inspector names them at the grant, and the agreement is drafted from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from permits.models.plan import DEVICE_CHOICES
from portal.ordinance.devices import DEVICES_BY_KEY
from portal.ordinance.recording import find_social_security

from .fields import AmountField, Line, Paragraph
from .repeated import RowsFormSet

__all__ = [
    "MOST_PRACTICES",
    "PracticeRow",
    "StayingRows",
    "StayingSet",
    "no_social_security",
    "practice_of",
    "practices_of",
]

MOST_PRACTICES = 40
LOOKS_LIKE_ONE = (
    "This looks like a social security number. No instrument with one may be recorded "
    "(Wis. Stat. § 59.43(1m)(a)): take it out."
)


def no_social_security(form: forms.Form, known: Sequence[str] = ()) -> None:
    """Say beside each field that what stands there looks like a social security number."""
    for name, value in list(form.cleaned_data.items()):
        if isinstance(value, str) and find_social_security(value, known=tuple(known)):
            form.add_error(name, LOOKS_LIKE_ONE)


class PracticeRow(forms.Form):
    """One practice that stays, and the area that drains to it. Former § 17.19(4)(f)(1)"""

    device = forms.ChoiceField(
        label="Kind of practice", choices=[("", "Choose"), *DEVICE_CHOICES], required=False
    )
    name = Line(
        label="Its name",
        help_text="As the plan calls it. Empty: the name of its kind.",
        max_length=200,
        required=False,
    )
    place = Line(label="Where it is", max_length=200, required=False)
    drainage_area = Paragraph(
        label="What drains to it?",
        help_text="In words, such as: the roofs and the lot north of the drive.",
        max_length=2000,
        rows=2,
        required=False,
    )
    drainage_acres = AmountField(
        label="How many acres?",
        places=2,
        most=9_999_999,
        example="4.25",
        units=("acres", "acre", "ac"),
        required=False,
    )

    def clean(self) -> dict[str, Any]:
        answers: dict[str, Any] = super().clean() or {}
        if self.has_changed():
            if not answers.get("device") and not answers.get("name"):
                self.add_error("name", "Say which practice it is.")
            if "drainage_area" in answers and not answers["drainage_area"]:
                self.add_error("drainage_area", "Say what drains to this practice.")
            no_social_security(self)
        return answers


class StayingRows(RowsFormSet[PracticeRow]):
    """The practices in the order of their numbers; a row that stays empty is none."""


StayingSet: type[Any] = forms.formset_factory(
    PracticeRow, formset=StayingRows, extra=1, max_num=MOST_PRACTICES, absolute_max=MOST_PRACTICES
)


def practices_of(rows: StayingRows) -> list[dict[str, Any]]:
    """Return the practices of rows that can be taken, as the grant keeps them."""
    return [practice_of(row.cleaned_data) for row in rows.forms if row.has_changed()]


def practice_of(answers: dict[str, Any]) -> dict[str, Any]:
    known = DEVICES_BY_KEY.get(answers["device"])
    return {**answers, "name": answers["name"] or (known.name if known else "")}
