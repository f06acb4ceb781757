"""What is asked about upkeep: what the party did, how a practice is, what ends an inspection."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from inspections.models import PracticeLook
from inspections.photos import PhotosField
from permits.forms.counter import PastDayField
from permits.forms.fields import Line, OneOf, Paragraph
from portal.formats import long_date

__all__ = ["DiscardForm", "FinishForm", "LookForm", "UpkeepReportForm"]

LONGEST = 4000


class UpkeepReportForm(forms.Form):
    """That a task of the schedule was done: the day, what was done, and by whom."""

    done_on = PastDayField(label="On which day was it done?", help_text="Today or earlier.")
    what = Paragraph(
        label="What was done?",
        help_text="For example: Grass cut, two bags of leaves taken from the inlet.",
        rows=4,
        max_length=LONGEST,
    )
    done_by = Line(label="Who did it?", max_length=200, required=False)
    photos = PhotosField()

    def __init__(self, data: Any = None, *, recorded_on: date | None) -> None:
        super().__init__(data)
        self.recorded_on = recorded_on
        photos: Any = self.fields["photos"]
        photos.label = "Photos, or the contractor’s sheet"
        photos.help_text = "Photos as your phone takes them, or a PDF. Not required."

    def clean_done_on(self) -> date:
        """Refuse a day before the agreement was recorded: its schedule runs since then."""
        day: date = self.cleaned_data["done_on"]
        if self.recorded_on is not None and day < self.recorded_on:
            raise ValidationError(
                f"The agreement was recorded on {long_date(self.recorded_on)}. Choose that day or "
                "a later one."
            )
        return day


class LookForm(forms.Form):
    """How one practice is."""

    result = OneOf(label="How is it?", choices=PracticeLook.Result.choices)
    words = Paragraph(
        label="What did you see?",
        help_text="Needed where there is a problem: what, where, how bad.",
        rows=3,
        max_length=LONGEST,
        required=False,
    )
    correction = Paragraph(
        label="What would correct it?",
        help_text="A notice of maintenance begins with it; you can change it there.",
        rows=3,
        max_length=LONGEST,
        required=False,
    )
    photos = PhotosField()

    def clean(self) -> dict[str, Any]:
        """Ask what the problem is."""
        cleaned: dict[str, Any] = super().clean() or {}
        problem = cleaned.get("result") == PracticeLook.Result.PROBLEM
        if problem and not cleaned.get("words") and "words" not in self.errors:
            self.add_error("words", "Say what the problem is.")
        return cleaned


class FinishForm(forms.Form):
    """What the inspector adds to the report."""

    note = Paragraph(
        label="A note for the report",
        help_text="Whom you met, what you agreed on. It goes to the responsible party.",
        rows=3,
        max_length=LONGEST,
        required=False,
    )


class DiscardForm(forms.Form):
    """Nothing is asked: an inspection in which nothing is written leaves nothing behind."""
