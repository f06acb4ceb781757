"""Writes many rows at once, past the models: only for made-up cities."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.db import connection, models

__all__ = ["Table"]

Row = list[Any]


class Table:
    """The table of a model; what a row does not say gets the field's own default."""

    def __init__(self, model: type[models.Model]) -> None:
        fields = [
            field
            for field in model._meta.concrete_fields
            if not (field.primary_key or field.generated)
        ]
        self.place = {field.attname: place for place, field in enumerate(fields)}
        self.usual: Row = [field.get_default() for field in fields]
        self.name = model._meta.db_table
        self.columns = [str(field.column) for field in fields]
        self.waiting: list[Row] = []

    def add(self, **values: Any) -> None:
        """Take a row, its values under the names of the model's columns."""
        row = self.usual.copy()
        for name, value in values.items():
            row[self.place[name]] = value
        self.waiting.append(row)

    def take(self, instance: models.Model) -> None:
        """Take a row that was made as a model."""
        held = instance.__dict__
        self.waiting.append([held[name] for name in self.place])

    def write(self) -> None:
        """Write the rows that wait."""
        rows = [[_PLAIN.get(type(value), _same)(value) for value in row] for row in self.waiting]
        self.waiting = []
        quoted = connection.ops.quote_name
        names = ", ".join(quoted(column) for column in self.columns)
        start = f"INSERT INTO {quoted(self.name)} ({names}) VALUES "  # noqa: S608 - our own names
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                self._write_postgresql(cursor.cursor, start, rows)
            else:
                cursor.executemany(start + f"({', '.join(['%s'] * len(self.columns))})", rows)

    def _write_postgresql(self, cursor: Any, start: str, rows: Iterable[Row]) -> None:
        from psycopg2.extras import execute_values  # type: ignore[import-untyped]

        execute_values(cursor, start + "%s", rows, page_size=1000)


def _same(value: Any) -> Any:
    return value


_PLAIN: dict[type, Callable[[Any], Any]] = {
    date: date.isoformat,
    datetime: lambda moment: connection.ops.adapt_datetimefield_value(moment),
    Decimal: str,
    dict: json.dumps,
    list: json.dumps,
}
