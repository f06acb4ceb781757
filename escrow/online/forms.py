"""What somebody pays online, and what the clerk says of a payment that was set aside."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms

from escrow.bills import moving
from escrow.models import Bill, OnlineEvent
from permits.forms.counter import MoneyField
from permits.forms.fields import Line, OneOf, Paragraph, asked
from permits.models import Application

from .beginning import Due
from .settling import is_bookable

__all__ = ["AmountForm", "SettleForm"]


class AmountForm(forms.Form):
    """What to pay on a bill: all of it, or a part while parts are taken."""

    amount = MoneyField(label="Amount")

    def __init__(self, data: Any = None, *, due: Due, on: date) -> None:
        super().__init__(data, initial={"amount": due.amount})
        self.due, self.on = due, on

    def clean_amount(self) -> Any:
        """Refuse what could not be booked afterwards."""
        amount = self.cleaned_data["amount"]
        assert self.due.bill is not None
        for each in moving.obstacles_to_pay(self.due.bill, amount, received_on=self.on):
            self.add_error("amount", each.text)
        return amount


class SettleForm(forms.Form):
    """How a payment that was set aside was settled."""

    REFUNDED, BILL, FEE, OTHER = "refunded", "bill", "fee", "other"
    WAYS = (
        (REFUNDED, "Refunded at the provider"),
        (BILL, "Book it to a bill"),
        (FEE, "Book it as the fee of an application"),
        (OTHER, "Settled in another way"),
    )
    MISSING = {
        REFUNDED: "Write the number that the refund has at the provider.",
        BILL: "Write the number of the bill, such as BL-2026-0007.",
        FEE: "Write the number of the application, such as AP-2026-0042.",
    }

    how = OneOf(label="How", choices=())
    number = asked(
        Line(
            label="Number of the refund, bill or application",
            max_length=60,
            help_text="The refund’s as the provider shows it, or such as BL-2026-0007.",
        )
    )
    words = asked(Paragraph(label="If in another way: what was done", max_length=2000))

    def __init__(self, data: Any = None, *, event: OnlineEvent) -> None:
        super().__init__(data)
        books = (self.BILL, self.FEE)
        ways = [way for way in self.WAYS if is_bookable(event) or way[0] not in books]
        self.fields["how"].choices = ways  # type: ignore[attr-defined]
        self.bill: Bill | None = None
        self.application: Application | None = None

    def clean(self) -> dict[str, Any]:
        """Ask for the number or the words that the way needs, and find what it names."""
        answers: dict[str, Any] = super().clean() or {}
        how, number = answers.get("how", ""), str(answers.get("number", "")).strip()
        if how in self.MISSING and not number:
            self.add_error("number", self.MISSING[how])
        elif how == self.BILL:
            self.bill = Bill.objects.select_related("site").filter(number__iexact=number).first()
            if self.bill is None:
                self.add_error("number", "There is no bill of this number.")
        elif how == self.FEE:
            rows = Application.objects.select_related("site").filter(number__iexact=number)
            self.application = rows.first()
            if self.application is None:
                self.add_error("number", "There is no application of this number.")
        elif how == self.OTHER and not answers.get("words"):
            self.add_error("words", "Write in a sentence what was done.")
        return answers
