"""Moving the account of a bill: payments, credits, reversals, withdrawal.

Every row is added, none is changed. Wis. Stat. § 66.0627(4), former § 17.19(4)(e)
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from django.db import transaction

from escrow import receipts
from escrow.models import NOTHING, Bill, BillEntry, Receipt
from permits.models import NotNow
from portal import city
from portal.models import User
from portal.ordinance import Obstacle
from portal.ordinance.bills import PaymentFacts
from portal.ordinance.bills import obstacles_to_pay as law_of_payment
from portal.ordinance.wording import is_whole_cents

from . import papers, telling
from .account import Standing, keep_docket, standing
from .delivery import delivered_on
from .rolled import batches_of, on_roll, payable, take_off_roll, total

__all__ = [
    "credit",
    "obstacles_to_pay",
    "on_roll",
    "pay",
    "reverse",
    "withdraw",
]

Kind = BillEntry.Kind


# Payments ---------------------------------------------------------------------------------


def obstacles_to_pay(bill: Bill, amount: Decimal, *, received_on: date) -> list[Obstacle]:
    """Return why a payment cannot be taken as it is."""
    rolled = batches_of(bill)
    open_ones = payable(bill, on=received_on)
    owed = standing(bill, on=received_on).owed
    return law_of_payment(
        PaymentFacts(
            owed=owed or total(open_ones or rolled),
            amount=amount,
            received_on=received_on,
            billed_on=bill.billed_on,
            due_on=bill.last_day,
            is_special_charge=bill.path == Bill.Path.SPECIAL_CHARGE,
            on_roll=bool(rolled) and not owed,
            roll_delivered_on=(
                delivered_on(rolled[-1].batch.year) if rolled and not open_ones else None
            ),
        ),
        edition=city.edition_on(received_on),
    )


@transaction.atomic
def pay(
    bill: Bill,
    *,
    amount: Decimal,
    received_on: date,
    means: str,
    paid_by: str,
    check_number: str = "",
    by: User,
) -> Receipt:
    """Take a payment, book the interest up to its day, and make the receipt.

    What is on the roll already is taken off it by the same act; the county learns of it by
    the next correction batch.
    """
    with bill.acting():
        _refuse(
            obstacles_to_pay(bill, amount, received_on=received_on),
            "The payment cannot be taken like this.",
        )
        _book_interest(bill, by=by, on=received_on)
        if not bill.balance():
            take_off_roll(bill, amount, by=by, on=received_on, reason="Paid after certification")
        left = Standing(bill.balance() - amount, NOTHING)
        receipt = receipts.make(
            bill.site,
            lambda made: papers.receipt_paper(bill, made, left),
            amount=amount,
            means=means,
            paid_by=paid_by,
            check_number=check_number,
            on=received_on,
            by=by,
        )
        entry = BillEntry.objects.create(
            bill=bill, kind="payment", amount=-amount, receipt=receipt, on=received_on, by=by
        )
        entry_facts = {"bill": bill.number, "amount": amount, "receipt": receipt.number}
        keep_docket(bill, on=received_on)
        bill.site.record(
            "bill.payment",
            by=by,
            on=received_on,
            section="enforcement",
            facts={**entry_facts, "left": left.owed, "means": means, "entry": entry.pk},
        )
        telling.tell_payer(
            bill,
            f"bill_receipt:{receipt.number}",
            subject=f"Receipt {receipt.number}",
            on=received_on,
            paper=receipt.paper,
            receipt=receipt,
            left=left,
            charged=on_roll(bill)[0],
        )
    return receipt


def _book_interest(bill: Bill, *, by: User, on: date) -> None:
    """Book the interest up to a day: what a payment or a credit lowers bore it until then."""
    due = standing(bill, on=on).interest
    if due:
        BillEntry.objects.create(bill=bill, kind="interest", amount=due, on=on, by=by)


# Credits, reversals, withdrawal -----------------------------------------------------------


@transaction.atomic
def credit(
    bill: Bill, *, amount: Decimal, reason: str, resolution: str = "", by: User, on: date
) -> BillEntry:
    """Credit something on a bill, with the reason; at most what is owed."""
    with bill.acting():
        owed = standing(bill, on=on).owed
        if amount <= 0 or amount > owed or not is_whole_cents(amount):
            raise NotNow(f"A credit is above zero and at most what is owed, ${owed:,.2f}.")
        _book_interest(bill, by=by, on=on)
        entry = BillEntry.objects.create(
            bill=bill,
            kind="credit",
            amount=-amount,
            reason=reason,
            resolution=resolution,
            on=on,
            by=by,
        )
        left = standing(bill, on=on)
        paper = papers.credit_notice(bill, entry, left)
        keep_docket(bill, on=on)
        bill.site.record(
            "bill.credited",
            by=by,
            on=on,
            section="enforcement",
            reason=reason,
            facts={"bill": bill.number, "amount": amount, "left": left.owed},
        )
        telling.tell_payer(
            bill,
            f"bill_credit:{entry.pk}",
            subject=f"Credit on bill {bill.number}",
            on=on,
            paper=paper,
            entry=entry,
            left=left,
        )
    return entry


def why_not_reverse(entry: BillEntry) -> str:
    """Say why an entry cannot be reversed, or nothing."""
    if entry.kind not in (Kind.PAYMENT, Kind.CREDIT):
        return "Only a payment or a credit is reversed by itself."
    if BillEntry.objects.filter(reverses=entry).exists():
        return "This entry is reversed already."
    return ""


@transaction.atomic
def reverse(entry: BillEntry, *, reason: str, by: User, on: date) -> BillEntry:
    """Take a payment or a credit back by a row that names it; the bill owes it again."""
    bill = entry.bill
    with bill.acting():
        if why := why_not_reverse(entry):
            raise NotNow(why)
        row = BillEntry.objects.create(
            bill=bill,
            kind="reversal",
            amount=-entry.amount,
            reverses=entry,
            reason=reason,
            on=on,
            by=by,
        )
        keep_docket(bill, on=on)
        bill.site.record(
            "bill.reversed",
            by=by,
            on=on,
            section="enforcement",
            reason=reason,
            facts={"bill": bill.number, "amount": -entry.amount, "what": entry.kind},
        )
        telling.tell_payer(
            bill,
            f"bill_reversed:{row.pk}",
            subject=f"Correction on bill {bill.number}",
            on=on,
            paper=None,
            entry=entry,
            reason=reason,
            left=standing(bill, on=on),
        )
    return row


def why_not_withdraw(bill: Bill) -> str:
    """Say why a bill cannot be withdrawn, or nothing."""
    kinds = (Kind.PAYMENT, Kind.CREDIT, Kind.FEE, Kind.INTEREST)
    moved = bill.entries.filter(kind__in=kinds, reversed_by__isnull=True)
    if bill.status == Bill.Status.WITHDRAWN:
        return "The bill is withdrawn already."
    if on_roll(bill)[0]:
        return "It is on the tax roll."
    if moved.filter(kind__in=(Kind.FEE, Kind.INTEREST)).exists():
        return "It is assessed: what is not owed is credited."
    if moved.exists():
        return "Something was paid or credited on it: reverse that first."
    return ""


@transaction.atomic
def withdraw(bill: Bill, *, reason: str, by: User, on: date) -> None:
    """Withdraw a bill made in error: what was billed is reversed, and the work can be billed."""
    with bill.acting():
        if why := why_not_withdraw(bill):
            raise NotNow(why)
        for entry in bill.entries.filter(kind__in=["escrow", "billed"]).order_by("-pk"):
            BillEntry.objects.create(
                bill=bill,
                kind="reversal",
                amount=-entry.amount,
                reverses=entry,
                reason=reason,
                on=on,
                by=by,
            )
        bill.move_to(Bill.Status.WITHDRAWN)
        bill.withdrawn_on, bill.withdrawn_why = on, reason
        bill.save(update_fields=["status", "withdrawn_on", "withdrawn_why"])
        keep_docket(bill, on=on)
        bill.site.record(
            "bill.withdrawn",
            by=by,
            on=on,
            section="enforcement",
            reason=reason,
            facts={"bill": bill.number, "amount": bill.amount},
        )
        telling.tell_payer(
            bill,
            f"bill_withdrawn:{bill.number}",
            subject=f"Bill {bill.number} is withdrawn",
            on=on,
            paper=None,
            reason=reason,
        )


def _refuse(obstacles: list[Obstacle], sentence: str) -> None:
    if obstacles:
        raise NotNow(sentence, obstacles)
