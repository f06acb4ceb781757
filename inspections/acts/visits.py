"""A visit from its beginning to its report. Former § 17.19(6)"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from inspections import notices, papers
from inspections.models import ChecklistLine, FinalInspection, LineAnswer, Visit, VisitNeed
from permits.models import NotNow, Permit, Site
from portal import city, clock, numbers
from portal.models import User
from portal.ordinance.site import STANDARDS

from .answers import answer, attach_photo, describe, extra_line

__all__ = [
    "answer",
    "attach_photo",
    "begin",
    "begin_or_join",
    "describe",
    "discard",
    "extra_line",
    "finish",
    "open_site",
    "why_not_discard",
    "why_not_finish",
]

OLDEST = timedelta(days=60)


@transaction.atomic
def begin(
    site: Site,
    *,
    by: User,
    on: date,
    today: date,
    reason: str = Visit.Reason.ROUTINE,
    key: uuid.UUID | None = None,
    began_at: datetime | None = None,
) -> Visit:
    """Begin a visit with the checklist of this permit's own plan; the same key is one visit.

    Raises NotNow for a day that cannot be meant.
    """
    locked = site.lock()
    if key is not None:
        known = Visit.objects.filter(key=key).first()
        if known is not None:
            return known
    _check_day(locked, on, today)
    permit = visited_permit(locked)
    visit = Visit.objects.create(
        **({"key": key} if key else {}),
        site=locked,
        permit=permit,
        inspector=by,
        reason=reason,
        visited_on=on,
        began_at=began_at or clock.now(),
    )
    ChecklistLine.objects.bulk_create(_lines(visit, permit))
    return visit


@transaction.atomic
def begin_or_join(
    site: Site, *, by: User, on: date, today: date, reason: str, key: uuid.UUID | None = None
) -> tuple[Visit, bool]:
    """Join the visit of the day that is being written, else begin one; says which.

    Two inspectors at one site write one visit, and no site is visited twice by mistake.
    """
    locked = site.lock()
    open_visits = Visit.objects.filter(site=locked, status=Visit.Status.OPEN, visited_on=on)
    standing = open_visits.order_by("pk").first()
    if standing is not None:
        return standing, False
    return begin(locked, by=by, on=on, today=today, reason=reason, key=key), True


@transaction.atomic
def open_site(place: str, *, parcels: Iterable[str], on: date) -> Site:
    """Open a site where the city knows none: somebody works there without a permit."""
    site = Site.objects.create(number=numbers.next_number("S", on=on), address=place)
    for number in parcels:
        site.parcels.get_or_create(number=number)
    site.index_words()
    return site


def standing_permit(site: Site) -> Permit | None:
    """Return the permit that stands on the site, if there is one."""
    return site.permits.filter(status=Permit.Status.ISSUED).order_by("-pk").first()


def visited_permit(site: Site) -> Permit | None:
    """Return the permit by whose plan the land is looked at.

    A revoked permit allows no work, but its plan and its escrow still say what must be there:
    the final inspection of the land can pass under it. Former § 17.19(4)(c), (7)(c)
    """
    revoked = site.permits.filter(
        status=Permit.Status.REVOKED, final_inspection_passed_on__isnull=True
    )
    return standing_permit(site) or revoked.order_by("-pk").first()


def _check_day(site: Site, on: date, today: date) -> None:
    if on > today:
        raise NotNow(f"A visit cannot be dated after today, {_written(today)}.")
    if on < today - OLDEST:
        raise NotNow(
            f"{_written(on)} is more than sixty days ago. A visit is recorded within sixty days: "
            "check the month and the year."
        )
    first = site.events.order_by("sequence").first()
    if first is not None and on < first.occurred_on:
        raise NotNow(
            f"The city knows this site since {_written(first.occurred_on)}; a visit cannot lie "
            "before that."
        )


def _written(day: date) -> str:
    return f"{day:%B} {day.day}, {day.year}"


def _lines(visit: Visit, permit: Permit | None) -> list[ChecklistLine]:
    lines: list[ChecklistLine] = []
    if permit is not None:
        for device in permit.plan_in_force().devices.all():
            standard = f" (DNR {device.standard})" if device.standard else ""
            lines.append(
                ChecklistLine(
                    visit=visit,
                    position=len(lines) + 1,
                    kind=ChecklistLine.Kind.DEVICE,
                    device=device,
                    label=f"{device.get_device_display()}{standard}",
                    place=device.place,
                    section="plan",
                )
            )
    for rule in STANDARDS:
        lines.append(
            ChecklistLine(
                visit=visit,
                position=len(lines) + 1,
                kind=ChecklistLine.Kind.STANDARD,
                label=rule.title,
                section="site",
            )
        )
    return lines


def is_empty(visit: Visit) -> bool:
    """Whether nobody has written anything yet."""
    parts: tuple[QuerySet[Any], ...] = (
        LineAnswer.objects.filter(line__visit=visit),
        visit.photos.all(),
        visit.findings.all(),
        visit.documented_days.all(),  # type: ignore[attr-defined]
        visit.descriptions.all(),
    )
    written = bool(visit.weather or visit.phase or visit.note or visit.stockpile_since)
    if written or hasattr(visit, "final_inspection"):
        return False
    return not any(part.exists() for part in parts)


def why_not_finish(visit: Visit) -> str:
    """Return why a visit cannot be finished, or nothing."""
    if visit.status == Visit.Status.FINISHED:
        return f"Visit {visit.number} is finished already."
    if is_empty(visit):
        return "Nothing is recorded yet. Answer at least one line, or write a note."
    return ""


def why_not_discard(visit: Visit) -> str:
    """Return why a visit cannot be taken back, or nothing."""
    if visit.status == Visit.Status.FINISHED:
        return "A finished visit stays on record."
    if not is_empty(visit):
        return "Something is recorded at this visit, so it is finished and not taken back."
    return ""


@transaction.atomic
def discard(visit: Visit) -> None:
    """Take back a visit that was begun by mistake, while nothing is recorded in it."""
    visit.site.lock()
    visit.refresh_from_db()
    if why := why_not_discard(visit):
        raise NotNow(why)
    visit.lines.all().delete()
    visit.delete()


@transaction.atomic
def finish(visit: Visit, *, by: User, ended_at: datetime | None = None) -> Visit:
    """Finish the visit: it gets its number, meets the needs it answers, and is reported."""
    with visit.acting():
        if visit.status == Visit.Status.FINISHED:
            return visit
        visit.move_to(Visit.Status.FINISHED)
        visit.number = numbers.next_number("IN", on=visit.visited_on)
        visit.ended_at = max(ended_at or clock.now(), visit.began_at)
        visit.save(update_fields=["status", "number", "ended_at"])
        unmet = [VisitNeed.Reason.LOG_GAP, VisitNeed.Reason.UPKEEP]
        if not FinalInspection.objects.filter(visit=visit).exists():
            unmet.append(VisitNeed.Reason.FINAL)
        VisitNeed.objects.open().filter(site=visit.site, since__lte=visit.visited_on).exclude(
            reason__in=unmet
        ).update(closed_on=visit.visited_on, met_by=visit)
        paper = papers.report(visit)
        visit.site.record(
            "visit.finished",
            by=by,
            on=visit.visited_on,
            section="inspection",
            facts={
                "visit": visit.number,
                "reason": visit.reason,
                "findings": visit.findings.count(),
                "photos": visit.photos.count(),
            },
        )
        notices.tell_report(visit, paper)
    return visit


def citation_of(line: ChecklistLine) -> str:
    """Return where what a line asks for stands written."""
    return str(city.edition_on(line.visit.visited_on).citation(line.section))
