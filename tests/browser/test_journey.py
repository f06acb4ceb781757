"""The whole journey in a real browser, as three people: from the question to the permit.

An applicant, the inspector and the clerk, each at a browser of their own; once with scripts
and once without a single one; and once more in the neighboring city, whose ordinance gives
other numbers, officers and sections, where no page and no mail says what only the first does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from django.core import mail

from permits.models import Application, Permit
from portal import ordinance
from portal.city_calendar import current_calendar
from portal.formats import long_date
from portal.ordinance import RULES
from tests import factory
from tests.browser.laws import LAWS, Law
from tests.browser.person import Person, Wardrobe
from tests.conftest import CASES
from tests.first_citys_words import first_citys_words
from tests.floor import sample_files

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

FRIDAY = date(2026, 11, 13)
SHEET = CASES / "uploads" / "pdf" / "AutoCad_Diagram.pdf"
PASSWORD = "gravel silt straw 77"
NEEDED = "This work needs an erosion control permit before it begins."
A_CENT_SHORT = "2,499.99"
CHANGE = "Show the inlet east of the drive and how it is protected."


@pytest.fixture
def law(request) -> Iterator[Law]:
    """The ordinance of the city in which the journey is made."""
    before = ordinance.use(request.param)
    yield LAWS[request.param]
    ordinance.use(before)


@pytest.fixture
def wardrobe(browser, live_server, request, law) -> Iterator[Wardrobe]:
    everybody = Wardrobe(browser, live_server.url, script=request.param)
    if law is LAWS["neighbor"]:
        everybody.reads(first_citys_words)
    yield everybody
    everybody.close()


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    """A real plan sheet where there is one, otherwise one of ours."""
    if SHEET.is_file():
        return SHEET
    file = tmp_path / "grading.pdf"
    file.write_bytes(sample_files.pdf())
    return file


@pytest.mark.parametrize(
    ("law", "wardrobe"),
    [("example", True), ("example", False), ("neighbor", True)],
    indirect=True,
    ids=["with scripts", "without scripts", "in the neighboring city"],
)
def test_from_the_question_to_the_permit(wardrobe: Wardrobe, law: Law, sheet, at, tmp_path):
    at(FRIDAY)
    inspector, clerk = factory.inspector(), factory.clerk()
    applicant = wardrobe.somebody()

    ask_whether_a_permit_is_needed(applicant, law)
    make_an_account(applicant)
    begin_with_the_answers(applicant)
    fill_in_six_steps(applicant, sheet, law)
    number = sign_and_submit(applicant)

    at_the_counter = signed_in(wardrobe, clerk.email)
    take_the_fee(at_the_counter, number, law)
    see_the_date_of_the_decision(applicant, number, law)

    at_the_desk = signed_in(wardrobe, inspector.email)
    deny_with_one_required_change(at_the_desk, number, law)
    answer_in_a_second_revision(applicant, number)
    grant(at_the_desk, number, law)

    post_escrow_a_cent_short_and_then_whole(at_the_counter, number)
    permit_number = issue(at_the_counter)
    read_the_permit_card(applicant, number, permit_number, tmp_path, law)
    look_up_whether_digging_is_allowed(wardrobe.somebody(), permit_number)
    if law is LAWS["neighbor"]:
        assert first_citys_words("\n".join(f"{m.subject}\n{m.body}" for m in mail.outbox)) == []
    assert wardrobe.complaints == []


# The applicant --------------------------------------------------------------------------


def ask_whether_a_permit_is_needed(visitor: Person, law: Law) -> None:
    visitor.go("/")
    visitor.follow("Do I need a permit?")
    area = visitor.group("How much ground will be disturbed?")
    visitor.write("Amount", "0.4", within=area)
    visitor.choose("Unit", "acres", within=area)
    visitor.write("How many feet of underground pipe", "60")
    visitor.tick("Yes", within=visitor.group("Will water be pumped off the site?"))
    visitor.tick("No", within=visitor.group("Is the work only for growing crops"))
    visitor.tick("No", within=visitor.group("Does the state pay for the work"))
    visitor.press("Show the answer")
    assert visitor.heading() == NEEDED
    visitor.sees("17,424 square feet", law.activities)
    visitor.press("Apply with these answers")
    visitor.sees("Your answers are kept until you are back here.")


def make_an_account(visitor: Person) -> None:
    visitor.follow("Create an account")
    visitor.write("Your name", "Mai Vang")
    visitor.write("E-mail address", "mai@people.example")
    visitor.write("Telephone", "(555) 010-0142")
    visitor.main.get_by_label("Password").first.fill(PASSWORD)
    visitor.write("The same password again", PASSWORD)
    visitor.press("Make my account")
    visitor.sees("mai@people.example")
    link = re.search(r"/accounts/confirm-email/\S+", str(mail.outbox[-1].body))
    assert link
    visitor.go(link[0])
    visitor.press("Yes, confirm it")
    if "/accounts/login/" in visitor.page.url:
        sign_in(visitor, "mai@people.example", PASSWORD)


def begin_with_the_answers(applicant: Person) -> None:
    applicant.go("/apply/")
    applicant.sees("Your answers come along", "0.4 acre")
    applicant.press("Begin the application")
    applicant.sees("Your application is begun.")


def fill_in_six_steps(applicant: Person, sheet: Path, law: Law) -> None:
    the_site(applicant)
    the_people(applicant)
    the_work(applicant)
    the_plan(applicant, sheet)
    applicant.tick(
        "I have read the notice on wetlands",
        "I allow the city's inspectors",
        "I agree to sign, send and receive",
    )
    applicant.press("Save and go on")
    applicant.sees(f"The city's {law.days} working days start when the fee arrives.", law.fee)
    applicant.press("Save and go on")


def the_site(applicant: Person) -> None:
    applicant.write("Address of the site", "412 Prairie Road, Example, WI 54999")
    applicant.write("Parcel numbers", "0240-0412-001")
    applicant.press("Save and go on")


def the_people(applicant: Person) -> None:
    landowner = applicant.group("Landowner")
    applicant.choose("Kind of owner", "An individual, or a couple", within=landowner)
    applicant.write("Name of the person", "Mai Vang", within=landowner)
    applicant.write("Mailing address", "1 Mill Street\nExample, WI 54999", within=landowner)
    applicant.write("Telephone", "(555) 010-0142", within=landowner)
    applicant.write("E-mail address", "mai@people.example", within=landowner)
    for legend in ("24-hour contact", "Person responsible for the control devices"):
        person = applicant.group(legend)
        applicant.write("Name of the person", "Jon Berg", within=person)
        applicant.write("Telephone", "(555) 010-0177", within=person)
    applicant.press("Save and go on")


def the_work(applicant: Person) -> None:
    area = applicant.group("How much ground will be disturbed?")
    assert area.get_by_label("Amount").input_value() == "0.4", "the answer did not come along"
    applicant.write("What will be done?", "Strip the lot, dig the basement, grade and seed.")
    applicant.tick("Grading", within=applicant.group("Which activities does it take?"))
    moved = applicant.group("How much soil, sand or other material")
    applicant.write("Amount", "450", within=moved)
    applicant.tick("No", within=applicant.group("Will a street, highway, road or bridge"))
    applicant.write("First day of work", "2026-12-14")
    applicant.write("Last day of work", "2027-06-30")
    applicant.main.get_by_role("radio", name=re.compile("dwelling")).first.check()
    applicant.press("Save and go on")
    applicant.sees(NEEDED)


def the_plan(applicant: Person, sheet: Path) -> None:
    applicant.main.locator("input[type=file]").set_input_files(sheet)
    applicant.press("Add these files")
    applicant.sees(f"{sheet.name} is saved.", sheet.name)
    applicant.write("Scale of the drawing", "1 inch = 20 feet")
    applicant.write("What on the site affects erosion?", "Silty clay on a slope of 6 percent.")
    applicant.write("What next to the site", "A storm inlet 40 feet east of the drive.")
    device = applicant.group("Device 1")
    device.get_by_label("Device").select_option("silt-fence")
    applicant.write("Place", "North and east lines", within=device)
    applicant.write("Quantity", "240 feet", within=device)
    row = applicant.group("Activity 1")
    applicant.write("Activity", "Strip, dig and grade", within=row)
    applicant.write("First day", "2026-12-14", within=row)
    applicant.write("Last day", "2027-06-30", within=row)
    applicant.write("Amount", "17,424", within=row)
    applicant.write("Temporary procedures", "Silt fence first; mulch within 7 days.", within=row)
    applicant.write("Permanent procedures", "Seed and mat by the end of June.", within=row)
    applicant.press("Save and go on")


def sign_and_submit(applicant: Person) -> str:
    assert applicant.heading() == "Check your answers and sign"
    applicant.sees("412 Prairie Road", "Silt fence", "1 inch = 20 feet")
    applicant.write("Your name", "Mai Vang")
    applicant.choose("In what capacity do you sign?", "The landowner in person")
    applicant.press("Sign and submit")
    applicant.sees("Keep this number.")
    number = applicant.main.locator(".receipt .number").inner_text()
    assert re.fullmatch(r"AP-2026-\d{4}", number)
    return number


def see_the_date_of_the_decision(applicant: Person, number: str, law: Law) -> None:
    due = RULES["decision"].compute(FRIDAY, calendar=current_calendar())
    assert due is not None
    assert long_date(due.on) == law.decision_by
    applicant.go(f"/applications/{application(number).key}/receipt/")
    applicant.sees("Receipt of application", law.decision_by)
    date_with_count = applicant.main.locator("details.date").first
    assert not date_with_count.locator(".count").is_visible()
    date_with_count.locator("summary").click()
    assert "Thanksgiving" in date_with_count.locator(".count").inner_text()
    assert f"{law.section}(c)" in date_with_count.inner_text()


def answer_in_a_second_revision(applicant: Person, number: str) -> None:
    applicant.go(f"/cases/{application(number).site.number}/")
    applicant.sees(CHANGE)
    applicant.go(f"/applications/{application(number).key}/revise/")
    applicant.press("Begin the revision")
    applicant.write("What was done about required change 1?", "Inlet filter added as device 2.")
    applicant.press("Save and go on")
    second = applicant.group("Device 2")
    second.get_by_label("Device").select_option("inlet-protection")
    applicant.write("Place", "Inlet east of the drive", within=second)
    applicant.write("Quantity", "1", within=second)
    applicant.press("Save and go on")
    applicant.press("File the revision")
    applicant.sees("Plan revision 2 of")


def read_the_permit_card(
    applicant: Person, number: str, permit_number: str, folder: Path, law: Law
) -> None:
    applicant.go(f"/cases/{application(number).site.number}/")
    card = applicant.fetch("Permit card", folder)
    with pikepdf.open(card) as pdf:
        assert len(pdf.pages) >= 1
    pages = pypdfium2.PdfDocument(card)
    text = " ".join(page.get_textpage().get_text_bounded() for page in pages)
    pages.close()
    assert permit_number in text
    assert "412 Prairie Road" in text
    assert law.section in text


def look_up_whether_digging_is_allowed(neighbor: Person, permit_number: str) -> None:
    neighbor.go("/look-up/")
    neighbor.main.get_by_role("searchbox").or_(neighbor.main.get_by_role("textbox")).first.fill(
        permit_number
    )
    neighbor.press("Look it up")
    neighbor.follow("412 Prairie Road")
    neighbor.sees(f"Yes, under permit {permit_number}, since Friday, November 13, 2026.")
    for secret in ("010-0142", "mai@people.example", "Mai Vang", "Jon Berg"):
        assert secret not in neighbor.page.content()


# The city -------------------------------------------------------------------------------


def take_the_fee(clerk: Person, number: str, law: Law) -> None:
    clerk.go("/money/")
    clerk.sees(number)
    clerk.go(f"/applications/{application(number).key}/take-fee/")
    clerk.tick("Cash")
    clerk.write("On which day did it come in?", FRIDAY.isoformat())
    clerk.write("Receipt number", "R-1042")
    clerk.press("Go on: see what will happen")
    clerk.sees(law.decision_by, law.fee)
    clerk.press("Record it")
    clerk.sees("Form, plan and fee are all in as of Friday, November 13, 2026.", law.decision_by)


def deny_with_one_required_change(inspector: Person, number: str, law: Law) -> None:
    inspector.go("/desk/")
    inspector.follow("Later")
    inspector.sees("412 Prairie Road", "Decision on an application")
    inspector.go(f"/applications/{application(number).key}/review/")
    drawing = inspector.main.locator("figure.drawing img").first
    picture = inspector.context.request.get(str(drawing.get_attribute("src")))
    assert picture.headers["content-type"] == "image/jpeg"
    inspector.follow("Deny, with required changes")
    inspector.press("Go on: see what will happen")
    assert inspector.page.title().startswith("Error: ")
    inspector.sees("Write at least one required change")
    inspector.write("What must be added or modified?", CHANGE)
    inspector.press("Go on: see what will happen")
    inspector.sees(CHANGE, law.decision_by)
    inspector.press("Deny the application")
    inspector.sees(f"{number} is denied.")


def grant(inspector: Person, number: str, law: Law) -> None:
    inspector.go(f"/applications/{application(number).key}/review/")
    inspector.sees("Inlet filter added as device 2.", CHANGE)
    inspector.follow("Compare with the revision before")
    inspector.sees("Inlet east of the drive")
    inspector.go(f"/applications/{application(number).key}/grant/")
    inspector.write("Conditions of the permit", "Call two working days before you dig.")
    inspector.write("Escrow", "2,500")
    inspector.tick(law.inspector, within=inspector.group("Who set the amount?"))
    inspector.write("How was the amount worked out?", "240 feet of fence at $4, seeding $1,540.")
    inspector.write("Date for the permanent controls", "2027-07-15")
    inspector.tick("No", within=inspector.group("Is a maintenance agreement required?"))
    inspector.press("Go on: see what will happen")
    inspector.sees("$2,500.00")
    inspector.press("Grant the permit")
    inspector.sees(f"{number} is granted.")


def post_escrow_a_cent_short_and_then_whole(clerk: Person, number: str) -> None:
    address = f"/applications/{application(number).key}/"
    clerk.go(f"{address}issue/")
    clerk.sees("The permit cannot be issued yet.")
    clerk.go(f"{address}escrow/")
    clerk.write("Amount", A_CENT_SHORT)
    clerk.write("Receipt number", "E-2001")
    clerk.press("Go on: see what will happen")
    assert clerk.page.title().startswith("Error: ")
    clerk.sees("$0.01")
    assert Permit.objects.get().escrow_posted_on is None
    clerk.write("Amount", "2,500.00")
    clerk.press("Go on: see what will happen")
    clerk.press("Post the escrow")
    clerk.sees("The escrow is posted", "$2,500.00")


def issue(clerk: Person) -> str:
    clerk.follow("Issue the permit")
    clerk.press("Issue the permit")
    clerk.sees("is issued", "Work may begin.")
    number = clerk.main.locator(".receipt .number").inner_text()
    assert re.fullmatch(r"EC-2026-\d{4}", number)
    return number


# Both -----------------------------------------------------------------------------------


def signed_in(wardrobe: Wardrobe, email: str) -> Person:
    person = wardrobe.somebody()
    person.go("/accounts/login/")
    sign_in(person, email, factory.PASSWORD)
    return person


def sign_in(person: Person, email: str, password: str) -> None:
    person.write("E-mail address", email)
    person.write("Password", password)
    person.press("Sign in")
    person.page.get_by_role("button", name="Sign out").wait_for()


def application(number: str) -> Application:
    return Application.objects.select_related("site").get(number=number)
