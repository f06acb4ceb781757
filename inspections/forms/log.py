"""One self-inspection: the fields of the state's form 3400-187, for a phone on the site."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.boundfield import BoundField

from inspections.acts.log import Answers, why_not_day
from inspections.models import LogEntry, LogLine
from inspections.photos import PhotosField
from permits.forms.fields import DayField, Line, OneOf, Paragraph, TelephoneField, asked
from permits.models import Permit
from portal import clock

__all__ = ["ClockField", "LogForm", "PracticeRow"]

Needs = LogLine.Needs
HOURS = ("%H:%M", "%H:%M:%S", "%I:%M %p", "%I:%M%p", "%I %p", "%I%p")
OTHER_PHASES = "Such as clearing, rough grading, building, final grading, seeding."


def read_time(text: str) -> time | None:
    """Read 14:30, 2:30 pm or 2:30 p.m.; anything else is no time."""
    plain = text.strip().upper().replace(".", "")
    for form in HOURS:
        try:
            return datetime.strptime(plain, form).time()  # noqa: DTZ007
        except ValueError:
            continue
    return None


class ClockInput(forms.TimeInput):
    """The browser's own clock; a time that cannot be meant stays visible as typed."""

    input_type = "time"

    def __init__(self) -> None:
        super().__init__({"class": "w-short"}, format="%H:%M")

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context(name, value, attrs)
        shown = context["widget"]["value"]
        if shown:
            read = read_time(str(shown))
            context["widget"]["value"] = f"{read:%H:%M}" if read else shown
            context["widget"]["type"] = "time" if read else "text"
        return context


class ClockField(forms.TimeField):
    """A time of day."""

    widget = ClockInput
    default_error_messages = {"invalid": "Write a time of day, such as 9:30 or 2:15 pm."}

    def to_python(self, value: Any) -> time | None:
        """Read the time as people write it."""
        if value in self.empty_values:
            return None
        found = value if isinstance(value, time) else read_time(str(value))
        if found is None:
            raise ValidationError(self.error_messages["invalid"], "invalid")
        return found


@dataclass(frozen=True)
class PracticeRow:
    """The two fields of one practice."""

    needs: BoundField
    follow_up: BoundField


class LogForm(forms.Form):
    """A self-inspection. Wis. Admin. Code § NR 216.48(4)"""

    inspected_on = DayField(label="Day of the inspection")
    began = ClockField(label="From")
    ended = ClockField(label="To", required=False)
    kind = OneOf(label="Why this inspection?", choices=LogEntry.Kind.choices)
    kind_other = asked(Line(label="If other, why?", max_length=120))
    inspectors = Line(label="Who inspected?", max_length=200)
    weather = Line(label="Weather", help_text="Such as dry, 0.6 inch last night.", max_length=120)
    phase = Line(label="Phase of the work", help_text=OTHER_PHASES, max_length=120)
    comments = Paragraph(
        label="How well do the controls work as a whole?",
        required=False,
        max_length=4000,
        rows=3,
    )
    photos = PhotosField()
    field_office_telephone = TelephoneField(label="Field office telephone", required=False)

    def __init__(self, data: Any = None, *, permit: Permit, last: LogEntry | None = None) -> None:
        super().__init__(data, initial=_initial(last))
        self.permit = permit
        for practice in LogLine.Practice:
            self._ask(practice)

    def _ask(self, practice: LogLine.Practice) -> None:
        self.fields[f"needs_{practice.value}"] = OneOf(
            label=str(practice.label),
            choices=[
                (Needs.NO, "Fine"),
                (Needs.YES, "Needs work"),
                (Needs.NOT_APPLICABLE, "None"),
            ],
            error_messages={"required": "Choose one of the three."},
        )
        self.fields[f"follow_{practice.value}"] = asked(
            Paragraph(label=f"{practice.label}: what is done about it?", max_length=1000, rows=2)
        )

    def practices(self) -> Iterator[PracticeRow]:
        """Yield the practices in the order of the state's form."""
        for practice in LogLine.Practice:
            yield PracticeRow(self[f"needs_{practice.value}"], self[f"follow_{practice.value}"])

    def clean_inspected_on(self) -> date:
        """Refuse a day to come and one before the permit."""
        day: date = self.cleaned_data["inspected_on"]
        if why := why_not_day(self.permit, day, clock.today()):
            raise ValidationError(why, "day")
        return day

    def clean(self) -> dict[str, Any]:
        """Ask for what belongs together: end after start, the other reason, each follow-up."""
        answers: dict[str, Any] = super().clean() or {}
        began, ended = answers.get("began"), answers.get("ended")
        if began and ended and ended < began:
            self.add_error("ended", "This is before the start.")
        if answers.get("kind") == LogEntry.Kind.OTHER and not answers.get("kind_other"):
            self.add_error("kind_other", "Say why the inspection was made.")
        for practice in LogLine.Practice:
            needs = answers.get(f"needs_{practice.value}")
            if needs == Needs.YES and not answers.get(f"follow_{practice.value}"):
                self.add_error(f"follow_{practice.value}", "Say what is done about it.")
        return answers

    def answers(self) -> Answers:
        """Return the answers besides day, practices and photos."""
        given = self.cleaned_data
        other = given["kind_other"] if given["kind"] == LogEntry.Kind.OTHER else ""
        return Answers(
            kind=given["kind"],
            kind_other=other,
            began=given["began"],
            ended=given["ended"],
            inspectors=given["inspectors"],
            field_office_telephone=given["field_office_telephone"],
            weather=given["weather"],
            phase=given["phase"],
            comments=given["comments"],
        )

    def lines(self) -> dict[str, tuple[str, str]]:
        """Return for each practice whether it needs a modification, and what follows."""
        given = self.cleaned_data
        return {
            practice.value: (given[f"needs_{practice.value}"], given[f"follow_{practice.value}"])
            for practice in LogLine.Practice
        }


def _initial(last: LogEntry | None) -> dict[str, Any]:
    """Offer what seldom changes: the people, the phase, and the practices not on this site."""
    found: dict[str, Any] = {"inspected_on": clock.today(), "kind": LogEntry.Kind.WEEKLY}
    if last is None:
        return found
    for name in ("inspectors", "phase", "field_office_telephone"):
        found[name] = getattr(last, name)
    for line in last.lines.all():
        if line.needs_modification == Needs.NOT_APPLICABLE:
            found[f"needs_{line.practice}"] = line.needs_modification
    return found
