"""What the clerk enters about a bill: who pays, what came in, and why something changes."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from escrow.models import Bill, Division, Receipt
from permits.forms.counter import MoneyField, PastDayField
from permits.forms.fields import AmountField, DayField, Line, OneOf, Paragraph
from permits.models import Parcel
from portal import clock

from .payers import Payer

__all__ = [
    "CreditForm",
    "DivideForm",
    "LevyForm",
    "PayForm",
    "PayerForm",
    "PaymentForm",
    "ReasonForm",
]


class ReasonForm(forms.Form):
    """Why something is taken back."""

    reason = Paragraph(label="Why", max_length=2000)


class PayerForm(forms.Form):
    """Who is billed: the permittee or the landowner, with the address for the envelope."""

    payer = OneOf(label="Who is billed", choices=Bill.Payer.choices)
    payer_name = Line(label="Name", max_length=400, width="w-wide")
    payer_address = Paragraph(
        label="Mailing address", help_text="Street, city, state and ZIP code.", max_length=1000
    )

    def __init__(self, data: Any = None, *, known: Sequence[Payer] = (), **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        if known:
            first = known[-1]  # the landowner, to whose land a charge goes
            self.initial = {
                "payer": first.role,
                "payer_name": first.name,
                "payer_address": first.address,
            }

    def chosen(self) -> Payer:
        """Return the payer as entered."""
        answers = self.cleaned_data
        return Payer(answers["payer"], answers["payer_name"], answers["payer_address"])


class PaymentForm(forms.Form):
    """A payment at the counter or by mail: how much, when, how, and from whom."""

    amount = MoneyField(label="Amount")
    received_on = PastDayField(label="Received on", help_text="Today or earlier.")
    means = OneOf(
        label="How",
        choices=[choice for choice in Receipt.Means.choices if choice[0] != Receipt.Means.ONLINE],
    )
    paid_by = Line(label="From whom", max_length=200, width="w-wide")
    check_number = Line(label="Number of the check or money order", max_length=60, required=False)

    def __init__(self, data: Any = None, *, owed: Decimal, payer: str) -> None:
        super().__init__(data)
        self.initial = {
            "amount": owed if owed > 0 else None,
            "received_on": clock.today(),
            "paid_by": payer[:200],
        }

    def clean(self) -> dict[str, Any]:
        """Ask for the number of a check; cash has none."""
        answers: dict[str, Any] = super().clean() or {}
        by_paper = answers.get("means") in (Receipt.Means.CHECK, Receipt.Means.MONEY_ORDER)
        if by_paper and not answers.get("check_number") and "check_number" not in self.errors:
            self.add_error("check_number", "Write the number that is printed on it.")
        if not by_paper:
            answers["check_number"] = ""
        return answers


class PayForm(PaymentForm):
    """A payment on a bill."""

    def __init__(self, data: Any = None, *, bill: Bill, owed: Decimal) -> None:
        super().__init__(data, owed=owed, payer=bill.payer_name)


class CreditForm(ReasonForm):
    """A credit on a bill."""

    amount = MoneyField(label="Amount")
    resolution = Line(label="Resolution, if there is one", max_length=60, required=False)
    field_order = ("amount", "reason", "resolution")


class LevyForm(forms.Form):
    """The council's levy of an assessment."""

    resolution = Line(label="Number of the council's resolution", max_length=60)
    levied_on = PastDayField(label="Levied on")
    noticed_on = DayField(label="Notice of the hearing", required=False)
    heard_on = DayField(label="Hearing", required=False)

    def clean(self) -> dict[str, Any]:
        """The hearing comes before the levy, its notice before the hearing."""
        answers: dict[str, Any] = super().clean() or {}
        levied, heard = answers.get("levied_on"), answers.get("heard_on")
        noticed = answers.get("noticed_on")
        if levied and heard and heard > levied:
            self.add_error("heard_on", "The hearing is before the levy.")
        if heard and noticed and noticed > heard:
            self.add_error("noticed_on", "The notice is before the hearing.")
        return answers


class DivideForm(forms.Form):
    """What each parcel of the site bears of a bill."""

    basis = OneOf(label="How it is divided", choices=Division.Basis.choices)
    why = Paragraph(label="Why like this", max_length=2000)

    def __init__(self, data: Any = None, *, parcels: Sequence[Parcel]) -> None:
        super().__init__(data)
        self.parcels = {f"parcel-{parcel.pk}": parcel for parcel in parcels}
        for name, parcel in self.parcels.items():
            self.fields[name] = AmountField(
                label=f"Parcel {parcel.number}",
                help_text="Square feet, or shares; leave it empty to divide equally.",
                required=False,
                most=99_999_999_999,
            )

    def clean(self) -> dict[str, Any]:
        """By area and by share each parcel has its number; equally, none is asked."""
        answers: dict[str, Any] = super().clean() or {}
        if answers.get("basis") in (None, Division.Basis.EQUAL):
            return answers
        for name in self.parcels:
            if answers.get(name) is None and name not in self.errors:
                self.add_error(name, "Write a number; 0 if this parcel bears nothing.")
        if not self.errors and not any(answers[name] for name in self.parcels):
            raise ValidationError("One of the parcels must bear something.")
        return answers

    def weights(self) -> dict[Parcel, Decimal]:
        """Return the weight of each parcel."""
        equal = self.cleaned_data["basis"] == Division.Basis.EQUAL
        return {
            parcel: Decimal(1) if equal else self.cleaned_data[name]
            for name, parcel in self.parcels.items()
        }

    def parcel_fields(self) -> list[forms.BoundField]:
        """Return the fields of the parcels."""
        return [self[name] for name in self.parcels]
