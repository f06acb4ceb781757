"""Stays: an appeal stops the clocks, and the days that were left run on.

former § 17.19(8) with Wis. Stat. § 62.23(7)(e)5.
"""

from collections.abc import Iterable
from typing import TypeVar

from .clocks import count_again
from .counting import Stay
from .days import Calendar
from .time import Clock

__all__ = ["Stay", "with_stays"]

AnyClock = TypeVar("AnyClock", bound=Clock)


def with_stays(clock: AnyClock, stays: Iterable[Stay], calendar: Calendar) -> AnyClock:
    """Count again with these stays, in place of any before. former § 17.19(8)

    The days after the filing, up to and including the day the stay ends, do not
    count. A last day that fell on the day of filing becomes the last day of the
    stay. A waiting period is closed on every day of a stay. A stay without an
    end leaves the date as it was; the clock stands stayed until an end is known.
    """
    held = tuple(sorted(set(stays), key=lambda stay: stay.from_on))
    for stay in held:
        if stay.until_on is not None and stay.until_on < stay.from_on:
            raise ValueError("a stay cannot end before it begins")
    return count_again(clock, held, calendar)  # type: ignore[return-value]
