"""Numbers of cases and counts of dates for a large city, each worked out once."""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import Any

from portal.city import edition_on
from portal.models import NumberCounter
from portal.ordinance import Calendar, Deadline
from portal.ordinance.appeals import appeal_deadline
from portal.ordinance.decision import decision_deadline, revision_review_deadline
from portal.ordinance.permit_date import completion_deadline

__all__ = ["Counts", "Numbers"]


class Numbers:
    """Numbers of cases, taken from the counters and given back when all are written."""

    def __init__(self) -> None:
        rows = NumberCounter.objects.all()
        self.last = {(row.series, row.year): row.last for row in rows}

    def next(self, series: str, on: date) -> str:
        """Return the next number of a series and year."""
        number = self.last[series, on.year] = self.last.get((series, on.year), 0) + 1
        return f"{series}-{on.year}-{number:04d}"

    def save(self) -> None:
        """Set the counters to what was given out."""
        for (series, year), last in self.last.items():
            NumberCounter.objects.update_or_create(
                series=series, year=year, defaults={"last": last}
            )


class Counts:
    """The rules of the ordinance, each asked once for the same days."""

    def __init__(self, calendar: Calendar) -> None:
        self.calendar = calendar
        self.decision = cache(lambda on: self._ask(decision_deadline, on))
        self.review = cache(lambda on: self._ask(revision_review_deadline, on))
        self.appeal = cache(lambda on: self._ask(appeal_deadline, on))
        self.cover = cache(self._cover)

    def _ask(self, rule: Any, on: date) -> Deadline:
        found: Deadline = rule(on, calendar=self.calendar, edition=edition_on(on))
        return found

    def _cover(self, due: date, issued: date) -> Deadline:
        return completion_deadline(
            due, started_on=issued, calendar=self.calendar, edition=edition_on(issued)
        )
