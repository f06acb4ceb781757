"""Bonds and letters of credit that expire: reminders 60, 30 and 14 days before, and the task.

Each reminder is an outbox row keyed by case, instrument, day, stage and recipient, and a
mailing of one cause: a round that runs twice, late or on two machines sends one letter.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Case, DateField, Exists, F, OuterRef, QuerySet, Subquery, Sum, When
from django.db.models.functions import Round
from django.template.loader import render_to_string

from escrow.models import EscrowEntry, Instrument, InstrumentRenewal
from permits.models import Permit
from permits.people import Recipient, notice_parties
from portal import outbox
from portal.models import Mailing, OutboxMessage, Role, User

from . import papers

__all__ = ["LEADS", "expiring", "permits_to_keep", "remind"]

LEADS = (60, 30, 14)
"""So many days before its last day an instrument is reminded of."""


def expiring(*, on: date, within: int = max(LEADS)) -> QuerySet[Instrument]:
    """Return instruments held whose last day comes within some days or has passed.

    `until` is the last day as the newest renewal has it. A renewal is always for longer than
    what it renews, so that the day on the instrument itself narrows the search.
    """
    renewals = InstrumentRenewal.objects.filter(instrument=OuterRef("pk"))
    newest = renewals.order_by("-on", "-pk").values("expires_on")[:1]
    until = Case(
        When(Exists(renewals), then=Subquery(newest)),
        default=F("expires_on"),
        output_field=DateField(),
    )
    balance = (
        EscrowEntry.objects.filter(instrument=OuterRef("pk"))
        .order_by()
        .values("instrument")
        .annotate(total=Round(Sum("amount"), precision=2))
        .values("total")
    )
    last = on + timedelta(within)
    found = Instrument.objects.filter(expires_on__lte=last)
    found = found.annotate(until=until, balance=Subquery(balance))
    return found.filter(until__lte=last, balance__gt=0).order_by("until", "pk")  # type: ignore[misc]


def permits_to_keep(*, on: date) -> QuerySet[Permit]:
    """Return the permits whose escrow lapses within the first reminder: draw or renew."""
    found = expiring(on=on).order_by().values("permit")
    return Permit.objects.filter(pk__in=found).order_by("pk")


def stage(until: date, on: date) -> int | None:
    """Return the reminder that is due: 60, 30, 14, or 0 once it has lapsed."""
    if until < on:
        return 0
    return min((lead for lead in LEADS if until <= on + timedelta(lead)), default=None)


def remind(on: date) -> int:
    """Remind parties and clerk of what expires; returns how many were new."""
    rows = expiring(on=on).select_related("permit__application__site", "permit__site")
    return sum(_remind(each, on) for each in rows.order_by("pk").iterator(chunk_size=500))


def _remind(instrument: Instrument, on: date) -> int:
    until: date = instrument.until  # type: ignore[attr-defined]
    days = stage(until, on)
    if days is None:
        return 0
    permit, sent = instrument.permit, 0
    cause = f"escrow_expiry:{instrument.pk}:{until.isoformat()}:{days}"
    with transaction.atomic():
        permit.site.lock()
        people = notice_parties(permit.application)
        for person in (*people, *_clerks()):
            sent += _mail(person, instrument, cause, days, on) if person.email else 0
        by_post = [person for person in people if not person.email and person.address]
        known = Mailing.objects.filter(reference=permit.site.number, cause=cause)
        if by_post and not known.exists():
            paper = papers.expiry_letter(instrument, until, days, on=on)
            for person in by_post:
                Mailing.objects.create(
                    reference=permit.site.number,
                    cause=cause,
                    means=Mailing.Means.US_MAIL,
                    addressee=person.name[:200],
                    address=person.address,
                    document=paper.document,
                )
                sent += 1
    return sent


def _clerks() -> Iterable[Recipient]:
    users = User.objects.filter(role=Role.CLERK, is_active=True)
    return [Recipient(str(user), user.email, "", "clerk") for user in users]


def _mail(person: Recipient, instrument: Instrument, cause: str, days: int, on: date) -> int:
    permit, site = instrument.permit, instrument.permit.site
    key = f"{site.number}:{cause}:{person.email}"
    if OutboxMessage.objects.filter(key=key).exists():
        return 0
    body = render_to_string(
        "mail/escrow_expiry.txt",
        {
            "person": person,
            "instrument": instrument,
            "permit": permit,
            "site": site,
            "days": days,
            "until": instrument.until,  # type: ignore[attr-defined]
            "city": settings.CITY,
            "url": settings.PUBLIC_URL + site.get_absolute_url(),
            "public_url": settings.PUBLIC_URL + site.get_public_url(),
            "on": on,
        },
    )
    outbox.queue(
        key=key,
        recipient=person.email,
        subject=f"The escrow {'has lapsed' if not days else 'expires'} [{site.number}]",
        body=body,
        reference=site.number,
        cause=cause,
    )
    return 1
