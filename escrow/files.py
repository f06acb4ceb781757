"""The files of the escrow: scans of bonds and letters of credit."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from escrow.models import Instrument
from permits.models import Site

__all__ = ["scans"]


def scans(sites: QuerySet[Site]) -> QuerySet[Any]:
    """Return the scans of the instruments posted for permits of these sites."""
    posted = Instrument.objects.filter(permit__site__in=sites, scan__isnull=False)
    return posted.values("scan")
