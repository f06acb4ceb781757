"""What the roll did with a charge: accepted, rejected with the reason, collected with the tax.

After the roll is delivered the treasurer collects; the portal writes down what is told.
Wis. Stat. §§ 74.03, 74.11(3)
"""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from decimal import Decimal

from django.db import transaction
from django.db.models import Exists, OuterRef

from escrow.bills.account import keep_docket
from escrow.models import (
    NOTHING,
    BillEntry,
    ParcelNote,
    RollBatch,
    RollCharge,
    RollLine,
    RollOutcome,
    cents,
)
from permits.models import CaseEvent, NotNow, Parcel, Site
from portal.formats import long_date, money
from portal.models import User
from portal.ordinance.wording import is_whole_cents

from .corrections import Correction, follow

__all__ = [
    "accept_rest",
    "add_parcel",
    "collect",
    "collected",
    "net",
    "note_parcel",
    "paid_aside",
    "reject",
    "settled_of",
    "uncollect",
    "uncollected",
    "why_not_uncollect",
]

Kind = RollOutcome.Kind
DONE = (Kind.ACCEPTED, Kind.REJECTED)


def net(charge: RollCharge) -> Decimal:
    """Return what a charge is for after its certified corrections."""
    lowered = RollLine.objects.filter(corrects=charge, batch__status=RollBatch.Status.CERTIFIED)
    return cents(charge.amount + sum(lowered.values_list("amount", flat=True), NOTHING))


def collected(charge: RollCharge) -> Decimal:
    """Return what was collected with the tax so far."""
    return RollOutcome.objects.filter(charge=charge, kind=Kind.COLLECTED).balance()


def uncollected(charge: RollCharge) -> Decimal:
    """Return what the treasurer can still collect of a charge.

    Less all that was paid to the city, too: also while no correction tells the roll of it yet.
    """
    left = follow(charge.bill_id, charge.batch_id).left.get(charge.pk, NOTHING)
    return cents(left - collected(charge))


def paid_aside(charge: RollCharge) -> list[Correction]:
    """Return by what a charge was lowered that no certified correction has told the roll."""
    told = RollLine.objects.filter(corrects=charge, batch__status=RollBatch.Status.CERTIFIED)
    known = set(told.values_list("off_roll", flat=True))
    known |= {row.entry_id for row in settled_of(charge) if row.entry_id is not None}
    taken = follow(charge.bill_id, charge.batch_id).taken
    return [each for each in taken if each.charge == charge and each.entry.pk not in known]


def settled_of(charge: RollCharge) -> list[RollOutcome]:
    """Return the newest word of the treasurer on each entry that lowered a charge."""
    rows = charge.outcomes.filter(entry__isnull=False).order_by("pk")
    newest = {row.entry_id: row for row in rows}
    return [row for row in newest.values() if row.kind in RollOutcome.SETTLED]


@transaction.atomic
def accept_rest(batch: RollBatch, *, by: User, on: date) -> int:
    """Record that the roll took every charge of a batch that was not rejected."""
    _demand_certified(batch)
    told = RollOutcome.objects.filter(charge=OuterRef("pk"), kind__in=DONE)
    waiting = batch.charges.exclude(Exists(told)).select_related("line")  # type: ignore[attr-defined]
    charges = list(waiting.order_by("pk"))
    if not charges:
        raise NotNow("The roll's answer to every charge of this batch is recorded.")
    sites = Site.objects.select_for_update().order_by("pk")
    locked = sites.in_bulk({charge.line.site_id for charge in charges})
    RollOutcome.objects.bulk_create(
        [RollOutcome(charge=charge, kind=Kind.ACCEPTED, on=on, by=by) for charge in charges],
        batch_size=500,
    )
    totals: dict[int, Decimal] = defaultdict(lambda: NOTHING)
    for charge in charges:
        totals[charge.line.site_id] += charge.amount
    CaseEvent.objects.append_many(
        "roll.accepted",
        {
            locked[pk]: {"batch": str(batch), "year": batch.year, "amount": total}
            for pk, total in totals.items()
        },
        by=by,
        on=on,
        section="enforcement",
    )
    return len(charges)


