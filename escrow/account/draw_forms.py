"""What the clerk enters for a draw: work, amount of each instrument, papers of a demand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from django import forms

from enforcement.models import CityWork
from escrow.models import NOTHING, Draw, Instrument
from permits.forms.counter import MOST
from permits.forms.fields import AmountField, Paragraph
from permits.forms.review import ReasonForm
from permits.models import Permit
from portal.formats import long_date, money

from . import drawing
from .held import Held, account, total

__all__ = ["DrawForm"]


class DrawForm(forms.Form):
    """One draw for one closed work. Former § 17.19(4)(e)"""

    work = forms.ModelChoiceField(
        label="For the cost of", queryset=CityWork.objects.none(), empty_label=None
    )

    def __init__(self, data: Any = None, *, permit: Permit, on: date) -> None:
        super().__init__(data)
        self.permit, self.on = permit, on
        self.held = [each for each in account(permit, on=on) if each.is_held]
        self.works = drawing.drawable(permit)
        work_field: Any = self.fields["work"]
        work_field.queryset = CityWork.objects.filter(pk__in=[work.pk for work in self.works])
        work_field.label_from_instance = _named
        first = self.works[0] if self.works else None
        most = min(drawing.undrawn(first), total(self.held)) if first else NOTHING
        suggested = drawing.suggest(most, self.held)
        for each in self.held:
            self._add(each, suggested[each.instrument])
        self.fields["before_safe_why"] = Paragraph(
            label="Why the city does not wait for the later count",
            required=False,
            help_text="Only needed before the safe day of the notice.",
        )
        self.fields["reason"] = Paragraph(
            label="What the permittee should know of this draw", required=False
        )

    def _add(self, each: Held, amount: Decimal) -> None:
        """Ask how much of an instrument; of a bond or letter, where the demand goes."""
        item, held = each.instrument, money(each.held)
        self.fields[f"amount_{item.pk}"] = AmountField(
            label=f"From {_called(item)}",
            help_text=f"{held} is held.",
            places=2,
            most=MOST,
            example="2,500.00",
            prefix="$",
            required=False,
            initial=amount,
        )
        if not item.is_cash:
            self.fields[f"address_{item.pk}"] = Paragraph(
                label=f"Address of {item.issuer}", max_length=600, required=False
            )
            self.fields[f"papers_{item.pk}"] = Paragraph(
                label=f"Papers that go with the demand to {item.issuer}",
                help_text="As the text of the instrument asks for, one on each line.",
                initial=item.demand_needs,
                required=False,
            )

    def clean(self) -> dict[str, Any]:
        answers: dict[str, Any] = super().clean() or {}
        for each in self.held:
            self._check(each, answers)
        work = answers.get("work")
        if work is None or self.errors:
            return answers
        self._check_day(work, answers)
        if not self.amount():
            first = next(iter(self._amounts()), "work")
            self.add_error(first, "A draw must be more than nothing.")
            return answers
        for obstacle in drawing.obstacles_to_draw(work, self.amount(), on=self.on):
            self.add_error("work", f"{obstacle.text} ({obstacle.citation})")
        return answers

    def _check(self, each: Held, answers: dict[str, Any]) -> None:
        item = each.instrument
        name = f"amount_{item.pk}"
        amount = answers.get(name) or NOTHING
        if amount > each.held:
            over = money(amount - each.held)
            self.add_error(name, f"Only {money(each.held)} is held: that is {over} too much.")
        needs_address = amount and not item.is_cash and f"address_{item.pk}" not in self.errors
        if needs_address and not answers.get(f"address_{item.pk}"):
            self.add_error(f"address_{item.pk}", "Where does the demand go?")

    def _check_day(self, work: CityWork, answers: dict[str, Any]) -> None:
        period = drawing.opens(work)
        if period is None or period.is_safe(self.on) or not period.is_open(self.on):
            return
        if not answers.get("before_safe_why"):
            day = long_date(period.safe_on)
            self.add_error(
                "before_safe_why", f"By the strictest count the notice runs until {day}. Say why."
            )

    def _amounts(self) -> Iterator[str]:
        return (f"amount_{each.instrument.pk}" for each in self.held)

    def amount(self) -> Decimal:
        """Return what is drawn together."""
        return sum((self.cleaned_data.get(name) or NOTHING for name in self._amounts()), NOTHING)

    def parts(self) -> Sequence[drawing.Part]:
        """Return what each instrument pays, those that pay nothing left out."""
        answers = self.cleaned_data
        return [
            drawing.Part(
                each.instrument,
                amount,
                address=answers.get(f"address_{each.instrument.pk}", ""),
                papers=answers.get(f"papers_{each.instrument.pk}", ""),
            )
            for each in self.held
            if (amount := answers.get(f"amount_{each.instrument.pk}"))
        ]


def _named(work: CityWork) -> str:
    left = money(drawing.undrawn(work))
    notice = work.owner_notice.number if work.owner_notice else ""
    return f"City work begun {long_date(work.begun_on)}, notice {notice}: {left} is not drawn yet"


def _called(item: Instrument) -> str:
    if item.is_cash:
        return f"cash, receipt {item.receipt_number}"
    return f"{item.get_form_display().lower()} {item.instrument_number} of {item.issuer}"


class TakeBackForm(ReasonForm):
    """Why a draw is taken back, and which bank or surety refused to pay it, if one did."""

    refused = forms.ModelMultipleChoiceField(
        queryset=Instrument.objects.none(),
        label="Refused to pay the demand",
        help_text="Mark it only where the bank or surety refused. What is held of it then keeps "
        "no bill for the work waiting.",
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, data: Any = None, *, draw: Draw) -> None:
        super().__init__(data)
        self.fields["reason"].label = "Why is it taken back?"
        asked = Instrument.objects.filter(entries__draw=draw, entries__demand__isnull=False)
        field = self.fields["refused"]
        assert isinstance(field, forms.ModelMultipleChoiceField)
        field.queryset = asked.distinct()
        if not asked.exists():
            del self.fields["refused"]
