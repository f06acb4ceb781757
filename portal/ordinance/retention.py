"""How long records are kept: the city's schedule as data, and the rule for a case.

Wis. Stat. § 19.21(4): seven years at least, and longer while anything holds the case.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from functools import cache
from pathlib import Path
from types import MappingProxyType

from .citations import Citation, statute
from .obstacles import Obstacle
from .records import REQUESTS, RETENTION
from .wording import counted, long_day

FILE = Path(__file__).parent / "retention.toml"

LEAST_YEARS = 7
"""The shortest time by ordinance, unless the state's board sets a shorter one. § 19.21(4)(b)"""

HELD = statute(REQUESTS, "(5)")
"""No record is destroyed while a request for it, or a court about it, is open."""

KEPT = statute(RETENTION, "(4)(b)")


class Trigger(StrEnum):
    """From when the years of a series run."""

    CREATION = "CR"
    FISCAL_YEAR = "FIS"
    EVENT = "EVT"
    PERMANENT = "P"


@dataclass(frozen=True)
class Series:
    """One line of the schedule: a kind of record, and how long it is kept."""

    key: str
    title: str
    covers: str
    trigger: Trigger
    event: str
    years: int
    society: str
    authority: str

    @property
    def is_permanent(self) -> bool:
        """Whether it is never destroyed."""
        return self.trigger is Trigger.PERMANENT

    @property
    def is_waived(self) -> bool:
        """Whether the historical society has waived its notice (W)."""
        return self.society == "W"

    @property
    def kept(self) -> str:
        """How long, in words."""
        if self.is_permanent:
            return "for good"
        return f"{counted(self.years, 'year')} from {self.event}"


@dataclass(frozen=True)
class Schedule:
    """A version of the retention schedule, and until when it was approved."""

    version: str
    title: str
    approved_on: date
    expires_on: date
    warn_days: int
    society_name: str
    society_address: str
    series: Mapping[str, Series]

    def has_expired(self, on: date) -> bool:
        """Whether nothing may be destroyed by it any more."""
        return on >= self.expires_on

    def warns(self, on: date) -> bool:
        """Whether its end is near enough to ask for the next one."""
        return on >= self.expires_on - timedelta(self.warn_days)


@cache
def schedule() -> Schedule:
    """The schedule in force."""
    return read(FILE.read_text(encoding="utf-8"))


def read(text: str) -> Schedule:
    """Read a schedule; raises ValueError for one that keeps a record too short a time."""
    found = tomllib.loads(text)
    rows = [
        Series(**{**row, "trigger": Trigger(row["trigger"])}) for row in found.pop("series", [])
    ]
    for row in rows:
        _check(row)
    return Schedule(**found, series=MappingProxyType({row.key: row for row in rows}))


def _check(row: Series) -> None:
    if row.society not in ("W", "N"):
        raise ValueError(f"{row.key}: society is W (waived) or N (notice), not {row.society!r}")
    if row.is_permanent != (row.years == 0):
        raise ValueError(f"{row.key}: a permanent series has no years, and no other has none")
    if not row.is_permanent and row.years < LEAST_YEARS:
        raise ValueError(f"{row.key}: kept for {row.years} years, the law asks for {LEAST_YEARS}")


# A case ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CaseFacts:
    """What the rule asks of a case; whatever is open or holds it comes with its own reason."""

    last_fact_on: date | None
    has_agreement: bool = False
    open_matters: tuple[Obstacle, ...] = ()
    holds: tuple[Obstacle, ...] = ()


@dataclass(frozen=True)
class Retention:
    """How long a case is kept: until a day, or for good; with what stands against destroying."""

    series: Series
    closed_on: date | None
    until: date | None
    steps: tuple[str, ...]
    obstacles: tuple[Obstacle, ...]
    citation: Citation = KEPT

    def may_be_destroyed(self, on: date) -> bool:
        """Whether the case may stand on a destruction list on that day."""
        return not self.why_not(on)

    def why_not(self, on: date) -> tuple[Obstacle, ...]:
        """Every reason to keep the case on that day, each with its cure."""
        if self.obstacles or self.until is None or on > self.until:
            return self.obstacles
        text = f"It is kept until {long_day(self.until)}."
        return (Obstacle("retention", text, self.citation, "wait"),)


def retention_of(facts: CaseFacts, *, by: Schedule | None = None) -> Retention:
    """Seven years after the case closed; an agreement, or anything open, never. § 19.21(4)(b)"""
    by = by or schedule()
    series = by.series["agreement" if facts.has_agreement else "case"]
    against = [*facts.holds, *facts.open_matters]
    if series.is_permanent:
        text = "A maintenance agreement binds later owners; the case is kept for good."
        against.append(Obstacle("agreement", text, KEPT, "none: it stays"))
    closed_on = facts.last_fact_on if not facts.open_matters else None
    until = None
    if closed_on is None and not facts.open_matters:
        against.append(Obstacle("empty", "Nothing is on its record.", KEPT, "none: it stays"))
    elif closed_on is not None and not series.is_permanent:
        until = years_after(closed_on, series.years)
    steps = tuple(_steps(series, facts, closed_on, until))
    return Retention(series, closed_on, until, steps, tuple(against))


def years_after(day: date, years: int) -> date:
    """The anniversary; of a February 29 the day after, so that no year is cut short."""
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return date(day.year + years, 3, 1)


def _steps(
    series: Series, facts: CaseFacts, closed_on: date | None, until: date | None
) -> list[str]:
    """The count in sentences."""
    found = [f"Series: {series.title}, kept {series.kept}."]
    if facts.open_matters:
        found.append(f"{counted(len(facts.open_matters), 'matter').capitalize()} still open.")
    elif closed_on is not None:
        found.append(f"Nothing is open. The last fact on its record is of {long_day(closed_on)}.")
    if until is not None:
        years = counted(series.years, "year")
        found.append(f"{years.capitalize()} from that day end on {long_day(until)}, that day too.")
    if facts.holds:
        found.append("It is held, and a hold wins over the schedule.")
    return found
