"""When the sites of a large city are visited: the rain of some years, and the days of visits."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from random import Random

from portal.ordinance.days import ONE_DAY
from portal.ordinance.inspection import rain_visit_due

from .stories import OLDEST

__all__ = ["Outing", "Rain", "outings"]

VISITS_EACH = 14
"""To an issued permit: with three of four sites issued, ten visits for each site of the city."""
AFTER_RAIN = 0.3
IN_TIME = 0.9
FINDING = 0.12
VIOLATION = 0.2
WET, HEAVY = 0.3, 0.066
"""Of all days some rain falls on so many, and half an inch or more on these: 24 a year."""


class Rain:
    """How much fell on each day up to yesterday, and on which days half an inch or more."""

    def __init__(self, today: date, chance: Random) -> None:
        self.inches: dict[date, Decimal] = {}
        for back in range((today - OLDEST).days, 0, -1):
            drawn, day = chance.random(), today - timedelta(back)
            least, most = (50, 240) if drawn < HEAVY else (1, 45) if drawn < WET else (0, 1)
            self.inches[day] = Decimal(chance.randrange(least, most)) / 100
        self.heavy = [day for day, inches in self.inches.items() if inches >= Decimal("0.5")]

    def next_heavy(self, day: date) -> date | None:
        """Return the first day of half an inch or more from a day on."""
        place = bisect_left(self.heavy, day)
        return self.heavy[place] if place < len(self.heavy) else None


@dataclass
class Outing:
    """One visit: its day, the rain it was made for, and what became of what was wrong."""

    on: date
    rained_on: date | None = None
    wrong: bool = False
    violation: bool = False
    correct_by: date | None = None
    corrected_on: date | None = None

    @property
    def due_on(self) -> date | None:
        """By when the rain asked for it."""
        return rain_visit_due(self.rained_on) if self.rained_on else None


def outings(issued: date, today: date, rain: Rain, chance: Random) -> Iterator[Outing]:
    """Yield the visits to a site since its permit was issued, in the order of time."""
    span = (today - issued).days
    number = min(VISITS_EACH, span // 2)
    last = issued
    for place in range(number):
        begins, ends = (issued + timedelta(1 + span * n // number) for n in (place, place + 1))
        on = begins + timedelta(chance.randrange(max(1, (ends - begins).days)))
        rained_on = rain.next_heavy(on) if chance.random() < AFTER_RAIN else None
        if rained_on and rained_on < ends - timedelta(4):
            on = rained_on + (ONE_DAY if chance.random() < IN_TIME else timedelta(3))
        else:
            rained_on = None
        if last < on <= today:
            last = on
            yield _found(Outing(on, rained_on), today, chance)


def _found(outing: Outing, today: date, chance: Random) -> Outing:
    """Let something be wrong now and then; it is corrected within days, unless it is new."""
    outing.wrong = chance.random() < FINDING
    if outing.wrong:
        outing.violation = chance.random() < VIOLATION
        outing.correct_by = outing.on + timedelta(chance.randrange(1, 4))
        corrected = outing.on + timedelta(chance.randrange(1, 8))
        outing.corrected_on = corrected if corrected <= today else None
    return outing
