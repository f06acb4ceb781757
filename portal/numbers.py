"""Numbers of cases and papers: unique, by local year, never reused; gaps are allowed."""

from __future__ import annotations

from datetime import date

from django.db import transaction
from django.db.models import F

from portal.models import NumberCounter

__all__ = ["next_number", "next_numbers"]

SERIES = frozenset(
    {"S", "AP", "EC", "SW", "NI", "ON", "RO", "AB", "IN", "SC", "RP", "MA", "RR", "DL"}
    | {"MI", "MN"}  # upkeep: inspections of practices, and notices of maintenance
    | {"BL", "AS", "RC", "DR", "FO", "RL", "DP", "RB"}  # the money
    | {"EX"}  # case files handed out
)


def next_number(series: str, *, on: date) -> str:
    """Return the next number of a series, such as `EC-2026-0042`.

    Must run inside the transaction of the act, so that the counter's row lock holds
    until the number is used. Raises ValueError for an unknown series.
    """
    return next_numbers(series, 1, on=on)[0]


def next_numbers(series: str, count: int, *, on: date) -> list[str]:
    """Return the next numbers of a series, as many as one act needs. See `next_number`."""
    if series not in SERIES:
        raise ValueError(f"No series of numbers is called {series!r}.")
    with transaction.atomic():
        NumberCounter.objects.get_or_create(series=series, year=on.year)
        counters = NumberCounter.objects.filter(series=series, year=on.year)
        counters.update(last=F("last") + count)  # takes the row's lock
        last = counters.values_list("last", flat=True).get()
    return [f"{series}-{on.year}-{number:04d}" for number in range(last - count + 1, last + 1)]
