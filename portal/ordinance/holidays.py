"""The legal holidays of Wisconsin and the holidays of the post, by rule.

Thirteen rules written out by hand (Wis. Stat. § 995.20). The two holiday
packages that exist are wrong for Wisconsin, so none is used.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

MONDAY, TUESDAY, THURSDAY, SATURDAY, SUNDAY = 0, 1, 3, 5, 6
"""Days of the week as Python counts them."""

HOLIDAY_STATUTE = "Wis. Stat. § 995.20"
"""The statute that names the state's legal holidays."""


@dataclass(frozen=True)
class Holiday:
    """A legal holiday on the day on which it is kept. Wis. Stat. § 995.20"""

    key: str
    name: str
    day: date
    moved: bool = False

    def __str__(self) -> str:
        return f"{self.name} (moved from Sunday)" if self.moved else self.name


@dataclass(frozen=True)
class HolidayRule:
    """How one legal holiday is found in a year; None when it is not kept."""

    key: str
    name: str
    sentence: str
    find: Callable[[int], date | None]


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> date:
    """The nth such weekday of a month: the third Monday, the fourth Thursday."""
    first = date(year, month, 1)
    return first + timedelta((weekday - first.weekday()) % 7 + 7 * (nth - 1))


def last_weekday(year: int, month: int, weekday: int) -> date:
    """The last such weekday of a month (not of December)."""
    last = date(year, month + 1, 1) - timedelta(1)
    return last - timedelta((last.weekday() - weekday) % 7)


def partisan_primary(year: int) -> date | None:
    """The second Tuesday of August, in even years only."""
    return None if year % 2 else nth_weekday(year, 8, TUESDAY, 2)


def general_election(year: int) -> date | None:
    """The Tuesday after the first Monday of November, in even years only."""
    return None if year % 2 else nth_weekday(year, 11, MONDAY, 1) + timedelta(1)


LEGAL_HOLIDAY_RULES: tuple[HolidayRule, ...] = (
    HolidayRule("new-year", "New Year's Day", "January 1", lambda y: date(y, 1, 1)),
    HolidayRule(
        "martin-luther-king",
        "Martin Luther King Jr. Day",
        "the third Monday of January",
        lambda y: nth_weekday(y, 1, MONDAY, 3),
    ),
    HolidayRule(
        "presidents",
        "Presidents' Day",
        "the third Monday of February",
        lambda y: nth_weekday(y, 2, MONDAY, 3),
    ),
    HolidayRule(
        "memorial",
        "Memorial Day",
        "the last Monday of May",
        lambda y: last_weekday(y, 5, MONDAY),
    ),
    HolidayRule("juneteenth", "Juneteenth", "June 19", lambda y: date(y, 6, 19)),
    HolidayRule("independence", "Independence Day", "July 4", lambda y: date(y, 7, 4)),
    HolidayRule(
        "partisan-primary",
        "the partisan primary",
        "the second Tuesday of August in even years",
        partisan_primary,
    ),
    HolidayRule(
        "labor",
        "Labor Day",
        "the first Monday of September",
        lambda y: nth_weekday(y, 9, MONDAY, 1),
    ),
    HolidayRule(
        "october",
        "the second Monday of October",
        "the second Monday of October",
        lambda y: nth_weekday(y, 10, MONDAY, 2),
    ),
    HolidayRule(
        "general-election",
        "the general election",
        "the Tuesday after the first Monday of November in even years",
        general_election,
    ),
    HolidayRule("veterans", "Veterans Day", "November 11", lambda y: date(y, 11, 11)),
    HolidayRule(
        "thanksgiving",
        "Thanksgiving Day",
        "the fourth Thursday of November",
        lambda y: nth_weekday(y, 11, THURSDAY, 4),
    ),
    HolidayRule("christmas", "Christmas Day", "December 25", lambda y: date(y, 12, 25)),
)
"""Wis. Stat. § 995.20: the days the state calls legal holidays."""

CITY_HALL_OPEN_BY_DEFAULT = frozenset(
    {"presidents", "october", "veterans", "partisan-primary", "general-election"}
)
"""Legal holidays on which a city hall is usually open; the clerk can change them."""

ELECTION_DAYS = frozenset({"partisan-primary", "general-election"})
"""Legal holidays of the state on which the post works."""


def kept_on(day: date) -> date:
    """A legal holiday on a Sunday is kept on the Monday after; a Saturday stays."""
    return day + timedelta(1) if day.weekday() == SUNDAY else day


@cache
def legal_holidays(year: int) -> Mapping[date, Holiday]:
    """The legal holidays kept in a year, by day. Wis. Stat. § 995.20"""
    found: dict[date, Holiday] = {}
    for rule in LEGAL_HOLIDAY_RULES:
        if (named := rule.find(year)) is not None:
            day = kept_on(named)
            found[day] = Holiday(rule.key, rule.name, day, moved=day != named)
    return found


@cache
def postal_holidays(year: int) -> Mapping[date, Holiday]:
    """The days of a year, Sundays aside, on which the post takes no mail."""
    kept = legal_holidays(year)
    return {day: holiday for day, holiday in kept.items() if holiday.key not in ELECTION_DAYS}
