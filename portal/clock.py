"""The only reader of the clock: everything else takes the day as an argument."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime

from django.utils import timezone

__all__ = ["as_of", "local_day", "now", "today"]

_pinned: ContextVar[datetime | None] = ContextVar("pinned", default=None)


def now() -> datetime:
    """Return the moment for the record, aware of its time zone."""
    return _pinned.get() or timezone.now()


def today() -> date:
    """Return the calendar day in the city's time zone, which the law counts."""
    return timezone.localdate(now())


def local_day(moment: datetime) -> date:
    """Return the calendar day in the city on which `moment` fell."""
    return timezone.localdate(moment)


@contextmanager
def as_of(moment: datetime) -> Iterator[None]:
    """Let what is recorded inside bear `moment`: for loaders of past cases, nothing else.

    Only the calling thread (or task) sees it; other requests go on with the real time.
    """
    token = _pinned.set(moment)
    try:
        yield
    finally:
        _pinned.reset(token)
