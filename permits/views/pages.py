"""Lists in pages that cost the same however large the city is."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest

__all__ = ["MOST_LISTED", "PER_PAGE", "page_of"]

PER_PAGE = 25
MOST_LISTED = 500
"""Nobody pages further than this; a filter leads there sooner."""


class CappedPaginator(Paginator[Any]):
    """Pages of a list that is counted only up to a bound."""

    @cached_property
    def count(self) -> int:  # type: ignore[override]
        """Return the number of rows, but never more than the bound."""
        return min(self._counted, MOST_LISTED)

    @cached_property
    def _counted(self) -> int:
        rows: Any = self.object_list
        if isinstance(rows, QuerySet):
            return int(rows[: MOST_LISTED + 1].count())
        return len(rows)

    @property
    def has_more(self) -> bool:
        """Whether the list goes on behind its last page."""
        return self._counted > MOST_LISTED


def page_of(request: HttpRequest, rows: Any, *, per_page: int = PER_PAGE) -> Page[Any]:
    """Return the page that was asked for; a number that is none gives the first or last."""
    return CappedPaginator(rows, per_page).get_page(request.GET.get("page"))
