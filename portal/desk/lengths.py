"""How long the desk's lists are, as far as anybody counts: all of them in one query.

The statement depends on the day and the question only, so it is put together once and kept;
a search for sites makes its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import QuerySet

from .docket import Docket, Listed, Question
from .waiting import WAITING

__all__ = ["MANY", "Wanted", "lengths", "written"]

MANY = 100
"""Nobody reads a larger number; it is written 100+ and costs no more."""

Wanted = tuple[str, tuple[str, ...]]
"""A list by its key; of the docket's lists the persons bound, all who can be for none."""
Statement = tuple[str, tuple[Any, ...]]


def lengths(docket: Docket, asked: Sequence[Wanted]) -> dict[Wanted, int]:
    """Return how long each list is, up to one more than `MANY`."""
    if not asked:
        return {}
    if docket.sites is None:
        sql, params = _kept(tuple(asked), docket.question, docket.on)
    else:
        sql, params = _statement(tuple(asked), docket)
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return dict(zip(asked, cursor.fetchone(), strict=True))


@lru_cache(maxsize=256)
def _kept(asked: tuple[Wanted, ...], question: Question, on: date) -> Statement:
    return _statement(asked, Docket(question, on=on))


def _statement(asked: Sequence[Wanted], docket: Docket) -> Statement:
    parts: list[str] = []
    params: list[Any] = []
    for key, bounds in asked:
        try:
            sql, more = _rows(key, bounds, docket).query.sql_with_params()
        except EmptyResultSet:  # a search that found no site
            parts.append("0")
            continue
        parts.append(f'(SELECT COUNT(*) FROM ({sql}) AS "list")')  # noqa: S608 - Django's own SQL
        params += more
    return f"SELECT {', '.join(parts)}", tuple(params)


def _rows(key: str, bounds: tuple[str, ...], docket: Docket) -> QuerySet[Any]:
    if key in WAITING:
        rows = WAITING[key].found(docket.sites).order_by()
        return rows.values_list("pk")[: MANY + 1]
    listed: Listed = docket.listed(key, bounds or None)  # type: ignore[arg-type]
    return listed.keys_to(MANY + 1)


def written(count: int) -> str:
    """Return how many there are: 12, or 100+."""
    return f"{MANY}+" if count > MANY else str(count)
