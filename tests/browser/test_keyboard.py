"""The keyboard alone: signing in, a step with its file, and a denial. WCAG 2.1.1, 2.1.2"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest
from playwright.sync_api import Page

from permits.models import Application, Decision
from tests import factory
from tests.browser.person import Person, Wardrobe
from tests.floor import sample_files

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

MOST_STOPS = 90
"""No field of a page is further away than this many presses of Tab."""

NAME = """() => {
  const one = document.activeElement;
  const label = one.labels && one.labels.length ? one.labels[0].textContent : '';
  return (one.getAttribute('aria-label') || label || one.textContent || '').trim();
}"""


@pytest.fixture
def somebody(browser, live_server, at) -> Iterator[Person]:
    """Somebody who has a keyboard and nothing else."""
    at(factory.MONDAY)
    wardrobe = Wardrobe(browser, live_server.url)
    yield wardrobe.somebody()
    wardrobe.close()
    assert wardrobe.complaints == []


@pytest.fixture
def page(somebody: Person) -> Page:
    """A page that only `keys` below are pressed on."""
    return somebody.page


def tab_to(page: Page, name: str) -> None:
    """Press Tab until something of this name has the focus."""
    passed = []
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        here = page.evaluate(NAME)
        if name in here:
            return
        passed.append(here[:40])
    raise AssertionError(f"{name} is not reached at {page.url}; passed {passed}")


def write(page: Page, name: str, text: str) -> None:
    tab_to(page, name)
    page.keyboard.type(text)


def press(page: Page, name: str, key: str = "Enter") -> None:
    tab_to(page, name)
    page.keyboard.press(key)


def go_on(page: Page, name: str) -> None:
    """Press a button or a link that leads to another page, and wait for that."""
    tab_to(page, name)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def sign_in(page: Page, email: str) -> None:
    page.goto("/")
    go_on(page, "Sign in")
    write(page, "E-mail address", email)
    write(page, "Password", factory.PASSWORD)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def test_an_applicant_signs_in_and_answers_a_step(page: Page):
    application = factory.draft(on=factory.MONDAY)
    sign_in(page, application.applicant.email)
    go_on(page, "Go on")
    page.goto(application.get_step_url("work"))
    write(page, "What will be done?", "Strip the lot and dig the basement.")
    press(page, "Grading", "Space")
    write(page, "Amount", "17,424")
    tab_to(page, "Unit")
    page.keyboard.press("ArrowDown")
    tab_to(page, "Yes")  # Will a street be built?
    page.keyboard.press("ArrowDown")
    write(page, "First day of work", "12142026")
    write(page, "Last day of work", "06302027")
    go_on(page, "Save and go on")
    assert page.locator("h1").inner_text() == "The erosion control plan"
    application = Application.objects.get()
    assert application.activities == ["grading"]
    assert (application.area_amount, application.area_unit) == (17424, "sq_ft")
    assert application.street_work is False
    assert (application.starts_on, application.ends_on) == (date(2026, 12, 14), date(2027, 6, 30))


def test_an_applicant_adds_a_plan_sheet(somebody: Person, page: Page, tmp_path):
    sheet = tmp_path / "grading.pdf"
    sheet.write_bytes(sample_files.pdf())
    application = factory.draft(on=factory.MONDAY)
    somebody.enter_as(application.applicant)
    page.goto(application.get_step_url("plan"))
    tab_to(page, "Choose drawings")
    page.locator(":focus").set_input_files(sheet)  # the dialog itself is the browser's own
    go_on(page, "Add these files")
    assert page.get_by_text("grading.pdf is saved.").is_visible()


def test_an_inspector_denies_with_a_required_change(somebody: Person, page: Page):
    application = factory.received(on=factory.MONDAY)
    somebody.enter_as(factory.inspector())
    page.goto(f"/applications/{application.key}/review/")
    go_on(page, "Deny, with required changes")
    go_on(page, "Go on: see what will happen")
    assert page.title().startswith("Error: ")
    page.keyboard.press("Tab")  # from the summary to its link
    page.keyboard.press("Enter")
    page.keyboard.type("Show the inlet east of the drive.")
    go_on(page, "Go on: see what will happen")
    go_on(page, "Deny the application")
    decision = Decision.objects.get()
    assert [change.text for change in decision.changes.all()] == [
        "Show the inlet east of the drive."
    ]


@pytest.mark.parametrize("step", ["people", "plan"])
def test_the_keyboard_passes_through_the_longest_pages(somebody: Person, page: Page, step: str):
    application = factory.complete_draft(on=factory.MONDAY)
    somebody.enter_as(application.applicant)
    page.goto(application.get_step_url(step))
    for _ in range(3 * MOST_STOPS):  # a date has three stops
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            return
    place = page.evaluate("document.activeElement.outerHTML")
    raise AssertionError(f"the keyboard is caught at {place[:200]}")
