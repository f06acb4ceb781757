"""SQLite, which keeps anything, takes in the tests no more than PostgreSQL would.

A value longer than its column, a whole number larger than its column, a NUL: refused here
as they are there, so that no page can answer with an error that only production shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import DataError, models
from django.db.backends.base.operations import BaseDatabaseOperations
from django.db.backends.sqlite3.base import SQLiteCursorWrapper

__all__ = ["as_strict_as_postgres"]

RANGES = BaseDatabaseOperations.integer_field_ranges


@contextmanager
def as_strict_as_postgres() -> Iterator[None]:
    """Refuse what PostgreSQL refuses, whatever writes it: save, bulk_create or update."""
    keep, execute = models.Field.get_db_prep_save, SQLiteCursorWrapper.execute

    def keep_what_fits(self: models.Field, value: Any, connection: Any) -> Any:
        _refuse_misfit(self, value)
        return keep(self, value, connection)

    def execute_without_nul(self: SQLiteCursorWrapper, query: str, params: Any = None) -> Any:
        given = params.values() if isinstance(params, dict) else params or ()
        if any(isinstance(value, str) and "\x00" in value for value in given):
            raise ValueError("A string literal cannot contain NUL (0x00) characters.")
        return execute(self, query, params)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(models.Field, "get_db_prep_save", keep_what_fits)
        patch.setattr(SQLiteCursorWrapper, "execute", execute_without_nul)
        yield


def _refuse_misfit(field: models.Field, value: Any) -> None:
    if isinstance(field, models.CharField | models.FileField):
        longest = field.max_length
        if longest is not None and not hasattr(value, "as_sql") and len(str(value)) > longest:
            raise DataError(f"{field}: value too long for type character varying({longest})")
    elif isinstance(value, int) and field.get_internal_type() in RANGES:
        least, most = RANGES[field.get_internal_type()]
        if not least <= value <= most:
            raise DataError(f"{field}: integer out of range")
