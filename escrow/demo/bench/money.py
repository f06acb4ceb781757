"""Measures the clerk's November: the preview, the files of the roll, and the trial balance."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from itertools import islice
from tempfile import TemporaryFile
from typing import Any

from django.db import connection

from escrow.books.trial import trial_balance
from escrow.models import Path, RollBatch, RollLayout, RollLine
from escrow.roll import certify
from escrow.roll.candidates import candidates
from escrow.roll.columns import FIELDS
from escrow.roll.writers import lines_of, write
from escrow.roll.year import roll_year_on
from portal import clock
from portal.patience import take_time

from .pages import november

__all__ = ["measure"]

SHEET_ROWS = 10_000
TIMES = 3
"""The best of so many runs counts: what disturbs one run is no property of it."""


class Sink:
    """A file that keeps nothing: only how much was written."""

    def __init__(self) -> None:
        self.size = 0

    def write(self, data: Any) -> int:
        self.size += len(data)
        return len(data)

    def readable(self) -> bool:
        return False

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False

    closed = False

    def flush(self) -> None:
        """Nothing waits."""


def measure() -> dict[str, float]:
    """Return rows, seconds, and megabytes by which the memory grew; no file is kept.

    The file comes first: the memory that it takes is the most that was ever taken.
    """
    take_time()
    found: dict[str, float] = {}
    batch = RollBatch.objects.filter(status="certified").order_by("-count").first()
    if batch is not None:
        found |= _files(batch)
    page = november()
    found["preview s"] = _best(lambda: page.client.get(page.url))
    found["preview charges"] = _previewed()
    found["balance s"] = _best(lambda: trial_balance(on=clock.today()))
    return found


def _previewed() -> int:
    """Return how many charges stand on the preview."""
    today = clock.today()
    listed = candidates(
        Path.SPECIAL_CHARGE, cut_off_on=roll_year_on(today).list_on, on=today, layout=None
    )
    return len(certify.lines_from(listed))


def _files(batch: RollBatch) -> dict[str, float]:
    plain, sheet = (
        RollLayout.objects.get(name=name) for name in ("CSV, all columns", "Excel, all columns")
    )
    memory = _peak()
    found: dict[str, float] = {
        "csv rows": batch.count,
        "csv s": _best(lambda: write(plain, batch, lines_of(batch), Sink())),  # type: ignore[arg-type]
    }
    found["csv MB"] = _peak() - memory
    if connection.vendor == "postgresql":
        found["copy s"] = _best(lambda: _copy(batch))
    rows = min(batch.count, SHEET_ROWS)
    with TemporaryFile() as target:
        found["sheet rows"] = rows
        found["sheet s"] = _best(
            lambda: write(sheet, batch, islice(lines_of(batch), rows), target), times=1
        )
    return found


def _copy(batch: RollBatch) -> None:
    """Let PostgreSQL write the same rows as CSV by itself."""
    rows = RollLine.objects.filter(batch=batch).order_by("position").values_list(*FIELDS)
    statement, values = rows.query.sql_with_params()
    with connection.cursor() as cursor:
        asked = cursor.mogrify(statement, values).decode()
        cursor.copy_expert(f"COPY ({asked}) TO STDOUT WITH CSV HEADER", Sink())


def _best(run: Callable[[], Any], *, times: int = TIMES) -> float:
    """Return the seconds of the quickest of some runs."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        found.append(time.perf_counter() - start)
    return min(found)


def _peak() -> float:
    """The most memory that the process ever held, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
