"""Interest and division once more, slowly: day by day, cent by cent, with whole numbers only.

Written from LAW.md 3.2 and former § 17.19(4)(e), not from the code that it is held against.
"""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

__all__ = ["a_year_later", "interest", "parts"]


def a_year_later(day: date) -> date:
    """The last day of the year that begins after a day; February 29 has its end on the 28th."""
    later = day
    while (later.year, later.month, later.day) < (day.year + 1, day.month, day.day):
        later += timedelta(days=1)
    return later if later.day == day.day else later - timedelta(days=1)


def interest(
    principal: Decimal, percent: Decimal, levied_on: date, since: date, until: date
) -> Decimal:
    """Interest of each day after `since`, the last one included, at most a year from the levy."""
    last, per_day = a_year_later(levied_on), Fraction(principal) * Fraction(percent) / 36500
    total, day = Fraction(0), max(since, levied_on)
    while day < until and day < last:
        day += timedelta(days=1)
        total += per_day
    whole, rest = divmod(total * 100, 1)
    return Decimal(int(whole) + (1 if rest >= Fraction(1, 2) else 0)) / 100


def parts(cents: int, weights: list[int]) -> list[int]:
    """Deal an amount out cent by cent, each to whoever is farthest behind their share."""
    dealt, total = [0] * len(weights), sum(weights)
    shares = [Fraction(cents * weight, total) for weight in weights]
    for _ in range(cents):
        behind = [share - have for share, have in zip(shares, dealt, strict=True)]
        dealt[behind.index(max(behind))] += 1
    return dealt
