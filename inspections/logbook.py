"""How a log stands on a day: when the next entry is due, and where entries are missing.

Shown to both sides in the same words. Wis. Admin. Code § NR 216.48(4)
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from inspections.models import RainReading
from inspections.rain_words import amount
from permits.models import Permit
from portal.ordinance.days import ONE_DAY
from portal.ordinance.inspection import LOG_DAYS, log_gaps, rain_visit_due

__all__ = ["Gap", "Logbook", "logbook_of"]


@dataclass(frozen=True)
class Gap:
    """Days without the entry that was due; `after` says after how much rain, if it was rain."""

    first: date
    last: date
    after: str = ""
    rained_on: date | None = None

    @property
    def days(self) -> int:
        """How many days are missed."""
        return (self.last - self.first).days + 1


@dataclass(frozen=True)
class Logbook:
    """A log on a day: since when it is kept, until when, and its gaps, the newest first."""

    begun_on: date
    until: date
    last_on: date | None
    due_on: date | None
    gaps: tuple[Gap, ...]

    @property
    def is_overdue(self) -> bool:
        """Whether the weekly entry is missed on the last day looked at."""
        return self.due_on is not None and self.until > self.due_on


def logbook_of(permit: Permit, *, on: date) -> Logbook:
    """Return how the log of an issued permit stands on a day: two queries."""
    assert permit.issued_on is not None
    begun_on = max(permit.application.starts_on or permit.issued_on, permit.issued_on)
    ended_on = permit.final_inspection_passed_on or permit.closed_on
    until = min(on, ended_on) if ended_on else on
    rows = permit.log_entries.order_by("inspected_on").values_list("inspected_on", flat=True)
    entries = list(rows)
    last_on = entries[-1] if entries else None
    gaps = [*_weekly(entries, begun_on, until), *_after_rain(entries, begun_on, until)]
    gaps.sort(key=lambda gap: (gap.first, gap.last), reverse=True)
    kept_since = max(last_on or begun_on, begun_on)
    due_on = None if ended_on else kept_since + timedelta(LOG_DAYS)
    return Logbook(begun_on, until, last_on, due_on, tuple(gaps))


def _weekly(entries: list[date], begun_on: date, until: date) -> list[Gap]:
    return [Gap(first, last) for first, last in log_gaps(entries, begun_on=begun_on, until=until)]


def _after_rain(entries: list[date], begun_on: date, until: date) -> list[Gap]:
    """Days of half an inch or more after which nobody wrote within 24 hours."""
    fell: dict[date, Decimal] = {}
    for reading in RainReading.objects.trigger_days(begun_on, until):
        fell[reading.on] = max(reading.inches, fell.get(reading.on, Decimal(0)))
    gaps = []
    for rained_on, inches in fell.items():
        due = rain_visit_due(rained_on)
        first = next((day for day in entries if day >= rained_on), None)
        last = until if first is None else min(first - ONE_DAY, until)
        if last > due:
            gaps.append(Gap(due + ONE_DAY, last, amount(inches), rained_on))
    return gaps
