"""Reports by the public: taken, linked to a site, answered."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.template.loader import render_to_string

from inspections import notices
from inspections.models import Complaint, VisitNeed
from permits.models import NotNow, Site
from portal import numbers, outbox
from portal.models import Upload, User

__all__ = ["answer", "email_of", "link", "open_site", "take"]


@transaction.atomic
def take(
    *,
    on: date,
    what: str,
    place: str,
    text: str = "",
    name: str = "",
    contact: str = "",
    latitude: Decimal | None = None,
    longitude: Decimal | None = None,
    photos: list[Upload] | None = None,
) -> Complaint:
    """Take a report, and tell the inspectors; its number is all the reporter keeps of it."""
    complaint = Complaint.objects.create(
        number=numbers.next_number("RP", on=on),
        what=what,
        place=place,
        text=text,
        name=name,
        contact=contact,
        latitude=latitude,
        longitude=longitude,
        received_on=on,
    )
    complaint.photos.set(photos or [])
    notices.tell_report_by_public(complaint)
    return complaint


@transaction.atomic
def link(complaint: Complaint, site: Site, *, by: User, on: date) -> None:
    """Link a report to a site, which is then worth a visit until one is made."""
    locked = site.lock()
    complaint = Complaint.objects.select_for_update().get(pk=complaint.pk)
    if complaint.site_id == locked.pk:
        return
    before, complaint.site = complaint.site, locked
    complaint.save(update_fields=["site"])
    if before is not None:
        _let_fall(before, on=on)
    if complaint.answered_on is None:
        VisitNeed.objects.raise_once(
            locked,
            VisitNeed.Reason.COMPLAINT,
            since=complaint.received_on,
            due_on=on,
            because=f"{complaint.number}: {complaint.get_what_display()}.",
        )
    locked.record(
        "complaint.linked",
        by=by,
        on=on,
        section="inspection",
        facts={"complaint": complaint.number, "what": complaint.what},
    )


def _let_fall(site: Site, *, on: date) -> None:
    """Close the need to look after a report once no open report is left at the site."""
    if not site.complaints.filter(answered_on__isnull=True).exists():  # type: ignore[attr-defined]
        needs = VisitNeed.objects.open().filter(site=site, reason=VisitNeed.Reason.COMPLAINT)
        needs.update(closed_on=on)


@transaction.atomic
def open_site(complaint: Complaint, *, by: User, on: date, address: str = "") -> Site:
    """Open a site for a report where the city knows none, with or without a permit."""
    known = Complaint.objects.select_for_update().get(pk=complaint.pk).site
    if known is not None:
        raise NotNow(f"This report is linked to site {known.number} already.")
    site = Site.objects.create(
        number=numbers.next_number("S", on=on),
        address=address or complaint.place,
        latitude=complaint.latitude,
        longitude=complaint.longitude,
    )
    site.index_words()
    link(complaint, site, by=by, on=on)
    return site


@transaction.atomic
def answer(
    complaint: Complaint, *, by: User, on: date, text: str, no_visit: bool = False
) -> Complaint:
    """Answer a report, once; by e-mail to whoever left an address.

    The visit that it asks for stays due, unless the inspector says that none is needed.
    """
    complaint = Complaint.objects.select_for_update().get(pk=complaint.pk)
    if complaint.answered_on is not None:
        raise NotNow("This report was answered already.")
    complaint.answer, complaint.answered_on, complaint.answered_by = text, on, by
    complaint.save(update_fields=["answer", "answered_on", "answered_by"])
    if no_visit and complaint.site is not None:
        _let_fall(complaint.site, on=on)
    if email := email_of(complaint):
        outbox.queue(
            key=f"{complaint.number}:answer:{email}",
            recipient=email,
            subject=f"Your report {complaint.number}",
            body=render_to_string(
                "mail/report_answer.txt", {"complaint": complaint, "city": settings.CITY}
            ),
            cause="report-answer",
        )
    return complaint


def email_of(complaint: Complaint) -> str:
    """Return the e-mail address that was left with a report, if it is one."""
    contact = complaint.contact.strip()
    try:
        validate_email(contact)
    except ValidationError:
        return ""
    return contact
