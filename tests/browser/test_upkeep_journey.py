"""A basin under a recorded agreement, from the city's look to the tax roll, in a real browser.

The inspector looks at the practices on a phone and gives notice; the time passes without a
correction; the city does the work, bills it, and what is not paid stands on the list of special
charges. Beside it the party's side: told, reported, confirmed. Former § 17.19(4)(f)(4) to (7)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from enforcement.models import CityWork, UpkeepNotice
from escrow.models import Bill
from inspections.models import PracticeLook, UpkeepInspection
from permits.models import MaintenanceAgreement
from permits.verify import faults
from portal import papers
from portal.models import CouncilValue, User
from tests import factory
from tests import upkeep as kept
from tests.browser.person import Person, Wardrobe
from tests.enforcement.works import blank_pdf
from tests.escrow import money
from tests.floor import sample_files

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.once,
    pytest.mark.django_db(transaction=True),
]

Move = Callable[..., Any]
LOOK = "Go on: see what will happen"


@pytest.fixture
def wardrobe(browser, live_server) -> Iterator[Wardrobe]:
    """Browsers for several people, without scripts: nothing here needs one."""
    opened = Wardrobe(browser, live_server.url, script=False)
    yield opened
    opened.close()


@pytest.fixture(autouse=True)
def _quick_papers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Papers are typeset in the tests of papers; here they are only handed on."""
    made = papers.Made(blank_pdf(), 1)
    monkeypatch.setattr(papers, "make", lambda template, context: made)


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    """What the inspector's phone took."""
    file = tmp_path / "basin.jpg"
    file.write_bytes(sample_files.jpeg())
    return file


def arrive(person: Person, user: User) -> None:
    """Come on another day; the session of the last one has ended."""
    person.context.clear_cookies()
    person.enter_as(user)


def test_a_basin_that_nobody_cleans_is_cleaned_by_the_city_and_goes_on_the_tax_roll(
    wardrobe: Wardrobe, at: Move, photo: Path
) -> None:
    at("2026-03-02")
    money.resolution(CouncilValue.Key.BILL_DAYS, "30", on=date(2026, 1, 5))
    holder, inspector, clerk = factory.applicant(), factory.inspector(), factory.clerk()
    bound = kept.agreement(factory.issued(holder, on=date(2026, 3, 2)).site)
    on_site, counter, at_home = (
        wardrobe.somebody(width=390),
        wardrobe.somebody(),
        wardrobe.somebody(),
    )

    at("2026-07-20")
    arrive(on_site, inspector)
    look_at_the_practices(on_site, bound, photo)
    give_notice(on_site, "2026-08-10")
    notice = UpkeepNotice.objects.get()
    kept.mailed(notice, on=date(2026, 7, 20))
    arrive(at_home, holder)
    at_home.go("/home/")
    at_home.sees(f"Notice of maintenance {notice}", "to be corrected by Monday, August 10, 2026")

    at("2026-08-10")  # the last day is the party's
    arrive(on_site, inspector)
    on_site.go(notice.get_absolute_url())
    on_site.sees("Why the city may not begin today", "Tuesday, August 11, 2026")
    assert not on_site.main.get_by_role("link", name="Begin the city’s work").count()

    at("2026-08-11")
    arrive(on_site, inspector)
    work = do_the_work(on_site, notice)
    arrive(counter, clerk)
    bill = make_the_bill(counter, work)

    at("2026-10-01")  # the last day to pay has passed
    arrive(counter, clerk)
    counter.go("/money/roll/")
    counter.sees(bill.number, "$510.00")
    assert (bill.ground, bill.path) == ("maintenance", "special-charge")
    assert list(faults()) == []
    assert wardrobe.complaints == []


