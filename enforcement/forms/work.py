"""City work: who begins it and when, what it costs, and how it was left."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from enforcement.models import CityWork, WorkCost
from inspections.photos import PhotosField
from permits.forms.counter import MoneyField, PastDayField
from permits.forms.fields import AmountField, Line, OneOf, Paragraph
from portal.formats import long_date
from portal.ordinance import WaitingPeriod
from portal.ordinance.begin_work import cost_amount, needs_reason

__all__ = ["BeginForm", "CloseWorkForm", "CostForm", "PhotosForm", "ReverseForm"]

LONGEST = 2000


class BeginForm(forms.Form):
    """Who does the work, and since when; the law opens the day."""

    begun_on = PastDayField(label="On which day was it begun?")
    done_by = OneOf(label="Who does it?", choices=CityWork.DoneBy.choices)
    doer = Line(
        label="Name of the crew or the company",
        help_text="For example: Street department, or Berg Excavating Inc.",
        max_length=200,
    )
    before_safe_why = Paragraph(
        label="If it was begun before the safe day: why could it not wait?",
        help_text="It stands on record.",
        rows=2,
        max_length=LONGEST,
        required=False,
    )
    photos = PhotosField()

    def __init__(self, data: Any = None, *, opens: WaitingPeriod | None, today: date) -> None:
        super().__init__(data, initial={"begun_on": today})
        self.opens = opens
        photos: Any = self.fields["photos"]
        photos.label = "Photos of the land before the work"

    def clean(self) -> dict[str, Any]:
        """Name the first lawful day, and ask for a reason before the safe one."""
        cleaned: dict[str, Any] = super().clean() or {}
        day = cleaned.get("begun_on")
        if day is None or self.opens is None:
            return cleaned
        if day < self.opens.on:
            first = long_date(self.opens.on)
            self.add_error("begun_on", f"The first day on which the city may work is {first}.")
        elif needs_reason(self.opens, day) and not cleaned.get("before_safe_why"):
            safe = long_date(self.opens.safe_on)
            self.add_error("before_safe_why", f"The safe day is {safe}. Say why it could not wait.")
        return cleaned


class CostForm(forms.Form):
    """One cost with its proof."""

    kind = OneOf(label="What is it?", choices=WorkCost.Kind.choices)
    on = PastDayField(label="Day")
    description = Line(
        label="Describe it", help_text="For example: Crew of two, or silt fence.", max_length=300
    )
    quantity = AmountField(
        label="Quantity",
        places=2,
        least=Decimal("0.01"),
        most=Decimal("9999999.99"),
        example="3 or 2.5",
    )
    unit = Line(
        label="Unit",
        help_text="Such as hours, feet, loads; for an invoice write: invoice.",
        max_length=20,
        width="w-short",
    )
    rate = MoneyField(label="Rate for each unit", help_text="For an invoice: its amount.")
    proof_words = Line(
        label="Where is the proof kept?",
        help_text="For example: Time sheet 14 of June 5, 2026. Not needed with a file.",
        max_length=300,
        required=False,
    )
    photos = PhotosField()

    def __init__(self, data: Any = None, *, work: CityWork) -> None:
        super().__init__(data)
        self.work = work
        photos: Any = self.fields["photos"]
        photos.label = "The proof as a file"
        photos.help_text = "The time sheet, the delivery note, the invoice: a photo or a PDF."

    def clean_on(self) -> date:
        """Refuse a day before the work was begun."""
        day: date = self.cleaned_data["on"]
        if day < self.work.begun_on:
            begun = long_date(self.work.begun_on)
            raise ValidationError(f"The work was begun on {begun}. Choose that day or a later one.")
        return day

    def clean(self) -> dict[str, Any]:
        """Refuse what comes to less than a cent or to more than can be kept."""
        cleaned: dict[str, Any] = super().clean() or {}
        quantity, rate = cleaned.get("quantity"), cleaned.get("rate")
        if quantity is not None and rate is not None:
            amount = cost_amount(quantity, rate)
            if amount <= 0:
                self.add_error("rate", "It comes to less than a cent.")
            if amount > MOST:
                self.add_error("rate", "It comes to more than can be kept here.")
        return cleaned

    def check_proof(self, kept: int) -> bool:
        """Ask for the proof, once it is known which files came with the form."""
        words = self.cleaned_data.get("proof_words")
        if not kept and not words and "proof_words" not in self.errors:
            text = "Every cost has its proof: add the file, or write where it is kept."
            self.add_error("proof_words", text)
        if kept > 1:
            self.add_error("photos", "One file proves one cost. Untick the others.")
        return not self.errors


MOST = Decimal("9999999999.99")


class ReverseForm(forms.Form):
    """Why a cost is taken back."""

    reason = Paragraph(
        label="Why is it taken back?",
        help_text="The row stays, and a second one takes its amount back.",
        rows=2,
        max_length=LONGEST,
    )


class PhotosForm(forms.Form):
    """Photos of the land, before or after the work."""

    when = OneOf(
        label="What do they show?",
        choices=[("before", "The land before the work"), ("after", "The land after the work")],
    )
    photos = PhotosField()


class CloseWorkForm(forms.Form):
    """How the land was left; the total is fixed with it."""

    note = Paragraph(
        label="How was the land left?",
        help_text="What was done, and what is still open. Needed where no photo shows it.",
        rows=3,
        max_length=LONGEST,
        required=False,
    )
    photos = PhotosField()

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        photos: Any = self.fields["photos"]
        photos.label = "Photos of the land after the work"
