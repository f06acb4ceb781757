"""A visit from its beginning to its report. Former § 17.19(6)"""

from __future__ import annotations

import uuid
from datetime import date, datetime, timedelta

from django.db import transaction

from inspections.models import ChecklistLine, LineAnswer, Visit, VisitNeed, VisitPhoto
from permits.models import NotNow, Permit, Site
from portal import city, clock, numbers
from portal.models import Upload, User
from portal.ordinance.site import STANDARDS

__all__ = ["answer", "attach_photo", "begin", "describe", "finish"]

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
    permit = standing_permit(locked)
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


def standing_permit(site: Site) -> Permit | None:
    """Return the permit that stands on the site, if there is one."""
    return site.permits.filter(status=Permit.Status.ISSUED).order_by("-pk").first()


def _check_day(site: Site, on: date, today: date) -> None:
    if on > today:
        raise NotNow("A visit cannot be dated after today.")
    if on < today - OLDEST:
        raise NotNow("A visit is recorded within sixty days. Check the year of the date.")
    first = site.events.order_by("sequence").first()
    if first is not None and on < first.occurred_on:
        raise NotNow(
            f"The city knows this site since {first.occurred_on:%B} {first.occurred_on.day}, "
            f"{first.occurred_on.year}; a visit cannot lie before that."
        )


def _lines(visit: Visit, permit: Permit | None) -> list[ChecklistLine]:
    lines: list[ChecklistLine] = []
    if permit is not None:
        for device in permit.grant.revision.devices.all():
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


@transaction.atomic
def answer(
    line: ChecklistLine,
    *,
    by: User,
    outcome: str,
    note: str = "",
    key: uuid.UUID | None = None,
    answered_at: datetime | None = None,
) -> LineAnswer:
    """Keep one answer; the same key is one answer, a later answer is a new row."""
    visit = line.visit
    visit.site.lock()
    if key is not None:
        known = LineAnswer.objects.filter(key=key).first()
        if known is not None:
            return known
    _still_open(visit)
    return LineAnswer.objects.create(
        **({"key": key} if key else {}),
        line=line,
        by=by,
        outcome=outcome,
        note=note,
        answered_at=answered_at or clock.now(),
    )


def _still_open(visit: Visit) -> None:
    visit.refresh_from_db()
    if visit.status != Visit.Status.OPEN:
        raise NotNow(f"Visit {visit.number} is finished; begin a new visit to add to it.")


@transaction.atomic
def attach_photo(
    visit: Visit,
    upload: Upload,
    *,
    by: User,
    line: ChecklistLine | None = None,
    key: uuid.UUID | None = None,
) -> VisitPhoto:
    """Bind a stored photo to the visit, once per key, however often it is sent."""
    visit.site.lock()
    if key is not None:
        known = VisitPhoto.objects.filter(key=key).first()
        if known is not None:
            return known
    _still_open(visit)
    return VisitPhoto.objects.create(
        **({"key": key} if key else {}), visit=visit, line=line, upload=upload, sent_by=by
    )


@transaction.atomic
def describe(visit: Visit, *, weather: str = "", phase: str = "", note: str | None = None) -> None:
    """Keep weather, phase and note while the visit is open."""
    visit.site.lock()
    _still_open(visit)
    visit.weather = weather or visit.weather
    visit.phase = phase or visit.phase
    visit.note = visit.note if note is None else note
    visit.save(update_fields=["weather", "phase", "note"])


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
        VisitNeed.objects.open().filter(site=visit.site, since__lte=visit.visited_on).exclude(
            reason__in=[VisitNeed.Reason.LOG_GAP]
        ).update(closed_on=visit.visited_on, met_by=visit)
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
    return visit


def citation_of(line: ChecklistLine) -> str:
    """Return where what a line asks for stands written."""
    return str(city.edition_on(line.visit.visited_on).citation(line.section))
