"""A refund at the provider: a reversing row; what is left is booked again on a new receipt.

A reversing row takes back all of the row that it names. So a refund of a part reverses the
payment and books the rest; the next refund reverses that rest. Nothing is ever changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Sum

from escrow.bills import moving, papers, telling
from escrow.bills.account import keep_docket, standing
from escrow.models import (
    Bill,
    BillEntry,
    OnlineEvent,
    OnlinePayment,
    Receipt,
    SetAsideDone,
    cents,
)
from permits import acts
from permits.models import Application, FeeEntry, NotNow
from portal import formats, numbers
from portal.models import User

from .provider import Message

__all__ = ["GIVEN_BACK", "take"]

Verdict = OnlineEvent.Verdict
GIVEN_BACK = "Refunded at the provider"
"""How the words begin by which a payment that was set aside is settled as given back."""


@dataclass(frozen=True)
class Refund:
    """What is given back now, and what is left of the payment after it; in dollars."""

    back: Decimal
    left: Decimal
    on: date
    by: User

    @property
    def reason(self) -> str:
        """The words on the reversing row."""
        if self.left:
            return (
                f"{formats.money(self.back)} was refunded at the provider; what is left of it, "
                f"{formats.money(self.left)}, is booked again."
            )
        return f"{formats.money(self.back)} was refunded at the provider."


def take(message: Message, payment: OnlinePayment, *, by: User) -> dict[str, Any]:
    """Book a refund under the payment's lock, and return what to write on its row."""
    if message.amount is None or message.currency != payment.currency:
        return {"verdict": Verdict.REFUSED, "why": message.words}
    booked = payment.events.filter(verdict=Verdict.BOOKED).first()
    if booked is None:
        return _of_nothing_booked(message, payment, by=by)
    # The provider says how much was given back in all; messages may overtake each other.
    before = cents(
        payment.events.filter(verdict=Verdict.REFUNDED).aggregate(sum=Sum("amount"))["sum"]
    )
    if message.amount <= before:
        return {"verdict": Verdict.REPEAT, "why": "These refunds are booked."}
    if message.amount > payment.amount:
        why = f"Only {formats.money(payment.amount)} was paid."
        return {"verdict": Verdict.REFUSED, "why": why}
    refund = Refund(message.amount - before, payment.amount - message.amount, message.on, by)
    try:
        with transaction.atomic():
            done = _of_fee if payment.application is not None else _of_bill
            return {"verdict": Verdict.REFUNDED, "amount": refund.back, **done(payment, refund)}
    except NotNow as refused:
        why = f"{refused.sentence} The money went back all the same: see that the books say so."
        return {"verdict": Verdict.SET_ASIDE, "why": why}


def _of_nothing_booked(message: Message, payment: OnlinePayment, *, by: User) -> dict[str, Any]:
    """Settle what was set aside, once it is given back whole."""
    # Its lock lets the clerk, who may be settling it at this moment, finish first.
    rows = payment.events.select_for_update(of=("self",))
    aside = rows.filter(verdict__in=[Verdict.SET_ASIDE, Verdict.REFUSED]).last()
    if aside is None:
        return {"verdict": Verdict.SET_ASIDE, "why": "No payment came in that could be refunded."}
    done = SetAsideDone.objects.filter(event=aside).first()
    if done is not None and not done.what.startswith(GIVEN_BACK):
        why = f"The payment was settled by hand: {done.what} Correct the books by hand."
        return {"verdict": Verdict.SET_ASIDE, "why": why}
    if aside.amount is None or message.amount != aside.amount:
        why = "A part of a payment that was set aside is refunded; the rest is still there."
        return {"verdict": Verdict.SET_ASIDE, "why": why}
    if done is None:
        what = f"{GIVEN_BACK}, as its message {message.event_id} says."
        SetAsideDone.objects.create(event=aside, what=what, on=message.on, by=by)
    return {"verdict": Verdict.IGNORED, "why": "It was set aside, so nothing is reversed."}


# Fees -------------------------------------------------------------------------------------


