"""Five weeks of enforcement in a real browser, day by shifted day, by the pages only.

Work without a permit: an order, posted and ignored, ends at the city attorney. A permittee who
does not comply: day 10 falls on a holiday; the permit is revoked, the city gives notice, an
appeal stays it, the board affirms, and the city does the work. Former § 17.19(7), (8)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from enforcement.models import CityWork, RequestStep, StopWorkOrder
from permits.models import Permit
from permits.verify import faults
from portal.models import User
from tests.browser.person import Person, Wardrobe
from tests.enforcement import factory
from tests.floor import sample_files
from tests.inspections.factory import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

Move = Callable[..., Any]
NEXT, LOOK = "What may be done today", "Go on: see what will happen"


@pytest.fixture
def open_wardrobe(browser, live_server) -> Iterator[Callable[[bool], Wardrobe]]:
    """Browsers for several people, with or without scripts."""
    opened: list[Wardrobe] = []

    def make(script: bool) -> Wardrobe:
        opened.append(Wardrobe(browser, live_server.url, script=script))
        return opened[-1]

    yield make
    for wardrobe in opened:
        wardrobe.close()


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    """What the inspector's phone took."""
    file = tmp_path / "placard.jpg"
    file.write_bytes(sample_files.jpeg())
    return file


def arrive(person: Person, user: User) -> None:
    """Sign in on a new day; yesterday's session has ended."""
    person.context.clear_cookies()
    person.go("/accounts/login/")
    person.write("E-mail address", user.email)
    person.write("Password", PASSWORD)
    person.press("Sign in")
    person.page.get_by_role("button", name="Sign out").wait_for()


# Without a permit -------------------------------------------------------------------------


def test_work_without_a_permit_is_stopped_and_goes_to_the_attorney(
    open_wardrobe, at: Move, photo: Path, tmp_path: Path
) -> None:
    inspector, attorney = factory.inspector(), factory.attorney()
    wardrobe = open_wardrobe(False)
    on_site, counsel = wardrobe.somebody(width=390), wardrobe.somebody()

    at("2026-06-01")
    arrive(on_site, inspector)
    open_a_site_nobody_applied_for(on_site)
    issue_against_the_owner(on_site)
    order = StopWorkOrder.objects.get()
    at("2026-06-02")
    arrive(on_site, inspector)
    post_it(on_site, order, photo, "2026-06-02")

    at("2026-06-11")  # the tenth day
    arrive(on_site, inspector)
    on_site.go(order.get_absolute_url())
    on_site.follow(NEXT)
    on_site.sees("No step is open to the city yet.", "Friday, June 12, 2026")
    on_site.go(f"/orders/{order.key}/request/")
    on_site.sees("The request to the city attorney may be made from Friday, June 12, 2026.")
    assert not on_site.main.get_by_label("What did the person do after the order?").count()

    at("2026-06-12")
    arrive(on_site, inspector)
    ask_the_attorney(on_site, order)

    at("2026-06-15")
    arrive(counsel, attorney)
    receive_the_request(counsel, order, tmp_path)
    assert [step.kind for step in RequestStep.objects.all()] == ["received"]
    assert list(faults()) == []
    assert wardrobe.complaints == []


def open_a_site_nobody_applied_for(inspector: Person) -> None:
    inspector.go("/visits/begin/?q=88+Mill+Street")
    inspector.sees("The city knows no site by these words.")
    inspector.write("Where it is", "88 Mill Street, Example, WI 54999")
    inspector.write("Parcel number", "0240-0088-001")
    inspector.press("Open the site and begin the visit")
    inspector.sees("88 Mill Street")


def issue_against_the_owner(inspector: Person) -> None:
    """No permit: the only ground, and the owner as the county has them."""
    inspector.go("/cases/S-2026-0001/orders/")
    inspector.follow("Issue a stop-work order")
    inspector.tick("Grading, or removal of ground cover or vegetation")
    inspector.write("What did you see?", "An excavator strips the lot; half an acre lies bare.")
    owner = inspector.group("Somebody else, row 1")
    inspector.write("Name", "Pat Lund", within=owner)
    inspector.write("Mailing address", "9 Elm Court\nExample, WI 54999", within=owner)
    inspector.press("Go on: see the order before it is issued")
    inspector.sees("Thursday, June 11, 2026", "Friday, June 12, 2026", "Pat Lund")
    assert not StopWorkOrder.objects.exists()
    inspector.press("Issue the order")
    inspector.sees("The order is issued.", "Work is stopped.", "not posted on the site yet")


