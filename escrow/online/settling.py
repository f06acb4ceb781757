"""What the portal could not book: shown to the clerk, and settled by one row that says how."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from django.db import transaction
from django.db.models import QuerySet

from escrow.models import Bill, OnlineEvent, SetAsideDone
from permits.models import Application, NotNow
from portal import clock
from portal.models import User

from . import booking
from .provider import PAID
from .refunds import GIVEN_BACK

__all__ = ["booked_to_bill", "booked_to_fee", "is_bookable", "refunded", "settled", "waiting"]

Verdict = OnlineEvent.Verdict


def set_aside() -> QuerySet[OnlineEvent]:
    """Return all that could not be booked, the newest first, with what it was for."""
    rows = OnlineEvent.objects.filter(verdict__in=[Verdict.SET_ASIDE, Verdict.REFUSED])
    return rows.select_related(
        "payment__bill__site", "payment__application__site", "payment__begun_by", "done__by"
    )


def waiting() -> QuerySet[OnlineEvent]:
    """Return what is not settled yet, the oldest first."""
    return set_aside().filter(done__isnull=True).order_by("pk")


def is_bookable(event: OnlineEvent) -> bool:
    """Whether dollars came in that stand in no book: only these can be booked."""
    return event.kind in PAID and event.amount is not None


def settled(event: OnlineEvent, what: str, *, by: User, on: date) -> SetAsideDone:
    """Say what was done about it; raises NotNow where that was said before."""
    with transaction.atomic():
        _lock(event)
        return SetAsideDone.objects.create(event=event, what=what, on=on, by=by)


def refunded(event: OnlineEvent, number: str, *, by: User, on: date) -> SetAsideDone:
    """Say that the money went back at the provider, with the number of the refund there."""
    return settled(event, f"{GIVEN_BACK}, number {number}.", by=by, on=on)


def booked_to_bill(event: OnlineEvent, bill: Bill, *, by: User, on: date) -> SetAsideDone:
    """Book it as a payment on a bill and say so; raises NotNow and changes nothing."""
    with transaction.atomic():
        amount = _to_book(event)
        receipt = booking.book_bill(
            bill, amount=amount, received_on=_came(event), paid_by=_payer(event, bill), by=by
        )
        what = f"Booked to bill {bill}, receipt {receipt.number}."
        return SetAsideDone.objects.create(event=event, what=what, on=on, by=by)


def booked_to_fee(
    event: OnlineEvent, application: Application, *, by: User, on: date
) -> SetAsideDone:
    """Book it as the fee of an application and say so; raises NotNow and changes nothing."""
    with transaction.atomic():
        amount = _to_book(event)
        entry = booking.book_fee(application, amount=amount, received_on=_came(event), by=by, on=on)
        what = f"Booked as the fee of application {application}, receipt {entry.receipt_number}."
        return SetAsideDone.objects.create(event=event, what=what, on=on, by=by)


def _lock(event: OnlineEvent) -> None:
    """Let one person settle it, once."""
    OnlineEvent.objects.select_for_update(of=("self",)).get(pk=event.pk)
    done = SetAsideDone.objects.filter(event=event).first()
    if done is not None:
        raise NotNow(f"This is settled already: {done.what}")


def _to_book(event: OnlineEvent) -> Decimal:
    """Lock it and return the dollars that came in and stand in no book."""
    _lock(event)
    amount: Decimal | None = event.amount
    if amount is None or not is_bookable(event):
        raise NotNow("No dollars came in with this message, so there is nothing to book.")
    return amount


def _came(event: OnlineEvent) -> date:
    return clock.local_day(event.received_at)


def _payer(event: OnlineEvent, bill: Bill) -> str:
    payment = event.payment
    if payment is not None and (payment.payer_name or payment.begun_by):
        return payment.payer_name or str(payment.begun_by)
    return bill.payer_name