@transaction.atomic
def reject(charge: RollCharge, *, reason: str, by: User, on: date) -> RollOutcome:
    """Record that the roll did not take a charge: the bill owes what is left of it again."""
    _demand_certified(charge.batch)
    site = charge.bill.site.lock()
    if charge.outcomes.filter(kind__in=DONE).exists():
        raise NotNow(f"The roll's answer to {charge} is recorded already.")
    if charge.amount < 0:
        raise NotNow(f"{charge} lowers another charge; what the roll says of that is recorded.")
    if collected(charge) > 0:
        raise NotNow(f"Something was collected on {charge}: the roll has taken it.")
    waiting = RollLine.objects.filter(corrects=charge, batch__status=RollBatch.Status.PROPOSED)
    if line := waiting.select_related("batch").first():
        raise NotNow(
            f"Correction batch {line.batch} lowers {charge} and waits for its second person: "
            "it is certified or withdrawn first."
        )
    amount = follow(charge.bill_id, charge.batch_id).left[charge.pk]
    if amount <= 0:
        raise NotNow(f"{charge} was taken off the roll: nothing of it is left to reject.")
    entry = BillEntry.objects.create(
        bill=charge.bill,
        kind="off-roll",
        amount=amount,
        batch=charge.batch,
        reason=reason,
        on=on,
        by=by,
    )
    outcome = RollOutcome.objects.create(
        charge=charge, kind=Kind.REJECTED, reason=reason, off_roll=entry, on=on, by=by
    )
    keep_docket(charge.bill, on=on)
    site.record(
        "roll.rejected",
        by=by,
        on=on,
        section="enforcement",
        reason=reason,
        facts={"charge": charge.number, "parcel": charge.line.parcel_number, "amount": amount},
    )
    return outcome


@transaction.atomic
def collect(
    charge: RollCharge, *, amount: Decimal, reference: str, by: User, on: date
) -> RollOutcome:
    """Record what the treasurer collected of a charge."""
    _demand_certified(charge.batch)
    site = charge.bill.site.lock()
    if charge.outcomes.filter(kind=Kind.REJECTED).exists():
        raise NotNow(f"The roll rejected {charge}; nothing was collected on it.")
    left = uncollected(charge)
    if amount <= 0 or amount > left or not is_whole_cents(amount):
        raise NotNow(_why_not_collect(charge, left))
    outcome = RollOutcome.objects.create(
        charge=charge, kind=Kind.COLLECTED, amount=amount, reference=reference, on=on, by=by
    )
    site.record(
        "roll.collected",
        by=by,
        on=on,
        section="enforcement",
        facts={"charge": charge.number, "amount": amount, "left": cents(left - amount)},
    )
    return outcome


def _why_not_collect(charge: RollCharge, left: Decimal) -> str:
    why = f"{money(max(left, NOTHING))} of {charge} is not collected yet; enter at most that."
    paid = " and ".join(
        f"{money(each.amount)} on {long_date(each.entry.on)}" for each in paid_aside(charge)
    )
    if not paid:
        return why
    return (
        f"{why} The city itself took {paid} for it, and no certified correction has told the "
        "roll. Record what was collected less what was paid here, and tell the treasurer, who "
        "pays back what came in twice."
    )


def why_not_uncollect(outcome: RollOutcome) -> str:
    """Say why what was recorded as collected cannot be taken back, or nothing."""
    if outcome.kind != Kind.COLLECTED or outcome.amount <= 0:
        return "Only an amount recorded as collected is taken back."
    if RollOutcome.objects.filter(reverses=outcome).exists():
        return "It is taken back already."
    return ""


@transaction.atomic
def uncollect(outcome: RollOutcome, *, reason: str, by: User, on: date) -> RollOutcome:
    """Take back what was recorded as collected, by a row that names it."""
    site = outcome.charge.bill.site.lock()
    if why := why_not_uncollect(outcome):
        raise NotNow(why)
    row = RollOutcome.objects.create(
        charge=outcome.charge,
        kind=Kind.COLLECTED,
        amount=-outcome.amount,
        reverses=outcome,
        reason=reason,
        on=on,
        by=by,
    )
    site.record(
        "roll.collected",
        by=by,
        on=on,
        section="enforcement",
        reason=reason,
        facts={"charge": outcome.charge.number, "amount": row.amount},
    )
    return row


@transaction.atomic
def add_parcel(site: Site, number: str, *, by: User, on: date) -> Parcel:
    """Add a parcel to a site; nothing is charged to land that the county does not number."""
    site = site.lock()
    if site.parcels.filter(number=number).exists():
        raise NotNow(f"Parcel {number} belongs to this case already.")
    parcel: Parcel = site.parcels.create(number=number)
    site.index_words()
    site.record(
        "parcel.noted",
        by=by,
        on=on,
        section="enforcement",
        facts={"parcel": number, "kind": "added"},
    )
    return parcel


def _demand_certified(batch: RollBatch) -> None:
    if batch.status != RollBatch.Status.CERTIFIED:
        raise NotNow("Only what is certified is on the roll.")


@transaction.atomic
def note_parcel(parcel: Parcel, *, kind: str, by: User, on: date, **said: str) -> ParcelNote:
    """Write down a fact about a parcel as the clerk learned it."""
    site = parcel.site.lock()
    note = ParcelNote.objects.create(parcel=parcel, kind=kind, on=on, by=by, **said)
    site.record(
        "parcel.noted",
        by=by,
        on=on,
        section="enforcement",
        facts={"parcel": parcel.number, "kind": kind, "owner": note.owner_name},
    )
    return note
