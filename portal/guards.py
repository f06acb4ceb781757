"""Guards in the database itself: tables that refuse UPDATE, DELETE and TRUNCATE.

A guard is put up after every `migrate`, because SQLite loses a table's triggers whenever
a migration rebuilds the table. `missing()` says which are not up.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import connection

__all__ = [
    "Guard",
    "append_only",
    "missing",
    "never_removed",
    "put_up",
    "refuse_while",
    "register",
    "registered",
    "replace",
    "step_aside",
    "take_down",
]


class Guard:
    """A trigger by name, with its SQL for each kind of database."""

    def __init__(self, name: str, table: str, *, sqlite: str, postgresql: str) -> None:
        self.name = name
        self.table = table
        self.sql = {"sqlite": sqlite, "postgresql": postgresql}


_guards: dict[str, Guard] = {}
_retired: set[str] = set()


def register(guard: Guard) -> None:
    """Add a guard; apps do so in `AppConfig.ready()`."""
    _guards[guard.name] = guard


def registered() -> tuple[str, ...]:
    """Return the names of all guards."""
    return tuple(_guards)


def replace(name: str, guard: Guard) -> None:
    """Let a guard take the place of another, which comes down wherever it still stands."""
    _guards.pop(name, None)
    _retired.add(name)
    register(guard)


def append_only(table: str) -> None:
    """Guard a table whose rows are facts: they are added, never changed or removed."""
    _refuse(table, "update", "append-only")
    never_removed(table, "append-only")


def never_removed(table: str, why: str = "never removed from") -> None:
    """Guard a table whose rows have a status that may change: none of them is removed."""
    _refuse(table, "delete", why)
    register(
        Guard(
            f"{table}_no_truncate",
            table,
            sqlite="",
            postgresql=(
                f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} "
                f"FOR EACH STATEMENT EXECUTE FUNCTION siltfence_refuse('{why}')"
            ),
        )
    )


def _refuse(table: str, act: str, why: str) -> None:
    name = f"{table}_no_{act}"
    register(
        Guard(
            name,
            table,
            sqlite=(
                f"CREATE TRIGGER {name} BEFORE {act.upper()} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is {why}'); END"
            ),
            postgresql=(
                f"CREATE TRIGGER {name} BEFORE {act.upper()} ON {table} "
                f"FOR EACH ROW EXECUTE FUNCTION siltfence_refuse('{why}')"
            ),
        )
    )


def refuse_while(name: str, table: str, act: str, condition: str, why: str, of: str = "") -> Guard:
    """A trigger that refuses a row while the condition holds, on both databases."""
    event = f"{act} OF {of}" if of else act
    back = "OLD" if act == "DELETE" else "NEW"
    return Guard(
        name,
        table,
        sqlite=(
            f"CREATE TRIGGER {name} BEFORE {event} ON {table} WHEN {condition} "
            f"BEGIN SELECT RAISE(ABORT, '{why}'); END"
        ),
        postgresql=f"""
CREATE OR REPLACE FUNCTION siltfence_{name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF {condition} THEN
    RAISE EXCEPTION '{why}' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN {back};
END $$;
CREATE TRIGGER {name} BEFORE {event} ON {table}
FOR EACH ROW EXECUTE FUNCTION siltfence_{name}()
""",
    )


REFUSE = """
CREATE OR REPLACE FUNCTION siltfence_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is %', TG_TABLE_NAME, COALESCE(TG_ARGV[0], 'append-only')
    USING ERRCODE = 'integrity_constraint_violation';
END $$
"""


def put_up(**_: Any) -> None:
    """Put up every guard whose table is there and that is not up yet."""
    tables = set(connection.introspection.table_names())
    _drop(_retired)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(REFUSE)
        for guard in missing():
            if guard.table in tables:
                cursor.execute(guard.sql[connection.vendor])


def step_aside(**_: Any) -> None:
    """Take the guards down while SQLite migrates; `put_up` follows every migration.

    SQLite rebuilds a table under another name, and refuses to rename it back while the
    trigger of some other table names it.
    """
    if connection.vendor == "sqlite":
        take_down()


def take_down() -> None:
    """Take every guard down: to empty a test database, or to migrate on SQLite."""
    _drop(set(_guards) | _retired)


def _drop(names: set[str]) -> None:
    """Take down those of the guards that stand."""
    standing = _standing()
    with connection.cursor() as cursor:
        for name in names & set(standing):
            on = f" ON {standing[name]}" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER {name}{on}")


def missing() -> Iterator[Guard]:
    """Return the guards that should be up on this database and are not."""
    standing = _standing()
    for guard in list(_guards.values()):
        if guard.sql[connection.vendor] and guard.name not in standing:
            yield guard


def _standing() -> dict[str, str]:
    """Return the name of each trigger that is up, with its table."""
    query = {
        "sqlite": "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'",
        "postgresql": (
            "SELECT t.tgname, c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid "
            "WHERE NOT t.tgisinternal"
        ),
    }[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(query)
        return dict(cursor.fetchall())
