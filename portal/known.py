"""The council's rows and the closures, read once for a page that asks for many dates.

Inside `reading_once()` the city's calendar and the council's values are worked out from
two queries, however many clocks the page shows. Nothing is kept after the block.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from portal.models import Closure, CouncilValue

__all__ = ["Rows", "reading_once", "rows"]


@dataclass
class Rows:
    """The rows that were read, each table when it is first asked for."""

    _closures: list[Closure] | None = field(default=None)
    _values: list[CouncilValue] | None = field(default=None)

    @property
    def closures(self) -> list[Closure]:
        """Every closure in the order of entry."""
        if self._closures is None:
            self._closures = list(Closure.objects.order_by("pk"))
        return self._closures

    @property
    def values(self) -> list[CouncilValue]:
        """Every value of the council, the newest in force first."""
        if self._values is None:
            self._values = list(CouncilValue.objects.order_by("-effective_on", "-pk"))
        return self._values


_rows: ContextVar[Rows | None] = ContextVar("council_rows", default=None)


def rows() -> Rows | None:
    """Return what was read, or None outside a `reading_once()` block."""
    return _rows.get()


@contextmanager
def reading_once() -> Iterator[None]:
    """Read the council's rows at most once until the block ends."""
    token = _rows.set(_rows.get() or Rows())
    try:
        yield
    finally:
        _rows.reset(token)
