"""How an amount of rain is written."""

from __future__ import annotations

from decimal import Decimal

from portal.ordinance.wording import figure

__all__ = ["amount"]


def amount(inches: Decimal) -> str:
    """0.62 inch, 1 inch, 1.2 inches."""
    return f"{figure(inches)} inch{'es' if inches > 1 else ''}"
