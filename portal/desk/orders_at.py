"""The orders that stand at sites, read once for a page: work is stopped to everybody."""

from __future__ import annotations

from collections.abc import Iterable

from enforcement.models import StopWorkOrder

__all__ = ["stopped_at"]


def stopped_at(sites: Iterable[int]) -> dict[int, list[StopWorkOrder]]:
    """Return the standing orders of some sites, the first one first, in one query."""
    found: dict[int, list[StopWorkOrder]] = {}
    rows = StopWorkOrder.objects.standing().filter(site__in=list(sites))
    for order in rows.order_by("issued_on", "pk").only(
        "key", "number", "site_id", "ground", "issued_on", "posted_on", "status"
    ):
        found.setdefault(order.site_id, []).append(order)
    return found