def post_it(inspector: Person, order: StopWorkOrder, photo: Path, day: str) -> None:
    """Without a photo it is no posting."""
    inspector.go(order.get_absolute_url())
    inspector.follow("Record the posting")
    inspector.write("On which day was it put up?", day)
    inspector.write("Where does it hang?", "On the gate, facing the street")
    inspector.press("Go on: see what will be recorded")
    inspector.sees("Add a photo of the placard where it hangs: it is the proof.")
    inspector.main.locator("input[type=file]").first.set_input_files(photo)
    inspector.press("Go on: see what will be recorded")
    inspector.press("Record the posting")
    inspector.sees("The posting is on record.", "On the gate, facing the street")


def ask_the_attorney(inspector: Person, order: StopWorkOrder) -> None:
    inspector.go(f"/orders/{order.key}/next/")
    inspector.follow("Request a cease and desist order")
    inspector.write(
        "What did the person do after the order?", "The excavator was at work on June 4 and 9."
    )
    inspector.press(LOOK)
    inspector.press("Make the request")
    inspector.sees("The request is made", "The packet")


def receive_the_request(attorney: Person, order: StopWorkOrder, folder: Path) -> None:
    """One packet with everything, read by whoever may go to court with it."""
    attorney.go("/requests/")
    attorney.sees(order.number)
    attorney.follow("88 Mill Street")
    section = attorney.main.get_by_role("region", name="The packet")
    address = section.get_by_role("link").first.get_attribute("href")
    answer = attorney.context.request.get(str(address))
    assert answer.headers["content-type"] == "application/pdf"
    file = folder / "packet.pdf"
    file.write_bytes(answer.body())
    text = text_of(file)
    for words in ("88 Mill Street", "Pat Lund", "On the gate, facing the street", order.number):
        assert words in text, words
    attorney.follow("Record what happened")
    attorney.tick("Received")
    attorney.write("On which day?", "2026-06-15")
    attorney.press("Go on: see what will be recorded")
    attorney.press("Record it")
    attorney.sees("It is recorded.", "Monday, June 15, 2026")


def text_of(file: Path) -> str:
    """All words of a PDF, line breaks as spaces."""
    pages = pypdfium2.PdfDocument(file)
    text = " ".join(page.get_textpage().get_text_bounded() for page in pages)
    pages.close()
    return " ".join(text.split())


# A permittee ------------------------------------------------------------------------------


def test_a_permit_is_revoked_and_the_city_works_after_the_board_affirms(
    open_wardrobe, at: Move, photo: Path
) -> None:
    permit = factory.active_permit(
        issued_on=date(2026, 5, 4), address="412 Prairie Road, Example, WI 54999"
    )
    holder, inspector = permit.application.applicant, factory.inspector()
    secretary, clerk = factory.board(), factory.clerk()
    wardrobe = open_wardrobe(True)
    people = [wardrobe.somebody() for _ in range(5)]
    at_desk, at_home, at_board, at_counter, passer_by = people

    at("2026-06-09")
    arrive(at_desk, inspector)
    issue_against_the_permittee(at_desk, permit)
    order = StopWorkOrder.objects.get()
    post_it(at_desk, order, photo, "2026-06-09")
    passer_by.go(f"/stop-work/{order.key}/")
    passer_by.sees("412 Prairie Road")

    at("2026-06-20")  # day 10 was Juneteenth, so the last day is this Saturday
    arrive(at_desk, inspector)
    at_desk.go(f"/orders/{order.key}/revoke/")
    at_desk.sees("The permit may be revoked from Sunday, June 21, 2026.")

    at("2026-06-23")  # the safe day
    arrive(at_desk, inspector)
    revoke(at_desk, order, permit)
    give_notice_of_intent(at_desk, order)
    arrive(at_counter, clerk)
    hand_the_letters_in(at_counter)

    at("2026-06-26")
    arrive(at_home, holder)
    appeal_the_order(at_home, order)
    arrive(at_desk, inspector)
    at_desk.go(order.notices.get().get_absolute_url())
    assert not at_desk.main.get_by_role("link", name="Enter and begin the work").count()

    at("2026-07-06")
    arrive(at_board, secretary)
    affirm(at_board, order)

    at("2026-07-17")  # 14 days, of which the appeal has held ten still
    arrive(at_desk, inspector)
    at_desk.go(f"/notices/{order.notices.get().key}/city-work/")
    at_desk.sees("Saturday, July 18, 2026")
    assert not CityWork.objects.exists()

    at("2026-07-18")
    arrive(at_desk, inspector)
    enter_and_begin(at_desk, order, photo)
    at("2026-07-20")
    arrive(at_counter, clerk)
    add_a_cost(at_counter)
    arrive(at_desk, inspector)
    close_the_work(at_desk)
    assert str(CityWork.objects.get().total) == "579.00"
    assert list(faults()) == []
    assert wardrobe.complaints == []


