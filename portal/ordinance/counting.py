"""Counting a period: which days count, where it ends, how that becomes a date.

A count is kept with its clock, so that it can be counted again after a stay.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from .days import ONE_DAY, Calendar, Roll


class Unit(StrEnum):
    """What a period is measured in."""

    WORKING_DAY = "working day"
    DAY = "calendar day"


@dataclass(frozen=True)
class Stay:
    """An appeal's stay: from a day until a day, or still running. former § 17.19(8)"""

    from_on: date
    until_on: date | None = None

    def covers(self, day: date) -> bool:
        """Whether the clocks stand still on that day, its first and last included."""
        return self.from_on <= day and (self.until_on is None or day <= self.until_on)


@dataclass(frozen=True)
class Way:
    """One reading of a period: what is added, what moves, when the act follows."""

    extra_days: int = 0
    roll: Roll = Roll.NONE
    days_after: int = 0
    open_holidays_count: bool = False


@dataclass(frozen=True)
class Count:
    """A period of law: its start (never counted), length, and its two readings."""

    start: date
    days: int
    unit: Unit
    plain: Way = Way()
    safe: Way = Way()
    waits: bool = False
    """A waiting period opens on no day of a stay; a deadline may fall on its last."""

    def counts(self, day: date, way: Way, calendar: Calendar) -> bool:
        """Whether a day is one of the period's days."""
        if self.unit is Unit.DAY:
            return True
        return (
            calendar.is_office_day(day) if way.open_holidays_count else calendar.is_working_day(day)
        )


@dataclass(frozen=True)
class Reading:
    """A period counted in one way."""

    counted: tuple[date, ...]
    skipped: tuple[date, ...]
    stayed: tuple[date, ...]
    last: date
    moved: tuple[date, ...]
    rolled: date
    on: date


def read(count: Count, way: Way, calendar: Calendar, stays: Iterable[Stay] = ()) -> Reading:
    """Count day by day, leave out what does not count, then move the last day."""
    ended = merged(stays)
    days = count.days + way.extra_days
    counted: list[date] = []
    skipped: list[date] = []
    stayed: list[date] = []
    day = count.start
    while len(counted) < days:
        day += ONE_DAY
        if any(begin < day <= end for begin, end in ended):
            stayed.append(day)
        elif count.counts(day, way, calendar):
            counted.append(day)
        else:
            skipped.append(day)
    last = counted[-1] if counted else count.start
    rolled, moved = move(last, way.roll, calendar, ended)
    on = open_after(rolled + timedelta(way.days_after), ended) if count.waits else rolled
    return Reading(tuple(counted), tuple(skipped), tuple(stayed), last, tuple(moved), rolled, on)


def move(
    day: date, roll: Roll, calendar: Calendar, stays: list[tuple[date, date]]
) -> tuple[date, list[date]]:
    """Move a last day off Sundays and holidays, and off a stay that began on it."""
    moved = []
    while calendar.moves(day, roll) or any(begin <= day < end for begin, end in stays):
        moved.append(day)
        day += ONE_DAY
    return day, moved


def open_after(day: date, stays: list[tuple[date, date]]) -> date:
    """The first day from that day on that lies in no stay."""
    for begin, end in stays:
        if begin <= day <= end:
            day = end + ONE_DAY
    return day


def merged(stays: Iterable[Stay]) -> list[tuple[date, date]]:
    """Stays that have ended, in order, those that overlap joined into one."""
    joined: list[tuple[date, date]] = []
    ended = [(stay.from_on, stay.until_on) for stay in stays if stay.until_on is not None]
    for begin, end in sorted(ended):
        if joined and begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((begin, end))
    return joined
