"""The photos of inspections: of visits, answers to findings, the log, and of upkeep."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from inspections.models import FindingAnswer, LogEntry, PracticeLook, UpkeepReport, VisitPhoto
from permits.models import Site

__all__ = ["SOURCES"]


def of_visits(sites: QuerySet[Site]) -> QuerySet[Any]:
    """Return the photos taken at visits to these sites."""
    return VisitPhoto.objects.filter(visit__site__in=sites).order_by().values("upload")


def of_answers(sites: QuerySet[Site]) -> QuerySet[Any]:
    """Return the photos with which findings on these sites were answered."""
    photos = FindingAnswer.photos.through.objects.filter(findinganswer__finding__site__in=sites)
    return photos.order_by().values("upload")


def of_logs(sites: QuerySet[Site]) -> QuerySet[Any]:
    """Return the photos in the logs of these sites."""
    photos = LogEntry.photos.through.objects.filter(logentry__permit__site__in=sites)
    return photos.order_by().values("upload")


def of_practices(sites: QuerySet[Site]) -> QuerySet[Any]:
    """Return the photos of practices at these sites."""
    photos = PracticeLook.photos.through.objects.filter(practicelook__inspection__site__in=sites)
    return photos.order_by().values("upload")


def of_upkeep(sites: QuerySet[Site]) -> QuerySet[Any]:
    """Return the files with which upkeep at these sites was reported."""
    files = UpkeepReport.files.through.objects.filter(upkeepreport__site__in=sites)
    return files.order_by().values("upload")


SOURCES = (of_visits, of_answers, of_logs, of_practices, of_upkeep)
