"""The files of agreements: maps, and scans of what was signed and recorded."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from permits.models import AgreementRecording, MaintenanceAgreement, Site

__all__ = ["SOURCES"]


def maps(sites: QuerySet[Site]) -> QuerySet[Any]:
    """Return the maps of agreements on these sites."""
    rows = MaintenanceAgreement.objects.filter(site__in=sites, map__isnull=False)
    return rows.order_by().values("map")


def signed(sites: QuerySet[Site]) -> QuerySet[Any]:
    """Return the scans of signed agreements on these sites."""
    rows = MaintenanceAgreement.objects.filter(site__in=sites, signed_scan__isnull=False)
    return rows.order_by().values("signed_scan")


def recorded(sites: QuerySet[Site]) -> QuerySet[Any]:
    """Return the scans of recorded agreements on these sites."""
    rows = AgreementRecording.objects.filter(agreement__site__in=sites, scan__isnull=False)
    return rows.order_by().values("scan")


SOURCES = (maps, signed, recorded)
