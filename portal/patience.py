"""Commands and loaders may take longer over a statement than a page may."""

from __future__ import annotations

from django.db import connection

__all__ = ["take_time"]


def take_time() -> None:
    """Let no statement of this process be ended for being slow; SQLite ends none."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = 0")
