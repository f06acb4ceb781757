"""The applicant's pages in a real browser: without scripts, by keyboard and ear."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from permits.models import Application
from portal import clock
from tests import factory
from tests.conftest import CASES
from tests.floor import sample_files

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def vang(db):
    return factory.applicant("Mai Vang")


@pytest.fixture
def open_page(browser, live_server, vang) -> Iterator[Callable[..., Page]]:
    """A page of the portal, signed in as the applicant; complaints fail the test."""
    contexts, complaints = [], []

    def opened(address: str, *, width: int = 1280, script: bool = True) -> Page:
        context = browser.new_context(
            base_url=live_server.url,
            viewport={"width": width, "height": 800},
            java_script_enabled=script,
        )
        contexts.append(context)
        signed_in = Client()
        signed_in.force_login(vang)
        cookie = signed_in.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not complaints


@pytest.fixture
def sheet(tmp_path) -> Path:
    """A real plan sheet where there is one, else one of our own."""
    real = CASES / "uploads" / "pdf" / "AutoCad_Simple.pdf"
    if real.is_file():
        return real
    path = tmp_path / "C-1.pdf"
    path.write_bytes(sample_files.pdf())
    return path


def go_on(page: Page, heading: str) -> None:
    page.get_by_role("button", name="Save and go on").click()
    expect(page.locator("h1")).to_have_text(heading)


def test_the_whole_application_without_scripts(open_page, sheet):
    page = open_page("/check/", script=False)
    page.locator("#id_area_0").fill("0.4 acre")
    for name in ("street_work", "dewatering", "agriculture", "state_project"):
        page.locator(f"[name={name}][value=no]").check()
    page.get_by_role("button", name="Show the answer").click()
    page.get_by_role("button", name="Apply with these answers").click()

    expect(page.locator("h1")).to_have_text("Where is the site?")
    page.get_by_label("Address of the site").fill("N170 W20019 Hunters Rd")
    page.get_by_label("Parcel numbers").fill("0010001000\n24-1029.10")
    go_on(page, "Who is who?")

    page.locator("#id_landowner-same_as").select_option("myself")
    page.locator("#id_landowner-mailing_address").fill("1 Mill Street, Example, WI 54999")
    page.locator("#id_emergency-name").fill("Jon Berg")
    page.locator("#id_emergency-telephone").fill("(555) 010-0188")
    page.locator("#id_controls-same_as").select_option("emergency")
    go_on(page, "The work")

    assert page.locator("#id_area_0").input_value() == "0.4"
    page.get_by_label("What will be done?").fill("Strip, grade and build a house.")
    page.get_by_label("Grading or removing ground cover").check()
    page.get_by_label("First day of work").fill("2030-05-01")
    page.get_by_label("Last day of work").fill("2030-09-30")
    page.get_by_label("A one-family or two-family dwelling").check()
    go_on(page, "The erosion control plan")
    write_plan(page, sheet)

    for label in ("I have read", "I allow", "I agree"):
        page.get_by_label(label).check()
    go_on(page, "The fee")
    go_on(page, "Check your answers and sign")
    page.get_by_label("Your name").fill("Mai Vang")
    page.get_by_label("In what capacity do you sign?").select_option("Landowner")
    page.get_by_role("button", name="Sign and submit").click()
    number = Application.objects.get().number
    expect(page.locator("main")).to_contain_text(number)
    page.go_back()
    expect(page.locator("main")).to_contain_text(number)


def write_plan(page: Page, sheet: Path) -> None:
    page.get_by_label("Choose drawings and other files").set_input_files(sheet)
    page.get_by_role("button", name="Add these files").click()
    expect(page.locator(".files .name a")).to_have_text(sheet.name)
    page.get_by_label("Scale of the drawing").fill("1 inch = 20 feet")
    page.get_by_label("What on the site affects erosion?").fill("Silty clay, 6 percent.")
    page.get_by_label("What next to the site").fill("Inlet 40 feet east.")
    page.locator("#id_devices-0-device").select_option("silt-fence")
    page.locator("#id_devices-0-place").fill("North line")
    page.get_by_role("button", name="Add an activity").click()
    expect(page.locator("#id_devices-0-place")).to_have_value("North line")
    page.locator("#id_activities-0-activity").fill("Strip and grade")
    page.locator("#id_activities-0-starts_on").fill("2030-05-01")
    page.locator("#id_activities-0-ends_on").fill("2030-09-30")
    page.locator("#id_activities-0-area_0").fill("17,424")
    page.locator("#id_activities-0-temporary").fill("Silt fence before grading.")
    page.locator("#id_activities-0-permanent").fill("Seed and mulch.")
    go_on(page, "Acknowledgements")


def test_errors_are_announced_and_lead_to_their_fields(open_page, vang):
    draft = factory.draft(vang, on=clock.today())
    page = open_page(draft.get_step_url("work"))
    page.locator("#id_area_0").fill("about half")
    page.locator("#id_pipe_ft").fill("many")
    page.get_by_role("button", name="Save and go on").click()
    expect(page.locator(".error-summary")).to_be_focused()
    assert page.title().startswith("Error: ")
    page.locator(".error-summary a", has_text="underground pipe").click()
    field = page.locator("#id_pipe_ft")
    expect(field).to_be_focused()
    assert field.get_attribute("aria-invalid") == "true"
    described = field.get_attribute("aria-describedby").split()
    assert any("Write a number" in page.locator(f"#{each}").inner_text() for each in described)
    assert field.input_value() == "many"
    page.locator(".error-summary a", has_text="How much ground").click()
    expect(page.locator("#id_area_0")).to_be_focused()


def test_enter_saves_the_plan_and_takes_nothing_out(open_page, vang):
    draft = factory.complete_draft(vang, on=clock.today())
    page = open_page(draft.get_step_url("plan"))
    page.locator("#id_drawing_scale").fill("1:500")
    page.locator("#id_drawing_scale").press("Enter")
    expect(page.locator("#id_drawing_scale")).to_have_value("1:500")
    revision = draft.latest_revision()
    assert (revision.drawing_scale, revision.sheets.count()) == ("1:500", 1)
