"""Rain: entered by hand or from a daily file; trigger days open their duties."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from itertools import pairwise

from django.db import transaction

from inspections.models import RainReading
from portal import city
from portal.models import User
from portal.ordinance.inspection import MILLIMETRES_PER_INCH, is_rain_trigger

__all__ = ["Day", "RainFile", "enter", "read_file", "save_file"]

DATE_NAMES = ("date", "day", "datum")
INCH_NAMES = ("prcp_in", "precip_in", "precipitation_in", "inches", "rain_in", "precip_in_exact")
TENTH_NAMES = ("prcp", "prcp_tenths_mm", "precip_tenths_mm", "tenths_mm")
MOST = Decimal("30")  # inches; more fell nowhere in a day in this state


@dataclass(frozen=True)
class Day:
    """One row of a daily file, read."""

    line: int
    on: date
    inches: Decimal


@dataclass
class RainFile:
    """What a daily file holds: days read, and rows refused with their line and reason."""

    days: list[Day] = field(default_factory=list)
    refused: list[tuple[int, str]] = field(default_factory=list)
    gaps: list[tuple[date, date]] = field(default_factory=list)

    def trigger_days(self) -> list[Day]:
        """Days of half an inch or more."""
        return [day for day in self.days if is_rain_trigger(day.inches, city.edition_on(day.on))]


def read_file(lines: Iterable[str]) -> RainFile:
    """Read a daily CSV; columns are found by name, in inches or tenths of a millimetre.

    Raises ValueError in plain words when a column is missing.
    """
    rows = csv.reader(lines)
    header = [name.strip().lower() for name in next(rows, [])]
    date_at, rain_at, tenths = _columns(header)
    found = RainFile()
    seen: dict[date, int] = {}
    for line, row in enumerate(rows, start=2):
        if not any(cell.strip() for cell in row):
            continue
        try:
            on, inches = _read_row(row, date_at, rain_at, tenths)
        except ValueError as error:
            found.refused.append((line, str(error)))
            continue
        if on in seen:
            found.refused.append((line, f"{on} stands in line {seen[on]} already"))
            continue
        seen[on] = line
        found.days.append(Day(line, on, inches))
    found.gaps = list(_gaps(sorted(seen)))
    return found


def _columns(header: list[str]) -> tuple[int, int, bool]:
    date_at = next((header.index(n) for n in DATE_NAMES if n in header), None)
    inch_at = next((header.index(n) for n in INCH_NAMES if n in header), None)
    tenth_at = next(
        (i for i, n in enumerate(header) if n in TENTH_NAMES or n.startswith("precip_tenths_mm")),
        None,
    )
    if date_at is None:
        raise ValueError("The file has no column called date.")
    if inch_at is not None:
        return date_at, inch_at, False
    if tenth_at is not None:
        return date_at, tenth_at, True
    raise ValueError(
        "The file has no column of precipitation: call it prcp_in (inches) or prcp "
        "(tenths of a millimetre)."
    )


def _read_row(row: list[str], date_at: int, rain_at: int, tenths: bool) -> tuple[date, Decimal]:
    if len(row) <= max(date_at, rain_at):
        raise ValueError("the row is shorter than the header")
    try:
        on = date.fromisoformat(row[date_at].strip())
    except ValueError:
        raise ValueError(f"{row[date_at].strip()!r} is not a day of the calendar") from None
    return on, _inches(row[rain_at].strip(), tenths)


def _inches(text: str, tenths: bool) -> Decimal:
    if not text:
        raise ValueError("the rain is missing")
    try:
        amount = Decimal(text)
    except InvalidOperation:
        raise ValueError(f"{text!r} is not a number") from None
    if not amount.is_finite():
        raise ValueError(f"{text!r} is not a number")
    if amount < 0:
        raise ValueError("rain cannot be negative")
    inches = amount / 10 / MILLIMETRES_PER_INCH if tenths else amount
    if inches > MOST:
        raise ValueError(f"{text} is more than {MOST} inches in a day")
    return inches


def _gaps(days: list[date]) -> Iterator[tuple[date, date]]:
    one = timedelta(days=1)
    for before, after in pairwise(days):
        if after - before > one:
            yield before + one, after - one


@transaction.atomic
def enter(
    *, station: str, on: date, inches: Decimal, by: User | None, source: str, note: str = ""
) -> tuple[RainReading, RainReading | None]:
    """Enter a day's rain; returns the row and the row it corrects, if the figure differs."""
    before = RainReading.objects.filter(station=station, on=on).order_by("-pk").first()
    rounded = rounded_down(inches)
    if before is not None and before.inches == rounded:
        return before, None
    reading = RainReading.objects.create(
        station=station, on=on, inches=rounded, source=source, note=note, entered_by=by
    )
    return reading, before


def rounded_down(inches: Decimal) -> Decimal:
    """Return the figure to four decimals, cut and never rounded up to the trigger."""
    return inches.quantize(Decimal("0.0001"), rounding="ROUND_DOWN")


@transaction.atomic
def save_file(file: RainFile, *, station: str, by: User | None) -> dict[str, int]:
    """Save every day of a file that had no refused row; all or nothing."""
    if file.refused:
        raise ValueError("Nothing was saved: correct the rows that were refused first.")
    corrected = 0
    for day in file.days:
        _, before = enter(
            station=station, on=day.on, inches=day.inches, by=by, source=RainReading.Source.FILE
        )
        corrected += before is not None
    return {"days": len(file.days), "corrected": corrected}
