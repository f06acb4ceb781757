"""Which acts wait while a stop-work order stands. Former § 17.19(7)

Acts that presume lawful work are refused, with the reason. Obtaining a permit is how a
person without one obeys, so neither its grant nor its issue is held by such an order.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from enforcement.models import StopWorkOrder
from enforcement.models.order import StopWorkOrderQuerySet
from enforcement.models.stays import read_stays
from permits.holds import Act
from permits.models import Permit, Site
from portal import city
from portal.formats import long_date
from portal.ordinance import Obstacle

__all__ = ["held_by_orders", "orders_to_show", "standing_orders"]

HELD = frozenset(
    {
        Act.ISSUE,
        Act.CLOSE,
        Act.HAND_OVER,
        Act.FINAL_INSPECTION,
        Act.CERTIFICATE,
        Act.REPORT_COMPLETE,
        Act.RELEASE_ESCROW,
    }
)
"""A grant is a decision on a plan, and a draw is the city's own step: neither is held."""


def held_by_orders(site: Site, act: Act, on: date) -> Iterator[Obstacle]:
    """Name every standing order that holds an act."""
    if act not in HELD:
        return
    read: list[StopWorkOrder] | None = getattr(site, "read_orders", None)
    for order in standing_orders(site) if read is None else read:
        if act is Act.ISSUE and not _holds_issue(order):
            continue
        text = (
            f"Work is stopped by order {order}, issued {long_date(order.issued_on)} "
            f"({order.reason.title.lower()})."
        )
        citation = order.reason.citation(city.edition_on(order.issued_on))
        yield Obstacle("stop-work", text, citation, "lift the order")


def _holds_issue(order: StopWorkOrder) -> bool:
    """Whether a new permit must wait: not where the person has none, or lost it."""
    return order.permit is not None and order.permit.status != Permit.Status.REVOKED


def standing_orders(site: Site) -> list[StopWorkOrder]:
    """Return the orders that stop work at a site now, the first one first."""
    return list(_standing(site))


def orders_to_show(site: Site) -> list[StopWorkOrder]:
    """Return the same orders with all that their clocks ask, in two queries: for pages.

    This object of the site keeps them, so that what they hold is named without asking again.
    """
    orders = list(_standing(site).with_steps())
    read_stays(orders)
    for order in orders:
        order.site = site
    site.read_orders = orders  # type: ignore[attr-defined]
    return orders


def _standing(site: Site) -> StopWorkOrderQuerySet:
    orders = StopWorkOrder.objects.standing().filter(site=site).select_related("permit")
    return orders.order_by("issued_on", "pk")
