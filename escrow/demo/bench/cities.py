"""Throw-away cities, each in a database and a folder of its own, and a process that measures."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg2  # type: ignore[import-untyped]
from django.conf import settings

__all__ = ["City", "Measurer", "postgres_server", "throw_away"]

LOCAL = "postgres://postgres@127.0.0.1:5432/postgres"
SECONDS_TO_CONNECT = 3


@dataclass(frozen=True)
class City:
    """A city of some sites on one kind of database."""

    engine: str
    sites: int
    server: str = ""

    @property
    def folder(self) -> Path:
        return Path(settings.VAR_DIR) / "bench" / f"{self.engine.lower()}-{self.sites}"

    @property
    def database(self) -> str:
        return f"siltfence_bench_{self.sites}"

    @property
    def url(self) -> str:
        """The address of its database."""
        if self.engine == "SQLite":
            return f"sqlite:///{self.folder / 'siltfence.sqlite3'}"
        return urlunsplit(urlsplit(self.server)._replace(path=f"/{self.database}"))

    def environment(self) -> dict[str, str]:
        """The environment of its processes: nothing in it reaches a real store or mailbox."""
        return os.environ | {
            "DJANGO_SETTINGS_MODULE": "portal.settings",
            "SILTFENCE_MODE": "demo",
            "SILTFENCE_DEBUG": "",
            "SILTFENCE_VAR": str(self.folder),
            "DATABASE_URL": self.url,
            "S3_BUCKET": "",
            "MAIL_URL": "",
            "MAIL_BACKEND": "",
        }

    def run(self, *words: str) -> None:
        """Run a command of `manage.py` in the city."""
        command = [sys.executable, "manage.py", *words, "--skip-checks"]
        subprocess.run(  # noqa: S603 - our own command
            command,
            cwd=settings.BASE_DIR,
            env=self.environment(),
            check=True,
            stdout=subprocess.DEVNULL,
        )

    def make(self) -> float:
        """Make the database, load the sites, and return how many seconds loading took."""
        self.remove()
        self.folder.mkdir(parents=True)
        if self.engine != "SQLite":
            _execute(self.server, f"CREATE DATABASE {self.database}")
        self.run("migrate", "--no-input", "--verbosity", "0")
        start = time.monotonic()
        self.run("load_city", "--sites", str(self.sites))
        return time.monotonic() - start

    def stands(self) -> bool:
        """Whether it was kept from an earlier run."""
        return (self.folder / "loaded").exists()

    def remove(self) -> None:
        """Remove database and folder."""
        shutil.rmtree(self.folder, ignore_errors=True)
        if self.engine != "SQLite":
            _execute(self.server, f"DROP DATABASE IF EXISTS {self.database} WITH (FORCE)")


class Measurer:
    """A warm process that opens the pages of one city."""

    def __init__(self, city: City) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "bench", "--measure", "--skip-checks"],
            cwd=settings.BASE_DIR,
            env=city.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, word: str) -> Any:
        """Send one word and return the answer."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(f"{word}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError("The measuring process ended; its message stands above.")
        return json.loads(answer)

    def close(self) -> None:
        """End the process."""
        self.process.communicate(timeout=60)


@contextmanager
def throw_away(city: City, *, keep: bool) -> Iterator[float | None]:
    """Have the city for a while; yields the seconds of loading, None where it was kept."""
    try:
        seconds = None
        if not (keep and city.stands()):
            seconds = city.make()
            (city.folder / "loaded").touch()
        yield seconds
    finally:
        if not keep:
            city.remove()


def postgres_server() -> str:
    """Return the address of a PostgreSQL server that may be used, empty where none answers."""
    configured = os.environ.get("DATABASE_URL", "")
    server = configured if configured.startswith("postgres") else LOCAL
    try:
        psycopg2.connect(server, connect_timeout=SECONDS_TO_CONNECT).close()
    except psycopg2.OperationalError:
        return ""
    return server


def _execute(server: str, statement: str) -> None:
    """Run a statement that PostgreSQL takes outside a transaction only."""
    connection = psycopg2.connect(server, connect_timeout=SECONDS_TO_CONNECT)
    try:
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute(statement)
    finally:
        connection.close()