def issue_against_the_permittee(inspector: Person, permit: Permit) -> None:
    inspector.go(f"/cases/{permit.site.number}/orders/")
    inspector.follow("Issue a stop-work order")
    inspector.tick("Plan not followed in good faith")
    inspector.write("Which part of the plan is not carried out?", "Silt fence, north line")
    inspector.write("What did you see?", "The fence is down; soil lies on the road.")
    inspector.press("Go on: see the order before it is issued")
    inspector.sees("Saturday, June 20, 2026", "Sunday, June 21, 2026")
    inspector.press("Issue the order")
    inspector.sees("The order is issued.", "Work is stopped.")


def revoke(inspector: Person, order: StopWorkOrder, permit: Permit) -> None:
    inspector.go(order.get_absolute_url())
    inspector.follow(NEXT)
    inspector.follow("Revoke the permit")
    inspector.sees("$2,500.00")
    inspector.write(
        "How did the permittee neither stop nor comply?", "Graded on June 12 and 16; no fence."
    )
    inspector.press(LOOK)
    inspector.press("Revoke the permit")
    inspector.sees("The permit is revoked, and everybody named is told.")
    assert Permit.objects.get(pk=permit.pk).status == "revoked"


def give_notice_of_intent(inspector: Person, order: StopWorkOrder) -> None:
    inspector.go(f"/orders/{order.key}/next/")
    inspector.follow("Issue a notice of intent to perform work")
    inspector.write("Which work?", "Put up 240 feet of silt fence and seed the north slope.")
    inspector.write("Estimated cost", "1,800")
    inspector.press(LOOK)
    inspector.sees("Wednesday, July 8, 2026")
    inspector.press("Issue the notice")
    inspector.sees("The notice is issued; its letters wait in the mail room.")


def hand_the_letters_in(clerk: Person) -> None:
    clerk.go("/mail/")
    clerk.sees("Notice of intent", "Northfield Builders LLC")
    clerk.tick("letters of this page, marked or not")
    clerk.press("Record the deposit")
    clerk.sees("Northfield Builders LLC")


def appeal_the_order(holder: Person, order: StopWorkOrder) -> None:
    """Any person aggrieved; here the one to whom the permit was given."""
    holder.go(f"/appeal/{order.site.number}/")
    holder.tick(f"Stop-work order {order.number}")
    holder.write("Your name", "Mai Vang")
    holder.write("How does it concern you?", "The permit was mine.")
    holder.write("Your mailing address", "1 Mill Street\nExample, WI 54999")
    holder.write("Why do you appeal?", "The fence stood again on June 13.")
    holder.press("Go on: see your appeal before it is filed")
    holder.press("File the appeal")
    holder.sees("Filed in time.", "Appeal AB-2026-0001")


def affirm(secretary: Person, order: StopWorkOrder) -> None:
    secretary.go("/appeals/")
    secretary.follow("AB-2026-0001")
    secretary.follow("Record the decision")
    secretary.tick("Affirmed")
    secretary.write("On which day was the decision filed?", "2026-07-06")
    secretary.write("The decision, and what it orders", "The order was issued on good ground.")
    secretary.press(LOOK)
    secretary.press("Record the decision")
    secretary.sees("Decided: affirmed.", "Saturday, July 18, 2026")


def enter_and_begin(inspector: Person, order: StopWorkOrder, photo: Path) -> None:
    inspector.go(f"/orders/{order.key}/next/")
    inspector.follow("Enter the land and do the work")
    inspector.write("On which day was it begun?", "2026-07-18")
    inspector.tick("The city's own crew")
    inspector.write("Name of the crew or the company", "Street department")
    inspector.main.locator("input[type=file]").first.set_input_files(photo)
    inspector.press(LOOK)
    inspector.press("Begin the work")
    inspector.sees("The work is under way.")


def add_a_cost(clerk: Person) -> None:
    clerk.go("/city-work/")
    clerk.go(CityWork.objects.get().get_absolute_url())
    clerk.follow("Add a cost")
    clerk.tick("Labor")
    clerk.main.get_by_label("Day", exact=True).fill("2026-07-18")
    clerk.write("Describe it", "Crew of two")
    clerk.write("Quantity", "6")
    clerk.write("Unit", "hours")
    clerk.write("Rate for each unit", "96.50")
    clerk.write("Where is the proof kept?", "Time sheet 14")
    clerk.press("Record the cost")
    clerk.sees("$579.00")


def close_the_work(inspector: Person) -> None:
    inspector.go(CityWork.objects.get().get_absolute_url())
    inspector.follow("Close the work")
    inspector.write("How was the land left?", "The fence stands; the slope is seeded and matted.")
    inspector.press(LOOK)
    assert inspector.heading() == "Close the work at $579.00?"
    inspector.press("Close the work")
    inspector.sees("$579.00", "Closed")
