"""Violations: recorded, documented day by day, ended or dropped. Former § 17.19(7), (9)"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from django.db import transaction

from enforcement.models import Violation, ViolationDay, ViolationStatus
from inspections.models import Complaint, Finding, Visit
from permits.models import NotNow, Permit, Site
from portal.formats import long_date
from portal.models import Upload, User

__all__ = ["drop", "end", "from_finding", "record", "see_again"]


@transaction.atomic
def record(
    site: Site,
    *,
    by: User,
    on: date,
    section: str,
    facts: str,
    found_on: date,
    permit: Permit | None = None,
    complaint: Complaint | None = None,
    visit: Visit | None = None,
    photos: Iterable[Upload] = (),
) -> Violation:
    """Record a violation that was seen, with or without a permit; its first day is documented.

    What somebody else reported is a complaint; the violation is what the inspector saw.
    """
    locked = site.lock()
    _check_day(found_on, on=on)
    _same_site(locked, permit, complaint, visit)
    violation = _create(
        locked,
        by=by,
        section=section,
        facts=facts,
        found_on=found_on,
        permit=permit,
        complaint=complaint,
    )
    day = ViolationDay.objects.create(
        violation=violation, on=found_on, seen=facts, visit=visit, recorded_by=by
    )
    day.photos.set(photos)
    _record_event(violation, by=by, on=found_on)
    return violation


@transaction.atomic
def from_finding(finding: Finding, *, by: User, on: date) -> Violation:
    """Take up a finding that the inspector marked as a violation; its days are documented."""
    locked = finding.site.lock()
    finding.refresh_from_db()
    if not finding.is_violation:
        raise NotNow("This finding is not marked as a violation. See it again at a visit first.")
    if finding.status == Finding.Status.DROPPED:
        raise NotNow("This finding was dropped, recorded in error.")
    if Violation.objects.filter(finding=finding).exists():
        raise NotNow("This finding is recorded as a violation already.")
    violation = _create(
        locked,
        by=by,
        section=finding.section,
        facts=finding.what,
        found_on=finding.found_on,
        permit=finding.permit,
        finding=finding,
    )
    _record_event(violation, by=by, on=on)
    return violation


def _create(site: Site, *, by: User, **facts: object) -> Violation:
    last = site.violations.order_by("-number").values_list("number", flat=True).first()  # type: ignore[attr-defined]
    return Violation.objects.create(
        site=site,
        number=(last or 0) + 1,
        recorded_by=by,
        **facts,  # type: ignore[misc]
    )


def _record_event(violation: Violation, *, by: User, on: date) -> None:
    violation.site.record(
        "violation.recorded",
        by=by,
        on=on,
        section=violation.section,
        facts={
            "violation": violation.number,
            "what": violation.facts,
            "found_on": violation.found_on,
            "finding": violation.finding.number if violation.finding else None,
            "complaint": violation.complaint.number if violation.complaint else None,
        },
    )


@transaction.atomic
def see_again(
    violation: Violation,
    *,
    by: User,
    on: date,
    seen_on: date,
    seen: str,
    visit: Visit | None = None,
    photos: Iterable[Upload] = (),
) -> ViolationDay:
    """Document another calendar day on which the violation was seen. Former § 17.19(9)"""
    with violation.acting():
        if violation.status != ViolationStatus.OPEN:
            raise NotNow(f"This violation is {violation.get_status_display().lower()}.")
        _check_day(seen_on, on=on, since=violation.found_on)
        _same_site(violation.site, None, None, visit)
        if seen_on in violation.documented_days():
            raise NotNow(f"{long_date(seen_on)} is documented already; a day counts once.")
        day = ViolationDay.objects.create(
            violation=violation, on=seen_on, seen=seen, visit=visit, recorded_by=by
        )
        day.photos.set(photos)
        violation.site.record(
            "violation.seen_again",
            by=by,
            on=seen_on,
            section=violation.section,
            facts={"violation": violation.number, "seen": seen, "photos": day.photos.count()},
        )
        return day


@transaction.atomic
def end(violation: Violation, *, by: User, on: date, ended_on: date, how: str) -> None:
    """Record that a violation has ended, and how the inspector knows."""
    with violation.acting():
        days = violation.documented_days()
        _check_day(ended_on, on=on, since=days[-1] if days else violation.found_on)
        violation.move_to(ViolationStatus.ENDED)
        violation.ended_on = ended_on
        violation.save(update_fields=["status", "ended_on"])
        violation.site.record(
            "violation.ended",
            by=by,
            on=on,
            section=violation.section,
            facts={"violation": violation.number, "ended_on": ended_on, "how": how},
        )


@transaction.atomic
def drop(violation: Violation, *, by: User, on: date, reason: str) -> None:
    """Drop a violation recorded in error; the row and its reason stay on record."""
    with violation.acting():
        standing = violation.orders.filter(status="standing").first()  # type: ignore[attr-defined]
        if standing is not None:
            raise NotNow(
                f"Order {standing} stands on this violation. Lift or withdraw the order first."
            )
        violation.move_to(ViolationStatus.DROPPED)
        violation.save(update_fields=["status"])
        violation.site.record(
            "violation.dropped",
            by=by,
            on=on,
            section=violation.section,
            reason=reason,
            facts={"violation": violation.number},
        )


def _check_day(day: date, *, on: date, since: date | None = None) -> None:
    if day > on:
        raise NotNow(f"{long_date(day)} is still to come.")
    if since is not None and day < since:
        raise NotNow(f"That day lies before {long_date(since)}, when the violation was seen.")


def _same_site(
    site: Site, permit: Permit | None, complaint: Complaint | None, visit: Visit | None
) -> None:
    """Refuse a permit, a report or a visit of another site."""
    for row, word in ((permit, "permit"), (complaint, "report"), (visit, "visit")):
        if row is not None and row.site_id != site.pk:
            raise NotNow(f"The {word} is of another site.")
