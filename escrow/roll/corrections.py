"""What was certified and is not owed any more: it leaves the roll by a correction batch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db.models import Exists, OuterRef, QuerySet

from escrow.models import NOTHING, BillEntry, RollCharge, RollLine, RollOutcome
from portal.ordinance.division import divide

from .known import chunks

__all__ = [
    "Correction",
    "Followed",
    "corrections",
    "corrections_of",
    "follow",
    "untold_entries",
]

YEARS_BACK = 2
"""So many rolls before the open one are looked at; the tax of an older one is long settled."""


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
    not take; `settled` are charge and entry of what the treasurer has dropped or paid back.
    """

    taken: list[Correction]
    left: dict[int, Decimal]
    rejected: frozenset[int]
    settled: frozenset[tuple[int, int]] = frozenset()


NOBODY = Followed([], {}, frozenset())


def follow(bill_id: int, batch_id: int) -> Followed:
    """Go through what was taken off the roll, in order, and say which charge it lowered.

    Each amount is divided by what the charges are still for and was not collected with the tax
    when it was entered, so that none falls below zero or below what came in.
    """
    return _follow_all([bill_id]).get((bill_id, batch_id), NOBODY)


def _follow_all(bill_ids: Iterable[int]) -> dict[tuple[int, int], Followed]:
    """Follow the charges of many bills, by bill and batch, in three queries for all of them."""
    found: dict[tuple[int, int], Followed] = {}
    for ids in chunks(bill_ids):
        charges: dict[tuple[int, int], list[RollCharge]] = defaultdict(list)
        rows = RollCharge.objects.filter(bill__in=ids, amount__gt=NOTHING)
        for charge in rows.select_related("line", "bill__site", "parcel", "batch").order_by("pk"):
            charges[charge.bill_id, charge.batch_id].append(charge)
        entries: dict[tuple[int, int | None], list[BillEntry]] = defaultdict(list)
        for entry in BillEntry.objects.filter(bill__in=ids, kind="off-roll").order_by("pk"):
            entries[entry.bill_id, entry.batch_id].append(entry)
        told: dict[int, list[RollOutcome]] = defaultdict(list)
        for outcome in RollOutcome.objects.filter(charge__bill__in=ids).order_by("pk"):
            told[outcome.charge_id].append(outcome)
        for key, of_bill in charges.items():
            found[key] = _followed(of_bill, entries[key], told)
    return found


def _followed(
    charges: Sequence[RollCharge],
    entries: Sequence[BillEntry],
    told: Mapping[int, Sequence[RollOutcome]],
) -> Followed:
    rejections = {
        outcome.off_roll_id: charge.pk
        for charge in charges
        for outcome in told.get(charge.pk, ())
        if outcome.kind == RollOutcome.Kind.REJECTED
    }
    left = {charge.pk: charge.amount for charge in charges}
    taken: list[Correction] = []
    for entry in entries:
        if entry.pk in rejections:
            left[rejections[entry.pk]] = NOTHING
            continue
        open_parts = [
            max(left[charge.pk] - _collected(told.get(charge.pk, ()), entry.at), NOTHING)
            for charge in charges
        ]
        if sum(open_parts) < entry.amount:  # two machines whose clocks differ
            open_parts = [left[charge.pk] for charge in charges]
        for charge, part in zip(charges, divide(entry.amount, open_parts), strict=True):
            if part:
                left[charge.pk] -= part
                taken.append(Correction(charge, entry, part))
    return Followed(taken, left, frozenset(rejections.values()), _settled(charges, told))


def _settled(
    charges: Sequence[RollCharge], told: Mapping[int, Sequence[RollOutcome]]
) -> frozenset[tuple[int, int]]:
    """Return charge and entry of which the treasurer's newest word says what became of them."""
    newest: dict[tuple[int, int], str] = {}
    for charge in charges:
        for outcome in told.get(charge.pk, ()):
            if outcome.entry_id is not None:
                newest[charge.pk, outcome.entry_id] = outcome.kind
    return frozenset(key for key, kind in newest.items() if kind in RollOutcome.SETTLED)


def _collected(told: Sequence[RollOutcome], at: datetime) -> Decimal:
    """Return what had been recorded as collected of a charge at a moment.

    What is collected later moves nothing that a correction has told the roll already.
    """
    return sum((outcome.amount for outcome in told if outcome.at <= at), NOTHING)


def corrections(year: int, instrument: str) -> list[Correction]:
    """Return what is to be taken off the roll of a year and is in no batch yet."""
    told = RollLine.objects.filter(
        off_roll=OuterRef("pk"), batch__status__in=["proposed", "certified"]
    )
    entries = BillEntry.objects.filter(
        kind="off-roll",
        batch__year=year,
        batch__instrument=instrument,
        rejection__isnull=True,
    ).exclude(Exists(told))
    return corrections_of(entries)


def untold_entries(year: int) -> QuerySet[BillEntry]:
    """Return what was taken off the roll of a year or of the two before it, and is in no
    certified batch.
    """
    told = RollLine.objects.filter(off_roll=OuterRef("pk"), batch__status="certified")
    years = (year - YEARS_BACK, year)
    rows = BillEntry.objects.filter(
        kind="off-roll", batch__year__range=years, rejection__isnull=True
    )
    return rows.exclude(Exists(told))


def corrections_of(entries: QuerySet[BillEntry]) -> list[Correction]:
    """Return which charges were lowered by these entries, less what the treasurer has settled.

    A charge that the roll itself rejected is not on it: nothing is corrected for it.
    """
    wanted: dict[tuple[int, int], set[int]] = {}
    for pk, bill_id, batch_id in entries.values_list("pk", "bill", "batch"):
        assert batch_id is not None  # bill_entry_has_its_proof
        wanted.setdefault((bill_id, batch_id), set()).add(pk)
    if not wanted:
        return []
    found: list[Correction] = []
    followed = _follow_all({bill_id for bill_id, _ in wanted})
    for key, pks in wanted.items():
        of_bill = followed.get(key, NOBODY)
        found += [
            each
            for each in of_bill.taken
            if each.entry.pk in pks
            and each.charge.pk not in of_bill.rejected
            and (each.charge.pk, each.entry.pk) not in of_bill.settled
        ]
    found.sort(key=lambda each: (each.charge.line.parcel_number, each.charge.pk, each.entry.pk))
    return found
