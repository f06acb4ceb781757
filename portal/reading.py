"""Several lists of one table read by one statement, each as far as it is shown.

Django's own SQL, put together: that takes longer than running it, so keep it where the lists stay
the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db.models import QuerySet

from portal.counting import Statement

__all__ = ["LIST", "together"]

LIST = "list_number"
"""What each row read says of the list from which it comes."""


def together(lists: Sequence[QuerySet[Any]]) -> Statement:
    """Return one statement that reads lists with the same columns, for `objects.raw()`.

    Each row has the number of its list as `list_number`; the rows come in no order. The statement
    is empty where no list can have a row.
    """
    parts: list[str] = []
    params: list[Any] = []
    for number, rows in enumerate(lists):
        try:
            sql, more = rows.query.sql_with_params()
        except EmptyResultSet:  # a condition that no row can meet
            continue
        part = f'SELECT "part".*, {number} AS "{LIST}" FROM ({sql}) AS "part"'  # noqa: S608
        parts.append(part)
        params += more
    return " UNION ALL ".join(parts), tuple(params)
