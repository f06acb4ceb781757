"""What half an inch of rain asks of city and permittee within 24 hours.

The city visits every active site where land is disturbed; the permittee inspects too and
writes it in the log. Wis. Admin. Code § NR 216.48(4)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.template.loader import render_to_string
from django_tasks import task

from inspections.active import disturbed_permits
from inspections.models import LogEntry, RainReading, VisitNeed
from inspections.needs import open_needs
from inspections.rain_words import amount
from permits.models import Permit
from permits.people import notice_parties
from portal import outbox
from portal.formats import short_date
from portal.models import OutboxMessage
from portal.ordinance.inspection import STATE_LOG_RULE, rain_visit_due

__all__ = ["Duties", "follow", "tell_of_recent_rain"]

TOLD_FOR = timedelta(days=7)
"""Rain that is entered later than this is told to nobody: the log shows its gap anyway."""

AT_ONCE = 200


@dataclass(frozen=True)
class Duties:
    """How many visits the rain opened, and how many that nobody made it closed again."""

    opened: int = 0
    closed: int = 0


def follow(turned: Iterable[date], *, on: date) -> Duties:
    """Open and close the duties of days that became, or ceased to be, days of rain.

    Visits at once; the permittees are told by the worker as soon as this is committed.
    """
    if not list(turned):
        return Duties()
    standing = VisitNeed.objects.filter(reason=VisitNeed.Reason.RAIN)
    before = standing.open().count()
    last = standing.order_by("-pk").values_list("pk", flat=True).first() or 0
    open_needs(on, reasons=[VisitNeed.Reason.RAIN, VisitNeed.Reason.LOG_GAP])
    opened = standing.filter(pk__gt=last).count()
    transaction.on_commit(lambda: tell_soon.enqueue(on.isoformat()), robust=True)
    return Duties(opened, before + opened - standing.open().count())


@task()
def tell_soon(on: str) -> int:
    """Tell the permittees of the rain of the last days; safe to run twice."""
    return tell_of_recent_rain(date.fromisoformat(on))


def tell_of_recent_rain(on: date) -> int:
    """Tell each permittee once per day of rain, and take back what a correction ended.

    Returns how many mails are new.
    """
    rain: dict[date, Decimal] = {}
    for reading in RainReading.objects.trigger_days(on - TOLD_FOR, on):
        rain[reading.on] = max(reading.inches, rain.get(reading.on, Decimal(0)))
    days = [on - timedelta(days=back) for back in range(TOLD_FOR.days, -1, -1)]
    return sum(
        _tell(rained_on, rain[rained_on]) if rained_on in rain else _take_back(rained_on)
        for rained_on in days
    )


def _tell(rained_on: date, inches: Decimal) -> int:
    """Tell the permittees whose ground was bare that day and who have no entry since."""
    cause = f"rain:{rained_on.isoformat()}"
    logged = LogEntry.objects.filter(
        permit=OuterRef("pk"), kind=LogEntry.Kind.RAIN, inspected_on__gte=rained_on
    )
    told = OutboxMessage.objects.filter(cause=cause).values("reference")
    permits = disturbed_permits(rained_on).filter(~Exists(logged)).exclude(site__number__in=told)
    keys = list(permits.values_list("pk", flat=True))
    details = Permit.objects.select_related("site", "application__applicant", "application__site")
    return sum(
        _tell_one(permit, cause, rained_on, inches)
        for some in _in_chunks(keys)
        for permit in details.filter(pk__in=some).order_by("pk")
    )


def _in_chunks(keys: list[int]) -> Iterator[list[int]]:
    return (keys[at : at + AT_ONCE] for at in range(0, len(keys), AT_ONCE))


@transaction.atomic
def _tell_one(permit: Permit, cause: str, rained_on: date, inches: Decimal) -> int:
    site, due = permit.site, rain_visit_due(rained_on)
    people = [person for person in notice_parties(permit.application) if person.email]
    for person in people:
        context = {
            "person": person,
            "site": site,
            "permit": permit,
            "rained_on": rained_on,
            "fell": amount(inches),
            "due": due,
            "rule": STATE_LOG_RULE,
            "city": settings.CITY,
            "url": settings.PUBLIC_URL + site.get_absolute_url(),
        }
        outbox.queue(
            key=f"{site.number}:{cause}:{person.email}",
            recipient=person.email,
            subject=f"Rain: inspect and write the log by {short_date(due)} [{site.number}]",
            body=render_to_string("mail/rain.txt", context),
            reference=site.number,
            cause=cause,
        )
    return len(people)


def _take_back(rained_on: date) -> int:
    """Tell those who were told that the figure was corrected; nothing is due for the day."""
    cause = f"rain-corrected:{rained_on.isoformat()}"
    told = OutboxMessage.objects.filter(cause=f"rain:{rained_on.isoformat()}")
    back = OutboxMessage.objects.filter(cause=cause, recipient=OuterRef("recipient"))
    waiting = told.filter(~Exists(back.filter(reference=OuterRef("reference"))))
    count = 0
    for message in list(waiting.only("reference", "recipient")):
        context = {"rained_on": rained_on, "city": settings.CITY}
        outbox.queue(
            key=f"{message.reference}:{cause}:{message.recipient}",
            recipient=message.recipient,
            subject=f"Rain of {short_date(rained_on)} corrected [{message.reference}]",
            body=render_to_string("mail/rain_corrected.txt", context),
            reference=message.reference,
            cause=cause,
        )
        count += 1
    return count
