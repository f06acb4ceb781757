"""Handing a case to another person: offered by e-mail address, accepted by signing in."""

from __future__ import annotations

from datetime import date

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.template.loader import render_to_string

from permits import holds
from permits.models import Application, HandOver, NotNow
from portal import clock, outbox
from portal.models import User

__all__ = ["accept", "offer", "offers_to", "recall", "why_held"]


def why_held(application: Application, *, on: date) -> NotNow | None:
    """Say why the case cannot change hands: the dates of an order bind whoever holds it."""
    held = holds.holds(application.site, holds.Act.HAND_OVER, on=on)
    if not held:
        return None
    why = " ".join(each.text for each in held)
    return NotNow(f"The case cannot change hands now. {why}", held)


def _refuse_while_held(application: Application, on: date) -> None:
    if held := why_held(application, on=on):
        raise held


def offers_to(user: User) -> QuerySet[HandOver]:
    """Open offers to the person's own (verified) e-mail address."""
    return HandOver.objects.filter(
        email=user.email.lower(), accepted_at__isnull=True, recalled_at__isnull=True
    ).select_related("application__site", "offered_by")


@transaction.atomic
def offer(application: Application, *, by: User, email: str, on: date) -> HandOver:
    """Offer the case to a person; nothing changes hands until they accept."""
    with application.acting():
        if application.applicant_id != by.pk:
            raise NotNow("Only the person who holds the case can hand it over.")
        _refuse_while_held(application, on)
        if application.handovers.filter(
            accepted_at__isnull=True, recalled_at__isnull=True
        ).exists():
            raise NotNow("The case is already offered to somebody; take that back first.")
        if email.lower() == by.email.lower():
            raise NotNow("You hold this case already.")
        handover = application.handovers.create(email=email.lower(), offered_by=by)
        application.site.record("handover.offered", by=by, on=on, facts={"to": email.lower()})
        body = render_to_string(
            "mail/handover.txt",
            {
                "application": application,
                "site": application.site,
                "by": by,
                "city": settings.CITY,
                "url": settings.PUBLIC_URL,
            },
        )
        outbox.queue(
            key=f"handover:{handover.key}",
            recipient=email,
            subject=f"A case is offered to you [{application.site.number}]",
            body=body,
            reference=application.site.number,
            cause="handover",
        )
    return handover


@transaction.atomic
def recall(handover: HandOver, *, by: User, on: date) -> None:
    """Take an offer back before it is accepted."""
    with handover.application.acting():
        handover.refresh_from_db()
        if handover.accepted_at or handover.recalled_at:
            raise NotNow("This offer is not open any more.")
        handover.recalled_at = clock.now()
        handover.save(update_fields=["recalled_at"])
        handover.application.site.record(
            "handover.recalled", by=by, on=on, facts={"to": handover.email}
        )


@transaction.atomic
def accept(handover: HandOver, *, by: User, on: date) -> None:
    """Take the case over; from now on the person holds it, and the record says so."""
    application = handover.application
    with application.acting():
        handover.refresh_from_db()
        if handover.accepted_at or handover.recalled_at or handover.email != by.email.lower():
            raise NotNow("This offer is not open any more.")
        _refuse_while_held(application, on)
        before = application.applicant
        handover.accepted_at = clock.now()
        handover.save(update_fields=["accepted_at"])
        application.applicant = by
        application.save(update_fields=["applicant"])
        application.site.record(
            "handover.accepted",
            by=by,
            on=on,
            facts={"from": before.signature, "to": by.signature},
        )
