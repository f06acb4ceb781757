"""Files of appeals and revision orders, for whoever may see the case."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from enforcement.models import Appeal, LineReport
from permits.models import Site

__all__ = ["SOURCES"]


def of_appeals(sites: QuerySet[Site]) -> QuerySet[Any]:
    """Return what was filed with appeals at these sites."""
    files = Appeal.attachments.through.objects.filter(appeal__site__in=sites)
    return files.order_by().values("upload")


def of_decisions(sites: QuerySet[Site]) -> QuerySet[Any]:
    """Return the decisions of the board on these sites."""
    files = Appeal.decision_files.through.objects.filter(appeal__site__in=sites)
    return files.order_by().values("upload")


def of_lines(sites: QuerySet[Site]) -> QuerySet[Any]:
    """Return the photos with which ordered devices were reported installed."""
    photos = LineReport.photos.through.objects.filter(linereport__line__order__site__in=sites)
    return photos.order_by().values("upload")


SOURCES = (of_appeals, of_decisions, of_lines)
