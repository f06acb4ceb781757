"""A year of a permit and of a site without one, to the tax roll, in a real browser.

The escrow of the permit bears what it can of the city's work; the rest is billed, paid in part,
levied and certified as an assessment. Work on the site without a permit is billed, certified as
a special charge, and paid too late: the roll is corrected. Former § 17.19(4)(e), (7)(a) to (e)
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from enforcement.models import CityWork, NoticeOfIntent, OwnerNotice, StopWorkOrder
from escrow.models import Bill, EscrowEntry, RollBatch, RollCharge
from permits.models import Permit, Site
from permits.verify import faults
from portal import papers
from portal.models import CouncilValue, User
from tests import factory
from tests.browser.person import Person, Wardrobe
from tests.enforcement.works import blank_pdf
from tests.escrow import money
from tests.floor import sample_files

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

Move = Callable[..., Any]
LOOK = "Go on: see what will happen"
ISSUED = date(2026, 3, 2)
PARCEL = "0240-0088-001"


@pytest.fixture
def wardrobe(browser, live_server) -> Iterator[Wardrobe]:
    """Browsers for several people."""
    opened = Wardrobe(browser, live_server.url)
    yield opened
    opened.close()


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    """What the inspector's phone took."""
    file = tmp_path / "site.jpg"
    file.write_bytes(sample_files.jpeg())
    return file


