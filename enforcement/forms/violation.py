"""What is entered of a violation: its facts, the days on which it was seen, its end."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from enforcement.models import Violation
from inspections.forms.visit import SECTION_WORDS, SECTIONS
from inspections.models import Complaint, Visit
from inspections.photos import PhotosField
from permits.forms.counter import PastDayField
from permits.forms.fields import Paragraph
from portal import city
from portal.formats import long_date

__all__ = ["DropForm", "EndForm", "NoQuestions", "SeenForm", "ViolationForm"]

LONGEST = 4000
NONE = ("", "None of them")


def visit_choices(visits: Sequence[Visit]) -> list[tuple[str, str]]:
    """Return the visits to choose from, with none of them first."""
    return [NONE, *((str(v.key), f"{v} of {long_date(v.visited_on)}") for v in visits)]


class ViolationForm(forms.Form):
    """What is against the ordinance, where it stands written, and when it was seen."""

    section = forms.ChoiceField(label="It rests on")
    facts = Paragraph(
        label="What did you see?",
        help_text="What is being done or left undone, where, and by whom as far as you know.",
        rows=4,
        max_length=LONGEST,
    )
    found_on = PastDayField(label="On which day did you see it?")
    visit = forms.ChoiceField(label="At which visit?", required=False)
    complaint = forms.ChoiceField(label="Which report led to it?", required=False)
    photos = PhotosField()

    def __init__(
        self,
        data: Any = None,
        *,
        visits: Sequence[Visit],
        complaints: Sequence[Complaint],
        today: date,
        has_permit: bool,
        complaint: str = "",
    ) -> None:
        first = {"section": "plan" if has_permit else "permit", "found_on": today}
        super().__init__(data, initial={**first, "complaint": complaint})
        edition = city.edition_on(today)
        self.visits = {str(each.key): each for each in visits}
        self.complaints = {str(each.key): each for each in complaints}
        self._offer(
            "section", [(k, f"{edition.citation(k)}, {SECTION_WORDS[k]}") for k in SECTIONS]
        )
        self._offer("visit", visit_choices(visits))
        self._offer("complaint", [NONE, *((str(each.key), str(each)) for each in complaints)])
        for name, rows in (("visit", self.visits), ("complaint", self.complaints)):
            if not rows:
                del self.fields[name]

    def _offer(self, name: str, choices: Sequence[tuple[str, str]]) -> None:
        field: Any = self.fields[name]
        field.choices = choices

    def chosen(self) -> dict[str, Any]:
        """Return what was entered, the visit and the report as rows."""
        cleaned = self.cleaned_data
        return {
            "section": cleaned["section"],
            "facts": cleaned["facts"],
            "found_on": cleaned["found_on"],
            "visit": self.visits.get(cleaned.get("visit", "")),
            "complaint": self.complaints.get(cleaned.get("complaint", "")),
        }


class SeenForm(forms.Form):
    """Another day on which the violation was seen."""

    seen_on = PastDayField(
        label="On which day did you see it?", help_text="A calendar day counts once."
    )
    seen = Paragraph(label="What did you see that day?", rows=3, max_length=LONGEST)
    visit = forms.ChoiceField(label="At which visit?", required=False)
    photos = PhotosField()

    def __init__(
        self, data: Any = None, *, violation: Violation, visits: Sequence[Visit], today: date
    ) -> None:
        super().__init__(data, initial={"seen_on": today})
        self.violation = violation
        self.visits = {str(each.key): each for each in visits}
        field: Any = self.fields["visit"]
        field.choices = visit_choices(visits)
        if not visits:
            del self.fields["visit"]

    def clean_seen_on(self) -> date:
        """Refuse a day before it was found, and one that is documented already."""
        day: date = self.cleaned_data["seen_on"]
        if day < self.violation.found_on:
            found = long_date(self.violation.found_on)
            raise ValidationError(f"It was found on {found}. Choose a later day.")
        if day in self.violation.documented_days():
            raise ValidationError(f"{long_date(day)} is documented already; a day counts once.")
        return day

    @property
    def chosen(self) -> Visit | None:
        """The visit at which it was seen, if any."""
        return self.visits.get(self.cleaned_data.get("visit", ""))


class EndForm(forms.Form):
    """Since when the violation is over, and how the inspector knows."""

    ended_on = PastDayField(label="On which day did it end?")
    how = Paragraph(label="How do you know?", rows=2, max_length=2000)

    def __init__(self, data: Any = None, *, violation: Violation) -> None:
        super().__init__(data)
        self.violation = violation

    def clean_ended_on(self) -> date:
        """Refuse a day before the last documented one."""
        day: date = self.cleaned_data["ended_on"]
        days = self.violation.documented_days()
        if days and day < days[-1]:
            raise ValidationError(f"It was still seen on {long_date(days[-1])}.")
        return day


class DropForm(forms.Form):
    """Why a violation was recorded in error."""

    reason = Paragraph(
        label="Why was it recorded in error?",
        help_text="It stays on record.",
        rows=3,
        max_length=2000,
    )


class NoQuestions(forms.Form):
    """An act that asks nothing but whether it is meant."""
