"""The clerk's acts on a bill: making it, payments, credits, reversals, the levy, a division."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms
from django.shortcuts import get_object_or_404
from django.urls import reverse

from enforcement.models import CityWork
from escrow import access
from escrow.models import NOTHING, Bill, BillEntry
from inspections.views.acting import ActView
from permits.models import NotNow, Site
from portal import clock
from portal.models import CouncilValue
from portal.ordinance import Obstacle

from . import levying, making, moving, papers, rolled
from .account import standing
from .forms import (
    CreditForm,
    DivideForm,
    LevyForm,
    PayerForm,
    PayForm,
    ReasonForm,
)
from .payers import Payer, payers
from .views import find_bill

__all__ = [
    "BillWork",
    "Credit",
    "Divide",
    "Levy",
    "MakeStatement",
    "Pay",
    "Reverse",
    "Withdraw",
]

CURES = {
    "enter the time to pay": ("council_value", CouncilValue.Key.BILL_DAYS),
    "enter the interest rate": ("council_value", CouncilValue.Key.INTEREST_RATE),
    "enter the administrative fee": ("council_value", CouncilValue.Key.ADMINISTRATIVE_FEE),
}
"""The page on which the clerk removes an obstacle, by the cure that the rule names."""


class MoneyAct(ActView):
    """What the clerk's acts have in common."""

    def may(self) -> bool:
        return access.may_keep_money(self.user)

    def cure_of(self, obstacle: Obstacle) -> str:
        name, key = CURES.get(obstacle.cure, ("", ""))
        return reverse(name, args=[key]) if name else ""


class BillWork(MoneyAct):
    """The clerk bills closed city work."""

    act = "bill work"
    template = "bills/new.html"
    confirm_template = "bills/new_confirm.html"
    done_message = "The bill is made. A letter to the payer waits in the mail room."
    work: CityWork

    def find(self, key: Any) -> None:
        rows = CityWork.objects.filter(site__in=Site.objects.visible_to(self.request.user))
        related = (
            "site",
            "owner_notice__permit",
            "notice_of_intent__order__permit",
            "upkeep_notice__agreement__permit",
        )
        self.work = get_object_or_404(rows.select_related(*related), key=key)
        self.site = self.work.site

    def subject(self) -> str:
        return str(self.work.key)

    def why_not(self) -> NotNow | None:
        found = making.obstacles_to_bill(self.work, on=clock.today())
        return NotNow("The bill cannot be made yet.", found) if found else None

    def make_form(self, data: Any) -> forms.Form:
        return PayerForm(data, known=self.known())

    def known(self) -> list[Payer]:
        """Return who may be billed for this work."""
        return payers(self.site, making.permit_of(self.work), self.work, on=clock.today())

    def context(self) -> dict[str, Any]:
        drawn = making.applied(self.work)
        total = self.work.total or self.work.sum_of_costs()
        return {
            "work": self.work,
            "costs": list(self.work.costs.all()),
            "total": total,
            "drawn": drawn,
            "amount": total - drawn,
            "is_escrow_path": self.work.owner_notice_id is not None,
            "time_to_pay": making.time_to_pay(on=clock.today()),
            "known": self.known(),
        }

    def confirm_context(self, form: Any) -> dict[str, Any]:
        return {"payer": form.chosen(), "due": _due_today()}

    def run(self, form: Any) -> str:
        bill = making.bill_work(self.work, form.chosen(), by=self.user, on=clock.today())
        return bill.get_absolute_url()


def _due_today() -> Any:
    return making.last_day(on=clock.today())


class BillAct(MoneyAct):
    """An act on one bill."""

    bill: Bill

    def find(self, key: Any) -> None:
        self.bill = find_bill(self.request, key)
        self.site = self.bill.site

    def subject(self) -> str:
        return self.bill.number

    def context(self) -> dict[str, Any]:
        return {"bill": self.bill, "now": standing(self.bill, on=clock.today())}

    def why_not(self) -> NotNow | None:
        if self.bill.status != Bill.Status.STANDING:
            return NotNow("The bill is withdrawn.")
        return None


