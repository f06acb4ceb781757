"""Drawing on the escrow for the cost of closed city work. Former § 17.19(4)(e)"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from enforcement.models import CityWork, OwnerNotice
from escrow.bills.making import applied
from escrow.models import (
    BORNE,
    NOTHING,
    Bill,
    Demand,
    Draw,
    EscrowEntry,
    Instrument,
    IssuerPayment,
)
from escrow.models.ground import undone_by
from permits import holds
from permits.models import NotNow, Permit
from portal import city, numbers
from portal.models import User
from portal.ordinance import Obstacle, WaitingPeriod
from portal.ordinance import draws as law
from portal.ordinance.wording import is_whole_cents

from . import lapsing, papers, telling
from .held import Held, account, total

__all__ = [
    "Part",
    "draw",
    "drawable",
    "obstacles_to_draw",
    "reverse",
    "suggest",
    "undrawn",
    "why_not_reverse",
    "with_drawn",
]


@dataclass(frozen=True)
class Part:
    """What one instrument pays of a draw; a bond or letter is demanded of its issuer.

    `papers` is what the text of the instrument asks for with a demand, one on each line.
    """

    instrument: Instrument
    amount: Decimal
    address: str = ""
    papers: str = ""


def drawable(permit: Permit) -> list[CityWork]:
    """Return the closed work under an owner's notice of a permit that is not all drawn."""
    closed = CityWork.objects.filter(
        owner_notice__permit=permit, status=CityWork.Status.CLOSED
    ).select_related("site", "owner_notice__permit")
    rows = with_drawn(closed.order_by("pk"))
    return [work for work in rows if (work.total or NOTHING) + work.drawn > NOTHING]


def with_drawn(works: QuerySet[Any]) -> QuerySet[Any]:
    """Add `drawn`, what draws have paid of each work, below zero as their entries are."""
    drawn = EscrowEntry.objects.filter(BORNE, draw__work=OuterRef("pk"))
    sums = drawn.order_by().values("draw__work").annotate(total=Sum("amount")).values("total")
    found: QuerySet[Any] = works.annotate(drawn=Coalesce(Subquery(sums), NOTHING))
    return found


def undrawn(work: CityWork) -> Decimal:
    """Return what of the closed cost no draw has paid yet."""
    return (work.total or NOTHING) - applied(work)


def suggest(amount: Decimal, held: Sequence[Held]) -> dict[Instrument, Decimal]:
    """Return how much to take of each: cash first, then what expires first."""
    order = sorted(
        held, key=lambda each: (not each.instrument.is_cash, each.good_until or date.max)
    )
    found, left = {}, amount
    for each in order:
        found[each.instrument] = min(left, max(each.held, NOTHING))
        left -= found[each.instrument]
    return found


def opens(work: CityWork) -> WaitingPeriod | None:
    """Return the waiting period of the notice to the owner, with its stays."""
    return work.owner_notice.draw_opens() if work.owner_notice else None


def obstacles_to_draw(work: CityWork, amount: Decimal, *, on: date) -> list[Obstacle]:
    """Return every reason why an amount cannot be drawn for a work today."""
    edition = city.edition_on(on)
    notice = work.owner_notice
    ended = (OwnerNotice.Status.WITHDRAWN, OwnerNotice.Status.FALLEN)
    bill = Bill.objects.standing().filter(work=work).first()
    facts = law.CostFacts(
        is_escrow_path=notice is not None,
        is_closed=work.status == CityWork.Status.CLOSED,
        notice_stands=notice is not None and notice.status not in ended,
        undrawn=undrawn(work),
        bill=bill.number if bill else "",
        undone_by=undone_by(work),
    )
    found = law.obstacles_of_cost(facts, amount, edition=edition)
    if notice is not None:
        held = EscrowEntry.objects.filter(permit=notice.permit).balance()
        found += law.obstacles_to_draw(opens(work), amount, held, on=on, edition=edition)
    return found + holds.holds(work.site, holds.Act.DRAW, on=on)


@transaction.atomic
def draw(
    work: CityWork,
    parts: Sequence[Part],
    *,
    by: User,
    on: date,
    before_safe_why: str = "",
    reason: str = "",
) -> Draw:
    """Draw on the escrow: entries, letter, demands and notices, all of it or nothing."""
    parts = [part for part in parts if part.amount]
    amount = sum((part.amount for part in parts), NOTHING)
    with work.acting():
        obstacles = obstacles_to_draw(work, amount, on=on)
        work.refuse(obstacles, "The escrow cannot be drawn on for this.")
        notice, period = work.owner_notice, opens(work)
        assert notice is not None  # an obstacle otherwise
        assert period is not None
        _refuse_parts(notice.permit, parts, on=on)
        if not period.is_safe(on) and not before_safe_why:
            raise NotNow(
                f"By the strictest count the notice runs until {period.safe_on:%B %-d, %Y}. "
                "Say why the city does not wait for it."
            )
        drawn = Draw(
            number=numbers.next_number("DR", on=on),
            site=work.site,
            permit=notice.permit,
            owner_notice=notice,
            work=work,
            amount=amount,
            opened_on=period.on,
            safe_on=period.safe_on,
            before_safe_why=before_safe_why if not period.is_safe(on) else "",
            reason=reason,
            on=on,
            by=by,
        )
        left = total(account(notice.permit, on=on)) - amount
        drawn.letter = papers.draw_notice(drawn, parts, period, left)
        drawn.save(force_insert=True)
        for part in parts:
            _take(drawn, part)
        lapsing.keep_docket(notice.permit, on=on)
        work.site.record(
            "escrow.drawn",
            by=by,
            on=on,
            section="draws",
            reason=reason,
            facts={
                "draw": drawn.number,
                "notice": notice.number,
                "amount": amount,
                "left": left,
                "instruments": [
                    {"instrument": str(part.instrument), "amount": part.amount} for part in parts
                ],
                "opened_on": period.on,
                "safe_on": period.safe_on,
            },
        )
        telling.tell(
            notice.permit,
            f"escrow_drawn:{drawn.number}",
            subject=f"Draw {drawn.number} on the escrow",
            on=on,
            paper=drawn.letter,
            draw=drawn,
            left=left,
        )
    return drawn


