"""What was certified and is not owed any more: it leaves the roll by a correction batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Exists, OuterRef

from escrow.models import NOTHING, BillEntry, RollBatch, RollCharge, RollLine, RollOutcome
from portal.ordinance.division import divide

__all__ = ["Correction", "corrections"]


@dataclass(frozen=True)
class Correction:
    """By how much a certified charge is lowered, and the entry that took it off the roll."""

    charge: RollCharge
    entry: BillEntry
    amount: Decimal


def corrections(year: int, instrument: str) -> list[Correction]:
    """Return what is to be taken off the roll of a year and is in no batch yet.

    A charge that the roll itself rejected is not on it: nothing is corrected for it.
    """
    told = RollLine.objects.filter(
        off_roll=OuterRef("pk"), batch__status__in=["proposed", "certified"]
    )
    entries = BillEntry.objects.filter(
        kind="off-roll",
        batch__year=year,
        batch__instrument=instrument,
        rejection__isnull=True,
    ).exclude(Exists(told))
    found: list[Correction] = []
    for entry in entries.select_related("bill", "batch").order_by("pk"):
        found += _of(entry)
    return sorted(found, key=lambda each: (each.charge.line.parcel_number, each.charge.pk))


def _of(entry: BillEntry) -> list[Correction]:
    """Divide what was taken off over the charges of its bill as they were divided."""
    charges = _charges(entry)
    weights = [charge.amount for charge in charges]
    if not charges:
        return []
    return [
        Correction(charge, entry, amount)
        for charge, amount in zip(charges, divide(entry.amount, weights), strict=True)
        if amount
    ]


def _charges(entry: BillEntry) -> Sequence[RollCharge]:
    rejected = RollOutcome.objects.filter(charge=OuterRef("pk"), kind="rejected")
    charges = RollCharge.objects.filter(
        bill=entry.bill,
        batch=entry.batch,
        amount__gt=NOTHING,
        batch__status=RollBatch.Status.CERTIFIED,
    )
    return list(charges.exclude(Exists(rejected)).select_related("line", "bill", "parcel"))