class Pay(BillAct):
    """The clerk takes a payment; the receipt is made at once."""

    act = "pay bill"
    template = "bills/pay.html"
    confirm_template = "bills/pay_confirm.html"
    done_message = "The payment is recorded, and the receipt is made."

    def owed(self) -> Decimal:
        on = clock.today()
        return standing(self.bill, on=on).owed or rolled.total(rolled.payable(self.bill, on=on))

    def make_form(self, data: Any) -> forms.Form:
        return PayForm(data, bill=self.bill, owed=self.owed())

    def is_valid(self, form: Any) -> bool:
        if not form.is_valid():
            return False
        answers = form.cleaned_data
        found = moving.obstacles_to_pay(
            self.bill, answers["amount"], received_on=answers["received_on"]
        )
        for each in found:
            name = "received_on" if each.key in ("before-bill", "with-treasurer") else "amount"
            form.add_error(name, each.text)
        return not found

    def confirm_context(self, form: Any) -> dict[str, Any]:
        day = form.cleaned_data["received_on"]
        owed = standing(self.bill, on=day).owed
        charged = rolled.total(rolled.payable(self.bill, on=day))
        amount = form.cleaned_data["amount"]
        rest = moving.on_roll(self.bill)[0] if owed else NOTHING
        return {
            "left": (owed or charged) - amount,
            "from_roll": not owed and bool(charged),
            "charged": rest,
        }

    def run(self, form: Any) -> str:
        moving.pay(self.bill, by=self.user, **form.cleaned_data)
        return self.bill.get_absolute_url()


class Credit(BillAct):
    """The clerk credits something on a bill."""

    act = "credit bill"
    template = "bills/credit.html"
    done_message = "The credit is entered, and the payer is told."

    def make_form(self, data: Any) -> forms.Form:
        return CreditForm(data)

    def run(self, form: Any) -> str:
        moving.credit(self.bill, by=self.user, on=clock.today(), **form.cleaned_data)
        return self.bill.get_absolute_url()


class Reverse(BillAct):
    """The clerk takes a payment or a credit back."""

    act = "reverse entry"
    template = "bills/reverse.html"
    done_message = "The entry is reversed, and the payer is told."
    entry: BillEntry

    def find(self, key: Any) -> None:
        rows = BillEntry.objects.filter(bill__site__in=Site.objects.visible_to(self.request.user))
        self.entry = get_object_or_404(rows.select_related("bill__site", "receipt"), pk=key)
        self.bill = self.entry.bill
        self.site = self.bill.site

    def subject(self) -> str:
        return str(self.entry.pk)

    def why_not(self) -> NotNow | None:
        why = moving.why_not_reverse(self.entry)
        return NotNow(why) if why else None

    def context(self) -> dict[str, Any]:
        return {**super().context(), "entry": self.entry}

    def make_form(self, data: Any) -> forms.Form:
        return ReasonForm(data)

    def run(self, form: Any) -> str:
        reason = form.cleaned_data["reason"]
        moving.reverse(self.entry, reason=reason, by=self.user, on=clock.today())
        return self.bill.get_absolute_url()


class Withdraw(BillAct):
    """The clerk withdraws a bill made in error."""

    act = "withdraw bill"
    template = "bills/withdraw.html"
    done_message = "The bill is withdrawn, and the payer is told."

    def why_not(self) -> NotNow | None:
        why = moving.why_not_withdraw(self.bill)
        return NotNow(why) if why else None

    def make_form(self, data: Any) -> forms.Form:
        return ReasonForm(data)

    def run(self, form: Any) -> str:
        reason = form.cleaned_data["reason"]
        moving.withdraw(self.bill, reason=reason, by=self.user, on=clock.today())
        return self.bill.get_absolute_url()


class Levy(BillAct):
    """The clerk enters the council's levy; without its resolutions nothing is computed."""

    act = "levy"
    template = "bills/levy.html"
    done_message = "The assessment is entered, and the owner is told."

    def why_not(self) -> NotNow | None:
        found = levying.obstacles_to_levy(self.bill, on=clock.today())
        return NotNow("Nothing can be assessed yet.", found) if found else None

    def make_form(self, data: Any) -> forms.Form:
        return LevyForm(data, initial={"levied_on": clock.today()})

    def run(self, form: Any) -> str:
        levying.levy(self.bill, by=self.user, **form.cleaned_data)
        return self.bill.get_absolute_url()


class Divide(BillAct):
    """The clerk says what each parcel bears."""

    act = "divide bill"
    template = "bills/divide.html"
    done_message = "The division is recorded."

    def make_form(self, data: Any) -> forms.Form:
        return DivideForm(data, parcels=list(self.site.parcels.all()))

    def run(self, form: Any) -> str:
        answers = form.cleaned_data
        levying.divide(
            self.bill,
            basis=answers["basis"],
            weights=form.weights(),
            why=answers["why"],
            by=self.user,
            on=clock.today(),
        )
        return self.bill.get_absolute_url()


class MakeStatement(BillAct):
    """The clerk makes the statement of account as it stands today."""

    act = "statement"
    template = "bills/statement.html"

    def why_not(self) -> NotNow | None:
        return None

    def make_form(self, data: Any) -> forms.Form:
        return forms.Form(data)

    def run(self, form: Any) -> str:
        on = clock.today()
        paper = papers.statement_paper(self.bill, standing(self.bill, on=on), on=on)
        return paper.get_absolute_url()
