"""What is said about a finding: the answer, its confirmation, a reason."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from inspections.models import Finding, Visit
from inspections.photos import PhotosField
from permits.forms.counter import PastDayField
from permits.forms.fields import OneOf, Paragraph
from portal.formats import long_date

__all__ = ["AnswerForm", "ConfirmForm", "DropForm", "RefuseForm"]


class AnswerForm(forms.Form):
    """What was done about a finding."""

    text = Paragraph(
        label="What was done?",
        help_text="For example: Fence set again on the north line, 60 feet, and keyed in.",
        max_length=4000,
        rows=4,
    )
    photos = PhotosField()


class ConfirmForm(forms.Form):
    """How the inspector knows that it is corrected, and since when."""

    PHOTOS = "photos"

    how = OneOf(label="How do you know?")
    corrected_on = PastDayField(
        label="On which day was it corrected?",
        help_text="The day that counts for the record, not the day you looked.",
    )

    def __init__(
        self, data: Any = None, *, finding: Finding, visits: list[Visit], answered_on: date | None
    ) -> None:
        super().__init__(data, initial={"corrected_on": answered_on})
        self.finding = finding
        self.ways: dict[str, str] = {}
        if answered_on is not None:
            self.ways[self.PHOTOS] = f"From the answer and photos of {long_date(answered_on)}"
        for visit in visits:
            number = f"visit {visit.number}" if visit.number else "the visit"
            self.ways[str(visit.key)] = f"Seen at {number} of {long_date(visit.visited_on)}"
        how: Any = self.fields["how"]
        how.choices = list(self.ways.items())
        if len(self.ways) == 1:
            self.initial["how"] = next(iter(self.ways))

    def clean_corrected_on(self) -> date:
        """Refuse a day before it was found."""
        day: date = self.cleaned_data["corrected_on"]
        if day < self.finding.found_on:
            found = long_date(self.finding.found_on)
            raise ValidationError(f"It was found on {found}. Choose that day or a later one.")
        return day

    @property
    def how_in_words(self) -> str:
        """The way in words, as the record keeps it."""
        return self.ways[self.cleaned_data["how"]]


class RefuseForm(forms.Form):
    """Why an answer does not show the correction."""

    reason = Paragraph(
        label="Why does the answer not show that it is corrected?",
        help_text="The permittee reads this.",
        max_length=2000,
        rows=3,
    )


class DropForm(forms.Form):
    """Why a finding was recorded in error."""

    reason = Paragraph(
        label="Why was it recorded in error?",
        help_text="The permittee reads this, and it stays on record.",
        max_length=2000,
        rows=3,
    )
