"""What holds an act of the permit from above: a standing order, a stay.

A part above registers a function in `AppConfig.ready()`; permits and inspections ask
before the acts that presume lawful work, and know no order by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING

from portal.ordinance import Obstacle

if TYPE_CHECKING:
    from permits.models import Site

__all__ = ["Act", "holds", "register"]


class Act(StrEnum):
    """The acts that something above may hold."""

    GRANT = "grant the permit"
    ISSUE = "issue the permit"
    CLOSE = "close the permit"
    HAND_OVER = "hand the case over"
    FINAL_INSPECTION = "pass the final inspection"
    CERTIFICATE = "record a certificate of occupancy"
    REPORT_COMPLETE = "report the work complete"
    RELEASE_ESCROW = "release the escrow"
    DRAW = "draw on the escrow"


Holder = Callable[["Site", Act, date], Iterable[Obstacle]]
_holders: list[Holder] = []


def register(holder: Holder) -> None:
    """Add a function that names what holds an act on a site on a day."""
    if holder not in _holders:
        _holders.append(holder)


def holds(site: Site, act: Act, *, on: date) -> list[Obstacle]:
    """Return every reason from above why the act must wait."""
    return [obstacle for holder in _holders for obstacle in holder(site, act, on)]
