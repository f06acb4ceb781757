"""Where a case stands while work is stopped, and once its permit is revoked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from enforcement.models import StopWorkOrder
from portal.formats import long_date

from .standing import Standing

__all__ = ["with_orders"]


def with_orders(standing: Standing, orders: Sequence[StopWorkOrder]) -> Standing:
    """Say before all else that work is stopped, since when and by which order."""
    if not orders:
        return standing
    names = " and ".join(f"order {each} of {long_date(each.issued_on)}" for each in orders)
    verb = "stands" if len(orders) == 1 else "stand"
    return replace(
        standing,
        strong="Work is stopped.",
        before=f"{names[:1].upper()}{names[1:]} {verb}. {standing.strong} {standing.before}",
        tone="stopped",
    )
