"""What is asked at a visit: begun where and why, how each line is, what must be corrected."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from inspections.models import ChecklistLine, Finding, LineAnswer, Visit
from permits.forms.fields import DayField, Line, OneOf, Paragraph, YesNo, asked
from portal.city import edition_on
from portal.formats import short_date

__all__ = ["BeginForm", "DescriptionForm", "FindingForm", "LineForm", "PlaceForm", "SearchForm"]

NOTE_LENGTH = 4_000
SECTIONS = ("plan", "devices", "site", "activities", "permit", "inspection", "completion")
"""Sections that a finding can rest on, in the order in which they are chosen most."""
SECTION_WORDS = {
    "plan": "not as the plan says",
    "devices": "control device",
    "site": "waste, tracking, inlets",
    "activities": "work without a permit",
    "permit": "condition of the permit",
    "inspection": "other",
    "completion": "permanent cover",
}


class BeginForm(forms.Form):
    """Why the site is visited, and on which day."""

    reason = forms.ChoiceField(label="Reason", choices=Visit.Reason.choices)
    visited_on = DayField(
        label="Day of the visit",
        required=False,
        help_text="Empty means today. A visit can be entered up to sixty days later.",
    )
    key = forms.UUIDField(required=False, widget=forms.HiddenInput)


class SearchForm(forms.Form):
    """Where somebody works: looked for before a site is opened."""

    q = Line(
        label="Address, parcel or permit number",
        max_length=200,
        required=False,
        help_text="For example: 120 Prairie Road, or 0240-113-2204.",
    )


class PlaceForm(BeginForm):
    """A site that the city does not know yet."""

    place = Line(
        label="Where it is",
        max_length=300,
        help_text="The address, or how to find it: “north side of Mill Street, behind the church”.",
    )
    parcels = Line(
        label="Parcel number",
        max_length=300,
        required=False,
        help_text="If you know it; several are separated by commas.",
    )
    field_order = ("place", "parcels", "reason", "visited_on", "key")

    def clean_parcels(self) -> list[str]:
        """Keep each number exactly as it was written."""
        numbers = [part.strip() for part in re.split(r"[,;\n]", self.cleaned_data["parcels"])]
        if any(len(number) > 60 for number in numbers):
            raise ValidationError("A parcel number has at most 60 characters.")
        return [number for number in dict.fromkeys(numbers) if number]


class DescriptionForm(forms.Form):
    """What holds for the whole visit."""

    weather = OneOf(label="Weather", choices=Visit.Weather.choices, required=False)
    phase = OneOf(label="Phase of the work", choices=Visit.Phase.choices, required=False)
    stockpile_since = DayField(
        label="A stockpile of soil lies bare since",
        required=False,
        help_text="The oldest one; leave it empty when there is none. One older than seven days "
        "must be covered or seeded.",
    )
    note = Paragraph(
        label="Note on the whole visit", required=False, rows=3, max_length=NOTE_LENGTH
    )

    def __init__(self, visit: Visit, *args: Any, **kwargs: Any) -> None:
        self.visit = visit
        super().__init__(*args, **kwargs)

    def clean_stockpile_since(self) -> Any:
        """Refuse a day on which the soil cannot have been seen yet."""
        since = self.cleaned_data["stockpile_since"]
        if since and since > self.visit.visited_on:
            day = short_date(self.visit.visited_on)
            raise ValidationError(f"The visit was on {day}: write that day or an earlier one.")
        return since


class LineForm(forms.Form):
    """How one line of the checklist is, as one inspector sees it."""

    outcome = OneOf(label="How it is", choices=LineAnswer.Outcome.choices, required=False)
    note = Paragraph(label="Note", required=False, rows=2, max_length=NOTE_LENGTH)

    def clean(self) -> dict[str, Any]:
        """A note is kept with an answer, so that it is known what it speaks of."""
        answers = super().clean() or self.cleaned_data
        if answers.get("note") and not answers.get("outcome") and "outcome" not in self.errors:
            self.add_error("outcome", "Choose how it is, so that the note is kept with it.")
        return answers

    @property
    def given(self) -> tuple[str, str]:
        """The answer and its note."""
        return self.cleaned_data["outcome"], self.cleaned_data["note"]


class FindingForm(forms.Form):
    """What is wrong, by when it must be right, and who must act."""

    what = asked(
        Paragraph(
            label="What is wrong",
            rows=2,
            max_length=NOTE_LENGTH,
            help_text="Left empty, your note on the line is taken.",
        )
    )
    section = forms.ChoiceField(label="It rests on")
    correct_by = DayField(label="To be corrected by")
    who = forms.ChoiceField(label="Who must act", choices=Finding.Who.choices)
    is_violation = YesNo(
        label="Is it a violation of the ordinance?",
        help_text="Each day on which a violation is documented counts by itself.",
        error_messages={"required": "Say whether it is a violation."},
    )

    def __init__(
        self, visit: Visit, line: ChecklistLine | None, *args: Any, note: str = "", **kwargs: Any
    ) -> None:
        self.visit, self.line, self.note = visit, line, note
        kwargs.setdefault("initial", self.preset())
        super().__init__(*args, **kwargs)
        edition = edition_on(visit.visited_on)
        self.fields["section"].choices = [  # type: ignore[attr-defined]
            (key, f"{edition.citation(key)}, {SECTION_WORDS[key]}") for key in SECTIONS
        ]
        day = short_date(visit.visited_on + timedelta(days=1))
        hours = edition.rain_inspection_hours
        self.fields[
            "correct_by"
        ].help_text = (
            f"State rules ask for repair within {hours} hours: {day}, whatever day that is."
        )

    def preset(self) -> dict[str, Any]:
        """What fits most findings: the line's own section, and a day for the repair."""
        section = self.line.section if self.line else "inspection"
        if self.visit.permit_id is None and section != "site":
            section = "activities"
        who = Finding.Who.PERMITTEE if self.visit.permit_id else Finding.Who.LANDOWNER
        correct_by = self.visit.visited_on + timedelta(days=1)
        return {"section": section, "who": who, "correct_by": correct_by}

    def clean_what(self) -> str:
        """Take the note where nothing else is written; a finding says what is wrong."""
        what = str(self.cleaned_data["what"]).strip() or self.note.strip()
        if not what:
            raise ValidationError("Say what is wrong.")
        return what

    def clean_correct_by(self) -> Any:
        """The day cannot lie before the visit."""
        day = self.cleaned_data["correct_by"]
        if day < self.visit.visited_on:
            seen = short_date(self.visit.visited_on)
            raise ValidationError(f"It was found on {seen}: write that day or a later one.")
        return day


class SeenForm(forms.Form):
    """An earlier finding, looked at again."""

    how = Line(label="What you saw", max_length=200, required=False)
