"""What goes on beside an order, outside the portal, and must hear that the order has ended.

A request to the city attorney stays open until the attorney closes it, and city work that was
begun is closed by those who do it; neither ends by itself. Former § 17.19(7)(d), (e)
"""

from __future__ import annotations

from datetime import date

from django.conf import settings
from django.urls import reverse

from enforcement import telling
from enforcement.models import CeaseAndDesistRequest, CityWork, RequestStep, StopWorkOrder
from enforcement.models.work import WorkStatus
from portal.models import Mailing

from .requests import attorneys

__all__ = ["open_request", "tell_attorney", "work_under_way"]


def open_request(order: StopWorkOrder) -> CeaseAndDesistRequest | None:
    """Return the request that rests on an order, unless the attorney has closed it."""
    request: CeaseAndDesistRequest | None = getattr(order, "request", None)
    if request is None or request.steps.filter(kind=RequestStep.Kind.CLOSED).exists():
        return None
    return request


def work_under_way(order: StopWorkOrder) -> list[CityWork]:
    """Return the city work that was begun under a notice of the order and is not closed."""
    begun = CityWork.objects.filter(notice_of_intent__order=order, status=WorkStatus.BEGUN)
    return list(begun.select_related("notice_of_intent").order_by("pk"))


def tell_attorney(order: StopWorkOrder, *, on: date) -> None:
    """Tell the attorneys that the order of their open request has ended, within that act."""
    request, people = open_request(order), attorneys()
    if request is None or not people:
        return
    telling.tell(
        request,
        [(person, Mailing.Means.EMAIL) for person in people],
        cause=f"cease_and_desist_order_{order.status}:{request.pk}",
        subject_line=f"Stop-work order {order} is {order.get_status_display().lower()}",
        on=on,
        paper=None,
        template="request_order_ended",
        request=request,
        order=order,
        request_url=settings.PUBLIC_URL + reverse("request", args=[request.key]),
    )
