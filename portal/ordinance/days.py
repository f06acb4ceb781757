"""The city's days: which are working days, which move a last day, and counting.

Days are counted one at a time and the calendar is asked each time; there is no
arithmetic with the number of holidays.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum

from .holidays import (
    CITY_HALL_OPEN_BY_DEFAULT,
    HOLIDAY_STATUTE,
    SATURDAY,
    SUNDAY,
    Holiday,
    legal_holidays,
    postal_holidays,
)
from .wording import WEEKDAYS

ONE_DAY = timedelta(1)
FIRST_YEAR, LAST_YEAR = 1900, 2199
"""A year outside these cannot be meant; whoever typed it is asked again."""

CLOSED = "City hall closed"
"""What a closure is called when only its day is known."""


class Roll(StrEnum):
    """How a last day moves on. Wis. Stat. § 990.001(4)"""

    NONE = "none"
    """It does not move."""
    SUNDAY_HOLIDAY = "sunday-holiday"
    """(4)(b): from a Sunday or a legal holiday to the next day that is neither."""
    FILING = "filing"
    """(4)(c): a filing with or payment to the city moves from a Saturday as well."""


@dataclass(frozen=True)
class Calendar:
    """Legal holidays by rule, closures of city hall by council resolution."""

    closures: Mapping[date, str] = field(default_factory=dict)
    city_hall_open: frozenset[str] = CITY_HALL_OPEN_BY_DEFAULT

    def __init__(
        self,
        closures: Mapping[date, str] | Iterable[date] = (),
        city_hall_open: Iterable[str] = CITY_HALL_OPEN_BY_DEFAULT,
    ) -> None:
        """Take closures with their names, or only their days."""
        named = closures if isinstance(closures, Mapping) else dict.fromkeys(closures, CLOSED)
        object.__setattr__(self, "closures", dict(named))
        object.__setattr__(self, "city_hall_open", frozenset(city_hall_open))

    def __hash__(self) -> int:
        return hash((frozenset(self.closures.items()), self.city_hall_open))

    def legal_holiday(self, day: date) -> Holiday | None:
        """The legal holiday kept on that day, if any. Wis. Stat. § 995.20"""
        return legal_holidays(day.year).get(day)

    def is_working_day(self, day: date) -> bool:
        """Monday to Friday, no legal holiday, no closure by the council."""
        return (
            day.weekday() < SATURDAY
            and day not in legal_holidays(day.year)
            and day not in self.closures
        )

    def is_office_day(self, day: date) -> bool:
        """Monday to Friday with city hall open, legal holiday or not."""
        holiday = self.legal_holiday(day)
        shut = holiday is not None and holiday.key not in self.city_hall_open
        return day.weekday() < SATURDAY and not shut and day not in self.closures

    def why_not_working(self, day: date) -> str | None:
        """Why that day is no working day, in words; None when it is one."""
        if day.weekday() >= SATURDAY:
            return f"a {WEEKDAYS[day.weekday()]}"
        if (holiday := self.legal_holiday(day)) is not None:
            return f"{holiday}, a legal holiday ({HOLIDAY_STATUTE})"
        if (closure := self.closures.get(day)) is not None:
            return closure_words(closure)
        return None

    def moves(self, day: date, roll: Roll) -> bool:
        """Whether a last day on that day moves on. Wis. Stat. § 990.001(4)"""
        if roll is Roll.NONE:
            return False
        weekend = SATURDAY if roll is Roll.FILING else SUNDAY
        return day.weekday() >= weekend or day in legal_holidays(day.year)

    def is_postal_day(self, day: date) -> bool:
        """Whether the post takes mail: no Sunday, no federal postal holiday."""
        return day.weekday() != SUNDAY and day not in postal_holidays(day.year)

    def why_not_postal(self, day: date) -> str | None:
        """Why the post takes no mail that day, in words; None when it does."""
        if day.weekday() == SUNDAY:
            return "when the post takes no mail"
        holiday = postal_holidays(day.year).get(day)
        return None if holiday is None else f"{holiday}, a postal holiday"

    def next_postal_day(self, day: date) -> date:
        """The day on which the post accepts what is handed in on that day."""
        return roll_forward(day, self.is_postal_day)


def closure_words(name: str) -> str:
    """How a closure is named in a sentence."""
    return (
        "a day on which city hall is closed"
        if name in ("", CLOSED)
        else f"{name}, city hall closed"
    )


def nth_day(start: date, number: int, counts: Callable[[date], bool]) -> date:
    """The nth day after start that counts; before it when number is negative."""
    step = ONE_DAY if number >= 0 else -ONE_DAY
    day = start
    for _ in range(abs(number)):
        day += step
        while not counts(day):
            day += step
    return day


def days_between(start: date, end: date, counts: Callable[[date], bool]) -> int:
    """How many days count after start up to and including end."""
    span = (end - start).days
    sign = 1 if span >= 0 else -1
    days = (start + timedelta(sign * offset) for offset in range(1, abs(span) + 1))
    return sign * sum(counts(day) for day in days)


def roll_forward(day: date, stands: Callable[[date], bool]) -> date:
    """That day, or the first later one that stands."""
    while not stands(day):
        day += ONE_DAY
    return day


def parse_day(text: str) -> date:
    """Read a day written year-month-day; refuse every other way of writing one."""
    text = text.strip()
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        raise ValueError(f"{text!r} is not a date written as year-month-day (2026-05-18)")
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a day of the calendar") from None
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise ValueError(f"{text!r}: the year must be from {FIRST_YEAR} to {LAST_YEAR}")
    return day
