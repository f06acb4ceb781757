"""Days and numbers in words, the same on every page, letter and export."""

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache

MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
NUMBERS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]
ORDINALS = [
    "zeroth",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
]
ROUND = {30: ("thirty", "thirtieth"), 60: ("sixty", "sixtieth")}


@lru_cache(maxsize=20_000)
def long_day(day: date) -> str:
    """Monday, November 30, 2026."""
    return f"{WEEKDAYS[day.weekday()]}, {MONTHS[day.month - 1]} {day.day}, {day.year}"


@lru_cache(maxsize=20_000)
def plain_day(day: date) -> str:
    """November 30, 2026."""
    return f"{MONTHS[day.month - 1]} {day.day}, {day.year}"


def short_day(day: date) -> str:
    """Nov 30."""
    return f"{MONTHS[day.month - 1][:3]} {day.day}"


def month_day(month: int, day: int) -> str:
    """July 15."""
    return f"{MONTHS[month - 1]} {day}"


def day_list(days: Sequence[date]) -> str:
    """Nov 27, 30, Dec 1: the month is named when it changes."""
    parts: list[str] = []
    previous: date | None = None
    for day in days:
        same = previous is not None and (previous.year, previous.month) == (day.year, day.month)
        parts.append(str(day.day) if same else short_day(day))
        previous = day
    return ", ".join(parts)


def day_ranges(days: Sequence[date]) -> str:
    """Jun 2 to Jun 5, Jul 21 to Jul 26: runs of days that follow each other."""
    if not days:
        return ""
    if (days[-1] - days[0]).days == len(days) - 1:
        return day_range(days[0], days[-1])
    runs = [[days[0], days[0]]]
    for day in days[1:]:
        if day - runs[-1][1] == timedelta(1):
            runs[-1][1] = day
        else:
            runs.append([day, day])
    return ", ".join(day_range(first, last) for first, last in runs)


def day_range(first: date, last: date) -> str:
    """Nov 29 to Dec 8; with the years when they differ."""
    if first == last:
        return short_day(first)
    if first.year != last.year:
        return f"{short_day(first)}, {first.year} to {short_day(last)}, {last.year}"
    return f"{short_day(first)} to {short_day(last)}"


def number_word(number: int) -> str:
    """Ten; figures from 21 on, but thirty and sixty."""
    if number in ROUND:
        return ROUND[number][0]
    return NUMBERS[number] if 0 <= number < len(NUMBERS) else f"{number:,}"


def ordinal_word(number: int) -> str:
    """Tenth; figures from 21 on, but thirtieth and sixtieth."""
    if number in ROUND:
        return ROUND[number][1]
    if 0 <= number < len(ORDINALS):
        return ORDINALS[number]
    ending = (
        "th" if 11 <= number % 100 <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    )
    return f"{number:,}{ending}"


def counted(number: int, noun: str) -> str:
    """One day; ten days."""
    return f"{number_word(number)} {noun}" if number == 1 else f"{number_word(number)} {noun}s"


ONE = {
    "acres": "acre",
    "square feet": "square foot",
    "cubic yards": "cubic yard",
    "cubic feet": "cubic foot",
    "feet": "foot",
}


def measure(number: Decimal | int, unit: str) -> str:
    """17,424 square feet; 1 square foot."""
    return f"{figure(number)} {ONE.get(unit, unit) if number == 1 else unit}"


def capital(text: str) -> str:
    """The same words with a capital first letter, to begin a sentence."""
    return text[:1].upper() + text[1:]


def dollars(amount: Decimal) -> str:
    """$2,500.00."""
    return f"${amount:,.2f}"


def is_whole_cents(amount: Decimal) -> bool:
    """Whether an amount in dollars can be paid: no part of a cent is in it."""
    return amount * 100 == int(amount * 100)


def figure(number: Decimal | int) -> str:
    """4,000 or 0.4: no zeros that say nothing."""
    if number == int(number):
        return f"{int(number):,}"
    return f"{Decimal(number).normalize():,f}"
