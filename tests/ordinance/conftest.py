"""For the tests of the law: calendars, and the folder of cases if it is there."""

import os
from datetime import date
from pathlib import Path

import pytest

from portal.ordinance import Calendar, Edition, edition_on

ROOT = Path(__file__).resolve().parents[2]
CASES = Path(os.environ.get("SILTFENCE_CASES", ROOT.parent / "shared" / "cases"))

CLOSURES = {
    date(2026, 4, 3): "Good Friday",
    date(2026, 11, 27): "Day after Thanksgiving",
    date(2026, 12, 24): "Christmas Eve",
    date(2026, 12, 31): "New Year's Eve",
}


@pytest.fixture
def calendar() -> Calendar:
    """A city without closures of its own."""
    return Calendar()


@pytest.fixture
def closed() -> Calendar:
    """A city that closes on four more days."""
    return Calendar(CLOSURES)


@pytest.fixture
def edition() -> Edition:
    """The ordinance as amended on January 25, 2021."""
    return edition_on(date(2026, 1, 1))


@pytest.fixture
def law_cases() -> Path:
    """The folder of cases; the test is skipped where it is absent."""
    if not CASES.is_dir():
        pytest.skip("the folder of cases is not here")
    return CASES
