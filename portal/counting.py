"""Counts that stop where nobody reads on: several of them in one statement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import QuerySet

__all__ = ["MANY", "Statement", "counts", "statement", "written"]

MANY = 100
"""Nobody reads a larger number; it is written 100+ and costs no more."""

Statement = tuple[str, tuple[Any, ...]]


def statement(lists: Sequence[QuerySet[Any]]) -> Statement:
    """Return one statement that counts each list, up to one more than `MANY`.

    Putting it together takes longer than running it: keep it where the lists stay the same.
    """
    parts: list[str] = []
    params: list[Any] = []
    for rows in lists:
        try:
            sql, more = rows.values_list("pk")[: MANY + 1].query.sql_with_params()
        except EmptyResultSet:  # a condition that no row can meet
            parts.append("0")
            continue
        parts.append(f'(SELECT COUNT(*) FROM ({sql}) AS "list")')  # noqa: S608 - Django's own SQL
        params += more
    return f"SELECT {', '.join(parts)}", tuple(params)


def counts(asked: Statement) -> tuple[int, ...]:
    """Run a statement and return how long each list is."""
    with connection.cursor() as cursor:
        cursor.execute(*asked)
        found: tuple[int, ...] = tuple(cursor.fetchone())
    return found


def written(count: int) -> str:
    """Return how many there are: 12, or 100+."""
    return f"{MANY}+" if count > MANY else str(count)
