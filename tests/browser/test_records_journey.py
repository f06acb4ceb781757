"""A request for records and its answer; a list that a hold stops for one case, and its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Any

import pytest

from permits.verify import faults
from portal import papers
from portal.desk.records.models import Destruction, DestructionList, KeptCase, RecordsRequest
from portal.models import User
from tests import factory
from tests.browser.person import Person, Wardrobe
from tests.enforcement.works import blank_pdf
from tests.records import scene

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
    """Browsers for several people."""
    opened = Wardrobe(browser, live_server.url)
    yield opened
    opened.close()


@pytest.fixture(autouse=True)
def _quick_papers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Papers are typeset in the tests of papers; here they are only handed on."""
    made = papers.Made(blank_pdf(), 1)
    monkeypatch.setattr(papers, "make", lambda template, context: made)


def arrive(person: Person, user: User) -> None:
    """Come on another day; the session of the last one has ended."""
    person.context.clear_cookies()
    person.enter_as(user)


def test_a_request_is_answered_and_a_list_goes_its_way(wardrobe: Wardrobe, at: Move) -> None:
    first, second = scene.old_case(at).site, scene.old_case(at).site
    clerk, attorney, administrator = factory.clerk(), scene.attorney(), factory.administrator()
    desk, counsel, chief = (wardrobe.somebody() for _ in range(3))

    # A request comes in, and is answered in part.
    desk.enter_as(clerk)
    desk.go("/desk/")
    desk.follow("Requests for records that wait")
    desk.follow("Log a request")
    desk.write("Received on", scene.TODAY.isoformat())
    desk.tick("By e-mail")
    desk.write("What is asked for", "The papers of both sites.")
    desk.write("Cases it concerns", f"{first.number}\n{second.number}")
    desk.press(LOOK)
    desk.sees("the rule of thumb ends on Tuesday, December 1, 2026", first.number)
    desk.press("Log the request")
    desk.sees("RR-2026-0001", "A requester who gave no name")
    desk.go("/records/destruction/propose/")
    desk.sees("No case may be destroyed today.", "Request RR-2026-0001 for its records")
    desk.go(RecordsRequest.objects.get().get_absolute_url())
    desk.follow("Answer it")
    desk.tick("Given in part")
    desk.write("What else is given", "The plan sheets")
    desk.write("What is withheld", "The bank's letter")
    desk.write("Reason in this case", "It shows an account number.")
    desk.press(LOOK)
    desk.sees("Given: 1. Withheld: 1.")
    desk.press("Answer the request")
    desk.sees("Given in part", "It shows an account number.")

    # Both cases are proposed; two persons approve.
    desk.go("/records/destruction/")
    desk.follow("Propose cases")
    desk.press(LOOK)
    desk.press("Propose the list")
    desk.sees("Two approvals come first")
    address = DestructionList.objects.get().get_absolute_url()
    for person, user in ((counsel, attorney), (chief, administrator)):
        person.enter_as(user)
        person.go(address)
        person.follow("Approve it")
        person.press(LOOK)
        person.press("Approve the list")
    chief.sees("Approved by two persons")

    # The letter goes to the society; the clerk can do nothing before its sixty days are over.
    desk.go(address)
    desk.follow("Record the notice to the society")
    desk.tick("The letter was handed to the post")
    desk.write("Handed to the post on", scene.TODAY.isoformat())
    desk.press(LOOK)
    desk.sees("from Saturday, January 16, 2027 on, not before")
    desk.press("Record it")
    desk.sees("sixty days run")
    assert desk.main.get_by_role("link", name="Destroy what is on it").count() == 0

    # Meanwhile the attorney holds one of the cases.
    counsel.go(first.get_absolute_url())
    counsel.follow("Place a hold")
    counsel.write("Why it is held", "The neighbor has announced a claim.")
    counsel.press(LOOK)
    counsel.press("Hold the case")
    counsel.sees("The neighbor has announced a claim.")

    # After the sixty days the other one is destroyed, and its certificate stays.
    at(date(2027, 1, 16))
    arrive(desk, clerk)
    desk.go(address)
    desk.follow("Destroy what is on it")
    desk.write("Write the number of the list", "DL-2026-0001")
    desk.press(LOOK)
    desk.sees("This cannot be undone.")
    desk.press("Destroy it for good")
    desk.sees("Carried out", "The neighbor has announced a claim.")
    assert KeptCase.objects.get().listed.site == first
    assert Destruction.objects.get().site == second
    desk.go(f"/cases/{second.number}/")
    desk.sees("Destroyed on Saturday, January 16, 2027", "Certificate of destruction")
    desk.go(f"/cases/{first.number}/")
    desk.sees("The case is kept and off destruction list DL-2026-0001.")
    assert list(faults()) == []
    assert wardrobe.complaints == []
    assert Destruction.objects.get().on == scene.TODAY + timedelta(61)
