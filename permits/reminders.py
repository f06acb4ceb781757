"""Reminders from the docket: before the day, on it, and once when it has passed.

How long before depends on the rule. Each is an outbox row keyed by case, rule, date, stage and
recipient: a job that runs twice, late or on two machines sends one mail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.template.loader import render_to_string

from permits.models import Application, DocketEntry
from permits.people import Recipient, administrators, inspectors, notice_parties
from portal import outbox
from portal.models import OutboxMessage

__all__ = ["Beside", "register_beside", "send_reminders"]

SOON, TODAY, LATE = "soon", "today", "late"
ON_RECORD = "on record"
"""Of a date that runs, and before another day nothing is enforced."""
REMINDED = (DocketEntry.Bound.INSPECTOR, DocketEntry.Bound.PERMITTEE)

DAYS_AHEAD: dict[str, tuple[int, ...]] = {
    "permanent-cover": (60, 30, 7),
    "correction": (1,),
    "revision-order-line": (1,),
}
"""So many days before its last day a rule is reminded of, the first time first."""
OTHERS_AHEAD = (3,)


@dataclass(frozen=True)
class Stage:
    """How near a deadline is; `mark` tells one reminder of an entry from the next."""

    word: str
    mark: str


@dataclass(frozen=True)
class Beside:
    """What stands beside a date: in words, and whether the date is enforced all the same."""

    words: str
    enforced: bool = True


Source = Callable[[DocketEntry, date], "Beside | None"]
_sources: list[Source] = []


def register_beside(source: Source) -> None:
    """Add what knows, of an entry on a day, a fact from above that changes what it means."""
    if source not in _sources:
        _sources.append(source)


def _beside(entry: DocketEntry, on: date) -> Beside | None:
    return next((found for source in _sources if (found := source(entry, on))), None)


def stage(entry: DocketEntry, on: date) -> Stage | None:
    """Return how near a deadline is: soon, today or late; None while it is far."""
    if entry.on <= on:
        word = LATE if entry.on < on else TODAY
        return Stage(word, word)
    leads = DAYS_AHEAD.get(entry.rule, OTHERS_AHEAD)
    days = min((days for days in leads if entry.on <= on + timedelta(days)), default=None)
    if days is None:
        return None
    return Stage(SOON, SOON if days == min(leads) else f"{SOON}-{days}")


def send_reminders(on: date) -> int:
    """Queue the reminders of a day and return how many were new."""
    near = Q(on__lte=on + timedelta(max(OTHERS_AHEAD)))
    for rule, leads in DAYS_AHEAD.items():
        near |= Q(rule=rule, on__lte=on + timedelta(max(leads)))
    due = (
        DocketEntry.objects.running()
        .not_stayed()
        .filter(near, kind=DocketEntry.Kind.DEADLINE, bound__in=REMINDED)
        .select_related("site")
        .order_by("on", "pk")
    )
    return sum(_remind(entry, on) for entry in due.iterator(chunk_size=500))


def _remind(entry: DocketEntry, on: date) -> int:
    near = stage(entry, on)
    if near is None:
        return 0
    at, sent = near.word, 0
    beside = _beside(entry, on)
    templates, subject = [f"mail/reminder_{at}_{entry.rule}.txt", f"mail/reminder_{at}.txt"], at
    if beside is not None and not beside.enforced:
        templates, subject = ["mail/reminder_on_record.txt"], ON_RECORD
    with transaction.atomic():
        for person in _concerned(entry, at):
            key = (
                f"{entry.site.number}:{entry.rule}:{entry.pk}:{entry.on}:{near.mark}:{person.email}"
            )
            if OutboxMessage.objects.filter(key=key).exists():
                continue
            body = render_to_string(
                templates,
                {
                    "entry": entry,
                    "site": entry.site,
                    "person": person,
                    "days_left": (entry.on - on).days,
                    "beside": beside.words if beside else "",
                    "city": settings.CITY,
                    "url": settings.PUBLIC_URL + entry.site.get_absolute_url(),
                    "public_url": settings.PUBLIC_URL + entry.site.get_public_url(),
                },
            )
            outbox.queue(
                key=key,
                recipient=person.email,
                subject=f"{SUBJECTS[subject]}: {entry.title} [{entry.site.number}]",
                body=body,
                reference=entry.site.number,
                cause=f"reminder-{at}",
            )
            sent += 1
    return sent


SUBJECTS = {
    SOON: "Due soon",
    TODAY: "Due today",
    LATE: "Late",
    ON_RECORD: "A date on record",
}


def _concerned(entry: DocketEntry, at: str) -> Iterable[Recipient]:
    """The person bound; and once it is late, the applicant who waits for the city too."""
    people: list[Recipient] = []
    if entry.bound == DocketEntry.Bound.INSPECTOR:
        people = inspectors()
    application = _application(entry)
    if application and (entry.bound == DocketEntry.Bound.PERMITTEE or at == LATE):
        people += notice_parties(application)
    if at == LATE and entry.bound == DocketEntry.Bound.INSPECTOR:
        people += administrators()
    return [person for person in people if person.email]


def _application(entry: DocketEntry) -> Application | None:
    subject = entry.subject
    if isinstance(subject, Application):
        return subject
    return getattr(subject, "application", None)
