"""The daily seal over the record, told to clerk and attorney."""

from __future__ import annotations

from datetime import date

from django.conf import settings
from django.db import transaction
from django.template.loader import render_to_string

from permits.models import RecordSeal
from portal import outbox
from portal.models import Role, User

__all__ = ["seal_record"]


@transaction.atomic
def seal_record(on: date) -> int:
    """Seal the record, once for a day that has new events; returns how many seals were made."""
    last = RecordSeal.objects.order_by("-pk").first()
    seal = RecordSeal.prepare()
    if seal.events == (last.events if last else 0):
        return 0
    seal.save(force_insert=True)
    people = User.objects.filter(role__in=[Role.CLERK, Role.ATTORNEY], is_active=True)
    for person in people:
        body = render_to_string(
            "mail/seal.txt", {"seal": seal, "person": person, "city": settings.CITY, "on": on}
        )
        outbox.queue(
            key=f"seal:{seal.pk}:{person.email}",
            recipient=person.email,
            subject=f"Seal of the case record, {seal.events} events",
            body=body,
            cause="seal",
        )
    return 1
