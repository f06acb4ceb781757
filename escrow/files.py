"""The files of the money: scans of bonds and letters of credit, and of what changed them."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from escrow.models import Instrument, InstrumentOwner, InstrumentRenewal, ParcelNote
from permits.models import Site

__all__ = ["SOURCES", "scans"]


def scans(sites: QuerySet[Site]) -> QuerySet[Any]:
    """Return the scans of the instruments posted for permits of these sites."""
    posted = Instrument.objects.filter(permit__site__in=sites, scan__isnull=False)
    return posted.values("scan")


def _renewals(sites: QuerySet[Site]) -> QuerySet[Any]:
    found = InstrumentRenewal.objects.filter(instrument__permit__site__in=sites)
    return found.filter(scan__isnull=False).values("scan")


def _owners(sites: QuerySet[Site]) -> QuerySet[Any]:
    found = InstrumentOwner.objects.filter(instrument__permit__site__in=sites)
    return found.filter(scan__isnull=False).values("scan")


def _parcel_notes(sites: QuerySet[Site]) -> QuerySet[Any]:
    found = ParcelNote.objects.filter(parcel__site__in=sites, scan__isnull=False)
    return found.values("scan")


SOURCES = (scans, _renewals, _owners, _parcel_notes)
