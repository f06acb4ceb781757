"""Every date of a case with its count: the same for those who work here and for applicants."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from escrow.models import Instrument
from inspections.models import Certificate
from permits.models import DocketEntry
from portal.city_calendar import current_calendar
from portal.ordinance import Deadline, WaitingPeriod
from portal.standing_words import standing_words

from .case_file import CaseFile, Facts
from .rows import bills_of, counter_of

__all__ = ["CaseDate", "dates_of", "running_clock"]

OF_MONEY = ("bill", "escrow-expiry")
CASH = Instrument.Form.CASH.label
MOST_FINDINGS = 20
"""So many open findings are dates of their own on the case page; the list has them all."""


@dataclass(frozen=True)
class CaseDate:
    """One clock of a case, how it stands, and whether it still runs."""

    title: str
    clock: Deadline | WaitingPeriod
    word: str
    tone: str
    running: bool
    late: bool = False


def dates_of(file: CaseFile, *, on: date) -> list[CaseDate]:
    """Return the clocks of a case in the order in which they started."""
    found = [*_reviews(file, on), *_appeals(file, on), *_cover(file, on)]
    found += _corrections(file, on)
    found += _orders(file, on)
    found += _money(file, on)
    found += _upkeep(file, on)
    return sorted(found, key=lambda each: (each.clock.started_on, each.clock.on))


def _reviews(file: CaseFile, on: date) -> list[CaseDate]:
    """The decision of the first plan, and the review of each revision after it."""
    found = []
    for revision in file.revisions:
        first = revision.number == 1
        decision = revision.find_decision()
        calendar = current_calendar(as_of=decision.decided_at if decision else None)
        if first:
            clock = file.application.decision_deadline(calendar=calendar)
        else:
            clock = revision.review_deadline(calendar=calendar)
        if clock is not None:
            title = "Decision" if first else f"Review of plan revision {revision.number}"
            met_on = decision.decided_on if decision else None
            ended = file.application.status == "withdrawn" and decision is None
            found.append(_date(title, clock, on, met_on=met_on, ended=ended))
    return found


def _date(
    title: str,
    clock: Deadline | WaitingPeriod,
    on: date,
    *,
    met_on: date | None = None,
    ended: bool = False,
) -> CaseDate:
    if ended:
        return CaseDate(title, clock, "ended: withdrawn", "shut", running=False)
    word, tone = standing_words(clock, on, met_on=met_on)
    running = met_on is None
    late = running and isinstance(clock, Deadline) and clock.is_late(on)
    return CaseDate(title, clock, word, tone, running, late=late)


def _appeals(file: CaseFile, on: date) -> list[CaseDate]:
    """The time to appeal each decision: a right that lapses, never a duty that is late."""
    found = []
    for decision in file.decisions:
        calendar = current_calendar(as_of=decision.decided_at)
        clock = decision.appeal_deadline(calendar=calendar)
        what = "grant" if decision.kind == "grant" else "denial"
        superseded = decision.is_superseded(among=file.decisions)
        running = on <= clock.on and not superseded
        word = "ended: granted" if superseded else "runs" if running else "over"
        found.append(CaseDate(f"Appeal of the {what}", clock, word, "shut", running))
    return found


def _cover(file: CaseFile, on: date) -> list[CaseDate]:
    """The permit's date for permanent cover, and that of each certificate of occupancy."""
    permit = file.permit
    clock = permit.permanent_cover_deadline(calendar=current_calendar()) if permit else None
    if permit is None or clock is None:
        return []
    met_on = permit.final_inspection_passed_on
    found = [_date("Permanent controls and cover", clock, on, met_on=met_on)]
    for certificate in Certificate.objects.filter(permit=permit, work_open=True):
        certificate.permit = permit
        clock = certificate.due_deadline(calendar=current_calendar())
        title = f"Permanent cover, {certificate.building}"
        found.append(_date(title, clock, on, met_on=met_on))
    return found


def _corrections(file: CaseFile, on: date) -> list[CaseDate]:
    """The day by which each open finding must be corrected."""
    calendar = current_calendar()
    return [
        _date(f"Finding {each.number}", each.correction_deadline(calendar=calendar), on)
        for each in file.findings[:MOST_FINDINGS]
    ]


def _orders(file: CaseFile, on: date) -> list[CaseDate]:
    """The days that a standing order gives the person, and those on which the city may act."""
    found = []
    for order in file.orders:
        for clock in order.clocks():
            title = f"{clock.title}, order {order}"
            if clock.key == "appeal":
                running = on <= clock.on
                word = "runs" if running else "over"
                found.append(CaseDate(f"Appeal of order {order}", clock, word, "shut", running))
            else:
                found.append(_date(title, clock, on))
    return found


def _money(file: CaseFile, on: date) -> list[CaseDate]:
    """The last day to pay each bill, and the last day of each bond or letter of credit."""
    promised = any(each["form"] != CASH for each in file.escrow)
    if not (file.has_bills or promised):
        return []
    running = DocketEntry.objects.running().filter(site=file.site, rule__in=OF_MONEY)
    entries = list(running.order_by("on", "pk")[:MOST_FINDINGS])
    counter = counter_of(entries, bills_of(entries, file.bills))
    counts = [(entry.title, counter.count(entry)) for entry in entries]
    return [_date(title, count, on) for title, count in counts if count is not None]


def _upkeep(file: CaseFile, on: date) -> list[CaseDate]:
    """The next day of each task of a recorded agreement, and both days of a notice under it."""
    found = [
        _date(f"Upkeep: {each.task.what}", each.deadline(), on)
        for each in file.upkeep[:MOST_FINDINGS]
    ]
    for notice in file.upkeep_notices:
        for clock in notice.clocks():
            found.append(_date(f"{clock.title}, {notice}", clock, on))
    return found


def running_clock(facts: Facts) -> Deadline | None:
    """Return the date that comes next in a case: who is bound stands in it."""
    application, revision = facts.application, facts.revision
    if application.status == "under_review" and revision is not None:
        calendar = current_calendar()
        if not facts.decisions:
            return application.decision_deadline(calendar=calendar)
        return revision.review_deadline(calendar=calendar)
    if facts.permit is not None and facts.permit.issued_on is not None:
        return facts.permit.permanent_cover_deadline(calendar=current_calendar())
    if application.status in ("denied", "granted") and facts.decision is not None:
        decision = facts.decision
        decision.application = application
        return decision.appeal_deadline(calendar=current_calendar(as_of=decision.decided_at))
    return None
