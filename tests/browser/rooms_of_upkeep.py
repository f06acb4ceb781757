"""Upkeep under recorded agreements, as addresses with the things of the small city behind them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tests.browser.city import City

__all__ = ["UPKEEP", "Keys", "things"]

Keys = Callable[[City], list[tuple[str, Any]]]
"""For one address: what is said of the page's state, and what the address is made of."""


def things(*names: str) -> Keys:
    """An address of something that inspections leave behind."""
    return lambda city: [(name, [city.things[name].key]) for name in names]


UPKEEP: Mapping[str, Keys] = {
    "upkeep": things("agreement in force"),
    "upkeep_report": lambda city: [
        (
            "",
            [
                city.things["agreement in force"].key,
                city.things["agreement in force"].practices.get(number=1).tasks.get().pk,
            ],
        )
    ],
    "upkeep_inspection": things("upkeep begun", "upkeep finished", "upkeep with notice"),
    "upkeep_look": lambda city: [("", [city.things["upkeep begun"].key, 1])],
    "upkeep_finish": things("upkeep begun", "upkeep finished"),
    "upkeep_discard": things("upkeep begun"),
    "upkeep_notice_new": things("upkeep finished", "upkeep with notice"),
    "upkeep_notice": things("upkeep notice"),
    "upkeep_extend": things("upkeep notice"),
    "upkeep_corrected": things("upkeep notice"),
    "upkeep_confirm": things("upkeep notice"),
    "upkeep_refuse": things("upkeep notice"),
    "upkeep_withdraw": things("upkeep notice"),
}
"""Reports, inspections of practices, and notices of maintenance."""
