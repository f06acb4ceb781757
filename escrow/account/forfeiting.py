"""Forfeiting all that is held, when the work is not completed in time. Former § 17.19(4)(e)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db import transaction

from escrow.models import ApprovalStatus, Forfeiture, Instrument
from inspections.models import Finding, Visit
from permits import holds
from permits.models import NotNow, Permit
from portal import city, numbers
from portal.models import User
from portal.ordinance import Deadline, Obstacle
from portal.ordinance import draws as law

from . import deciding, drawing, papers, telling
from .held import Held, account, total

__all__ = ["Demanded", "approve", "deadline", "obstacles_to_forfeit", "propose", "visits"]


@dataclass(frozen=True)
class Demanded:
    """Where the demand for a bond or letter goes, and the papers its text asks for."""

    address: str
    papers: str = ""


def deadline(permit: Permit, *, on: date) -> Deadline | None:
    """Return the last day after which the escrow is at stake. Former § 17.19(4)(d), (e)

    That is a certificate's, the one that is late before one that still runs: beside July 15
    the permit's own date is a condition of the permit only. Without a certificate for open
    work it is the permit's. Work that was completed after it was late, too: whether to forfeit
    then is a matter of judgment.
    """
    certificates = [row for row in permit.certificates.all() if row.work_open]  # type: ignore[attr-defined]
    clocks = [row.due_deadline() for row in certificates]
    late = [clock for clock in clocks if clock.is_late(on)]
    last = min(late or clocks, key=lambda clock: clock.on, default=None)
    return last or permit.permanent_cover_deadline()


def visits(permit: Permit, *, on: date) -> list[Visit]:
    """Return the finished visits after the last day, at which the open work was seen."""
    due = deadline(permit, on=on)
    if due is None:
        return []
    rows = Visit.objects.filter(site=permit.site, visited_on__gt=due.on, visited_on__lte=on)
    return list(rows.filter(status=Visit.Status.FINISHED).order_by("-visited_on", "-pk"))


def obstacles_to_forfeit(
    permit: Permit, *, on: date, held: Sequence[Held] | None = None
) -> list[Obstacle]:
    """Return every reason why the escrow is not forfeited today; `held` where it was read."""
    found = law.obstacles_to_forfeit(
        deadline(permit, on=on),
        total(account(permit, on=on) if held is None else held),
        on=on,
        met_on=permit.final_inspection_passed_on,
        edition=city.edition_on(on),
    )
    return found + holds.holds(permit.site, holds.Act.DRAW, on=on)


@transaction.atomic
def propose(
    permit: Permit,
    *,
    what_is_open: str,
    by: User,
    on: date,
    visit: Visit | None = None,
    finding: Finding | None = None,
) -> Forfeiture:
    """The inspector finds that the work is late, and proposes to forfeit all that is held."""
    with permit.acting():
        deciding.refuse_proposal(permit)
        obstacles = obstacles_to_forfeit(permit, on=on)
        permit.refuse(obstacles, "The escrow is not forfeited.")
        if visit is not None and visit not in visits(permit, on=on):
            raise NotNow("The finding rests on a finished visit of this site after the last day.")
        due = deadline(permit, on=on)
        assert due is not None  # an obstacle otherwise
        made = Forfeiture.objects.create(
            number=numbers.next_number("FO", on=on),
            site=permit.site,
            permit=permit,
            amount=total(account(permit, on=on)),
            what_is_open=what_is_open,
            due_on=due.on,
            visit=visit,
            finding=finding,
            proposed_on=on,
            proposed_by=by,
        )
        permit.site.record(
            "escrow.forfeiture_proposed",
            by=by,
            on=on,
            section="draws",
            reason=what_is_open,
            facts={"number": made.number, "amount": made.amount, "due_on": due.on},
        )
    return made


@transaction.atomic
def approve(
    forfeiture: Forfeiture,
    *,
    by: User,
    on: date,
    demands: Mapping[Instrument, Demanded] | None = None,
) -> Forfeiture:
    """Approve a forfeiture: the whole leaves the account; bonds and letters are demanded."""
    demands = demands or {}
    with forfeiture.acting():
        permit = forfeiture.permit  # read anew under the lock, as the proposal is
        held = deciding.whole(permit, on=on)
        deciding.refuse_approval(forfeiture, held, by=by)
        obstacles = obstacles_to_forfeit(permit, on=on)
        permit.refuse(obstacles, "The escrow is not forfeited any more.")
        _refuse_without_address([each.instrument for each in held], demands)
        due = deadline(permit, on=on)
        forfeiture.letter = papers.forfeiture_notice(forfeiture, held, due, on=on)
        deciding.settle(forfeiture, ApprovalStatus.APPROVED, by=by, on=on, why="")
        for entry in deciding.empty(forfeiture, held, "forfeited", by=by, on=on):
            if not entry.instrument.is_cash:
                asked = demands[entry.instrument]
                part = drawing.Part(entry.instrument, -entry.amount, asked.address, asked.papers)
                drawing.demand_of(entry, part, what=f"forfeiture {forfeiture.number}")
        permit.site.record(
            "escrow.forfeited",
            by=by,
            on=on,
            section="draws",
            reason=forfeiture.what_is_open,
            facts={
                "number": forfeiture.number,
                "amount": forfeiture.amount,
                "due_on": forfeiture.due_on,
                "proposed_by": forfeiture.proposed_by.signature,
            },
        )
        telling.tell(
            permit,
            f"escrow_forfeited:{forfeiture.number}",
            subject="The escrow is forfeited",
            on=on,
            paper=forfeiture.letter,
            forfeiture=forfeiture,
        )
    return forfeiture


def _refuse_without_address(
    instruments: Sequence[Instrument], demands: Mapping[Instrument, Demanded]
) -> None:
    for item in instruments:
        if not item.is_cash and not (item in demands and demands[item].address):
            raise NotNow(f"Where does the demand to {item.issuer} go?")
