"""What a bank or surety refuses of a demand: the rest is taken back by a row, and may be billed.

Former § 17.19(4)(c) and (e): what was paid in part stays drawn; for the rest there is no money,
so the cost of the work falls back on whoever owes it.
"""

from __future__ import annotations

from datetime import date

from django.db import transaction

from escrow.models import Bill, Demand, EscrowEntry
from permits.models import NotNow
from portal.models import User

from . import lapsing, telling
from .issuers import left_of

__all__ = ["refuse", "take_back", "why_not_refuse", "why_not_take_back"]


def why_not_refuse(demand: Demand) -> str:
    """Say why the rest of a demand cannot be recorded as refused, or nothing."""
    drawn = demand.entry.draw
    if drawn is None:
        return "What was forfeited stays due from the bank or surety; it is not divided."
    if left_of(demand) <= 0:
        return "Nothing is left of this demand."
    return _billed(demand.entry)


def _billed(entry: EscrowEntry) -> str:
    if entry.draw is None:
        return ""
    bill = Bill.objects.standing().filter(work=entry.draw.work_id).first()
    if bill is None:
        return ""
    return f"The work is billed with this draw: bill {bill}. Withdraw the bill first."


@transaction.atomic
def refuse(demand: Demand, *, reason: str, by: User, on: date) -> EscrowEntry:
    """Record that an issuer refuses what is left of a demand: the draw bears only what it paid."""
    permit = demand.entry.permit
    with permit.acting():
        demand = Demand.objects.select_related("entry__instrument", "entry__draw").get(pk=demand.pk)
        if why := why_not_refuse(demand):
            raise NotNow(why)
        drawn, instrument, rest = demand.entry.draw, demand.entry.instrument, left_of(demand)
        assert drawn is not None
        entry = EscrowEntry.objects.create(
            permit=permit,
            instrument=instrument,
            kind=EscrowEntry.Kind.REFUSED,
            amount=rest,
            draw=drawn,
            demand_refused=demand,
            reason=reason,
            on=on,
            by=by,
        )
        lapsing.keep_docket(permit, on=on)
        permit.site.record(
            "escrow.draw_reversed",
            by=by,
            on=on,
            section="draws",
            reason=reason,
            facts={
                "draw": drawn.number,
                "amount": rest,
                "rest": True,
                "refused": [instrument.pk],
                "refused_by": [instrument.issuer],
            },
        )
        telling.tell(
            permit,
            f"escrow_demand_refused:{entry.pk}",
            subject=f"A part of draw {drawn.number} was refused",
            on=on,
            draw=drawn,
            rest=rest,
            borne=-demand.entry.amount - rest,
            issuer=instrument.issuer,
            reason=reason,
        )
    return entry


def why_not_take_back(entry: EscrowEntry) -> str:
    """Say why the record of a refusal cannot be taken back, or nothing."""
    if EscrowEntry.objects.filter(reverses=entry).exists():
        return "This refusal is taken back already."
    demand = entry.demand_refused
    if demand is not None and EscrowEntry.objects.filter(reverses=demand.entry_id).exists():
        return "The whole draw was taken back."
    if entry.instrument.held() < entry.amount:
        return "What was refused is not held any more."
    return _billed(entry)


@transaction.atomic
def take_back(entry: EscrowEntry, *, reason: str, by: User, on: date) -> EscrowEntry:
    """Take back that an issuer refused: the demand is open again by this amount."""
    permit = entry.permit
    with permit.acting():
        if why := why_not_take_back(entry):
            raise NotNow(why)
        row = EscrowEntry.objects.create(
            permit=permit,
            instrument=entry.instrument,
            kind=EscrowEntry.Kind.REVERSED,
            amount=-entry.amount,
            demand_refused=entry.demand_refused,
            reverses=entry,
            reason=reason,
            on=on,
            by=by,
        )
        lapsing.keep_docket(permit, on=on)
        permit.site.record(
            "escrow.draw_reversed",
            by=by,
            on=on,
            section="draws",
            reason=reason,
            facts={
                "draw": entry.draw.number if entry.draw else "",
                "amount": row.amount,
                "rest": True,
                "issuer": entry.instrument.issuer,
            },
        )
        telling.tell(
            permit,
            f"escrow_refusal_back:{row.pk}",
            subject=f"Draw {entry.draw} is demanded again",
            on=on,
            draw=entry.draw,
            rest=entry.amount,
            issuer=entry.instrument.issuer,
            reason=reason,
        )
    return row
