"""What a signed message does: a payment is booked once, whatever cannot be is set aside.

Each message is one row, and what became of it is said there at once. A fee that was paid
online is taken by the same act as at the counter: the inspector's ten working days start on
the day it came in. § 40-886(b)
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, transaction

from escrow.bills import moving
from escrow.models import Bill, OnlineEvent, OnlinePayment, Receipt
from permits import acts
from permits.models import Application, FeeEntry, NotNow
from portal import formats, numbers
from portal.models import User

from . import refunds
from .provider import NAME, Message, What

__all__ = ["book_bill", "book_fee", "machine", "take"]

Verdict = OnlineEvent.Verdict
ONLINE = Receipt.Means.ONLINE


def machine() -> User:
    """Return the account under which the portal books what came in online."""
    return User.objects.machine("Online payment")


def take(message: Message, *, today: date) -> OnlineEvent:
    """Keep a message and do what it says, all or nothing; a repeat returns the first one's row.

    What happens to one payment happens under its lock, one message after the other.
    """
    try:
        with transaction.atomic():
            return _take(message, today)
    except IntegrityError:
        # The same message in another process, of a payment that has no row to lock.
        found = _kept(message)
        if found is None:
            raise
        return found


def _kept(message: Message) -> OnlineEvent | None:
    return OnlineEvent.objects.filter(provider=NAME, event_id=message.event_id).first()


def _take(message: Message, today: date) -> OnlineEvent:
    locked = OnlinePayment.objects.select_for_update(of=("self",))
    payment = locked.filter(provider=NAME, reference=message.reference).first()
    if found := _kept(message):
        return found
    facts = {"amount": message.amount, **_judged(message, payment, today)}
    return OnlineEvent.objects.create(
        provider=NAME,
        event_id=message.event_id,
        kind=message.kind,
        reference=message.reference,
        payment=payment,
        currency=message.currency,
        **facts,
    )


def _judged(message: Message, payment: OnlinePayment | None, today: date) -> dict[str, Any]:
    """Do what a message says and return what to write on its row."""
    if message.what == What.NOTHING:
        return {"verdict": Verdict.IGNORED, "why": "No money moved."}
    if message.what == What.TROUBLE:
        return {"verdict": Verdict.SET_ASIDE, "why": message.words}
    if payment is None:
        why = f"No payment of this portal has this reference. {message.words}".strip()
        return {"verdict": Verdict.SET_ASIDE, "why": why}
    if message.what == What.REFUNDED:
        return refunds.take(message, payment, by=machine())
    return _paid(message, payment, today)


def _paid(message: Message, payment: OnlinePayment, today: date) -> dict[str, Any]:
    came = (Verdict.BOOKED, Verdict.SET_ASIDE, Verdict.REFUSED)
    if before := payment.events.filter(verdict__in=came).first():
        return {"verdict": Verdict.REPEAT, "why": f"The payment came with {before.event_id}."}
    if message.currency != payment.currency:
        return {"verdict": Verdict.REFUSED, "why": message.words}
    if message.amount != payment.amount:
        why = f"{formats.money(payment.amount)} was asked for."
        return {"verdict": Verdict.REFUSED, "why": why}
    try:
        with transaction.atomic():
            return {"verdict": Verdict.BOOKED, **_book(message, payment, today)}
    except NotNow as refused:
        return {"verdict": Verdict.SET_ASIDE, "why": in_words(refused)}


def in_words(refused: NotNow) -> str:
    """Return why an act was refused, with every obstacle."""
    return " ".join([refused.sentence, *(each.text for each in refused.obstacles)])


def _book(message: Message, payment: OnlinePayment, today: date) -> dict[str, Any]:
    facts = {"amount": payment.amount, "received_on": message.on, "by": machine()}
    if payment.application is not None:
        return {"fee_entry": book_fee(payment.application, on=today, **facts)}
    assert payment.bill is not None  # online_payment_is_for_one_thing
    payer = payment.payer_name or payment.begun_by or payment.bill.payer_name
    return {"receipt": book_bill(payment.bill, paid_by=str(payer), **facts)}


def book_fee(
    application: Application, *, amount: Decimal, received_on: date, by: User, on: date
) -> FeeEntry:
    """Take the fee of an application by the act of the counter; raises NotNow."""
    return acts.record_fee(
        application,
        by=by,
        on=on,
        means=FeeEntry.Means.ONLINE,
        amount=amount,
        received_on=received_on,
        receipt_number=numbers.next_number("RC", on=received_on),
    )


def book_bill(bill: Bill, *, amount: Decimal, received_on: date, paid_by: str, by: User) -> Receipt:
    """Take a payment on a bill by the act of the counter; raises NotNow."""
    return moving.pay(
        bill,
        amount=amount,
        received_on=received_on,
        means=ONLINE,
        paid_by=paid_by[:200],
        by=by,
    )
