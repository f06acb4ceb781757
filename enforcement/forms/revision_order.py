"""What is asked of a revision order: the cause, the devices with their days, who is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from enforcement.acts.revision_orders import Line as OrderedLine
from enforcement.models import RevisionOrder, RevisionOrderLine
from enforcement.persons import Person
from inspections.models import Visit
from inspections.photos import PhotosField
from permits.forms.counter import PastDayField
from permits.forms.fields import DayField, Line, OneOf, Paragraph
from portal import clock
from portal.formats import long_date
from portal.ordinance.devices import DEVICES

from .told import TellForm

__all__ = ["ConfirmLineForm", "PlanForm", "ReportForm", "RevisionOrderForm", "WithdrawForm"]

LINES = 6
"""So many devices fit on one order; a further one is another order."""
LONGEST = 4000


class RevisionOrderForm(TellForm):
    """Why the plan is inadequate, and which devices are installed where and by when."""

    cause = OneOf(label="Why is the plan inadequate?", choices=RevisionOrder.Cause.choices)
    facts = Paragraph(
        label="What was found?",
        help_text="The rain or other conditions, and where sediment runs off. It stands in the "
        "order.",
        rows=4,
        max_length=LONGEST,
    )
    visit = forms.ChoiceField(label="Seen at which visit?", required=False)

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        known: Sequence[Person],
        visits: Sequence[Visit],
        more: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(data, known=known, more=more, **kwargs)
        self.visits = {str(visit.key): visit for visit in visits}
        choice: Any = self.fields["visit"]
        choice.choices = [
            ("", "None"),
            *((key, f"{v.number} of {long_date(v.visited_on)}") for key, v in self.visits.items()),
        ]
        for n in range(1, LINES + 1):
            self._ask_line(n)

    def _ask_line(self, n: int) -> None:
        devices = [("", "Choose a device"), *((each.key, str(each)) for each in DEVICES)]
        self.fields[f"line-{n}-device"] = forms.ChoiceField(
            label="Device", choices=devices, required=False
        )
        self.fields[f"line-{n}-place"] = Line(label="Where", max_length=200, required=False)
        self.fields[f"line-{n}-what"] = Line(
            label="How much, and how",
            max_length=300,
            required=False,
            help_text="Such as: 120 feet, keyed in.",
        )
        self.fields[f"line-{n}-due_on"] = DayField(label="Installed by", required=False)

    def own_fields(self) -> list[forms.BoundField]:
        """Return the act's own questions, without the lines."""
        return [each for each in super().own_fields() if not each.name.startswith("line-")]

    def line_rows(self) -> list[tuple[int, list[forms.BoundField]]]:
        """Return the rows of the timetable."""
        names = ("device", "place", "what", "due_on")
        return [(n, [self[f"line-{n}-{name}"] for name in names]) for n in range(1, LINES + 1)]

    def clean(self) -> dict[str, Any]:
        """Ask for device, place and day of each line that was begun, and for one at least."""
        cleaned = super().clean()
        begun = [n for n in range(1, LINES + 1) if self._is_begun(n, cleaned)]
        for n in begun:
            self._check_line(n, cleaned)
        if not begun and "line-1-device" not in self.errors:
            self.add_error("line-1-device", "Choose at least one additional device.")
        return cleaned

    def _is_begun(self, n: int, cleaned: Mapping[str, Any]) -> bool:
        return any(
            cleaned.get(f"line-{n}-{name}") for name in ("device", "place", "what", "due_on")
        )

    def _check_line(self, n: int, cleaned: Mapping[str, Any]) -> None:
        wanted = {
            "device": "Choose the device.",
            "place": "Say where it is installed.",
            "due_on": "Give the day by which it is installed.",
        }
        for name, sentence in wanted.items():
            field = f"line-{n}-{name}"
            if not cleaned.get(field) and field not in self.errors:
                self.add_error(field, sentence)
        due_on, today = cleaned.get(f"line-{n}-due_on"), clock.today()
        if due_on and due_on < today:
            text = f"The first possible day is today, {long_date(today)}."
            self.add_error(f"line-{n}-due_on", text)

    def lines(self) -> list[OrderedLine]:
        """Return the devices as they are ordered."""
        cleaned = self.cleaned_data
        return [
            OrderedLine(
                device=cleaned[f"line-{n}-device"],
                place=cleaned[f"line-{n}-place"],
                what=cleaned[f"line-{n}-what"],
                due_on=cleaned[f"line-{n}-due_on"],
            )
            for n in range(1, LINES + 1)
            if self._is_begun(n, cleaned)
        ]

    @property
    def chosen_visit(self) -> Visit | None:
        """The visit that was chosen, if any."""
        return self.visits.get(self.cleaned_data["visit"])


class ReportForm(forms.Form):
    """What the permittee says of a device that is installed."""

    text = Paragraph(
        label="What was installed?",
        help_text="For example: 120 feet of silt fence on the north line, keyed in.",
        max_length=LONGEST,
        rows=4,
    )
    photos = PhotosField()


class PlanForm(forms.Form):
    """The revised sheets of the plan, and what changed."""

    summary = Paragraph(label="What changed in the plan?", max_length=LONGEST, rows=3)
    photos = PhotosField()

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        self.fields["photos"].label = "Revised sheets"
        self.fields["photos"].help_text = "PDF or pictures of the drawing, several at once."

    def clean_photos(self) -> Any:
        """Ask for a sheet; those that are here already count."""
        field: Any = self.fields["photos"]
        here = field.kept + len(self.cleaned_data["photos"])
        here += len(field.collected.repeated) if field.collected is not None else 0
        if not here:
            raise ValidationError("Add at least one revised sheet.")
        return self.cleaned_data["photos"]


class ConfirmLineForm(forms.Form):
    """At which visit a device was seen installed, and since when."""

    visit = OneOf(
        label="At which visit was it seen?",
        error_messages={"required": "Choose the visit at which it was seen."},
    )
    done_on = PastDayField(label="On which day was it installed?")

    def __init__(
        self, data: Any = None, *, line: RevisionOrderLine, visits: Sequence[Visit]
    ) -> None:
        super().__init__(data)
        self.line = line
        self.visits = {str(visit.key): visit for visit in visits}
        field: Any = self.fields["visit"]
        field.choices = [
            (key, f"{visit.number} of {long_date(visit.visited_on)}, by {visit.inspector}")
            for key, visit in self.visits.items()
        ]
        if len(self.visits) == 1:
            self.initial["visit"] = next(iter(self.visits))

    @property
    def chosen(self) -> Visit:
        """The visit that was chosen."""
        return self.visits[self.cleaned_data["visit"]]

    def clean(self) -> dict[str, Any]:
        """Refuse a day before the order or after the visit."""
        answers: dict[str, Any] = super().clean() or {}
        day: date | None = answers.get("done_on")
        visit = self.visits.get(answers.get("visit", ""))
        issued_on = self.line.order.issued_on
        if day and day < issued_on:
            self.add_error("done_on", f"The order is of {long_date(issued_on)}; that day or later.")
        if day and visit and day > visit.visited_on:
            self.add_error("done_on", f"The visit was on {long_date(visit.visited_on)}.")
        return answers


class WithdrawForm(forms.Form):
    """Why an order is withdrawn: it was issued in error."""

    why = Paragraph(
        label="Why was it issued in error?",
        help_text="Everybody who was told of the order reads this, and it stays on record.",
        rows=3,
        max_length=LONGEST,
    )
