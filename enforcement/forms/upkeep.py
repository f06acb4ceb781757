"""The notice of maintenance: what must be corrected, by when, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from enforcement.acts import upkeep as acts
from enforcement.acts.upkeep import Line as Correction
from enforcement.models import Addressee, UpkeepNotice
from enforcement.persons import Person
from inspections.models import PracticeLook
from inspections.photos import PhotosField
from permits.forms.counter import PastDayField
from permits.forms.fields import DayField, Paragraph
from portal import clock
from portal.formats import long_date

from .told import TellForm

__all__ = [
    "ConfirmCorrectionForm",
    "CorrectedForm",
    "MoreTimeForm",
    "RefuseCorrectionForm",
    "UpkeepNoticeForm",
]

LONGEST = 4000


class UpkeepNoticeForm(TellForm):
    """The corrective action for each problem, and the time that the city sets. (4)(f)(6)"""

    means = acts.MEANS
    preferred = acts.MEANS[0]

    correct_by = DayField(
        label="To be corrected by",
        help_text="A reasonable time: think of the season, and of what must be ordered or dug.",
    )
    why_enough = Paragraph(
        label="Why is this time reasonable?",
        help_text="It stands in the notice. For example: No earth is moved; a crew does it in a "
        "day.",
        rows=2,
        max_length=LONGEST,
        required=False,
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        known: Sequence[Person],
        problems: Sequence[PracticeLook],
        more: int = 0,
    ) -> None:
        super().__init__(data, known=known, more=more)
        self.problems = list(problems)
        for look in self.problems:
            self.fields[f"what-{look.practice.number}"] = Paragraph(
                label="What must be done?",
                help_text="It stands in the notice as you write it.",
                rows=3,
                max_length=LONGEST,
                initial=look.correction,
            )
        for n in range(self.new_rows):
            field: Any = self.fields[f"new-{n}-role"]
            field.choices = [
                (role, label) for role, label in Addressee.Role.choices if role in acts.ADDRESSED
            ]
            field.initial = Addressee.Role.LANDOWNER

    def own_fields(self) -> list[forms.BoundField]:
        """Return the act's own questions, without the corrective actions."""
        return [each for each in super().own_fields() if not each.name.startswith("what-")]

    def line_rows(self) -> list[tuple[int, PracticeLook, forms.BoundField]]:
        """Return each problem with its question, numbered as in the notice."""
        return [
            (number, look, self[f"what-{look.practice.number}"])
            for number, look in enumerate(self.problems, start=1)
        ]

    def clean_correct_by(self) -> date:
        """Refuse a day that is no time at all."""
        day: date = self.cleaned_data["correct_by"]
        if day <= clock.today():
            raise ValidationError("Choose a day after today: the time must be reasonable.")
        return day

    def clean(self) -> dict[str, Any]:
        """Ask that the responsible party is told."""
        cleaned = super().clean()
        if not self.errors and not any(
            person.role == Addressee.Role.PARTY for person, _ in self.told()
        ):
            raise ValidationError("The responsible party of the agreement is told.")
        return cleaned

    def lines(self) -> list[Correction]:
        """Return the corrective actions as the notice has them."""
        return [
            Correction(look.practice, look.words, self.cleaned_data[f"what-{look.practice.number}"])
            for look in self.problems
        ]


class MoreTimeForm(forms.Form):
    """A later day, and why."""

    until = DayField(label="To be corrected by")
    reason = Paragraph(
        label="Why is more time given?",
        help_text="Everybody who has the notice reads this, and the record keeps it.",
        rows=3,
        max_length=LONGEST,
    )

    def __init__(self, data: Any = None, *, notice: UpkeepNotice) -> None:
        super().__init__(data)
        self.notice = notice

    def clean_until(self) -> date:
        """Refuse a day that gives no more time."""
        day: date = self.cleaned_data["until"]
        before = self.notice.set_until
        if day <= before:
            raise ValidationError(f"The time is set until {long_date(before)}. Choose a later day.")
        if day <= clock.today():
            raise ValidationError("Choose a day after today.")
        return day


class CorrectedForm(forms.Form):
    """What the party says was corrected."""

    text = Paragraph(
        label="What was corrected, and when?",
        help_text="Go through the numbers of the notice.",
        rows=5,
        max_length=LONGEST,
    )
    photos = PhotosField()


class ConfirmCorrectionForm(forms.Form):
    """That everything is corrected, since when, and how it was seen."""

    corrected_on = PastDayField(label="On which day was it corrected?")
    how = Paragraph(
        label="How do you know?",
        help_text="For example: seen on the site; photos 1 to 4 show it.",
        rows=3,
        max_length=LONGEST,
    )

    def __init__(self, data: Any = None, *, notice: UpkeepNotice) -> None:
        super().__init__(data)
        self.notice = notice

    def clean_corrected_on(self) -> date:
        """Refuse a day before the notice."""
        day: date = self.cleaned_data["corrected_on"]
        if day < self.notice.issued_on:
            issued = long_date(self.notice.issued_on)
            raise ValidationError(f"The notice is of {issued}. Choose that day or a later one.")
        return day


class RefuseCorrectionForm(forms.Form):
    """What is still to be corrected."""

    reason = Paragraph(
        label="What is still to be done?",
        help_text="By the numbers of the notice. The party reads this at once.",
        rows=4,
        max_length=LONGEST,
    )
