"""The city's calendar: legal holidays by rule, closures by council resolution."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime

from portal import council, known
from portal.models import Closure, CouncilValue
from portal.ordinance import Calendar

__all__ = ["closures", "current_calendar"]


def closures(*, as_of: datetime | None = None) -> dict[date, str]:
    """Return the days on which city hall is closed, by the rows known `as_of`."""
    rows: Iterable[Closure] = Closure.objects.order_by("pk")
    if read := known.rows():
        rows = [row for row in read.closures if as_of is None or row.entered_at <= as_of]
    elif as_of is not None:
        rows = Closure.objects.filter(entered_at__lte=as_of).order_by("pk")
    found: dict[date, str] = {}
    for row in rows:
        if row.closed:
            found[row.day] = row.name
        else:
            found.pop(row.day, None)
    return found


def current_calendar(*, as_of: datetime | None = None) -> Calendar:
    """Return the calendar by which open clocks are counted.

    `as_of` gives the calendar as it was known at that moment, so that a decided case
    keeps the count by which it was decided.
    """
    known = closures(as_of=as_of)
    open_holidays = council.find_text(CouncilValue.Key.OPEN_HOLIDAYS, as_of=as_of)
    if open_holidays is None:
        return Calendar(closures=known)
    keys = frozenset(part.strip() for part in open_holidays.split(",") if part.strip())
    return Calendar(closures=known, city_hall_open=keys)
