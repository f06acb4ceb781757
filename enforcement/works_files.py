"""The files of city work and of what it answers: photos, reports, proofs of costs."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from enforcement.models import CityWork, CorrectionReport, WorkCost
from permits.models import Site

__all__ = ["SOURCES"]


def before_work(sites: QuerySet[Site]) -> QuerySet[Any]:
    """Return the photos taken before work on these sites."""
    photos = CityWork.photos_before.through.objects.filter(citywork__site__in=sites)
    return photos.order_by().values("upload")


def after_work(sites: QuerySet[Site]) -> QuerySet[Any]:
    """Return the photos taken after work on these sites."""
    photos = CityWork.photos_after.through.objects.filter(citywork__site__in=sites)
    return photos.order_by().values("upload")


def of_costs(sites: QuerySet[Site]) -> QuerySet[Any]:
    """Return the proofs of what work on these sites has cost."""
    costs = WorkCost.objects.filter(work__site__in=sites, proof__isnull=False)
    return costs.order_by().values("proof")


def of_corrections(sites: QuerySet[Site]) -> QuerySet[Any]:
    """Return the photos with which corrections under an agreement were reported."""
    photos = CorrectionReport.photos.through.objects.filter(
        correctionreport__notice__site__in=sites
    )
    return photos.order_by().values("upload")


SOURCES = (before_work, after_work, of_costs, of_corrections)
