"""The clerk imports a spreadsheet in Chromium: two rows wrong, mended, imported, run again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from permits.models import EarlierPermit, ImportBatch
from permits.verify import faults
from tests import factory
from tests.browser.barriers import barriers, is_too_wide
from tests.browser.person import Person, Wardrobe
from tests.imports.sheets import GOOD, WRONG, csv_of, xlsx_of

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

MENDED = (
    (*WRONG[0][:4], "12/31/2020", *WRONG[0][5:]),
    (WRONG[1][0], "Closed", *WRONG[1][2:]),
)


@pytest.fixture(params=[True, False], ids=["with scripts", "without scripts"])
def clerk(request, browser, live_server, at) -> Iterator[Person]:
    at(factory.MONDAY)
    made = Wardrobe(browser, live_server.url, script=request.param)
    person = made.somebody(width=320 if request.param else 1280)
    person.enter_as(factory.clerk())
    yield person
    made.close()
    assert made.complaints == []


def looks_good(person: Person) -> None:
    """No barrier, and everything fits on a phone; a page without scripts cannot be asked."""
    if person.page.viewport_size == {"width": 320, "height": 900}:
        assert barriers(person.page) == []
        assert not is_too_wide(person.page)


def send(person: Person, file: Path) -> None:
    """Send a spreadsheet and go on to the page of its rows."""
    person.go("/imports/new/")
    person.main.locator("input[type=file]").set_input_files(file)
    person.write("Which register is it from?", "Permit book")
    person.press("Read the headings")
    person.sees("Which column holds what?")
    person.press("Go on")
    person.sees("What does each status mean?")


def test_two_wrong_rows_are_mended_and_everything_comes_in_once(
    clerk: Person, tmp_path: Path
) -> None:
    first, second = tmp_path / "book.csv", tmp_path / "book mended.xlsx"
    first.write_bytes(csv_of([*GOOD, *WRONG]))
    second.write_bytes(xlsx_of([*GOOD, *MENDED]))

    clerk.go("/cases/")
    clerk.follow("Earlier permits")
    clerk.sees("No earlier permit was imported yet.")
    clerk.follow("Imports")
    clerk.follow("Import a spreadsheet")
    send(clerk, first)
    clerk.choose("“Limbo”", "Issued")
    clerk.press("See what becomes of each row")
    clerk.sees("4 rows can be imported.", "“31/12/2020” is no day of the calendar.")
    assert not EarlierPermit.objects.exists()

    # Limbo was not meant: the words can be said anew until the rows are imported.
    clerk.follow("Change the columns")
    clerk.choose("Closed or ended on", "not in the table")
    clerk.press("Go on")
    clerk.press("See what becomes of each row")
    clerk.follow("Put aside")
    clerk.press("Put it aside")
    clerk.sees("Nothing of it was imported.")

    send(clerk, second)
    clerk.press("See what becomes of each row")
    clerk.sees("5 rows can be imported.", "Refused (0)")
    looks_good(clerk)
    clerk.follow("Import 5 rows")
    clerk.sees("All of them come in together, or none.")
    assert EarlierPermit.objects.count() == 0
    clerk.press("Import 5 rows")
    clerk.sees("5 cases came in on Monday, November 16, 2026.")
    looks_good(clerk)

    send(clerk, second)
    clerk.press("See what becomes of each row")
    clerk.sees("All of this was imported already; there is nothing to do.")
    assert EarlierPermit.objects.count() == 5
    assert ImportBatch.objects.filter(status="imported").count() == 1

    clerk.go("/cases/?q=20-001")
    clerk.follow("12 Mill St")
    clerk.sees("not computed here", "Thursday, December 31, 2020")
    assert list(faults()) == []
