"""City work: begun under one notice on its day, each cost a row, closed with a fixed total.

Former § 17.19(7)(e) after a notice of intent; former § 17.19(4)(e) after ten days' notice
by mail to the owner; former § 17.19(4)(f)(7) after a notice of maintenance.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db import transaction

from enforcement import works_papers
from enforcement.acts import owner_notices, upkeep
from enforcement.docketing import settle
from enforcement.models import (
    CityWork,
    NoticeOfIntent,
    NoticeStatus,
    OwnerNotice,
    UpkeepNotice,
    WorkCost,
)
from permits.models import NotNow
from portal import city
from portal.formats import long_date
from portal.models import Upload, User
from portal.models.operations import current_operation
from portal.ordinance import Obstacle, WaitingPeriod
from portal.ordinance.begin_work import (
    BeginFacts,
    Path,
    cost_amount,
    needs_reason,
    obstacles_to_begin,
)
from portal.ordinance.upkeep import WorkFacts, obstacles_to_work

__all__ = [
    "Cost",
    "Notice",
    "add_cost",
    "add_photos",
    "asks_reason",
    "begin",
    "close",
    "opens_of",
    "path_of",
    "reverse_cost",
    "why_not_begin",
    "why_not_close",
]

Notice = NoticeOfIntent | OwnerNotice | UpkeepNotice
FIRST = "Before the safe day the work may begin only with a reason, which the record keeps."


# Begin ------------------------------------------------------------------------------------


def path_of(notice: Notice) -> Path:
    """Return where the money comes from; the notice decides it, and nothing else."""
    if isinstance(notice, UpkeepNotice):
        return Path.MAINTENANCE
    return Path.SPECIAL_CHARGE if isinstance(notice, NoticeOfIntent) else Path.ESCROW


def opens_of(notice: Notice) -> WaitingPeriod | None:
    """Return the first day on which the city may work under a notice, stays included.

    None while the post does not have every letter of a notice that the law wants mailed.
    """
    if isinstance(notice, NoticeOfIntent):
        return notice.city_work_opens()
    if isinstance(notice, UpkeepNotice):
        return notice.city_work_opens() if notice.accepted_on() else None
    return notice.draw_opens()


def why_not_begin(notice: Notice, *, on: date) -> list[Obstacle]:
    """Return every reason why work under a notice cannot begin on a day."""
    if isinstance(notice, UpkeepNotice):
        return _why_not_upkeep(notice, on=on)
    ended = (NoticeStatus.FALLEN, NoticeStatus.WITHDRAWN)
    order_ended = ""
    if isinstance(notice, NoticeOfIntent) and not notice.order.is_standing:
        order_ended = notice.order.get_status_display().lower()
    facts = BeginFacts(
        path=path_of(notice),
        notice=notice.number,
        ended=notice.get_status_display().lower() if notice.status in ended else "",
        order_ended=order_ended,
        begun=notice.status == NoticeStatus.DONE,
        required=isinstance(notice, NoticeOfIntent)
        or bool(owner_notices.why_required(notice.permit, on=on)),
        opens=opens_of(notice),
    )
    return obstacles_to_begin(facts, on=on, edition=city.edition_on(on))


def _why_not_upkeep(notice: UpkeepNotice, *, on: date) -> list[Obstacle]:
    """Return every reason why the city may not do the corrections itself. (4)(f)(7)"""
    begun = notice.status == UpkeepNotice.Status.DONE
    accepted_on = notice.accepted_on()
    facts = WorkFacts(
        begin=BeginFacts(
            path=Path.MAINTENANCE,
            notice=notice.number,
            ended="" if notice.is_standing or begun else notice.get_status_display().lower(),
            begun=begun,
            opens=notice.city_work_opens() if accepted_on else None,
        ),
        agreement_ended=upkeep.ended_words(notice.agreement, on=on),
        reported_on=notice.reported_since(),
        accepted_on=accepted_on,
        last_day=notice.correction_deadline().on,
    )
    return obstacles_to_work(facts, on=on, edition=city.edition_on(on))


def asks_reason(notice: Notice, *, on: date) -> bool:
    """Whether the day lies between the first and the safe day."""
    return needs_reason(opens_of(notice), on)


@transaction.atomic
def begin(
    notice: Notice,
    *,
    by: User,
    on: date,
    begun_on: date,
    done_by: str,
    doer: str,
    before_safe_why: str = "",
    photos: Iterable[Upload] = (),
) -> CityWork:
    """Enter the land and begin; refused before the day, under a stay, or without the notice.

    `begun_on` is the day on which it was begun, `on` the day on which that is recorded.
    """
    with notice.acting():
        opens = _refuse_begin(notice, on=on, begun_on=begun_on, why=before_safe_why)
        if not doer.strip():
            raise NotNow("Say who does the work.")
        asked = needs_reason(opens, begun_on)
        intent = notice if isinstance(notice, NoticeOfIntent) else None
        work = CityWork(
            site=notice.site,
            notice_of_intent=intent,
            owner_notice=notice if isinstance(notice, OwnerNotice) else None,
            upkeep_notice=notice if isinstance(notice, UpkeepNotice) else None,
            done_by=done_by,
            doer=doer,
            begun_on=begun_on,
            opened_on=opens.on,
            safe_on=opens.safe_on,
            before_safe_why=before_safe_why if asked else "",
            begun_by=by,
        )
        work.save(force_insert=True)
        work.photos_before.set(photos)
        notice.move_to(notice.Status.DONE)
        notice.ended_on = begun_on
        notice.save(update_fields=["status", "ended_on"])
        settle(notice, on=begun_on)
        notice.site.record(
            "city_work.begun",
            by=by,
            on=begun_on,
            section=section_of(notice),
            reason=work.before_safe_why,
            facts={
                "notice": notice.number,
                "path": work.path,
                "done_by": done_by,
                "doer": doer,
                "first_day": opens.on,
                "photos": work.photos_before.count(),
            },
        )
        return work


def _refuse_begin(notice: Notice, *, on: date, begun_on: date, why: str) -> WaitingPeriod:
    if begun_on > on:
        raise NotNow(f"{long_date(begun_on)} is still to come.")
    if found := why_not_begin(notice, on=begun_on):
        raise NotNow("The city may not begin the work.", found)
    opens = opens_of(notice)
    assert opens is not None  # else there is an obstacle
    if needs_reason(opens, begun_on) and not why.strip():
        raise NotNow(f"{FIRST} The safe day is {long_date(opens.safe_on)}.")
    return opens


def section_of(notice: Notice) -> str:
    """The section under which the city works."""
    if isinstance(notice, UpkeepNotice):
        return "maintenance"
    return "enforcement" if isinstance(notice, NoticeOfIntent) else "draws"


# Costs ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cost:
    """One cost as it is entered; its amount is quantity times rate, half a cent up."""

    kind: str
    day: date
    description: str
    quantity: Decimal
    unit: str
    rate: Decimal
    proof: Upload | None = None
    proof_words: str = ""
    note: str = ""

    @property
    def amount(self) -> Decimal:
        """What it comes to."""
        return cost_amount(self.quantity, self.rate)


@transaction.atomic
def add_cost(work: CityWork, cost: Cost, *, by: User, on: date) -> WorkCost:
    """Add a cost with its proof, while the work is open."""
    with work.acting():
        _refuse_cost(work, cost, on)
        row = WorkCost.objects.create(
            work=work,
            kind=cost.kind,
            on=cost.day,
            description=cost.description,
            quantity=cost.quantity,
            unit=cost.unit,
            rate=cost.rate,
            amount=cost.amount,
            proof=cost.proof,
            proof_words=cost.proof_words,
            note=cost.note,
            token=str(current_operation() or ""),
            recorded_by=by,
        )
        _record_cost(work, row, "city_work.cost", by=by, on=on)
        return row


def _refuse_cost(work: CityWork, cost: Cost, on: date) -> None:
    _demand_open(work)
    if not work.begun_on <= cost.day <= on:
        begun = long_date(work.begun_on)
        raise NotNow(f"A cost lies between {begun}, when the work was begun, and today.")
    if cost.proof is None and not cost.proof_words.strip():
        raise NotNow("Every cost has its proof: add the file, or say where it is kept.")
    if cost.amount <= 0:
        raise NotNow("A cost comes to at least one cent.")


def _demand_open(work: CityWork) -> None:
    if work.status == CityWork.Status.CLOSED:
        raise NotNow("The work is closed and its total is fixed; no cost is added any more.")


@transaction.atomic
def reverse_cost(cost: WorkCost, *, by: User, on: date, reason: str) -> WorkCost:
    """Take a cost back by a row that reverses it; the row itself is never changed."""
    work = cost.work
    with work.acting():
        _demand_open(work)
        if cost.reverses_id is not None or WorkCost.objects.filter(reverses=cost).exists():
            raise NotNow("This cost is reversed already.")
        if not reason.strip():
            raise NotNow("Say why the cost is taken back.")
        row = WorkCost.objects.create(
            work=work,
            kind=cost.kind,
            on=cost.on,
            description=f"Reversal: {cost.description}"[:300],
            quantity=cost.quantity,
            unit=cost.unit,
            rate=cost.rate,
            amount=-cost.amount,
            proof=cost.proof,
            proof_words=cost.proof_words,
            reverses=cost,
            note=reason,
            token=str(current_operation() or ""),
            recorded_by=by,
        )
        _record_cost(work, row, "city_work.cost_reversed", by=by, on=on)
        return row


def _record_cost(work: CityWork, row: WorkCost, kind: str, *, by: User, on: date) -> None:
    work.site.record(
        kind,
        by=by,
        on=on,
        section=section_of(work.notice),
        reason=row.note if row.reverses_id else "",
        facts={
            "notice": work.notice.number,
            "cost": row.pk,
            "what": row.description,
            "day": row.on,
            "amount": row.amount,
            "sum": work.sum_of_costs(),
        },
    )


# Photos and the end -----------------------------------------------------------------------


@transaction.atomic
def add_photos(work: CityWork, photos: Iterable[Upload], *, after: bool) -> None:
    """Add photos of the land before or after the work, while it is open."""
    with work.acting():
        _demand_open(work)
        (work.photos_after if after else work.photos_before).add(*photos)


def why_not_close(work: CityWork, *, on: date) -> list[Obstacle]:
    """Return every reason why the work cannot be closed."""
    citation = path_of(work.notice).citation(city.edition_on(on))
    if work.status == CityWork.Status.CLOSED:
        return [Obstacle("closed", "The work is closed already.", citation, "see the statement")]
    found = []
    if not work.costs.exists():
        text = "No cost is recorded; without one there is no total to close with."
        found.append(Obstacle("no-cost", text, citation, "add the costs"))
    last = work.costs.order_by("-on").values_list("on", flat=True).first()
    if last is not None and last > on:
        text = f"A cost lies after that day: {long_date(last)}."
        found.append(Obstacle("cost-after", text, citation, "close on that day or later"))
    return found


@transaction.atomic
def close(
    work: CityWork, *, by: User, on: date, note: str, photos: Iterable[Upload] = ()
) -> CityWork:
    """Close the work: its total is a fact from now on, and the money starts from it."""
    with work.acting():
        if found := why_not_close(work, on=on):
            raise NotNow("The work cannot be closed.", found)
        work.photos_after.add(*photos)
        if not note.strip() and not work.photos_after.exists():
            raise NotNow("Show the land after the work by photos, or say how it was left.")
        work.closed_on, work.closed_by, work.closing_note = on, by, note
        work.total = work.sum_of_costs()
        work.statement = works_papers.statement(work, on=on)
        work.move_to(CityWork.Status.CLOSED)
        work.save()
        work.site.record(
            "city_work.closed",
            by=by,
            on=on,
            section=section_of(work.notice),
            facts={
                "notice": work.notice.number,
                "path": work.path,
                "total": work.total,
                "costs": work.costs.count(),
                "payers": [row.name for row in work.payers()],
            },
        )
        return work
