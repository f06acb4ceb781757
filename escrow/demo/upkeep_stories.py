"""How upkeep under recorded agreements went in the demo city, in the order of its states."""

from __future__ import annotations

from .case import WI, Case
from .paths import Path, issued
from .visit_stories import NEW, then

__all__ = ["UPKEEP"]


def bound(*, ago: int) -> Path:
    """Built, inspected and closed; then the agreement was entered, so many working days ago."""
    return then(
        issued(ago=ago + 60),
        (ago + 52, "visit", NEW),
        (ago + 12, "complete", {}),
        (ago + 8, "visit", {"reason": "final", "phase": "complete", "cover": 80}),
        (ago + 5, "close", {}),
        (ago, "agreement.enter", {}),
    )


def soon_due() -> Path:
    """The outlet is due within some weeks, and nothing was ever late."""
    return bound(ago=118)


def not_reported() -> Path:
    """A day of the schedule passed without a report: the city should look."""
    return then(
        bound(ago=172),
        (160, "upkeep.report", {"practice": 2, "what": "Mown after the first snow."}),
    )


def told() -> Path:
    """The basin has a problem, and the time to correct it runs."""
    return then(
        bound(ago=150),
        (12, "upkeep.inspect", {"photo": True}),
        (11, "upkeep.notice", {"days": 30}),
    )


def answered() -> Path:
    """Asked for more time, and reported the correction; nobody has looked yet."""
    return then(
        bound(ago=150),
        (26, "upkeep.inspect", {}),
        (25, "upkeep.notice", {"days": 28}),
        (12, "upkeep.extend", {"days": 21, "reason": "The ground was too wet for a machine."}),
        (2, "upkeep.correct", {"text": "1. Reeds cut and carted away; the outlet runs."}),
    )


def late() -> Path:
    """The time ran out without a word: the city may do it."""
    return then(
        bound(ago=150),
        (40, "upkeep.inspect", {}),
        (39, "upkeep.notice", {"days": 30}),
    )


UPKEEP = (
    Case("vang", "garage", f"14 Cattail Court, {WI}", ("0240-0314-001",), soon_due()),
    Case("ana.ruiz", "garage", f"16 Cattail Court, {WI}", ("0240-0316-001",), not_reported()),
    Case("builder", "garage", f"18 Cattail Court, {WI}", ("0240-0318-001",), told(),
         contractor="northfield"),
    Case("jon.berg", "garage", f"20 Cattail Court, {WI}", ("0240-0320-001",), answered()),
    Case("builder", "garage", f"22 Cattail Court, {WI}", ("0240-0322-001",), late(),
         contractor="northfield"),
)  # fmt: skip
"""Upkeep due; not reported; a notice that runs; a correction reported; city work open.

Work that was closed and billed stands with the basins of `money_cases`.
"""
