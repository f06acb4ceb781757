"""What the city attorney records of a request: each step once, in order, on days that follow.

former § 17.19(7)(d)
"""

from datetime import date

from .editions import Edition, all_editions
from .obstacles import Obstacle
from .wording import long_day

MAY_FOLLOW: dict[str, tuple[str, ...]] = {
    "": ("received",),
    "received": ("filed", "closed"),
    "filed": ("obtained", "closed"),
    "obtained": ("closed",),
    "closed": (),
}
"""A request can be closed without an order: the person may have obeyed in the meantime."""

WORDS = {
    "": "requested",
    "received": "received",
    "filed": "filed with the court",
    "obtained": "answered by an order of the court",
    "closed": "closed",
}


def next_steps(last: str) -> tuple[str, ...]:
    """Return the steps that may follow the last one."""
    return MAY_FOLLOW[last]


def obstacles_to_step(
    step: str, last: str, last_on: date, *, on: date, edition: Edition | None = None
) -> list[Obstacle]:
    """Why a step cannot be recorded on a day. former § 17.19(7)(d)"""
    citation = (edition or all_editions()[-1]).citation("enforcement", "(d)")
    found = []
    if step not in MAY_FOLLOW[last]:
        text = f"The request is {WORDS[last]}; it cannot be recorded as {WORDS[step]} now."
        found.append(Obstacle("order", text, citation, "record the steps in order"))
    if on < last_on:
        text = f"The request was {WORDS[last]} {long_day(last_on)}; this cannot lie before it."
        found.append(Obstacle("before", text, citation, "correct the day"))
    return found
