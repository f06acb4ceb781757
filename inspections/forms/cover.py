"""Completion, the final inspection, certificates of occupancy. Former § 17.19(4)(d)"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.boundfield import BoundField

from inspections.acts.cover import Control, Effect, effect_of
from inspections.models import Certificate, FinalInspection
from permits.forms.counter import PastDayField
from permits.forms.fields import AmountField, Line, OneOf, Paragraph, YesNo, asked
from permits.models import Permit
from portal import city, clock
from portal.city import worded
from portal.formats import long_date

__all__ = ["CertificateForm", "CloseForm", "CompleteForm", "FinalForm", "PerCentField"]


class CompleteForm(forms.Form):
    """What the permittee says with the report that the work is complete."""

    text = Paragraph(
        label=worded("What should the {inspector_short} know?"),
        help_text="For example where the gate is, or which part was seeded last.",
        required=False,
        max_length=2000,
        rows=3,
    )


class CloseForm(forms.Form):
    """Closing asks nothing."""


class PerCentField(AmountField):
    """A whole number from 0 to 100."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(places=0, least=0, most=100, example="70", **kwargs)
        self.widget.attrs["inputmode"] = "numeric"

    def to_python(self, value: Any) -> Decimal | None:
        """Read 70 and 70 %."""
        text = value.strip().removesuffix("%") if isinstance(value, str) else value
        return super().to_python(text)

    def _within(self, number: Decimal) -> Decimal:
        if not 0 <= number <= 100:
            raise ValidationError(
                f"{number} per cent cannot be: write a number from 0 to 100.", "per_cent"
            )
        return super()._within(number)


class FinalForm(forms.Form):
    """Each permanent control, and the cover, as the inspector found them."""

    perennial = YesNo(
        label="Is the cover perennial?",
        help_text="Grass or other plants that come again each year; no annual rye, oats or mulch.",
    )
    density_percent = PerCentField(
        label="Density of the cover, in per cent",
        help_text="Of the ground that was disturbed and is neither built on nor paved.",
    )
    method = OneOf(label="How was it measured?", choices=FinalInspection.Method.choices)
    note = Paragraph(
        label="Note", help_text="The permittee reads this.", required=False, max_length=4000, rows=3
    )

    def __init__(self, data: Any = None, *, planned: Sequence[Control]) -> None:
        super().__init__(data)
        self.planned = planned
        least = city.edition_on(clock.today()).cover_density_percent
        density = self.fields["density_percent"]
        density.help_text = f"{density.help_text} {least} or more counts as established."
        if not planned:
            self.fields["complete"] = YesNo(label="Is every permanent control in place?")
        for control in planned:
            self.fields[f"control-{control.key}"] = YesNo(
                label=f"In place: {control.label}", help_text=control.place
            )

    def control_fields(self) -> Iterator[BoundField]:
        """Yield the questions about the permanent controls."""
        names = [f"control-{control.key}" for control in self.planned] or ["complete"]
        yield from (self[name] for name in names)

    def controls(self) -> dict[str, bool]:
        """Return of each planned control whether it is in place."""
        return {each.key: self.cleaned_data[f"control-{each.key}"] for each in self.planned}

    def answers(self) -> dict[str, Any]:
        """Return the rest as the inspection keeps it."""
        given = self.cleaned_data
        complete = all(self.controls().values()) if self.planned else given["complete"]
        return {
            "controls_complete": complete,
            "perennial": given["perennial"],
            "density_percent": int(given["density_percent"]),
            "method": given["method"],
            "note": given["note"],
        }


class CertificateForm(forms.Form):
    """A certificate of occupancy; what it does decides what else must be said."""

    LATER = ("irregular_reason", "choice", "choice_reason")

    building = Line(
        label="Building",
        help_text="As on the certificate: the address, the unit, or the building's name.",
        max_length=200,
    )
    issued_on = PastDayField(
        label="Day on which the certificate was issued",
        help_text="You see what it does before anything is saved.",
    )
    irregular_reason = asked(
        Paragraph(
            label="Why was it issued while permanent work is open?",
            help_text="The parties read this, and the record keeps it.",
            max_length=2000,
            rows=3,
        )
    )
    choice = asked(
        OneOf(
            label="Which date is enforced?",
            choices=[(key, label) for key, label in Certificate.Choice.choices if key],
        )
    )
    choice_reason = asked(Paragraph(label="Why?", max_length=2000, rows=3))

    def __init__(self, data: Any = None, *, permit: Permit) -> None:
        super().__init__(data)
        self.permit = permit
        self.effect: Effect | None = None

    def clean_building(self) -> str:
        """Refuse a building that has its certificate already."""
        name = " ".join(str(self.cleaned_data["building"]).split())
        known = self.permit.certificates.filter(building__iexact=name).first()
        if known:
            issued = long_date(known.issued_on)
            raise ValidationError(f"The certificate for {known.building} is on record: {issued}.")
        return name

    def clean_issued_on(self) -> date:
        """Refuse a day before the permit."""
        day: date = self.cleaned_data["issued_on"]
        issued_on = self.permit.issued_on
        if issued_on is not None and day < issued_on:
            raise ValidationError(
                f"The permit was issued on {long_date(issued_on)}; the certificate cannot lie "
                "before it."
            )
        return day

    def clean(self) -> dict[str, Any]:
        """Work out what the certificate does, and ask what that asks for."""
        answers: dict[str, Any] = super().clean() or {}
        if "issued_on" not in answers or "building" not in answers:
            return answers
        self.effect = effect_of(self.permit, answers["issued_on"])
        if self.effect.blocked and not answers.get("irregular_reason"):
            self.add_error("irregular_reason", "Say why: it is irregular without the work done.")
        if self.effect.needs_choice:
            if not answers.get("choice") and "choice" not in self.errors:
                self.add_error("choice", "Choose which date is enforced.")
            if not answers.get("choice_reason"):
                self.add_error("choice_reason", "Say why; the record keeps it.")
        return answers

    def first_is_valid(self) -> bool:
        """Whether building and day can be taken, so that the effect can be shown."""
        return not {"building", "issued_on"} & set(self.errors)

    def shown_again(self) -> None:
        """Drop the errors of questions that are only now asked for the first time."""
        for name in self.LATER:
            if not str(self.data.get(name, "")).strip():
                self.errors.pop(name, None)
