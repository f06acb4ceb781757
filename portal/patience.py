"""How long PostgreSQL may take: little over a page, as long as it takes over a command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

__all__ = ["QUICK", "take_time", "together"]

QUICK = (
    "-c statement_timeout=10000 -c lock_timeout=5000 "
    "-c jit=off -c max_parallel_workers_per_gather=0"
)
"""Of every connection. A page asks for little at a time: a compiler and helping processes
take longer to start than its queries do."""


def take_time() -> None:
    """Let no statement of this process be ended for being slow; SQLite ends none."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = 0")


@contextmanager
def together() -> Iterator[None]:
    """Let PostgreSQL read large tables by several processes meanwhile."""
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SET max_parallel_workers_per_gather = 2")
    try:
        yield
    finally:
        if not connection.needs_rollback:
            with connection.cursor() as cursor:
                cursor.execute("RESET max_parallel_workers_per_gather")
