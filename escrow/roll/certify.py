"""From the list to the roll: proposed by one person, certified by another, exactly once.

Former § 17.19(7)(e) and (4)(e), Wis. Stat. § 66.0627(4). What was signed is what is exported:
the lines are written when the batch is proposed, and certifying it compares their hash and
what each bill still owes.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db import IntegrityError, transaction

from escrow.bills.account import standing
from escrow.bills.delivery import delivered_on
from escrow.models import (
    NOTHING,
    Bill,
    BillEntry,
    RollBatch,
    RollCharge,
    RollLayout,
    RollLine,
    RollOutcome,
)
from permits.models import CaseEvent, DocketEntry, NotNow, Site
from portal import clock, numbers
from portal.formats import money
from portal.models import User

from . import files, papers
from .candidates import Candidate
from .corrections import Correction
from .known import entries_of, refuse_contested

__all__ = ["Totals", "certify", "propose", "totals_of", "withdraw"]

BETWEEN = "\x1f"
"""Stands between the facts of a line in its hash; no fact has it."""


@dataclass(frozen=True)
class Totals:
    """The control figures of a list."""

    count: int
    total: Decimal
    highest: Decimal
    lowest: Decimal
    sha256: str


def totals_of(lines: Sequence[RollLine]) -> Totals:
    """Return the control figures of lines: what two persons sign and the county compares."""
    amounts = [line.amount for line in lines]
    digest = hashlib.sha256()
    for line in lines:
        digest.update(f"{BETWEEN.join(_facts(line))}\n".encode())
    return Totals(
        count=len(lines),
        total=sum(amounts, NOTHING),
        highest=max(amounts, default=NOTHING),
        lowest=min(amounts, default=NOTHING),
        sha256=digest.hexdigest(),
    )


def _facts(line: RollLine) -> tuple[str, ...]:
    return (
        str(line.position),
        str(line.bill_id),
        str(line.parcel_id),
        line.parcel_number,
        line.owner_name,
        line.owner_address,
        line.site_address,
        line.resolution,
        line.delinquent_on.isoformat(),
        f"{line.amount:.2f}",
    )


# Proposing --------------------------------------------------------------------------------


def lines_from(found: Iterable[Candidate]) -> list[RollLine]:
    """Return the lines of a list, not stored yet: what no problem keeps off, by parcel."""
    parts = [(part, each.bill) for each in found if not each.stops for part in each.parts]
    parts.sort(key=lambda pair: (pair[0].parcel.number, pair[1].number))
    return [
        RollLine(
            position=position,
            bill=bill,
            site_id=bill.site_id,
            parcel=part.parcel,
            parcel_number=part.parcel.number,
            owner_name=part.owner.name,
            owner_address=part.owner.address,
            site_address=bill.site.place,
            resolution=_resolution(bill),
            delinquent_on=bill.delinquent_on,
            amount=part.amount,
        )
        for position, (part, bill) in enumerate(parts, 1)
    ]


def _resolution(bill: Bill) -> str:
    assessment = getattr(bill, "assessment", None)
    return assessment.resolution if assessment else bill.due_resolution


def lines_of_corrections(found: Iterable[Correction]) -> list[RollLine]:
    """Return the lines that lower certified charges, not stored yet."""
    return [
        RollLine(
            position=position,
            bill=each.charge.bill,
            site_id=each.charge.line.site_id,
            parcel=each.charge.parcel,
            parcel_number=each.charge.line.parcel_number,
            owner_name=each.charge.line.owner_name,
            owner_address=each.charge.line.owner_address,
            site_address=each.charge.line.site_address,
            resolution=each.charge.line.resolution,
            delinquent_on=each.charge.line.delinquent_on,
            amount=-each.amount,
            corrects=each.charge,
            off_roll=each.entry,
        )
        for position, each in enumerate(found, 1)
    ]


def propose(
    lines: Sequence[RollLine],
    *,
    year: int,
    cut_off_on: date,
    instrument: str,
    layout: RollLayout,
    by: User,
    on: date,
    signed: str = "",
    purpose: str = RollBatch.Purpose.CHARGES,
) -> RollBatch:
    """Write a list down for the second person. `signed` is the hash that the page showed."""
    if on >= delivered_on(year):
        raise NotNow(f"The roll of {year} is with the treasurer; nothing is added to it.")
    if not lines:
        raise NotNow("No charge is ready for the roll.")
    totals = totals_of(lines)
    if signed and signed != totals.sha256:
        raise NotNow("The list has changed since it was shown. Look at it again.")
    try:
        with transaction.atomic():
            return _store(
                lines, totals, year, cut_off_on, instrument, layout, purpose, by=by, on=on
            )
    except IntegrityError as error:
        raise NotNow(
            "Another list is proposed and waits for its second person. It is certified or "
            "withdrawn before the next one is made."
        ) from error


def _store(
    lines: Sequence[RollLine],
    totals: Totals,
    year: int,
    cut_off_on: date,
    instrument: str,
    layout: RollLayout,
    purpose: str,
    *,
    by: User,
    on: date,
) -> RollBatch:
    # Of the counter's row, not of the rows there are: two lists at once get two numbers.
    number = int(numbers.next_number("RB", on=date(year, 1, 1)).rsplit("-", 1)[1])
    batch = RollBatch.objects.create(
        year=year,
        number=number,
        instrument=instrument,
        purpose=purpose,
        cut_off_on=cut_off_on,
        layout=layout,
        count=totals.count,
        total=totals.total,
        highest=totals.highest,
        lowest=totals.lowest,
        sha256=totals.sha256,
        proposed_on=on,
        proposed_by=by,
    )
    for line in lines:
        line.batch = batch
    RollLine.objects.bulk_create(lines, batch_size=500)
    return batch


# Certifying -------------------------------------------------------------------------------


@transaction.atomic
def withdraw(batch: RollBatch, *, reason: str, by: User, on: date) -> None:
    """Withdraw a proposed batch; its lines stay on record and count for nothing."""
    batch = _held(batch)
    batch.status = RollBatch.Status.WITHDRAWN
    batch.decided_on, batch.decided_by, batch.decided_at = on, by, clock.now()
    batch.decided_why = reason
    batch.save()


def _held(batch: RollBatch) -> RollBatch:
    held = RollBatch.objects.select_for_update().get(pk=batch.pk)
    if held.status != RollBatch.Status.PROPOSED:
        raise NotNow(f"Batch {held} is {held.get_status_display().lower()}.")
    return held


@transaction.atomic
def certify(batch: RollBatch, *, signed: str, by: User, on: date) -> RollBatch:
    """Certify a batch as it was proposed: all of it, once, by a second person.

    Each bill's account moves to the roll, each line becomes a charge with its number, the
    file and the certification are made and kept, and nothing of it changes any more.
    """
    held = _held(batch)
    if held.proposed_by_id == by.pk:
        raise NotNow("You proposed this list. A second person certifies it.")
    if on >= delivered_on(held.year):
        raise NotNow(f"The roll of {held.year} is with the treasurer; nothing is added to it.")
    lines = list(held.lines.select_related("corrects").order_by("position"))
    if signed != held.sha256 or totals_of(lines).sha256 != held.sha256:
        raise NotNow("What you saw is not what was proposed. Look at the list again.")
    sites = _lock({line.site_id for line in lines})
    if held.purpose == RollBatch.Purpose.CORRECTION:
        _refuse_rejected(lines)
        entries = {line.pk: line.off_roll_id or 0 for line in lines}
    else:
        entries = _move(held, lines, by=by, on=on)
    _number(held, lines, entries, on=on)
    _record(held, lines, sites, by=by, on=on)
    held.decided_by, held.decided_on, held.decided_at = by, on, clock.now()
    held.status = RollBatch.Status.CERTIFIED
    made = files.make(held, held.layout, by=by)
    held.certification = papers.certification(held, made)
    held.save()
    return held


def _refuse_rejected(lines: Sequence[RollLine]) -> None:
    """Refuse to lower a charge that the roll has rejected since the list was made."""
    charges = [line.corrects_id for line in lines]
    rejected = RollOutcome.objects.filter(charge__in=charges, kind=RollOutcome.Kind.REJECTED)
    if found := rejected.select_related("charge").first():
        raise NotNow(
            f"The roll rejected {found.charge} meanwhile, so nothing of it is lowered. Withdraw "
            "this list and propose it anew."
        )


def _lock(site_ids: set[int]) -> dict[int, Site]:
    """Hold every case of the list, always in the same order."""
    found = Site.objects.select_for_update().filter(pk__in=site_ids).order_by("pk")
    return {site.pk: site for site in found}


def _move(batch: RollBatch, lines: Sequence[RollLine], *, by: User, on: date) -> dict[int, int]:
    """Move what each bill owes to the roll; refuse where it is not what was signed."""
    parts: dict[int, Decimal] = defaultdict(lambda: NOTHING)
    for line in lines:
        parts[line.bill_id] += line.amount
    bills = Bill.objects.with_balance().select_related("assessment").in_bulk(list(parts))
    refuse_contested(list(bills.values()), on=on)
    entries = entries_of(bill.pk for bill in bills.values() if _is_assessed(bill))
    moves = []
    for bill_id, amount in parts.items():
        bill = bills[bill_id]
        now = None
        if _is_assessed(bill):
            now = standing(bill, on=batch.proposed_on, entries=entries[bill_id])
        owed = now.owed if now else bill.owed  # type: ignore[attr-defined]
        if bill.status != Bill.Status.STANDING or owed != amount:
            raise NotNow(
                f"Bill {bill} owes {money(owed)} now, and {money(amount)} was signed. Withdraw "
                "this list and propose it anew."
            )
        if now and now.interest:
            moves.append(_entry(bill, "interest", now.interest, by, batch.proposed_on))
        moves.append(_entry(bill, "roll", -amount, by, on, batch))
    BillEntry.objects.bulk_create(moves, batch_size=500)
    made = dict(batch.entries.filter(kind="roll").values_list("bill", "pk"))  # type: ignore[attr-defined]
    DocketEntry.objects.of_many(Bill, list(parts)).running().update(closed_on=on)
    return {line.pk: made[line.bill_id] for line in lines}


def _is_assessed(bill: Bill) -> bool:
    return bill.path == Bill.Path.ASSESSMENT


def _entry(
    bill: Bill,
    kind: str,
    amount: Decimal,
    by: User,
    on: date,
    batch: RollBatch | None = None,
) -> BillEntry:
    return BillEntry(bill=bill, kind=kind, amount=amount, by=by, on=on, batch=batch)


def _number(
    batch: RollBatch, lines: Sequence[RollLine], entries: dict[int, int], *, on: date
) -> None:
    """Give each line its number as a charge; the database refuses a second one."""
    given = numbers.next_numbers("SC", len(lines), on=on)
    RollCharge.objects.bulk_create(
        [
            RollCharge(
                number=number,
                line=line,
                batch=batch,
                bill_id=line.bill_id,
                entry_id=entries[line.pk],
                parcel_id=line.parcel_id,
                amount=line.amount,
            )
            for number, line in zip(given, lines, strict=True)
        ],
        batch_size=500,
    )


def _record(
    batch: RollBatch, lines: Sequence[RollLine], sites: dict[int, Site], *, by: User, on: date
) -> None:
    """Record one event in each case: what of it went on the roll."""
    totals: dict[int, Decimal] = defaultdict(lambda: NOTHING)
    parcels: dict[int, list[str]] = defaultdict(list)
    for line in lines:
        totals[line.site_id] += line.amount
        parcels[line.site_id].append(line.parcel_number)
    is_correction = batch.purpose == RollBatch.Purpose.CORRECTION
    CaseEvent.objects.append_many(
        "roll.corrected" if is_correction else "roll.certified",
        {
            sites[site_id]: {
                "batch": str(batch),
                "year": batch.year,
                "amount": total,
                "parcels": sorted(set(parcels[site_id])),
                "instrument": batch.instrument,
            }
            for site_id, total in totals.items()
        },
        by=by,
        on=on,
        section="enforcement" if batch.instrument == Bill.Path.SPECIAL_CHARGE else "draws",
    )
