"""The account of one bill: what it says on a day, with interest that is not booked yet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from escrow.models import NOTHING, Assessment, Bill, BillEntry
from permits.models import DocketEntry
from portal import city
from portal.ordinance.assessment import interest_between

__all__ = ["Standing", "StatementLine", "keep_docket", "standing", "statement"]

Kind = BillEntry.Kind


@dataclass(frozen=True)
class Standing:
    """What a bill owes on a day: booked entries, and interest up to the day."""

    booked: Decimal
    interest: Decimal

    @property
    def owed(self) -> Decimal:
        """All that is owed."""
        return self.booked + self.interest


@dataclass(frozen=True)
class StatementLine:
    """One entry and the balance after it."""

    entry: BillEntry
    balance: Decimal


def standing(bill: Bill, *, on: date, entries: Iterable[BillEntry] | None = None) -> Standing:
    """Return what is owed on a day; `entries` where they were read already."""
    rows = list(entries if entries is not None else bill.entries.order_by("pk"))
    booked = sum((row.amount for row in rows), NOTHING)
    assessment = _assessment(bill)
    if assessment is None or booked <= 0:
        return Standing(booked, NOTHING)
    return Standing(booked, _interest(assessment, rows, on))


def _assessment(bill: Bill) -> Assessment | None:
    if bill.path != Bill.Path.ASSESSMENT:
        return None
    return getattr(bill, "assessment", None)


def _interest(assessment: Assessment, rows: list[BillEntry], on: date) -> Decimal:
    """Simple interest on the principal since it was last booked; interest bears none."""
    booked = [row.on for row in rows if row.kind == Kind.INTEREST]
    return interest_between(
        _principal(rows),
        assessment.rate,
        assessment.levied_on,
        max(booked, default=assessment.levied_on),
        on,
        edition=city.edition_on(assessment.levied_on),
    )


def _principal(rows: list[BillEntry]) -> Decimal:
    """What is owed without interest: a payment pays the interest booked first.

    Whatever takes such a row back, or the charge off the roll again, gives the interest in it
    back as interest: it never comes to bear interest itself.
    """
    principal = interest = rolled = NOTHING
    paid: dict[int, Decimal] = {}  # the interest in each row that settled something
    for row in rows:
        if row.kind == Kind.INTEREST:
            part = row.amount
        elif row.kind == Kind.OFF_ROLL:
            part = min(rolled, row.amount)
            rolled -= part
        elif row.amount > 0:
            part = paid.get(row.reverses_id or 0, NOTHING)
        else:
            part = -min(interest, -row.amount)
            paid[row.pk] = -part
            rolled -= part if row.kind == Kind.ROLL else NOTHING
        interest += part
        principal += row.amount - part
    return principal


def statement(bill: Bill) -> list[StatementLine]:
    """Return every entry in order, each with the balance after it."""
    found, balance = [], NOTHING
    entries = bill.entries.select_related("receipt__paper__document", "by", "reverses", "batch")
    for entry in entries.select_related("reversed_by").order_by("pk"):
        balance += entry.amount
        found.append(StatementLine(entry, balance))
    return found


def keep_docket(bill: Bill, *, on: date) -> None:
    """Keep the bill's clock running while something is owed, and closed while nothing is.

    Called by every act that moves the account, under the site's lock.
    """
    wanted = bill.clocks()
    running = DocketEntry.objects.of(bill).running()
    if wanted and not running.exists():
        DocketEntry.objects.start(bill, wanted[0], title=f"Bill {bill.number} due")
    elif not wanted:
        running.update(met_on=None, closed_on=on)
