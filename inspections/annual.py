"""The figures of a year: sites, visits, findings, corrections and rain, month by month.

What a city reports of its inspections under its state stormwater permit. Each figure is
counted by the database; nothing is read site by site. Rows are counted, not keys, so that the
indexes of a year hold all that is asked. Former § 17.19(6)
"""

from __future__ import annotations

from calendar import month_name
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.db.models import Count, F, Min, Q

from inspections.models import Finding, RainReading, Visit, VisitNeed
from permits.models import Permit
from portal.ordinance.days import ONE_DAY

__all__ = ["Figures", "Year", "first_year", "year_of"]

MONTHS = range(1, 13)
TENTH = Decimal("0.1")


@dataclass
class Figures:
    """The figures of one month, or of the year."""

    name: str
    active: int = 0
    visits: int = 0
    findings: int = 0
    violations: int = 0
    corrected: int = 0
    days_to_correct: int = 0
    rain_days: int = 0
    rain_visits: int = 0
    rain_in_time: int = 0

    @property
    def mean_days(self) -> Decimal | None:
        """Mean days from finding to correction, of those that are corrected."""
        return _share(self.days_to_correct, self.corrected)

    @property
    def in_time_percent(self) -> Decimal | None:
        """Share of the visits after rain that were made within 24 hours."""
        return _share(100 * self.rain_in_time, self.rain_visits)

    def add(self, other: Figures) -> None:
        """Add the counts of a month; active sites are not a sum."""
        for name in SUMMED:
            setattr(self, name, getattr(self, name) + getattr(other, name))


SUMMED = (
    "visits",
    "findings",
    "violations",
    "corrected",
    "days_to_correct",
    "rain_days",
    "rain_visits",
    "rain_in_time",
)


@dataclass(frozen=True)
class Year:
    """The months of a year as far as it has come, and their sum."""

    year: int
    months: list[Figures]
    total: Figures


def _share(part: int, whole: int) -> Decimal | None:
    if not whole:
        return None
    return (Decimal(part) / whole).quantize(TENTH, rounding=ROUND_HALF_UP)


def first_year(today: date) -> int:
    """Return the first year that has figures."""
    first = Permit.objects.aggregate(first=Min("issued_on"))["first"]
    seen = Visit.objects.aggregate(first=Min("visited_on"))["first"]
    return min((day.year for day in (first, seen) if day), default=today.year)


def year_of(year: int, *, today: date) -> Year:
    """Count a year up to today, in a fixed number of queries."""
    last = min(date(year, 12, 31), today)
    months = {number: Figures(month_name[number]) for number in MONTHS if number <= last.month}
    total = Figures(f"{year}")
    if date(year, 1, 1) > today:
        return Year(year, [], total)
    between = (date(year, 1, 1), last)
    _count_active(months, total, between)
    _count_visits(months, between)
    _count_findings(months, between)
    _count_rain(months, between, today)
    for figures in months.values():
        total.add(figures)
    return Year(year, list(months.values()), total)


def _count_active(months: dict[int, Figures], total: Figures, between: tuple[date, date]) -> None:
    """Permits in force at any time of the month: issued and not closed before it."""
    year = between[0].year
    counts: dict[str, Any] = {"total": _in_force(*between)}
    for number in months:
        begins = date(year, number, 1)
        following = date(year + number // 12, number % 12 + 1, 1)
        counts[f"m{number}"] = _in_force(begins, min(following - ONE_DAY, between[1]))
    found = Permit.objects.filter(issued_on__lte=between[1]).aggregate(**counts)
    total.active = found.pop("total")
    for number, figures in months.items():
        figures.active = found[f"m{number}"]


def _in_force(begins: date, ends: date) -> Count:
    standing = Q(closed_on__isnull=True) | Q(closed_on__gte=begins)
    return Count("pk", filter=Q(issued_on__lte=ends) & standing)


def _count_visits(months: dict[int, Figures], between: tuple[date, date]) -> None:
    rows = (
        Visit.objects.filter(status=Visit.Status.FINISHED, visited_on__range=between)
        .order_by()
        .values_list("visited_on")
        .annotate(number=Count("*"))
    )
    for visited_on, number in rows:
        months[visited_on.month].visits += number


def _count_findings(months: dict[int, Figures], between: tuple[date, date]) -> None:
    """By the month in which they were found; what was recorded in error does not count."""
    rows = (
        Finding.objects.filter(found_on__range=between)
        .exclude(status=Finding.Status.DROPPED)
        .order_by()
        .values_list("found_on", "corrected_on", "is_violation")
        .annotate(number=Count("*"))
    )
    for found_on, corrected_on, is_violation, number in rows.iterator(chunk_size=2000):
        figures = months[found_on.month]
        figures.findings += number
        figures.violations += number if is_violation else 0
        if corrected_on:
            figures.corrected += number
            figures.days_to_correct += number * (corrected_on - found_on).days


def _count_rain(months: dict[int, Figures], between: tuple[date, date], today: date) -> None:
    """Days of half an inch or more, and what became of the visits that they asked for."""
    for rained_on in {reading.on for reading in RainReading.objects.trigger_days(*between)}:
        months[rained_on.month].rain_days += 1
    for since, number, in_time in _rain_visits(between, today):
        months[since.month].rain_visits += number
        months[since.month].rain_in_time += in_time


def _rain_visits(between: tuple[date, date], today: date) -> Iterator[tuple[date, int, int]]:
    """Visits asked for by rain: made, or still open after their day. Others fell away.

    A need that a visit met was closed on the day of that visit.
    """
    late = Q(closed_on__isnull=True, due_on__lt=today)
    rows = (
        VisitNeed.objects.filter(reason=VisitNeed.Reason.RAIN, since__range=between)
        .filter(Q(met_by__isnull=False) | late)
        .order_by()
        .values_list("since")
        .annotate(
            number=Count("*"),
            in_time=Count("since", filter=Q(met_by__isnull=False, closed_on__lte=F("due_on"))),
        )
    )
    yield from rows.iterator(chunk_size=2000)