def _of_fee(payment: OnlinePayment, refund: Refund) -> dict[str, Any]:
    """Reverse the fee. One on which nothing is decided yet is not in any more. § 40-886(b)"""
    application = payment.application
    assert application is not None
    entry = application.fee_entries.get(pk=_newest(payment, "fee_entry"))
    if hasattr(entry, "reversed_by"):
        raise NotNow("The fee is reversed already.")
    if not refund.left and _is_open(application):
        acts.reverse_fee(application, by=refund.by, on=refund.on, reason=refund.reason)
        return {"fee_entry": FeeEntry.objects.get(reverses=entry)}
    return {"fee_entry": _reverse_in_the_books(application, entry, refund)}


def _is_open(application: Application) -> bool:
    under_review = application.status == Application.Status.UNDER_REVIEW
    return under_review and application.decided_at() is None


def _reverse_in_the_books(application: Application, entry: FeeEntry, refund: Refund) -> FeeEntry:
    """Reverse the fee and book what is left of it; the application stands where it stood."""
    facts = {"application": application, "received_on": refund.on, "recorded_by": refund.by}
    with application.acting():
        row = FeeEntry.objects.create(
            means="reversal", amount=-entry.amount, reverses=entry, note=refund.reason, **facts
        )
        if refund.left:
            number = numbers.next_number("RC", on=refund.on)
            note = f"What is left after a refund of {formats.money(refund.back)}."
            row = FeeEntry.objects.create(
                means="online", amount=refund.left, receipt_number=number, note=note, **facts
            )
        application.site.record(
            "payment.refunded",
            by=refund.by,
            on=refund.on,
            section="permit",
            reason=refund.reason,
            facts={"application": application.number, "amount": refund.back},
        )
    return row


# Bills ------------------------------------------------------------------------------------


def _of_bill(payment: OnlinePayment, refund: Refund) -> dict[str, Any]:
    """Reverse the payment: the bill owes again what was given back."""
    bill = payment.bill
    assert bill is not None
    receipt = Receipt.objects.get(pk=_newest(payment, "receipt"))
    entry = receipt.bill_entry
    if why := moving.why_not_reverse(entry):
        raise NotNow(why)
    moving.reverse(entry, reason=refund.reason, by=refund.by, on=refund.on)
    return {"receipt": _keep_rest(bill, receipt, refund)} if refund.left else {}


def _keep_rest(bill: Bill, before: Receipt, refund: Refund) -> Receipt:
    """Book what is left. It was in already, so nothing stands against it now."""
    with bill.acting():
        receipt = Receipt.objects.create(
            number=numbers.next_number("RC", on=refund.on),
            site=bill.site,
            amount=refund.left,
            means=before.means,
            paid_by=before.paid_by,
            on=refund.on,
            by=refund.by,
        )
        entry = BillEntry.objects.create(
            bill=bill,
            kind="payment",
            amount=-refund.left,
            receipt=receipt,
            reason=f"Left after a refund of {formats.money(refund.back)}.",
            on=refund.on,
            by=refund.by,
        )
        left = standing(bill, on=refund.on)
        paper = papers.receipt_paper(bill, receipt, left)
        keep_docket(bill, on=refund.on)
        bill.site.record(
            "bill.payment",
            by=refund.by,
            on=refund.on,
            section="enforcement",
            facts={
                "bill": bill.number,
                "amount": refund.left,
                "receipt": receipt.number,
                "left": left.owed,
                "means": receipt.means,
                "entry": entry.pk,
            },
        )
        telling.tell_payer(
            bill,
            f"bill_receipt:{receipt.number}",
            subject=f"Receipt {receipt.number}",
            on=refund.on,
            paper=paper,
            receipt=receipt,
            left=left,
            charged=moving.on_roll(bill)[0],
        )
    return receipt


def _newest(payment: OnlinePayment, of: str) -> Any:
    """Return the row that stands for the payment now: the first booked, or the last rest."""
    rows = payment.events.filter(
        verdict__in=[Verdict.BOOKED, Verdict.REFUNDED], **{f"{of}__isnull": False}
    )
    return rows.order_by("-pk").values_list(of, flat=True).first()
