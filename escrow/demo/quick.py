"""Writes many rows at once, past the models: only for made-up cities."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from io import StringIO
from itertools import count
from typing import Any
from uuid import UUID

from django.core.management.color import no_style
from django.db import connection, models

__all__ = ["Table", "settle_keys"]

Row = list[Any]


class Table:
    """The table of a model; what a row does not say gets the field's own default.

    The rows of a table that is keyed get their keys here, so that others can refer to them
    before they are written; `settle_keys` tells the database afterwards.
    """

    def __init__(self, model: type[models.Model], *, keyed: bool = False) -> None:
        written = [field for field in model._meta.concrete_fields if not field.generated]
        fields = [field for field in written if keyed or not field.primary_key]
        rows: models.QuerySet[Any] = model._default_manager.order_by("-pk")
        last = rows.values_list("pk", flat=True).first() if keyed else 0
        self.keys = count((last or 0) + 1) if keyed else None
        self.place = {field.attname: place for place, field in enumerate(fields)}
        self.usual: Row = [field.get_default() for field in fields]
        self.name = model._meta.db_table
        self.columns = [str(field.column) for field in fields]
        self.waiting: list[Row] = []

    def add(self, **values: Any) -> int:
        """Take a row, its values under the names of the columns; returns its key, if it has one."""
        row, key = self.usual.copy(), next(self.keys) if self.keys else 0
        if key:
            values["id"] = key
        for name, value in values.items():
            row[self.place[name]] = value
        self.waiting.append(row)
        return key

    def take(self, instance: object) -> None:
        """Take a row that was made as a model."""
        held = instance.__dict__
        self.waiting.append([held[name] for name in self.place])

    def write(self) -> None:
        """Write the rows that wait."""
        rows = [[_PLAIN.get(type(value), _same)(value) for value in row] for row in self.waiting]
        self.waiting = []
        quoted = connection.ops.quote_name
        names = ", ".join(quoted(column) for column in self.columns)
        table = f"{quoted(self.name)} ({names})"
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                lines = StringIO("".join(_line(row) for row in rows))
                cursor.copy_expert(f"COPY {table} FROM STDIN", lines)
            else:
                places = ", ".join(["%s"] * len(self.columns))
                insert = f"INSERT INTO {table} VALUES ({places})"  # noqa: S608 - our own names
                cursor.executemany(insert, rows)


def _line(row: Row) -> str:
    """Return a row as PostgreSQL's COPY reads it."""
    return "\t".join([_cell(value) for value in row]) + "\n"


def _cell(value: Any) -> str:
    if value is None:
        return "\\N"
    if type(value) is str:
        return value.translate(_ESCAPED) if _SPECIAL.search(value) else value
    return str(value)


_SPECIAL = re.compile(r"[\\\n\r\t]")
_ESCAPED = str.maketrans({"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def settle_keys(tables: Iterable[type[models.Model]]) -> None:
    """Let the database go on counting after the keys that were given here."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), list(tables)):
            cursor.execute(statement)


@lru_cache(maxsize=100_000)
def _moment(moment: datetime) -> Any:
    return connection.ops.adapt_datetimefield_value(moment)


def _same(value: Any) -> Any:
    return value


_PLAIN: dict[type, Callable[[Any], Any]] = {
    date: date.isoformat,
    datetime: lambda moment: _moment(moment),
    Decimal: str,
    UUID: lambda key: key.hex,
    dict: json.dumps,
    list: json.dumps,
}