@pytest.fixture(autouse=True)
def _quick_papers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Papers are typeset in the tests of papers; here they are only handed on."""
    made = papers.Made(blank_pdf(), 1)
    monkeypatch.setattr(papers, "make", lambda template, context: made)


def arrive(person: Person, user: User) -> None:
    """Come on another day; the session of the last one has ended."""
    person.context.clear_cookies()
    person.enter_as(user)


def test_a_year_of_the_money_ends_on_the_tax_roll(
    wardrobe: Wardrobe, at: Move, photo: Path
) -> None:
    at(ISSUED)
    inspector, clerk, administrator = factory.inspector(), factory.clerk(), factory.administrator()
    council()
    permit = factory.issued(on=ISSUED).permit
    on_site, counter, office = (wardrobe.somebody() for _ in range(3))

    at("2026-05-04")
    arrive(on_site, inspector)
    order_against_the_permittee(on_site, permit)
    bare = open_a_site_nobody_applied_for(on_site)
    order_against_the_owner(on_site, bare)
    for order in StopWorkOrder.objects.order_by("pk"):
        post(on_site, order, photo)

    at("2026-05-18")
    arrive(on_site, inspector)
    notice_to_the_owner(on_site, permit.site)
    notice_of_intent(on_site, bare)
    arrive(counter, clerk)
    mail_everything(counter, "2026-05-18")
    counter.go(permit.site.get_absolute_url())
    counter.sees("No cost waits to be drawn.", "Not before the final inspection is passed")

    at("2026-06-03")  # both notices have run out, by the strictest count
    arrive(on_site, inspector)
    arrive(counter, clerk)
    begin(on_site, OwnerNotice.objects.get(), photo)
    begin(on_site, NoticeOfIntent.objects.get(), photo)
    under_permit, on_bare_land = CityWork.objects.order_by("pk")
    add_a_cost(counter, under_permit, quantity="30", rate="97.08")
    add_a_cost(counter, on_bare_land, quantity="6", rate="96.50")
    at("2026-06-04")
    arrive(on_site, inspector)
    arrive(counter, clerk)
    close(on_site, under_permit)
    close(on_site, on_bare_land)

    draw(counter, permit)
    above = bill(counter, under_permit, "$412.40")
    charged = bill(counter, on_bare_land, "$579.00")
    at("2026-06-15")
    arrive(counter, clerk)
    pay(counter, above, amount="100", check="2207")
    counter.sees("$312.40 is owed.", "The last day to pay is Monday, July 6, 2026.")

    at("2026-07-20")
    arrive(counter, clerk)
    counter.go("/money/bills/?list=late")
    counter.sees(above.number, charged.number, "delinquent since Jul 7, 2026")
    levy(counter, above)

    at("2026-11-16")
    arrive(counter, clerk)
    arrive(office, administrator)
    for instrument, total in (("special charges", "579.00"), ("assessments", "383.86")):
        batch = propose(counter, instrument, total)
        certify(office, batch, total)
        download(counter, batch)
    assert [str(each.amount) for each in RollCharge.objects.order_by("pk")] == ["579.00", "383.86"]
    counter.go("/money/roll/")
    assert not counter.main.get_by_role("link", name="Preview").count()

    at("2026-12-02")
    arrive(counter, clerk)
    arrive(office, administrator)
    pay(counter, charged, amount="579.00", check="3001")
    counter.sees("Settled.", "Taken off the tax roll")
    counter.go("/money/roll/")
    counter.follow("Preview 1 correction")
    counter.sees("Preview of the corrections of special charges", "−$579.00")
    counter.press("Propose this list")
    counter.sees("Waiting for the second person.")
    correction = RollBatch.objects.get(purpose="correction")
    certify(office, correction, "579.00")
    download(counter, correction)

    the_books_balance(office)
    assert list(faults()) == []
    assert wardrobe.complaints == []


def council() -> None:
    """What the council set, without which nothing is billed or assessed."""
    money.resolution(CouncilValue.Key.BILL_DAYS, "30")
    money.resolution(CouncilValue.Key.INTEREST_RATE, "5")
    money.resolution(CouncilValue.Key.ADMINISTRATIVE_FEE, "65.00")


# The inspector ----------------------------------------------------------------------------


def order_against_the_permittee(inspector: Person, permit: Permit) -> None:
    inspector.go(f"/cases/{permit.site.number}/orders/")
    inspector.follow("Issue a stop-work order")
    inspector.tick("Plan not followed in good faith")
    inspector.write("Which part of the plan is not carried out?", "Silt fence, north line")
    inspector.write("What did you see?", "The fence is down; soil lies on the road.")
    inspector.press("Go on: see the order before it is issued")
    inspector.press("Issue the order")
    inspector.sees("The order is issued.")


def open_a_site_nobody_applied_for(inspector: Person) -> Site:
    inspector.go("/visits/begin/?q=88+Mill+Street")
    inspector.write("Where it is", "88 Mill Street, Example, WI 54999")
    inspector.write("Parcel number", PARCEL)
    inspector.press("Open the site and begin the visit")
    inspector.sees("88 Mill Street")
    return Site.objects.get(address__startswith="88 Mill Street")


def order_against_the_owner(inspector: Person, site: Site) -> None:
    inspector.go(f"/cases/{site.number}/orders/")
    inspector.follow("Issue a stop-work order")
    inspector.tick("Grading, or removal of ground cover or vegetation")
    inspector.write("What did you see?", "An excavator strips the lot; half an acre lies bare.")
    name_the_owner(inspector)
    inspector.press("Go on: see the order before it is issued")
    inspector.press("Issue the order")
    inspector.sees("The order is issued.")


def name_the_owner(inspector: Person) -> None:
    owner = inspector.group("Somebody else, row 1")
    inspector.write("Name", "Pat Lund", within=owner)
    inspector.write("Mailing address", "9 Elm Court\nExample, WI 54999", within=owner)


def post(inspector: Person, order: StopWorkOrder, photo: Path) -> None:
    inspector.go(order.get_absolute_url())
    inspector.follow("Record the posting")
    inspector.write("On which day was it put up?", "2026-05-04")
    inspector.write("Where does it hang?", "On the gate, facing the street")
    inspector.main.locator("input[type=file]").first.set_input_files(photo)
    inspector.press("Go on: see what will be recorded")
    inspector.press("Record the posting")
    inspector.sees("The posting is on record.")


def notice_to_the_owner(inspector: Person, site: Site) -> None:
    inspector.go(f"/cases/{site.number}/owner-notice/")
    inspector.write("Which work?", "Put up 240 feet of silt fence and seed the north slope.")
    inspector.write("Estimated cost", "2,900")
    inspector.press(LOOK)
    inspector.press("Make the notice")
    inspector.sees("The letters wait in the mail room.")


def notice_of_intent(inspector: Person, site: Site) -> None:
    order = StopWorkOrder.objects.get(site=site)
    inspector.go(f"/orders/{order.key}/next/")
    inspector.follow("Issue a notice of intent to perform work")
    inspector.write("Which work?", "Seed and mat the bare half acre.")
    inspector.write("Estimated cost", "600")
    inspector.press(LOOK)
    inspector.press("Issue the notice")
    inspector.sees("The notice is issued; its letters wait in the mail room.")


def begin(inspector: Person, notice: NoticeOfIntent | OwnerNotice, photo: Path) -> None:
    inspector.go(f"/notices/{notice.key}/city-work/")
    inspector.write("On which day was it begun?", "2026-06-03")
    inspector.tick("The city's own crew")
    inspector.write("Name of the crew or the company", "Street department")
    inspector.main.locator("input[type=file]").first.set_input_files(photo)
    inspector.press(LOOK)
    inspector.press("Begin the work")
    inspector.sees("The work is under way.")


def close(inspector: Person, work: CityWork) -> None:
    inspector.go(work.get_absolute_url())
    inspector.follow("Close the work")
    inspector.write("How was the land left?", "The fence stands; the slope is seeded and matted.")
    inspector.press(LOOK)
    inspector.press("Close the work")
    inspector.sees("Closed")


# The clerk --------------------------------------------------------------------------------


def mail_everything(clerk: Person, day: str) -> None:
    """Every letter of the mail room goes to the post, which takes it on the same day."""
    for stage, button, label, done in (
        (
            "waiting",
            "Record the deposit",
            "Handed to the post on",
            "handed to the post on Monday, May 18, 2026.",
        ),
        (
            "handed_in",
            "Record the acceptance",
            "Accepted by the post on",
            "accepted by the post on Monday, May 18, 2026.",
        ),
    ):
        clerk.go(f"/mail/?stage={stage}")
        clerk.tick("letters of this page, marked or not")
        clerk.press(button)
        clerk.write(label, day)
        clerk.press(LOOK)
        clerk.sees("What happens then")
        clerk.press(button)
        clerk.sees(done)


def add_a_cost(clerk: Person, work: CityWork, *, quantity: str, rate: str) -> None:
    clerk.go(work.get_absolute_url())
    clerk.follow("Add a cost")
    clerk.tick("Labor")
    clerk.main.get_by_label("Day", exact=True).fill("2026-06-03")
    clerk.write("Describe it", "Crew of two")
    clerk.write("Quantity", quantity)
    clerk.write("Unit", "hours")
    clerk.write("Rate for each unit", rate)
    clerk.write("Where is the proof kept?", "Time sheet 14")
    clerk.press("Record the cost")
    clerk.sees("The cost is recorded.")


def draw(clerk: Person, permit: Permit) -> None:
    """A cent too much is refused beside its field; the whole escrow is drawn."""
    clerk.go(permit.site.get_absolute_url())
    clerk.follow("Draw")
    clerk.write("From cash", "2,500.01")
    clerk.press(LOOK)
    clerk.sees("Only $2,500.00 is held: that is $0.01 too much.")
    clerk.write("From cash", "2,500")
    clerk.press(LOOK)
    assert clerk.heading() == "Draw $2,500.00?"
    clerk.press("Draw $2,500.00")
    clerk.sees("DR-2026-0001")
    assert EscrowEntry.objects.filter(permit=permit).balance() == 0


def bill(clerk: Person, work: CityWork, amount: str) -> Bill:
    clerk.go("/money/bills/")
    clerk.go(f"/money/work/{work.key}/bill/")
    clerk.tick("The landowner")
    clerk.write("Name", "Pat Lund")
    clerk.write("Mailing address", "9 Elm Court\nExample, WI 54999")
    clerk.press(LOOK)
    clerk.sees(f"is billed {amount}", "Monday, July 6, 2026")
    clerk.press("Make the bill")
    clerk.sees(f"{amount} is owed.")
    return Bill.objects.get(work=work)


def pay(clerk: Person, bill: Bill, *, amount: str, check: str) -> None:
    clerk.go(bill.get_absolute_url())
    clerk.follow("Take a payment")
    clerk.write("Amount", amount)
    clerk.tick("Check", within=clerk.group("How"))
    clerk.write("Number of the check", check)
    clerk.press(LOOK)
    clerk.press("Record the payment")
    clerk.sees("The payment is recorded, and the receipt is made.")


def levy(clerk: Person, bill: Bill) -> None:
    clerk.go(bill.get_absolute_url())
    clerk.follow("Enter the levy")
    clerk.write("Number of the council's resolution", "2026-88")
    clerk.write("Levied on", "2026-07-14")
    clerk.press("Enter the levy")
    clerk.sees("Administrative fee", "$65.00")


def propose(clerk: Person, instrument: str, total: str) -> RollBatch:
    clerk.go("/money/roll/")
    clerk.follow(f"Preview {instrument}")
    clerk.sees(f"${total}")
    clerk.press("Propose this list")
    clerk.sees("Waiting for the second person.", "A second person certifies it")
    return RollBatch.objects.get(status="proposed")


def certify(administrator: Person, batch: RollBatch, total: str) -> None:
    administrator.go("/desk/")
    administrator.follow("Money")
    administrator.follow("Approvals & renewals")
    administrator.follow(re.compile("Look and decide"))
    administrator.sees(f"${total}", batch.sha256)
    administrator.press("Certify these totals")
    administrator.sees("Certified.", "Control sheet")


def download(clerk: Person, batch: RollBatch) -> None:
    """The file is the one whose hash and total stand on the control sheet, each time."""
    clerk.go(batch.get_absolute_url())
    sheet = fetch(clerk, "Control sheet").decode()
    link = re.compile(rf"^roll-{batch}.*\.csv$")
    once, again = fetch(clerk, link), fetch(clerk, link)
    assert once == again
    assert f"SHA-256:    {hashlib.sha256(once).hexdigest()}" in sheet
    batch.refresh_from_db()
    assert f"Total:      {batch.total}" in sheet
    assert str(batch.total) in once.decode()


def fetch(person: Person, link: str | re.Pattern[str]) -> bytes:
    address = person.main.get_by_role("link", name=link).first.get_attribute("href")
    answer = person.context.request.get(str(address))
    assert answer.status == 200
    return answer.body()


def the_books_balance(administrator: Person) -> None:
    administrator.go("/money/balance/")
    administrator.sees("The sum is zero", "$0.00")
    said = StringIO()
    call_command("trial_balance", "--json", stdout=said)
    assert '"problems": []' in said.getvalue()