def look_at_the_practices(inspector: Person, bound: MaintenanceAgreement, photo: Path) -> None:
    inspector.go("/upkeep/")
    inspector.follow(bound.site.place)
    inspector.press("Inspect the practices")
    inspector.go(f"{UpkeepInspection.objects.get().get_absolute_url()}practices/1/")
    inspector.tick("A problem")
    inspector.press("Keep it")
    inspector.sees("Say what the problem is.")
    inspector.write("What did you see?", "Reeds close the outlet.")
    inspector.write("What would correct it?", "Cut the reeds and free the outlet.")
    inspector.main.locator("input[type=file]").set_input_files(photo)
    inspector.press("Keep it")
    inspector.go(f"{UpkeepInspection.objects.get().get_absolute_url()}practices/2/")
    inspector.tick("In order")
    inspector.press("Keep it")
    assert PracticeLook.objects.get(practice__number=1).photos.count() == 1
    inspector.follow("Finish the inspection")
    inspector.press(LOOK)
    inspector.sees("1 practice has a problem.")
    inspector.press("Finish and report")
    inspector.sees("1 practice with a problem.")


def give_notice(inspector: Person, until: str) -> None:
    inspector.follow("Give notice of what must be corrected")
    inspector.press(LOOK)  # without a day
    inspector.write("To be corrected by", until)
    inspector.press(LOOK)
    inspector.sees("Give this notice of maintenance?", "Cut the reeds and free the outlet.")
    inspector.press("Give the notice")
    inspector.sees("To be corrected.")


def do_the_work(inspector: Person, notice: UpkeepNotice) -> CityWork:
    inspector.go(notice.get_absolute_url())
    inspector.sees("Not corrected in time.")
    inspector.follow("Begin the city’s work")
    inspector.tick("The city's own crew")
    inspector.write("Name of the crew or the company", "Street department")
    inspector.press(LOOK)
    inspector.press("Begin the work")
    inspector.follow("Add a cost")
    inspector.tick("Labor")
    inspector.main.get_by_label("Day", exact=True).fill("2026-08-11")
    inspector.write("Describe it", "Crew of two")
    inspector.write("Quantity", "6")
    inspector.write("Unit", "hours")
    inspector.write("Rate for each unit", "85.00")
    inspector.write("Where is the proof kept?", "Time sheet 9")
    inspector.press("Record the cost")
    inspector.follow("Close the work")
    inspector.write("How was the land left?", "The outlet runs free.")
    inspector.press(LOOK)
    inspector.press("Close the work")
    inspector.sees("$510.00", "Closed")
    return CityWork.objects.get()


def make_the_bill(clerk: Person, work: CityWork) -> Bill:
    clerk.go(f"/money/work/{work.key}/bill/")
    clerk.sees("recorded maintenance agreement")
    clerk.press(LOOK)
    clerk.press("Make the bill")
    clerk.sees("$510.00 is owed.", "gave time until Monday, August 10, 2026")
    return Bill.objects.get(work=work)


def test_a_party_that_corrects_it_reports_it_and_is_told(wardrobe: Wardrobe, at: Move) -> None:
    at("2026-07-20")
    holder, inspector = factory.applicant(), factory.inspector()
    bound = kept.agreement(factory.issued(holder, on=date(2026, 3, 2)).site)
    found = kept.inspected(bound, on=date(2026, 7, 20))
    notice = kept.notice(found, on=date(2026, 7, 20), correct_by=date(2026, 8, 10))
    at_home, at_desk = wardrobe.somebody(width=360), wardrobe.somebody()
    arrive(at_home, holder)
    at_home.go("/home/")
    at_home.follow(f"Notice of maintenance {notice}")
    at_home.follow("Say that it is corrected")
    at_home.write("What was corrected, and when?", "1. Reeds cut on July 20.")
    at_home.press("Send the report")
    at_home.sees("waits for the inspector")
    arrive(at_desk, inspector)
    at_desk.go("/maintenance-notices/?state=reported")
    at_desk.follow(bound.site.place)
    at_desk.follow("Confirm that it is corrected")
    at_desk.write("On which day was it corrected?", "2026-07-20")
    at_desk.write("How do you know?", "Seen on the site.")
    at_desk.press(LOOK)
    at_desk.press("Confirm it")
    at_desk.sees("Corrected on Monday, July 20, 2026.")
    at_home.go(f"/agreements/{bound.key}/upkeep/")
    at_home.follow("Report it done")
    at_home.write("On which day was it done?", "2026-07-20")
    at_home.write("What was done?", "Outlet cleaned with the reeds.")
    at_home.press("Report it")
    at_home.sees("It is on record, and the schedule goes on.", "Outlet cleaned with the reeds.")
    assert list(faults()) == []
    assert wardrobe.complaints == []
