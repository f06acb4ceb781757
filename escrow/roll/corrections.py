"""What was certified and is not owed any more: it leaves the roll by a correction batch."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Exists, OuterRef

from escrow.models import NOTHING, BillEntry, RollCharge, RollLine, RollOutcome
from portal.ordinance.division import divide

__all__ = ["Correction", "Followed", "corrections", "follow"]


@dataclass(frozen=True)
class Correction:
    """By how much a certified charge is lowered, and the entry that took it off the roll."""

    charge: RollCharge
    entry: BillEntry
    amount: Decimal


@dataclass(frozen=True)
class Followed:
    """The charges of one bill in one batch after all that was taken off the roll since.

    `left` is what each charge is still for, by its key; `rejected` are those that the roll did
    not take.
    """

    taken: list[Correction]
    left: dict[int, Decimal]
    rejected: frozenset[int]


def follow(bill_id: int, batch_id: int) -> Followed:
    """Go through what was taken off the roll, in order, and say which charge it lowered.

    Each amount is divided by what the charges are still for, so that none falls below zero.
    """
    rows = RollCharge.objects.filter(bill=bill_id, batch=batch_id, amount__gt=NOTHING)
    charges = list(rows.select_related("line", "bill", "parcel").order_by("pk"))
    answers = RollOutcome.objects.filter(charge__in=charges, kind=RollOutcome.Kind.REJECTED)
    rejections: dict[int | None, int] = dict(answers.values_list("off_roll", "charge"))
    left = {charge.pk: charge.amount for charge in charges}
    taken: list[Correction] = []
    entries = BillEntry.objects.filter(bill=bill_id, batch=batch_id, kind="off-roll")
    for entry in entries.order_by("pk"):
        if entry.pk in rejections:
            left[rejections[entry.pk]] = NOTHING
            continue
        weights = [left[charge.pk] for charge in charges]
        for charge, part in zip(charges, divide(entry.amount, weights), strict=True):
            if part:
                left[charge.pk] -= part
                taken.append(Correction(charge, entry, part))
    return Followed(taken, left, frozenset(rejections.values()))


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
    wanted: dict[tuple[int, int], set[int]] = {}
    for pk, bill_id, batch_id in entries.values_list("pk", "bill", "batch"):
        wanted.setdefault((bill_id, batch_id), set()).add(pk)
    found: list[Correction] = []
    for (bill_id, batch_id), pks in wanted.items():
        of_bill = follow(bill_id, batch_id)
        found += [
            each
            for each in of_bill.taken
            if each.entry.pk in pks and each.charge.pk not in of_bill.rejected
        ]
    found.sort(key=lambda each: (each.charge.line.parcel_number, each.charge.pk, each.entry.pk))
    return found
