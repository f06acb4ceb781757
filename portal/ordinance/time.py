"""The two kinds of time: deadlines, which bind somebody, and waiting periods.

A date never travels alone: it carries who is bound, where it stands written, the
count in sentences and what follows when it passes. No clock acts by itself.
"""

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import ClassVar

from .citations import Citation
from .counting import Count, Stay, merged
from .days import Calendar
from .holidays import Holiday
from .wording import long_day

__all__ = [
    "Calendar",
    "Citation",
    "Clock",
    "Deadline",
    "Holiday",
    "Kind",
    "Standing",
    "Stay",
    "Step",
    "Terms",
    "WaitingPeriod",
]


class Kind(StrEnum):
    """Whether a clock binds somebody to act or the city to wait."""

    DEADLINE = "deadline"
    WAITING = "waiting"


class Standing(StrEnum):
    """How a clock stands on a given day."""

    OPEN = "open"
    MET = "met"
    LATE = "late"
    STAYED = "stayed"
    CLOSED = "closed"
    OPENED = "opened"


@dataclass(frozen=True)
class Step:
    """One sentence of a count. Kinds: start, counted, skipped, stay, roll, end, safe."""

    text: str
    day: date | None
    kind: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Terms:
    """The words of a clock; `clocks.py` adds the dates."""

    key: str
    title: str
    bound: str
    citation: Citation
    duty: str
    consequence: str
    started: str
    end: str
    safe_reason: str
    counted: str = ""
    note: str = ""


@dataclass(frozen=True)
class Clock:
    """A date with all that explains it; the base of both kinds."""

    kind: ClassVar[Kind]

    key: str
    on: date
    safe_on: date
    bound: str
    citation: Citation
    title: str
    duty: str
    steps: tuple[Step, ...]
    consequence: str
    started_on: date
    note: str = ""
    stays: tuple[Stay, ...] = ()
    terms: Terms | None = field(default=None, repr=False, compare=False)
    count: Count | None = field(default=None, repr=False, compare=False)

    @property
    def explanation(self) -> str:
        """The whole count in sentences, for a letter, a feed or an export."""
        opening = [f"{self.title} ({self.citation}).", self.duty]
        closing = [self.consequence, self.note]
        return " ".join(filter(None, [*opening, *(step.text for step in self.steps), *closing]))

    def is_stayed(self, on: date) -> bool:
        """Whether an appeal holds this clock still on that day. former § 17.19(8)"""
        return any(stay.covers(on) for stay in self.stays)

    @property
    def stayed_since(self) -> date | None:
        """The day since which an appeal holds this clock still; None while none does."""
        return min((stay.from_on for stay in self.stays if stay.until_on is None), default=None)

    @property
    def stayed_days(self) -> int:
        """How many days were left out of the count by stays that have ended."""
        ended = (span for span in merged(self.stays) if span[0] < self.on)
        return sum(max((end - max(begin, self.started_on)).days, 0) for begin, end in ended)

    def __str__(self) -> str:
        return f"{self.title}: {long_day(self.on)}"


@dataclass(frozen=True)
class Deadline(Clock):
    """The last day on which an act is in time; late only from the day after."""

    kind: ClassVar[Kind] = Kind.DEADLINE

    def standing(self, on: date, *, met_on: date | None = None, stayed: bool = False) -> Standing:
        """Open, met, late or stayed on that day; `met_late` tells how it was met."""
        if met_on is not None and met_on <= on:
            return Standing.MET
        if stayed or self.is_stayed(on):
            return Standing.STAYED
        return Standing.LATE if on > self.on else Standing.OPEN

    def is_late(self, on: date, *, met_on: date | None = None) -> bool:
        """Whether the act is late on that day, or was late when it was done."""
        if met_on is not None and met_on <= on:
            return self.met_late(met_on)
        return on > self.on and not self.is_stayed(on)

    def met_late(self, met_on: date) -> bool:
        """Whether an act done on that day came after the last day."""
        return met_on > self.on


@dataclass(frozen=True)
class WaitingPeriod(Clock):
    """The first day on which the city may act; it never opens early."""

    kind: ClassVar[Kind] = Kind.WAITING

    def standing(self, on: date, *, stayed: bool = False) -> Standing:
        """Closed, opened or stayed on that day."""
        if stayed or self.is_stayed(on):
            return Standing.STAYED
        return Standing.OPENED if self.is_open(on) else Standing.CLOSED

    def is_open(self, on: date) -> bool:
        """Whether the city may act on that day by the ordinance's own count."""
        return on >= self.on and not self.is_stayed(on)

    def is_safe(self, on: date) -> bool:
        """Whether even the strictest reading lets the city act on that day."""
        return on >= self.safe_on and not self.is_stayed(on)
