"""The photos and proofs of enforcement, for whoever may see the case."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from enforcement.models import Posting, Service, ViolationDay
from permits.models import Site

__all__ = ["SOURCES"]


def of_violations(sites: QuerySet[Site]) -> QuerySet[Any]:
    """Return the photos that show violations on these sites."""
    photos = ViolationDay.photos.through.objects.filter(violationday__violation__site__in=sites)
    return photos.order_by().values("upload")


def of_postings(sites: QuerySet[Site]) -> QuerySet[Any]:
    """Return the photos of placards on these sites."""
    photos = Posting.photos.through.objects.filter(posting__order__site__in=sites)
    return photos.order_by().values("upload")


def of_services(sites: QuerySet[Site]) -> QuerySet[Any]:
    """Return the proofs that papers of these sites were handed over."""
    services = Service.objects.filter(addressee__site__in=sites, proof__isnull=False)
    return services.order_by().values("proof")


SOURCES = (of_violations, of_postings, of_services)
