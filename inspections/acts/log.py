"""The permittee's own log: entered once, never changed. Wis. Admin. Code § NR 216.48(4)"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import date, time
from typing import TypedDict

from django.db import transaction

from inspections.models import LogEntry, LogLine, VisitNeed
from permits.models import NotNow, Permit
from portal.formats import long_date
from portal.models import Upload, User
from portal.ordinance.days import ONE_DAY

__all__ = ["Answers", "enter", "why_not_enter"]


class Answers(TypedDict, total=False):
    """What a self-inspection tells besides its day; the fields of the form 3400-187."""

    kind: str
    kind_other: str
    began: time | None
    ended: time | None
    inspectors: str
    field_office_telephone: str
    weather: str
    phase: str
    comments: str


def why_not_enter(permit: Permit) -> str:
    """Say why nothing can be written in the log of a permit, or nothing."""
    if permit.status != Permit.Status.ISSUED:
        return f"{permit} is {permit.get_status_display().lower()}; its log is closed."
    return ""


@transaction.atomic
def enter(
    permit: Permit,
    *,
    by: User,
    today: date,
    key: uuid.UUID,
    inspected_on: date,
    answers: Answers,
    lines: Mapping[str, tuple[str, str]],
    photos: Sequence[Upload] = (),
) -> LogEntry:
    """Write one self-inspection into the log; the same key is one entry.

    `lines` gives for each practice whether it needs a modification, and what follows.
    """
    with permit.acting():
        known = LogEntry.objects.filter(key=key).first()
        if known is not None:
            if known.permit_id != permit.pk:
                raise NotNow("This entry was written in the log of another permit.")
            return known
        if why := why_not_enter(permit) or why_not_day(permit, inspected_on, today):
            raise NotNow(why)
        entry = LogEntry.objects.create(
            key=key, permit=permit, inspected_on=inspected_on, entered_by=by, **answers
        )
        LogLine.objects.bulk_create(
            LogLine(
                entry=entry,
                practice=practice,
                needs_modification=needs,
                follow_up=follow_up if needs == LogLine.Needs.YES else "",
            )
            for practice, (needs, follow_up) in lines.items()
        )
        entry.photos.set(photos)
        _record(entry, by, [name for name, (needs, _) in lines.items() if needs == "yes"])
        _close_gap(entry, today)
        return entry


def why_not_day(permit: Permit, day: date, today: date) -> str:
    """Say why an inspection cannot have been made on a day, or nothing."""
    if day > today:
        return f"This day is still to come. Today is {long_date(today)}."
    if permit.issued_on is None or day < permit.issued_on:
        return f"The permit was issued on {long_date(permit.issued_on)}; its log begins then."
    return ""


def _record(entry: LogEntry, by: User, modifications: list[str]) -> None:
    entry.permit.site.record(
        "log.entered",
        by=by,
        on=entry.inspected_on,
        facts={
            "permit": entry.permit.number,
            "kind": entry.kind,
            "inspectors": entry.inspectors,
            "modifications": modifications,
            "photos": entry.photos.count(),
        },
    )


def _close_gap(entry: LogEntry, today: date) -> None:
    """An inspection of today or yesterday leaves no gap; others are judged by the daily round."""
    if entry.inspected_on >= today - ONE_DAY:
        VisitNeed.objects.open().filter(
            site=entry.permit.site, reason=VisitNeed.Reason.LOG_GAP
        ).update(closed_on=today)
