"""What the docket holds for a desk: late, today, this week, later, opened.

Each list is read by the index of running clocks, one person bound at a time, and only as
far as it is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from heapq import merge
from typing import Any

from django.db.models import Q, QuerySet

from permits.models import DocketEntry, Site

from .finding import find_site_keys

__all__ = ["BOUND", "WHEN", "Docket", "Listed", "Question"]

Bound = DocketEntry.Bound
Kind = DocketEntry.Kind
WEEK = timedelta(days=7)

BOUND: dict[str, tuple[str, tuple[Bound, ...]]] = {
    "city": ("the city", (Bound.INSPECTOR, Bound.CITY)),
    "holder": ("the permittee, or a person ordered", (Bound.PERMITTEE, Bound.PERSON)),
    "all": (
        "anybody who has a duty",
        (Bound.INSPECTOR, Bound.CITY, Bound.PERMITTEE, Bound.PERSON),
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
}


@dataclass(frozen=True)
class Question:
    """What somebody wants to see of the docket."""

    who: str = "city"
    rule: str = ""
    text: str = ""


def within(when: str, on: date) -> Q:
    """Return the condition of one list of the desk, on a day."""
    duty, waiting = Q(kind=Kind.DEADLINE), Q(kind=Kind.WAITING)
    return {
        "late": duty & Q(on__lt=on),
        "today": duty & Q(on=on),
        "week": duty & Q(on__gt=on, on__lte=on + WEEK),
        "soon": duty & Q(on__gte=on, on__lte=on + WEEK),
        "later": duty & Q(on__gt=on + WEEK),
        "opened": waiting & Q(on__lte=on),
        "closed": waiting & Q(on__gt=on),
    }[when]


class Listed(Sequence[DocketEntry]):
    """One list of the docket, put together from the lists of each person bound."""

    def __init__(self, parts: Sequence[QuerySet[DocketEntry]]) -> None:
        self.parts = parts

    def __getitem__(self, asked: Any) -> Any:
        """Return the entries of a slice, the earliest date first."""
        if len(self.parts) == 1:
            return list(self.parts[0][asked])
        read = [part[: asked.stop] for part in self.parts]
        return list(merge(*read, key=_by_date))[asked]

    def __len__(self) -> int:
        return self.count_to(1_000_000)

    def count_to(self, bound: int) -> int:
        """Count the entries, each part only up to a bound."""
        return sum(part[:bound].count() for part in self.parts)


class Read(Listed):
    """A list that is read already, as after a search."""

    def __init__(self, entries: Iterable[DocketEntry]) -> None:
        self.entries = sorted(entries, key=_by_date)

    def __getitem__(self, asked: Any) -> Any:
        return self.entries[asked]

    def count_to(self, bound: int) -> int:
        """Count the entries up to a bound."""
        return min(bound, len(self.entries))


class Docket:
    """The running clocks that a question is about."""

    def __init__(self, question: Question, *, on: date) -> None:
        self.on = on
        self.question = question
        self.bounds = BOUND[question.who][1]
        self.too_many = False
        self.found = self._search() if question.text else None

    def listed(self, when: str) -> Listed:
        """Return one of the desk's lists."""
        condition = within(when, self.on)
        if self.question.rule:
            condition &= Q(rule=self.question.rule)
        if self.found is not None:
            keys = [entry.pk for entry in self.found]
            return Read(_entries().filter(condition, pk__in=keys, bound__in=self._bounds(when)))
        return Listed([_entries().filter(condition, bound=bound) for bound in self._bounds(when)])

    def _bounds(self, when: str) -> tuple[Bound, ...]:
        """Return who may be bound: only the city waits to act, and a right is never late."""
        if when in ("opened", "closed"):
            return tuple(bound for bound in self.bounds if bound == Bound.CITY)
        if when == "late":
            return tuple(bound for bound in self.bounds if bound != Bound.AGGRIEVED)
        return self.bounds

    def _search(self) -> list[DocketEntry]:
        keys, self.too_many = find_site_keys(self.question.text, Site.objects.all())
        return list(DocketEntry.objects.running().filter(site_id__in=keys).only("pk"))


def _entries() -> QuerySet[DocketEntry]:
    return DocketEntry.objects.running().select_related("site").order_by("on", "pk")


def _by_date(entry: DocketEntry) -> tuple[date, int]:
    return entry.on, entry.pk
