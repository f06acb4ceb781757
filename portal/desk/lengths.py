"""How long the desk's lists are, as far as anybody counts: all of them in one query.

The statement depends on the day and the question only, so it is put together once and kept;
a search for sites makes its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from functools import lru_cache, partial
from typing import Any

from django.db.models import QuerySet

from enforcement.views import appeals
from portal.counting import MANY, Statement, counts, statement, written

from .docket import Docket, Question
from .reports import REPORTS, unsent_mails, waiting_reports
from .waiting import WAITING

__all__ = ["APPEALS", "MAILS", "MANY", "Wanted", "lengths", "written"]

Wanted = tuple[str, tuple[str, ...]]
"""A list by its key; of the docket's lists the persons bound, all who can be for none."""


MAILS = "mails"
APPEALS = {key: f"appeals {key}" for key in appeals.LISTS}
"""The keys of the lists of appeals among the desk's."""

OTHERS: dict[str, Callable[[], QuerySet[Any]]] = {
    REPORTS: waiting_reports,
    MAILS: unsent_mails,
    **{of_desk: partial(appeals.rows_of, key) for key, of_desk in APPEALS.items()},
}
"""Lists that are no part of the docket and wait for no applicant."""


def lengths(docket: Docket, asked: Sequence[Wanted]) -> dict[Wanted, int]:
    """Return how long each list is, up to one more than `MANY`."""
    if not asked:
        return {}
    if docket.sites is None:
        found = _kept(tuple(asked), docket.question, docket.on)
    else:
        found = _statement(asked, docket)
    return dict(zip(asked, counts(found), strict=True))


@lru_cache(maxsize=256)
def _kept(asked: tuple[Wanted, ...], question: Question, on: date) -> Statement:
    return _statement(asked, Docket(question, on=on))


def _statement(asked: Sequence[Wanted], docket: Docket) -> Statement:
    return statement([_rows(key, bounds, docket) for key, bounds in asked])


def _rows(key: str, bounds: tuple[str, ...], docket: Docket) -> QuerySet[Any]:
    if key in OTHERS:
        return OTHERS[key]()
    if key in WAITING:
        return WAITING[key].found(docket.sites).order_by()
    return docket.listed(key, bounds or None).keys()  # type: ignore[arg-type]
