"""Finding orders and violations for the person who asks; strangers find nothing."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from enforcement.models import StopWorkOrder, Violation
from inspections.models import Visit
from permits.models import Site

__all__ = ["find_order", "find_violation", "visits_of"]

MOST_VISITS = 10


def find_order(request: HttpRequest, key: UUID) -> StopWorkOrder:
    """Return an order of a site that the person may see."""
    rows = StopWorkOrder.objects.filter(site__in=Site.objects.visible_to(request.user))
    joined = ("site", "permit__application__applicant", "issued_by", "ended_by", "lifted_by_visit")
    papers = ("paper__document", "placard__document")
    return get_object_or_404(rows.select_related(*joined, *papers), key=key)


def find_violation(request: HttpRequest, key: UUID) -> Violation:
    """Return a violation of a site that the person may see."""
    rows = Violation.objects.filter(site__in=Site.objects.visible_to(request.user))
    return get_object_or_404(
        rows.select_related("site", "permit", "finding", "complaint", "recorded_by"), key=key
    )


def visits_of(site: Site, **conditions: Any) -> list[Visit]:
    """Return the newest finished visits of a site, for a form to choose from."""
    rows = Visit.objects.filter(site=site, status=Visit.Status.FINISHED, **conditions)
    return list(rows.select_related("inspector").order_by("-visited_on", "-pk")[:MOST_VISITS])
