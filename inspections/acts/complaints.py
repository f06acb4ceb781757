"""Reports by the public: taken, linked to a site, answered."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from django.db import transaction

from inspections.models import Complaint, VisitNeed
from permits.models import NotNow, Site
from portal import numbers
from portal.models import Upload, User

__all__ = ["answer", "link", "open_site", "take"]


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
    """Take a report; its number is all that the reporter can look back with."""
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
    return complaint


@transaction.atomic
def link(complaint: Complaint, site: Site, *, by: User, on: date) -> None:
    """Link a report to a site, which is then worth a visit."""
    locked = site.lock()
    complaint = Complaint.objects.select_for_update().get(pk=complaint.pk)
    if complaint.site_id == locked.pk:
        return
    complaint.site = locked
    complaint.save(update_fields=["site"])
    VisitNeed.objects.raise_once(
        locked,
        VisitNeed.Reason.COMPLAINT,
        since=complaint.received_on,
        due_on=on,
        because=f"{complaint.number}: {complaint.get_what_display()}",
    )
    locked.record(
        "complaint.linked",
        by=by,
        on=on,
        section="inspection",
        facts={"complaint": complaint.number, "what": complaint.what},
    )


@transaction.atomic
def open_site(complaint: Complaint, *, by: User, on: date) -> Site:
    """Open a site for a report where the city knows none, with or without a permit."""
    site = Site.objects.create(
        number=numbers.next_number("S", on=on),
        address=complaint.place,
        latitude=complaint.latitude,
        longitude=complaint.longitude,
    )
    site.index_words()
    link(complaint, site, by=by, on=on)
    return site


@transaction.atomic
def answer(complaint: Complaint, *, by: User, on: date, text: str) -> None:
    """Answer a report, once."""
    complaint = Complaint.objects.select_for_update().get(pk=complaint.pk)
    if complaint.answered_on is not None:
        raise NotNow("This report was answered already.")
    complaint.answer, complaint.answered_on, complaint.answered_by = text, on, by
    complaint.save(update_fields=["answer", "answered_on", "answered_by"])
