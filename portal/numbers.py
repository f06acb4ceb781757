"""Numbers of cases and papers: unique, by local year, never reused; gaps are allowed."""

from __future__ import annotations

from datetime import date

from django.db import transaction
from django.db.models import F

from portal.models import NumberCounter

__all__ = ["next_number"]

SERIES = frozenset(
    {"S", "AP", "EC", "SW", "NI", "IN", "SC", "RP"}
    | {"BL", "AS", "RC", "DR", "FO", "RL", "DP"}  # the money
)


def next_number(series: str, *, on: date) -> str:
    """Return the next number of a series, such as `EC-2026-0042`.

    Must run inside the transaction of the act, so that the counter's row lock holds
    until the number is used. Raises ValueError for an unknown series.
    """
    if series not in SERIES:
        raise ValueError(f"No series of numbers is called {series!r}.")
    with transaction.atomic():
        NumberCounter.objects.get_or_create(series=series, year=on.year)
        counters = NumberCounter.objects.filter(series=series, year=on.year)
        counters.update(last=F("last") + 1)  # takes the row's lock
        last = counters.values_list("last", flat=True).get()
    return f"{series}-{on.year}-{last:04d}"
