"""Where a case stands while work is stopped, and once its permit is revoked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from enforcement.models import StopWorkOrder
from permits.models import Permit
from portal.formats import long_date

from .standing import Standing

__all__ = ["why_stopped", "with_orders"]


def with_orders(standing: Standing, orders: Sequence[StopWorkOrder]) -> Standing:
    """Say before all else that work is stopped, by which order; else what the permit allows."""
    if not orders:
        return replace(standing, before=f"{standing.allows} {standing.before}".strip())
    names = " and ".join(f"order {each} of {long_date(each.issued_on)}" for each in orders)
    verb = "stands" if len(orders) == 1 else "stand"
    return replace(
        standing,
        strong="Work is stopped.",
        before=f"{names[:1].upper()}{names[1:]} {verb}. {standing.strong} {standing.before}",
        tone="stopped",
    )


def why_stopped(permit: Permit | None, orders: Sequence[StopWorkOrder]) -> str:
    """Say why nobody may work under a permit now; nothing where they may."""
    if permit is None:
        return ""
    if permit.status == Permit.Status.REVOKED:
        return f"No: permit {permit.number} is revoked. New work needs a new permit."
    if orders:
        return f"No: work is stopped by order {orders[0]}. What the order asks for may be done."
    return ""
