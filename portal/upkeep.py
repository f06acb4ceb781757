"""Upkeep of the database, once a day: SQLite learns the size of its tables.

Without such figures it may read a large table from its beginning where an index would do.
PostgreSQL sees to this by itself.
"""

from __future__ import annotations

from datetime import date

from django.db import connection

__all__ = ["refresh_figures"]

ROWS_LOOKED_AT = 1000
"""Of each index; so the look takes a moment in a large city, too."""
EVERY_TABLE = 0x10002
"""Also tables that this connection has not read, and only where the figures are old."""


def refresh_figures(on: date) -> int:
    """Let SQLite renew its figures where they are old; returns whether it was asked."""
    if connection.vendor != "sqlite":
        return 0
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA analysis_limit = {ROWS_LOOKED_AT}")
        cursor.execute(f"PRAGMA optimize({EVERY_TABLE})")
    return 1
