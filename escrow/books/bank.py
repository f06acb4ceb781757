"""Taking money to the bank: what lies in the drawer, and the slip that goes with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Exists, Model, Q, QuerySet

from escrow.books.cash import postings_taken_back
from escrow.models import Deposit, DepositLine, EscrowEntry, Receipt
from permits.models import FeeEntry, NotNow
from portal import formats, numbers, papers
from portal.models import User

__all__ = ["Takings", "deposit", "offered", "takings"]

NOTHING = Decimal("0.00")
AT_ONCE = timedelta(days=31)
"""How many days of older money one deposit is offered for."""


@dataclass(frozen=True)
class Taking:
    """One row of money that is not at the bank yet; `field` is its column in DepositLine."""

    field: str
    row: Model
    day: date
    what: str
    amount: Decimal
    receipt: str
    who: str = ""
    check_number: str = ""
    is_check: bool = False


@dataclass(frozen=True)
class Takings:
    """What a deposit would take along."""

    rows: list[Taking]

    @property
    def cash(self) -> Decimal:
        """All cash."""
        return sum((row.amount for row in self.rows if not row.is_check), NOTHING)

    @property
    def checks(self) -> Decimal:
        """All checks and money orders."""
        return sum((row.amount for row in self.rows if row.is_check), NOTHING)

    @property
    def total(self) -> Decimal:
        """Cash and checks."""
        return self.cash + self.checks


def takings(since: date, until: date) -> Takings:
    """Return what was taken in these days, is not at the bank and was not reversed."""
    found = [*_fees(since, until), *_escrow(since, until), *_receipts(since, until)]
    return Takings(sorted(found, key=lambda row: (row.day, row.receipt)))


def _unbanked_fees() -> QuerySet[FeeEntry]:
    return FeeEntry.objects.filter(
        means__in=["cash", "check"], deposit_line__isnull=True, reversed_by__isnull=True
    )


def _unbanked_escrow() -> QuerySet[EscrowEntry]:
    return EscrowEntry.objects.filter(
        kind="posted",
        instrument__form="cash",
        instrument__deposit_line__isnull=True,
        reversed_by__isnull=True,
    ).exclude(Exists(postings_taken_back()))


def _unbanked_receipts() -> QuerySet[Receipt]:
    return Receipt.objects.filter(
        Q(bill_entry__isnull=True) | Q(bill_entry__reversed_by__isnull=True),
        Q(issuer__isnull=True) | Q(issuer__reversed_by__isnull=True),
        means__in=["cash", "check", "money_order"],
        deposit_line__isnull=True,
    )


def _fees(since: date, until: date) -> Iterator[Taking]:
    rows = _unbanked_fees().filter(received_on__range=(since, until))
    for row in rows.select_related("application"):
        yield Taking(
            "fee_entry",
            row,
            row.received_on,
            f"Fee of application {row.application.number}",
            row.amount,
            row.receipt_number,
            check_number=row.check_number,
            is_check=row.means == FeeEntry.Means.CHECK,
        )


def _escrow(since: date, until: date) -> Iterator[Taking]:
    rows = _unbanked_escrow().filter(on__range=(since, until))
    for row in rows.select_related("instrument", "permit__application"):
        yield Taking(
            "instrument",
            row.instrument,
            row.on,
            f"Escrow for application {row.permit.application.number}",
            row.amount,
            row.instrument.receipt_number,
            who=row.instrument.remitter,
        )


def _receipts(since: date, until: date) -> Iterator[Taking]:
    rows = _unbanked_receipts().filter(on__range=(since, until))
    for row in rows.select_related("bill_entry__bill"):
        entry = getattr(row, "bill_entry", None)
        yield Taking(
            "receipt",
            row,
            row.on,
            f"Bill {entry.bill.number}" if entry else "Demand on an escrow",
            row.amount,
            row.number,
            who=row.paid_by,
            check_number=row.check_number,
            is_check=row.means != Receipt.Means.CASH,
        )


def first_unbanked(before: date) -> date | None:
    """Return the first day before this one on which something is not at the bank yet."""
    sources: tuple[tuple[QuerySet[Any], str], ...] = (
        (_unbanked_fees(), "received_on"),
        (_unbanked_escrow(), "on"),
        (_unbanked_receipts(), "on"),
    )
    found = [
        rows.filter(**{f"{day}__lt": before}).order_by(day).values_list(day, flat=True).first()
        for rows, day in sources
    ]
    return min((day for day in found if day is not None), default=None)


def offered(before: date, until: date) -> tuple[date, date] | None:
    """Return the days of older money to deposit with what was taken until a day, or alone.

    Money that lies longer than a month is offered month by month, so that a list stays short.
    """
    first = first_unbanked(before)
    return (first, min(until, first + AT_ONCE)) if first is not None else None


@transaction.atomic
def deposit(*, since: date, until: date, total: Decimal, by: User, on: date) -> Deposit:
    """Take everything of these days to the bank; the slip lists it.

    `total` is what the clerk saw. Raises NotNow when the drawer has changed since: nothing
    is deposited that nobody looked at, and nothing twice.
    """
    # Takes the lock of the counter: a second clerk waits here, and then sees an empty drawer.
    number = numbers.next_number("DP", on=on)
    found = takings(since, until)
    if not found.rows:
        raise NotNow("Everything of these days is at the bank already.")
    if found.total != total:
        raise NotNow(
            f"The list has changed: it was {formats.money(total)} and is "
            f"{formats.money(found.total)} now. Look at it again."
        )
    slip = papers.render(
        "papers/deposit_slip.html",
        {
            "takings": found,
            "number": number,
            "reference": f"Deposit {number}",
            "on": on,
            "since": since,
            "until": until,
            "made_by": by,
        },
        kind="deposit_slip",
        title=f"Deposit slip {number}",
    )
    made = Deposit.objects.create(
        number=number, cash=found.cash, checks=found.checks, slip=slip, on=on, by=by
    )
    for row in found.rows:
        DepositLine.objects.create(deposit=made, **{row.field: row.row})
    return made
