"""What the docket holds for a desk: late, today, this week, later, opened.

Each list is read by the index of running clocks, one person bound at a time, and only as
far as it is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from heapq import merge
from typing import Any

from django.db.models import QuerySet

from permits.finding import find_site_keys
from permits.models import DocketEntry, Site
from portal.counting import Statement
from portal.reading import LIST, read, together

__all__ = ["BOUND", "OPENING", "WHEN", "Docket", "First", "Listed", "Question"]

Bound = DocketEntry.Bound
Kind = DocketEntry.Kind
WEEK = timedelta(days=7)
Condition = dict[str, Any]
"""What the entries of a list have in common, as a filter takes it."""

BOUND: dict[str, tuple[str, tuple[Bound, ...]]] = {
    "city": ("the city", (Bound.INSPECTOR, Bound.CITY)),
    "holder": ("the permittee, or a person ordered", (Bound.PERMITTEE, Bound.PERSON)),
    "payer": ("whoever pays a bill", (Bound.PAYER,)),
    "all": (
        "anybody who has a duty",
        (Bound.INSPECTOR, Bound.CITY, Bound.PERMITTEE, Bound.PERSON, Bound.PAYER),
    ),
    "aggrieved": ("nobody: the time to appeal", (Bound.AGGRIEVED,)),
}
"""Who is bound: how the filter says it, and which entries it means."""

WHEN: dict[str, str] = {
    "late": "Late",
    "today": "Today",
    "week": "The next seven days",
    "later": "Later",
    "opened": "Opened: the city may act",
    "closed": "Not open yet",
    "stayed": "Held still by an appeal",
}
OPENING = ("late", "today", "week", "opened")
"""The lists with which the desk opens."""


@dataclass(frozen=True)
class Question:
    """What somebody wants to see of the docket."""

    who: str = "city"
    rule: str = ""
    text: str = ""


def within(when: str, on: date) -> Condition:
    """Return the condition of one list of the desk, on a day."""
    if when == "stayed":
        return {"stayed_since__isnull": False}
    conditions: dict[str, Condition] = {
        "late": {"kind": Kind.DEADLINE, "on__lt": on},
        "today": {"kind": Kind.DEADLINE, "on": on},
        "week": {"kind": Kind.DEADLINE, "on__gt": on, "on__lte": on + WEEK},
        "soon": {"kind": Kind.DEADLINE, "on__gte": on, "on__lte": on + WEEK},
        "later": {"kind": Kind.DEADLINE, "on__gt": on + WEEK},
        "opened": {"kind": Kind.WAITING, "on__lte": on},
        "closed": {"kind": Kind.WAITING, "on__gt": on},
        "near": {"on__lte": on + WEEK},
    }
    return conditions[when] | {"stayed_since": None}


class Listed(Sequence[DocketEntry]):
    """One list of the docket, put together from the lists of each person bound."""

    def __init__(self, docket: Docket, condition: Condition, bounds: Sequence[Bound]) -> None:
        self.docket, self.condition, self.bounds = docket, condition, bounds

    def __getitem__(self, asked: Any) -> Any:
        """Return the entries of a slice, the earliest date first."""
        parts = [self.docket.entries(self.condition, bound) for bound in self.bounds]
        if len(parts) == 1:
            return list(parts[0][asked])
        return list(merge(*(list(part[: asked.stop]) for part in parts), key=_by_date))[asked]

    def __len__(self) -> int:
        return self.count_to(1_000_000)

    def count_to(self, bound: int) -> int:
        """Count the entries up to a bound."""
        return len(self.keys()[:bound])

    def keys(self) -> QuerySet[Any]:
        """Return the keys of the entries, for counting."""
        rows = self.docket.running(self.condition).filter(bound__in=self.bounds)
        # In the order of an index: without one, PostgreSQL reads the table until it has enough.
        return rows.order_by("bound", "kind", "on", "pk").values_list("pk")


@dataclass
class First:
    """The first lines of a list; how many there are, but for those bound who have more."""

    rows: list[DocketEntry]
    counted: int
    uncounted: list[Bound]


@dataclass
class Read:
    """One read of the docket: who is bound, which lists it is for, and how far it goes."""

    bound: Bound
    keys: tuple[str, ...]
    condition: Condition
    most: int


class Docket:
    """The running clocks that a question is about."""

    def __init__(self, question: Question, *, on: date) -> None:
        self.on = on
        self.question = question
        self.bounds = BOUND[question.who][1]
        self.too_many = False
        self.sites = self._search() if question.text else None

    def first(self, shown: int, wanted: Sequence[str] = OPENING) -> dict[str, First]:
        """Return the first lines of late, today, week and opened, in one read for all of them."""
        reads = self._first_reads(shown, wanted)
        found: dict[str, list[DocketEntry]] = {key: [] for key in OPENING}
        cut: list[tuple[str, Bound]] = []
        for each, rows in zip(reads, self._read(reads, shown, wanted), strict=True):
            for entry in rows:
                if (key := self._list_of(entry)) in found:
                    found[key].append(entry)
            if len(rows) == each.most:
                cut += [(key, each.bound) for key in self._cut(each.keys, rows[-1])]
        return {
            key: First(
                sorted(rows, key=_by_date)[:shown],
                sum(entry.bound not in _bounds_of(key, cut) for entry in rows),
                _bounds_of(key, cut),
            )
            for key, rows in found.items()
            if key in wanted
        }

    def _first_reads(self, shown: int, wanted: Sequence[str]) -> list[Read]:
        return [
            Read(bound, keys, condition, shown + 1 + 4 * (len(keys) - 1))
            for bound in self.bounds
            for keys, condition in self._reads(bound)
            if set(keys) & set(wanted)
        ]

    def _read(
        self, reads: Sequence[Read], shown: int, wanted: Sequence[str]
    ) -> list[list[DocketEntry]]:
        """Return the lines of each read, the earliest date first."""
        if self.sites is None:
            statement = _first_statement(self.question, self.on, shown, tuple(wanted))
        else:
            statement = self._statement(reads)
        found: list[list[DocketEntry]] = [[] for _ in reads]
        for entry in read(DocketEntry, statement):
            found[getattr(entry, LIST)].append(entry)
        return [sorted(rows, key=_by_date) for rows in found]

    def _statement(self, reads: Sequence[Read]) -> Statement:
        return together([self.entries(each.condition, each.bound)[: each.most] for each in reads])

    def _reads(self, bound: Bound) -> list[tuple[tuple[str, ...], Condition]]:
        """Return which reads find a person's first lines: each by the index of running clocks."""
        if bound == Bound.CITY:
            return [(OPENING, within("near", self.on))]
        coming = (("today", "week"), within("soon", self.on))
        late = (("late",), within("late", self.on))
        return [coming] if bound == Bound.AGGRIEVED else [late, coming]

    def _cut(self, keys: tuple[str, ...], last: DocketEntry) -> tuple[str, ...]:
        """Return which lists a read did not read to their end: those from its last line on."""
        return keys if "opened" in keys else keys[keys.index(self._list_of(last)) :]

    def _list_of(self, entry: DocketEntry) -> str:
        if entry.kind == Kind.WAITING:
            return "opened" if entry.on <= self.on else "closed"
        if entry.on < self.on:
            return "late"
        return "today" if entry.on == self.on else "week"

    def listed(self, when: str, bounds: Sequence[Bound] | None = None) -> Listed:
        """Return one of the desk's lists, or the part of it that binds some."""
        wanted = self._bounds(when) if bounds is None else bounds
        return Listed(self, within(when, self.on), wanted)

    def entries(self, condition: Condition, bound: Bound) -> QuerySet[DocketEntry]:
        """Return the entries that bind a person, the earliest date first."""
        return self.running(condition).filter(bound=bound).order_by("on", "pk")

    def running(self, condition: Condition) -> QuerySet[DocketEntry]:
        """Return the running entries that fit the question."""
        if self.question.rule:
            condition = condition | {"rule": self.question.rule}
        if self.sites is not None:
            condition = condition | {"site_id__in": self.sites}
        return DocketEntry.objects.running().filter(**condition)

    def _bounds(self, when: str) -> tuple[Bound, ...]:
        """Return who may be bound: only the city waits to act, and a right is never late."""
        if when in ("opened", "closed"):
            return tuple(bound for bound in self.bounds if bound == Bound.CITY)
        if when == "late":
            return tuple(bound for bound in self.bounds if bound != Bound.AGGRIEVED)
        return self.bounds

    def _search(self) -> list[int]:
        keys, self.too_many = find_site_keys(self.question.text, Site.objects.all())
        return keys


@lru_cache(maxsize=64)
def _first_statement(
    question: Question, on: date, shown: int, wanted: tuple[str, ...]
) -> Statement:
    """Return what reads the first lines of a question without a search, kept for the day."""
    docket = Docket(question, on=on)
    return docket._statement(docket._first_reads(shown, wanted))


def _bounds_of(key: str, cut: Sequence[tuple[str, Bound]]) -> list[Bound]:
    return [bound for each, bound in cut if each == key]


def _by_date(entry: DocketEntry) -> tuple[date, int]:
    return entry.on, entry.pk
