"""The only reader of the clock: everything else takes the day as an argument."""

from __future__ import annotations

from datetime import date, datetime

from django.utils import timezone

__all__ = ["local_day", "now", "today"]


def now() -> datetime:
    """Return the moment for the record, aware of its time zone."""
    return timezone.now()


def today() -> date:
    """Return the calendar day in the city's time zone, which the law counts."""
    return timezone.localdate(now())


def local_day(moment: datetime) -> date:
    """Return the calendar day in the city on which `moment` fell."""
    return timezone.localdate(moment)
