"""To which sites the photos belong: of visits, of answers to findings, of the log."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from inspections.models import FindingAnswer, LogEntry, VisitPhoto
from portal.models import Upload

__all__ = ["PLACES"]


def of_visits(upload: Upload) -> QuerySet[Any]:
    """Return the sites at whose visits a photo was taken."""
    return VisitPhoto.objects.filter(upload=upload).values("visit__site")


def of_answers(upload: Upload) -> QuerySet[Any]:
    """Return the sites where a finding was answered with a photo."""
    return FindingAnswer.objects.filter(photos=upload).order_by().values("finding__site")


def of_logs(upload: Upload) -> QuerySet[Any]:
    """Return the sites whose log has a photo."""
    return LogEntry.objects.filter(photos=upload).order_by().values("permit__site")


PLACES = (of_visits, of_answers, of_logs)
