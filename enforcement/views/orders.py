"""The pages of a stop-work order."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from enforcement.models import StopWorkOrder


def order_public(request: HttpRequest, key: UUID) -> HttpResponse:
    """What everybody may know of an order: where, why, since when, and whether it stands."""
    orders = StopWorkOrder.objects.select_related("site", "permit", "lifted_by_visit")
    order = get_object_or_404(orders, key=key)
    return render(request, "enforcement/order_public.html", {"order": order})
