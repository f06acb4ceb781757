"""A maintenance agreement from the grant to the register of deeds, and its end, in a real browser.

The inspector grants with a practice that stays and drafts the agreement; the clerk records what
becomes of it; the applicant sees on a phone what is next, and from whom. Former § 17.19(4)(f)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from permits.models import Application, MaintenanceAgreement, Permit
from permits.verify import faults
from portal import papers
from tests import factory
from tests.browser.person import Person, Wardrobe
from tests.enforcement.works import blank_pdf
from tests.floor import sample_files
from tests.permits import agreements
from tests.permits.agreements import LEGAL

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.once,
    pytest.mark.django_db(transaction=True),
]

LOOK, SAVE = "Go on: see what will happen", "Save it"
TODAY = "2026-11-24"
MOST_STOPS = 200


@pytest.fixture
def wardrobe(browser, live_server, at: Callable[..., Any]) -> Iterator[Wardrobe]:
    """Browsers for three people, without scripts: nothing here needs one."""
    at(TODAY)
    opened = Wardrobe(browser, live_server.url, script=False)
    yield opened
    opened.close()
    assert opened.complaints == []
    assert list(faults()) == []


@pytest.fixture(autouse=True)
def _quick_papers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The paper for the register is measured in a test of its own; here it is handed on."""
    agreements.quickly(monkeypatch)
    monkeypatch.setattr(papers, "make", lambda template, context: papers.Made(blank_pdf(), 1))


@pytest.fixture
def scan(tmp_path: Path) -> Path:
    """What the city's scanner made of a signed sheet, and a map."""
    file = tmp_path / "scan.pdf"
    file.write_bytes(sample_files.pdf())
    return file


def add(person: Person, file: Path) -> None:
    person.main.locator("input[type=file]").set_input_files(file)


def confirm(person: Person, button: str) -> None:
    """Look at what will happen, and let it happen."""
    person.press(LOOK)
    person.press(button)


def test_from_the_grant_to_the_register_and_to_the_release(wardrobe: Wardrobe, scan: Path) -> None:
    application = factory.received(on=factory.MONDAY)
    inspector, clerk = wardrobe.somebody(), wardrobe.somebody()
    holder = wardrobe.somebody(width=360)
    inspector.enter_as(factory.inspector())
    clerk.enter_as(factory.clerk())
    holder.enter_as(application.applicant)
    grant(inspector, application)
    case = f"/cases/{application.site.number}/agreements/"
    holder.go(case)
    holder.sees("A maintenance agreement is required", "Next: the city drafts it.")
    made = draft(inspector, case, scan)
    holder.go(case)
    assert not holder.main.get_by_role("link", name=made.number).count()

    inspector.follow("Send it for signature")
    confirm(inspector, "Send it for signature")
    holder.go(case)
    holder.sees("out for signature", "The owner signs before a notary")

    sign_and_record(clerk, made, scan, document="1123344")
    holder.go(case)
    holder.sees("Document 1123344", "maintains the practices by the schedule.")

    release(inspector, made)
    ended = MaintenanceAgreement.objects.get(kind="release")
    sign_and_record(clerk, ended, scan, document="1130001")
    holder.go(case)
    holder.follow(made.number)
    holder.sees("Ended on Tuesday, November 24, 2026", ended.number)
    made.refresh_from_db()
    assert (made.status, made.ended_on.isoformat()) == ("ended", TODAY)


def grant(inspector: Person, application: Application) -> None:
    """Grant with a practice that stays; without one it is refused and nothing is lost."""
    inspector.go(f"/applications/{application.key}/grant/")
    inspector.write("Escrow", "2,500")
    inspector.write("How was the amount worked out?", "240 feet of silt fence at $4; seeding.")
    inspector.write("Date for the permanent controls", "2027-07-14")
    inspector.tick("Building inspector")
    inspector.tick("Yes", within=inspector.group("maintenance agreement"))
    inspector.press(LOOK)
    inspector.sees("Name at least one practice that stays")
    inspector.choose("Kind of practice", "Wet detention pond")
    inspector.write("Where it is", "South of the building")
    inspector.write("What drains to it?", "The roofs")
    inspector.write("How many acres?", "4.25")
    inspector.press(LOOK)
    inspector.sees("Wet detention pond")
    inspector.press("Grant the permit")
    assert Permit.objects.get().grant.practices.count() == 1


def draft(inspector: Person, case: str, scan: Path) -> MaintenanceAgreement:
    """Begin the draft and fill in what the case does not say."""
    inspector.go(case)
    inspector.follow("Draft an agreement")
    inspector.press("Begin the draft")
    inspector.sees("The legal description of the land is missing.", "Wet detention pond")
    inspector.follow("Land and signature")
    inspector.write("Spouse who signs as well", "Tou Vang, 123-45-6789")
    inspector.write("Legal description of the land", LEGAL)
    inspector.press(SAVE)
    inspector.sees("looks like a social security number")
    inspector.write("Spouse who signs as well", "Tou Vang")
    inspector.press(SAVE)
    inspector.follow("Practices, schedule and map")
    add(inspector, scan)
    inspector.press(SAVE)
    inspector.sees("The draft is saved.")
    made: MaintenanceAgreement = MaintenanceAgreement.objects.get()
    assert (made.spouse_name, made.legal_description) == ("Tou Vang", LEGAL)
    return made


def sign_and_record(clerk: Person, made: MaintenanceAgreement, scan: Path, document: str) -> None:
    """Signatures with their scan, the way to the register, and its document number."""
    clerk.go("/agreements/")
    clerk.follow(made.number)
    clerk.follow("Record the signatures")
    clerk.write("Day of the last signature", TODAY)
    clerk.press(LOOK)
    clerk.sees("Add the scan: it is the proof.")
    add(clerk, scan)
    confirm(clerk, "Record the signatures")
    clerk.follow("Record that it went to the register")
    clerk.write("Sent or brought to the register on", TODAY)
    confirm(clerk, "Record it")
    clerk.follow("Record the document number")
    clerk.write("Document number", document)
    clerk.write("Recorded on", TODAY)
    add(clerk, scan)
    confirm(clerk, "Record the document")
    clerk.sees("It is recorded and complete.")


def release(inspector: Person, made: MaintenanceAgreement) -> None:
    """Draft the release of what is in force; until it is recorded, that one binds."""
    inspector.go(made.get_absolute_url())
    inspector.follow("Amend or release it")
    inspector.tick("A release")
    inspector.press("Begin the draft")
    inspector.follow("Why it is released")
    inspector.write("Why is the land released?", "The pond was filled under a later permit.")
    inspector.press(SAVE)
    inspector.follow("Send it for signature")
    confirm(inspector, "Send it for signature")


def test_the_keyboard_passes_through_the_longest_page_of_a_draft(wardrobe: Wardrobe) -> None:
    made = agreements.drafted()
    inspector = wardrobe.somebody()
    inspector.enter_as(factory.inspector())
    inspector.go(f"{made.get_absolute_url()}practices/")
    reached = set()
    for _ in range(MOST_STOPS):
        inspector.page.keyboard.press("Tab")
        if inspector.page.evaluate("document.activeElement === document.body"):
            break
        reached.add(inspector.page.evaluate("document.activeElement.name"))
    else:
        raise AssertionError(f"the keyboard is caught: {sorted(filter(None, reached))}")
    asked = inspector.main.locator("[name]:not([type=hidden]):not([type=radio])")
    names = {each.get_attribute("name") for each in asked.all()}
    assert names <= reached
