"""Beginning an online payment: what is to be paid, whether it can be, and the row that says so."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from uuid import UUID

from django.db import IntegrityError, transaction

from escrow.bills import moving, rolled
from escrow.bills.account import standing
from escrow.models import NOTHING, Bill, OnlinePayment
from permits.models import Application, NotNow
from portal.models import User

from .provider import NAME

__all__ = ["Due", "begin", "of_bill", "of_fee"]


@dataclass(frozen=True)
class Due:
    """One fee or one bill that somebody wants to pay: its title, and what is due in dollars."""

    title: str
    amount: Decimal
    application: Application | None = None
    bill: Bill | None = None
    why_not: str = ""


def of_fee(application: Application, *, on: date) -> Due:
    """Return the fee that is due for an application; the fee is paid whole. § 40-886(b)"""
    why_not = ""
    if application.fee_received_on is not None:
        why_not = "The fee of this application is in."
    elif application.number is None:
        why_not = "The application is not filed yet; its fee is due once it has its number."
    elif application.status != Application.Status.SUBMITTED:
        why_not = application.why_not(Application.Status.UNDER_REVIEW)
    amount = application.fee_due(on=on)
    if not amount:
        why_not = "No fee is due."
    return Due(
        f"Fee of application {application}", amount, application=application, why_not=why_not
    )


def of_bill(bill: Bill, *, on: date) -> Due:
    """Return what is due on a bill, also when it is on the tax roll already."""
    amount = standing(bill, on=on).owed or rolled.total(rolled.payable(bill, on=on))
    title = f"Bill {bill} for city work"
    if bill.status != Bill.Status.STANDING:
        return Due(title, NOTHING, bill=bill, why_not="The bill is withdrawn.")
    found = moving.obstacles_to_pay(bill, amount, received_on=on)
    return Due(title, amount, bill=bill, why_not=" ".join(each.text for each in found))


def begin(
    due: Due, *, key: UUID, amount: Decimal, by: User | None = None, payer_name: str = ""
) -> OnlinePayment:
    """Write down the payment that is begun, once for the key of the form; raises NotNow.

    Whoever holds the case is known by account, whoever has the bill's code says their name.

    The row comes before the provider is asked, so that whatever the provider tells of it later
    finds it here. The reference is the key: nobody guesses one, and two portals share none.
    """
    wanted = {
        "application": due.application,
        "bill": due.bill,
        "amount": amount,
        "begun_by": by,
        "payer_name": payer_name,
    }
    try:
        with transaction.atomic():
            found, _ = OnlinePayment.objects.get_or_create(
                key=key, defaults={"provider": NAME, "reference": str(key), **wanted}
            )
    except IntegrityError as error:
        raise NotNow("Open this page again and press the button once more.") from error
    if any(getattr(found, name) != value for name, value in wanted.items()):
        raise NotNow("This page was sent before with another amount or name. Open it again.")
    return found
