"""The close of a day: what the books expect in the drawer, and what was counted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Exists, QuerySet, Sum

from escrow.books.cash import SOURCES, Asked, CashSource, Summed, postings_taken_back
from escrow.models import DayClose, cents
from permits.models import NotNow
from portal import formats
from portal.models import User

__all__ = ["Drawer", "close", "drawer", "why_not_close"]

NOTHING = Decimal("0.00")
OF_CASH = frozenset({"cash"})
OF_CHECKS = frozenset({"check", "money_order"})


@dataclass(frozen=True)
class Drawer:
    """What was taken at the counter on a day, by the books."""

    cash: Decimal
    checks: Decimal


def drawer(day: date) -> Drawer:
    """Return what the drawer holds of a day.

    A receipt that was reversed on its own day is not in it. One reversed later was banked
    before: its reversal moves the cash book of that later day, and no drawer.
    """
    sums: dict[str, Decimal] = {}
    for source in SOURCES:
        taken = _kept(source, source.rows(day, day).filter(b_amount__gt=0), day)
        for row in taken.values("b_way").annotate(sum=Sum("b_amount")):
            sums[row["b_way"]] = sums.get(row["b_way"], NOTHING) + cents(row["sum"])
    return Drawer(
        cash=sum((sums.get(way, NOTHING) for way in OF_CASH), NOTHING),
        checks=sum((sums.get(way, NOTHING) for way in OF_CHECKS), NOTHING),
    )


def _kept(source: CashSource, rows: QuerySet[Any], day: date) -> QuerySet[Any]:
    """Leave out what was taken back on the same day, and what takes back."""
    if source.name == "appeal":
        return rows
    kept = rows.filter(reverses__isnull=True).exclude(**{f"reversed_by__{source.day}": day})
    if source.name == "escrow":
        kept = kept.filter(kind="posted").exclude(Exists(postings_taken_back().filter(on=day)))
    return kept


def why_not_close(day: date, *, on: date) -> str:
    """Return why a day cannot be closed, or nothing."""
    if day > on:
        return f"{formats.long_date(day)} is still to come."
    if DayClose.objects.filter(on=day).exists():
        return f"{formats.long_date(day)} is closed already."
    return ""


@transaction.atomic
def close(
    day: date,
    *,
    expected: Drawer,
    counted: Drawer,
    why: str,
    by: User,
    on: date,
) -> DayClose:
    """Close a day with what was counted; a difference needs its reason.

    `expected` is what the clerk saw: raises NotNow when an entry came in between.
    """
    if refused := why_not_close(day, on=on):
        raise NotNow(refused)
    if drawer(day) != expected:
        raise NotNow("Something was entered for this day just now. Look at the sums again.")
    if counted != expected and not why.strip():
        raise NotNow("What was counted differs from the books. Write why.")
    totals = Summed.of(Asked(day, day))
    try:
        with transaction.atomic():
            return DayClose.objects.create(
                on=day,
                by=by,
                expected_cash=expected.cash,
                counted_cash=counted.cash,
                expected_checks=expected.checks,
                counted_checks=counted.checks,
                why=why,
                totals={
                    title: {
                        str(name): {
                            "count": sums.count,
                            "received": str(sums.came_in),
                            "paid": str(sums.went_out),
                        }
                        for name, sums in rows
                    }
                    for title, rows in totals.tables()
                },
            )
    except IntegrityError as error:  # another clerk closed it at this moment
        raise NotNow(why_not_close(day, on=on)) from error
