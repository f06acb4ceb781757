"""A daily file of rain, read row by row; figures are exact decimals, never floats.

Columns are found by their names. Whatever cannot be meant is refused with its line and in
plain words; a day without a figure is named and left out.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from itertools import pairwise

from portal import city
from portal.ordinance.inspection import MILLIMETRES_PER_INCH, is_rain_trigger
from portal.ordinance.wording import figure, plain_day
from portal.tables import decode

__all__ = ["MOST_INCHES", "Day", "RainFile", "Unit", "decode", "read_file"]


class Unit(Enum):
    """What the figures of a file are; its value is how the unit is called."""

    INCHES = "inches"
    TENTHS = "tenths of a millimetre"
    MILLIMETRES = "millimetres"


DATE_NAMES = ("date", "day", "obs_date", "observation_date")
STATION_NAMES = ("station", "station_id", "id")
UNIT_NAMES = {
    Unit.TENTHS: ("prcp_tenths_mm", "precip_tenths_mm", "rain_tenths_mm", "tenths_mm"),
    Unit.MILLIMETRES: ("prcp_mm", "precip_mm", "precipitation_mm", "rain_mm", "mm"),
    Unit.INCHES: (
        *("prcp_in", "precip_in", "precipitation_in", "rain_in", "precip_in_exact"),
        *("inches", "in", "prcp_inches", "precip_inches", "rain_inches", "precipitation_inches"),
    ),
}
"""Names that say their unit; the first unit that a file has is taken, the exact one first."""
TENTHS_PREFIX = "precip_tenths_mm"
BARE_NAMES = ("prcp", "precip", "precipitation", "rain", "rainfall")
"""Names that do not say it: whole numbers under `prcp` are tenths of a millimetre."""

NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)", re.ASCII)
NOT_MEASURED = frozenset({"", "m", "na", "-9999"})
TRACE = "t"
MOST_INCHES = Decimal(30)
"""In inches; more never fell in a day in this state."""
PLAUSIBLE_INCHES = Decimal(5)
EARLIEST_YEAR = 1850
MOST_ROWS = 40_000


@dataclass(frozen=True)
class Day:
    """One row of a daily file, read."""

    line: int
    on: date
    inches: Decimal

    @property
    def is_trigger(self) -> bool:
        """Whether it rained half an inch or more."""
        return is_rain_trigger(self.inches, city.edition_on(self.on))


@dataclass
class RainFile:
    """What a daily file holds: days read, rows refused, and days without a figure."""

    unit: Unit
    column: str
    station: str = ""
    days: list[Day] = field(default_factory=list)
    refused: list[tuple[int, str]] = field(default_factory=list)
    not_measured: list[tuple[int, date]] = field(default_factory=list)

    def trigger_days(self) -> list[Day]:
        """Days of half an inch or more, in their order."""
        return sorted((day for day in self.days if day.is_trigger), key=lambda day: day.on)

    @property
    def gaps(self) -> list[tuple[date, date]]:
        """Runs of days without a figure between the first and the last day of the file."""
        return list(_gaps(sorted(day.on for day in self.days)))


def _gaps(days: list[date]) -> Iterator[tuple[date, date]]:
    one = timedelta(days=1)
    for before, after in pairwise(days):
        if after - before > one:
            yield before + one, after - one


def read_file(text: str, *, today: date, unit: Unit | None = None, station: str = "") -> RainFile:
    """Read a daily table; of a file with several stations only the one that is named.

    Raises ValueError in plain words when the file as a whole cannot be read.
    """
    header, rows = _table(text)
    columns = Columns(header)
    rows = columns.of_one_station(rows, station)
    found = RainFile(
        unit=unit or columns.unit or _guess(columns.name, [row[columns.rain] for _, row in rows]),
        column=columns.name,
        station=columns.station_of(rows),
    )
    seen: dict[date, int] = {}
    for line, row in rows:
        try:
            _take(found, line, row[columns.date], row[columns.rain], today, seen)
        except ValueError as error:
            found.refused.append((line, str(error)))
    return found


Row = tuple[int, list[str]]


def _table(text: str) -> tuple[list[str], list[Row]]:
    """Split a text into its header and its rows, each with the number of its line."""
    lines = text.lstrip("\ufeff").splitlines()
    first = next((line for line in lines if line.strip()), "")
    between = max(",;\t", key=first.count)
    reader = csv.reader(lines, delimiter=between)
    rows: list[Row] = []
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                rows.append((reader.line_num, [cell.strip() for cell in row]))
    except csv.Error:
        raise ValueError(f"Line {reader.line_num} cannot be read as a row of a table.") from None
    if not rows:
        raise ValueError("The file is empty.")
    if len(rows) > MOST_ROWS:
        raise ValueError(f"The file has more than {MOST_ROWS:,} rows. Cut it into parts.")
    header, *rows = rows
    width = len(header[1])
    return header[1], [(line, row + [""] * (width - len(row))) for line, row in rows]


class Columns:
    """Where date, rain and station stand, by the names of the header."""

    def __init__(self, header: list[str]) -> None:
        names = [re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") for name in header]
        self.date = _place(names, DATE_NAMES)
        if self.date < 0:
            raise ValueError("The file has no column called date.")
        self.unit, self.rain = _rain_column(names)
        self.name = header[self.rain]
        self.station = _place(names, STATION_NAMES)

    def of_one_station(self, rows: list[Row], station: str) -> list[Row]:
        """Return the rows of the station that was asked for, where the file has several."""
        if self.station < 0:
            return rows
        names = sorted({row[self.station] for _, row in rows if row[self.station]})
        if len(names) < 2:
            return rows
        if station not in names:
            raise ValueError(
                f"The file has several stations ({', '.join(names[:10])}): name the one to read."
            )
        return [(line, row) for line, row in rows if row[self.station] == station]

    def station_of(self, rows: list[Row]) -> str:
        """Return what the file calls the station of its rows, or nothing."""
        if self.station < 0:
            return ""
        return next((row[self.station] for _, row in rows if row[self.station]), "")


def _place(names: list[str], wanted: Iterable[str]) -> int:
    return next((names.index(name) for name in wanted if name in names), -1)


def _rain_column(names: list[str]) -> tuple[Unit | None, int]:
    for unit, wanted in UNIT_NAMES.items():
        place = _place(names, wanted)
        if place < 0 and unit is Unit.TENTHS:
            starting = (i for i, name in enumerate(names) if name.startswith(TENTHS_PREFIX))
            place = next(starting, -1)
        if place >= 0:
            return unit, place
    place = _place(names, BARE_NAMES)
    if place < 0:
        raise ValueError(
            "The file has no column of precipitation. Call it prcp_in (inches) or "
            "prcp_tenths_mm (tenths of a millimetre)."
        )
    return None, place


def _guess(name: str, figures: list[str]) -> Unit:
    """Return the unit of a column whose name does not say it; ask rather than be wrong."""
    numbers = [figure for figure in figures if NUMBER.fullmatch(figure)]
    pointed = [number for number in numbers if "." in number]
    if name.strip().lower() == "prcp" and not pointed:
        return Unit.TENTHS
    hundredths = any(len(number.partition(".")[2]) > 1 for number in pointed)
    if pointed and (hundredths or max(map(Decimal, numbers)) <= PLAUSIBLE_INCHES):
        return Unit.INCHES
    raise ValueError(f"The column {name} does not say its unit. Choose the unit and try again.")


def _take(
    found: RainFile, line: int, day: str, amount: str, today: date, seen: dict[date, int]
) -> None:
    """Put one row where it belongs. Raises ValueError with the reason to refuse it."""
    on = _read_day(day, today)
    if on in seen:
        raise ValueError(f"{plain_day(on)} stands in line {seen[on]} already")
    seen[on] = line
    if amount.lower() in NOT_MEASURED:
        found.not_measured.append((line, on))
    else:
        found.days.append(Day(line, on, _read_amount(amount, found.unit)))


def _read_day(text: str, today: date) -> date:
    if not text:
        raise ValueError("the day is missing")
    for form in ("%Y-%m-%d", "%m/%d/%Y", "%Y%m%d"):
        try:
            on = datetime.strptime(text, form).date()  # noqa: DTZ007
        except ValueError:
            continue
        if on > today:
            raise ValueError(f"{plain_day(on)} is still to come")
        if on.year < EARLIEST_YEAR:
            raise ValueError(f"the year {on.year} cannot be meant")
        return on
    raise ValueError(f"“{text[:40]}” is not a day of the calendar")


def _read_amount(text: str, unit: Unit) -> Decimal:
    if text.lower() == TRACE:
        return Decimal(0)
    if len(text) > 20 or not NUMBER.fullmatch(text):
        raise ValueError(f"“{text[:40]}” is not a number")
    amount = Decimal(text)
    if amount < 0:
        raise ValueError(f"rain cannot be negative ({text})")
    inches = in_inches(amount, unit)
    if inches > MOST_INCHES:
        raise ValueError(f"{text} {unit.value} is more than {figure(MOST_INCHES)} inches in a day")
    return inches


def in_inches(amount: Decimal, unit: Unit) -> Decimal:
    """Return an amount in inches; 127 tenths of a millimetre are exactly half an inch."""
    if unit is Unit.INCHES:
        return amount
    millimetres = amount / 10 if unit is Unit.TENTHS else amount
    return millimetres / MILLIMETRES_PER_INCH