def _refuse_parts(permit: Permit, parts: Sequence[Part], *, on: date) -> None:
    """Refuse more of an instrument than is held of it, or one of another permit."""
    held = {each.instrument: each for each in account(permit, on=on)}
    if len({part.instrument for part in parts}) != len(parts):
        raise NotNow("Each instrument stands once in a draw.")
    for part in parts:
        mine = held.get(part.instrument)
        if mine is None:
            raise NotNow(f"The {part.instrument} is not held for this permit.")
        if not is_whole_cents(part.amount):
            raise NotNow("A draw takes whole cents of each instrument.")
        if part.amount < NOTHING or part.amount > mine.held:
            raise NotNow(f"Only ${mine.held:,.2f} is held of the {part.instrument}.")
        if not part.instrument.is_cash and not part.address:
            raise NotNow(f"Where does the demand to {part.instrument.issuer} go?")


def _take(drawn: Draw, part: Part) -> None:
    entry = EscrowEntry.objects.create(
        permit=drawn.permit,
        instrument=part.instrument,
        kind="drawn",
        amount=-part.amount,
        draw=drawn,
        reason=drawn.reason,
        on=drawn.on,
        by=drawn.by,
    )
    if not part.instrument.is_cash:
        demand_of(entry, part, what=f"draw {drawn.number}")


def demand_of(entry: EscrowEntry, part: Part, *, what: str) -> Demand:
    """Demand of a bank or surety what an entry takes, with the papers its text asks for."""
    paper = papers.demand(entry, part.address, part.papers, what=what)
    made = Demand.objects.create(
        entry=entry, papers_sent=part.papers, paper=paper, on=entry.on, by=entry.by
    )
    telling.mail(
        entry.permit.site,
        f"escrow_demand:{entry.pk}",
        name=part.instrument.issuer,
        address=part.address,
        paper=paper,
    )
    return made


def why_not_reverse(drawn: Draw) -> str:
    """Say why a draw cannot be taken back, or nothing."""
    bill = Bill.objects.standing().filter(work=drawn.work).first()
    if bill is not None:
        return f"The work is billed with this draw: bill {bill}. Withdraw the bill first."
    if not EscrowEntry.objects.filter(draw=drawn, kind="drawn", reversed_by__isnull=True).exists():
        return "This draw is taken back already."
    paid = IssuerPayment.objects.filter(demand__entry__draw=drawn, reversed_by__isnull=True)
    if paid.filter(amount__gt=0).exists():
        return "A bank or surety has paid on this draw. Reverse its payment first."
    return ""


@transaction.atomic
def reverse(
    drawn: Draw, *, by: User, on: date, reason: str, refused: Sequence[Instrument] = ()
) -> None:
    """Take back a draw: each entry is reversed, and the escrow holds it again.

    `refused` names the instruments of the draw whose issuer refused to pay: what is held of
    them keeps no bill for the work waiting any more. Raises NotNow for one not demanded of.
    """
    with drawn.work.acting():
        if why := why_not_reverse(drawn):
            raise NotNow(why)
        rows = EscrowEntry.objects.filter(BORNE, draw=drawn)
        demanded = set(rows.filter(demand__isnull=False).values_list("instrument", flat=True))
        if not demanded.issuperset(each.pk for each in refused):
            raise NotNow("Only a bank or surety of which this draw was demanded can refuse it.")
        facts: dict[str, Any] = {"draw": drawn.number, "amount": drawn.amount}
        if refused:
            facts["refused"] = [each.pk for each in refused]
            facts["refused_by"] = [each.issuer for each in refused]
        for entry in rows.order_by("pk"):
            EscrowEntry.objects.create(
                permit=entry.permit,
                instrument=entry.instrument,
                kind="reversed",
                amount=-entry.amount,
                reverses=entry,
                demand_refused=entry.demand_refused,
                reason=reason,
                on=on,
                by=by,
            )
        lapsing.keep_docket(drawn.permit, on=on)
        drawn.site.record(
            "escrow.draw_reversed",
            by=by,
            on=on,
            section="draws",
            reason=reason,
            facts=facts,
        )
        telling.tell(
            drawn.permit,
            f"escrow_draw_reversed:{drawn.number}",
            subject=f"Draw {drawn.number} is taken back",
            on=on,
            draw=drawn,
            reason=reason,
            refused_by=[each.issuer for each in refused],
        )
