"""What every test may ask for: the day, the folder of cases, the repository's root."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from datetime import date, datetime, time
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.backends.base.operations import BaseDatabaseOperations
from playwright.sync_api import Browser, Playwright, sync_playwright

from portal import guards, ordinance
from portal.ordinance import Edition

from .strict import as_strict_as_postgres

ROOT = Path(__file__).resolve().parent.parent
CASES = Path(os.environ.get("SILTFENCE_CASES", ROOT.parent / "shared" / "cases"))
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
ON_POSTGRES = settings.DATABASES["default"]["ENGINE"] == "django.db.backends.postgresql"

DATABASE = {"db", "transactional_db", "lasting_database"}
"""Fixtures of whoever asks the database."""

needs_cases = pytest.mark.skipif(not CASES.is_dir(), reason="the folder of cases is not here")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what asks the database; skip what this machine cannot run, and say why."""
    for item in items:
        if "django_db" in item.keywords or DATABASE & set(getattr(item, "fixturenames", ())):
            item.add_marker("database")
        if "postgres" in item.keywords and not ON_POSTGRES:
            item.add_marker(pytest.mark.skip(reason="needs PostgreSQL: set DATABASE_URL"))
        if "browser" in item.keywords and CHROMIUM is None:
            item.add_marker(pytest.mark.skip(reason="needs Chromium: install chromium"))


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's root."""
    return ROOT


@pytest.fixture(scope="session")
def cases() -> Path:
    """The folder of case tables; the test is skipped where it is absent."""
    if not CASES.is_dir():
        pytest.skip("the folder of cases is not here")
    return CASES


@pytest.fixture
def at() -> Iterator[Callable[..., datetime]]:
    """Move the clock to a day in the city, at noon unless said otherwise.

    `at(date(2026, 12, 8))`, `at("2026-12-08")`, `at("2026-12-08", "23:30")`. It goes on
    ticking from there; a later call in the same test moves it again.
    """
    travels: list[time_machine.travel] = []

    def move(day: date | str, clock: time | str = "12:00") -> datetime:
        day = date.fromisoformat(day) if isinstance(day, str) else day
        clock = time.fromisoformat(clock) if isinstance(clock, str) else clock
        moment = datetime.combine(day, clock, ZoneInfo(settings.TIME_ZONE))
        while travels:
            travels.pop().stop()
        travel = time_machine.travel(moment.astimezone(ZoneInfo("UTC")), tick=True)
        travel.start()
        travels.append(travel)
        return moment

    yield move
    while travels:
        travels.pop().stop()


@pytest.fixture(scope="session", autouse=True)
def _tables_can_be_emptied() -> Iterator[None]:
    """Let the test runner empty append-only tables between tests, and nobody else."""
    empty = BaseDatabaseOperations.execute_sql_flush

    def empty_without_guards(self: BaseDatabaseOperations, statements: list[str]) -> None:
        guards.take_down()
        empty(self, statements)
        guards.put_up()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseDatabaseOperations, "execute_sql_flush", empty_without_guards)
        yield


@pytest.fixture(scope="module")
def lasting_database(django_db_setup, django_db_blocker) -> Iterator[None]:
    """Keep what is written outside of a test's own transaction until the module ends."""
    with django_db_blocker.unblock():
        yield
        call_command("flush", interactive=False, verbosity=0)


@pytest.fixture(scope="session", autouse=True)
def _no_database_takes_more_than_the_other() -> Iterator[None]:
    """Find on SQLite what PostgreSQL would refuse."""
    with nullcontext() if ON_POSTGRES else as_strict_as_postgres():
        yield


@pytest.fixture
def unmeasured(db: None) -> None:
    """Let SQLite plan as in a database that never counted its rows, whatever ran before."""
    if ON_POSTGRES:
        return
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE sqlite_schema")
        cursor.execute("DELETE FROM sqlite_stat1")
        cursor.execute("ANALYZE sqlite_schema")


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """What drives the browsers: there can be one of it in a process."""
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """One Chromium for all tests; each takes a context of its own."""
    chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
    yield chromium
    chromium.close()


@pytest.fixture(autouse=True)
def _files_of_this_test(settings, tmp_path: Path) -> None:
    """Keep each test's stored files apart, and its mail in memory."""
    settings.MEDIA_ROOT = tmp_path / "files"


@pytest.fixture
def neighbor() -> Iterator[Edition]:
    """The portal as the neighboring city runs it: by its folder of editions, and no other code."""
    before = ordinance.use("neighbor")
    yield ordinance.all_editions()[-1]
    ordinance.use(before)
