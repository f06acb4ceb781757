"""Counting a period: which days count, where it ends, how that becomes a date.

A count is kept with its clock, so that it can be counted again after a stay.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from typing import overload

from .days import ONE_DAY, Calendar, Roll
from .periods import Period

Span = tuple[date, date]
"""A stay that has ended: its first and its last day."""


class Unit(StrEnum):
    """What a period is measured in."""

    WORKING_DAY = "working day"
    DAY = "calendar day"
    DAY_OF_HOURS = "day"
    """A day for which hours run: no Sunday, no legal holiday. Wis. Stat. § 990.001(4)(a)"""


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
    every_day: bool = False

    def counts_like(self, other: "Way") -> bool:
        """Whether both count the same days, so that one walk serves them."""
        mine = (self.extra_days, self.open_holidays_count, self.every_day)
        return mine == (other.extra_days, other.open_holidays_count, other.every_day)


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
    hours: int = 0
    """The length in hours, where the ordinance counts hours."""

    def test(self, way: Way, calendar: Calendar) -> Callable[[date], bool] | None:
        """What a day must be to count; None when every day does."""
        if self.unit is Unit.DAY or way.every_day:
            return None
        if self.unit is Unit.DAY_OF_HOURS:
            return lambda day: not calendar.moves(day, Roll.SUNDAY_HOLIDAY)
        return calendar.is_office_day if way.open_holidays_count else calendar.is_working_day


def period_count(
    start: date, period: Period, *, plain: Way = Way(), safe: Way = Way(), waits: bool = False
) -> Count:
    """A period from a day on, in days or in hours. Wis. Stat. § 990.001(4)(a)

    Dates of law are days, so a period in hours takes the last day on which its hours can
    still run. Whoever is bound has that day to its end; the city acts only on the next one.
    """
    if not period.in_hours:
        return Count(start, period.number, Unit.DAY, plain, safe, waits)
    days, hours = period.most_days, period.number
    if waits:
        plain, safe = (replace(way, days_after=max(way.days_after, 1)) for way in (plain, safe))
        return Count(start, days, Unit.DAY_OF_HOURS, plain, safe, waits=True, hours=hours)
    strict = replace(safe, every_day=True, extra_days=period.least_days - days)
    return Count(start, days, Unit.DAY_OF_HOURS, plain, strict, hours=hours)


class Consecutive(Sequence[date]):
    """Days in a row, not held one by one: a year of them costs no more than one."""

    def __init__(self, first: date, length: int) -> None:
        self.days = range(first.toordinal(), first.toordinal() + length)

    def __len__(self) -> int:
        return len(self.days)

    @overload
    def __getitem__(self, index: int) -> date: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[date]: ...
    def __getitem__(self, index: int | slice) -> date | Sequence[date]:
        """The day at a place in the row."""
        if isinstance(index, slice):
            return [date.fromordinal(day) for day in self.days[index]]
        return date.fromordinal(self.days[index])


@dataclass(frozen=True)
class Walk:
    """The days of a period, one by one: counted, left out, stayed."""

    counted: Sequence[date]
    skipped: Sequence[date] = ()
    stayed: Sequence[date] = ()


@dataclass(frozen=True)
class Reading(Walk):
    """A period read in one way: its last day, where that moves, and the date."""

    last: date = date.max
    moved: Sequence[date] = ()
    rolled: date = date.max
    on: date = date.max


def read(count: Count, calendar: Calendar, stays: Sequence[Stay] = ()) -> tuple[Reading, Reading]:
    """The plain reading of a period and the safe one."""
    ended = merged(stays)
    plain, safe = count.plain, count.safe
    walked = walk(count, plain, calendar, ended)
    alike = plain.counts_like(safe)
    again = walked if alike else walk(count, safe, calendar, ended)
    return (
        finish(walked, count, plain, calendar, ended),
        finish(again, count, safe, calendar, ended),
    )


def walk(count: Count, way: Way, calendar: Calendar, stays: list[Span]) -> Walk:
    """Count day by day and leave out what does not count."""
    days = count.days + way.extra_days
    test = count.test(way, calendar)
    if test is None and not stays:
        return Walk(Consecutive(count.start + ONE_DAY, days))
    counted: list[date] = []
    skipped: list[date] = []
    stayed: list[date] = []
    day = count.start
    while len(counted) < days:
        day += ONE_DAY
        if stays and any(begin < day <= end for begin, end in stays):
            stayed.append(day)
        elif test is None or test(day):
            counted.append(day)
        else:
            skipped.append(day)
    return Walk(counted, skipped, stayed)


def finish(walked: Walk, count: Count, way: Way, calendar: Calendar, stays: list[Span]) -> Reading:
    """Move the last day, and let a waiting period open after it."""
    last = walked.counted[-1] if walked.counted else count.start
    rolled, moved = move(last, way.roll, calendar, stays)
    on = open_after(rolled + timedelta(way.days_after), stays) if count.waits else rolled
    return Reading(walked.counted, walked.skipped, walked.stayed, last, moved, rolled, on)


def move(day: date, roll: Roll, calendar: Calendar, stays: list[Span]) -> tuple[date, list[date]]:
    """Move a last day off Sundays and holidays, and off a stay that began on it."""
    moved = []
    while calendar.moves(day, roll) or (stays and any(begin <= day < end for begin, end in stays)):
        moved.append(day)
        day += ONE_DAY
    return day, moved


def open_after(day: date, stays: list[Span]) -> date:
    """The first day from that day on that lies in no stay."""
    for begin, end in stays:
        if begin <= day <= end:
            day = end + ONE_DAY
    return day


def merged(stays: Sequence[Stay]) -> list[Span]:
    """Stays that have ended, in order, those that overlap joined into one."""
    if not stays:
        return []
    joined: list[Span] = []
    ended = [(stay.from_on, stay.until_on) for stay in stays if stay.until_on is not None]
    for begin, end in sorted(ended):
        if joined and begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((begin, end))
    return joined
