"""The open pages in a real browser: readable, reachable by keyboard, at 320 px, on paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from portal.accounts import mark_verified
from portal.models import User
from tests.browser.barriers import barriers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PASSWORD = "gravel silt straw 77"
OPEN = ["/", "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", "/no/page/"]


@pytest.fixture
def open_page(browser, live_server) -> Iterator[Callable[..., Page]]:
    """Open a page of the portal; anything the browser complains about fails the test."""
    contexts, complaints = [], []

    def opened(address: str, *, width: int = 1280, script: bool = True) -> Page:
        context = browser.new_context(
            base_url=live_server.url,
            viewport={"width": width, "height": 800},
            java_script_enabled=script,
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if is_bad(said) else None)
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not complaints


def is_bad(said) -> bool:
    return said.type in {"error", "warning"} and "the server responded with" not in said.text


@pytest.fixture
def person() -> User:
    user = User.objects.create_user("mai@people.example", PASSWORD, name="Mai Vang")
    mark_verified(user)
    return user


def sign_in(page: Page) -> None:
    page.get_by_label("E-mail address").fill("mai@people.example")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Sign out").wait_for()


def test_large_and_widely_set_text_still_fits(open_page):
    page = open_page("/", width=640)
    for address in OPEN:
        page.goto(address)
        page.evaluate("document.documentElement.style.fontSize = '212.5%'")
        page.evaluate(
            """for (const one of document.querySelectorAll('body, body *')) {
                one.style.lineHeight = '1.5'; one.style.letterSpacing = '0.12em';
                one.style.wordSpacing = '0.16em'; }"""
        )
        assert page.evaluate("document.documentElement.scrollWidth") <= 640, address


def test_targets_are_large_enough_for_a_thumb(open_page):
    page = open_page("/accounts/login/", width=320)
    boxes = page.locator("main .btn:visible, main input:visible, .masthead a:visible")
    for box in boxes.all():
        assert box.bounding_box()["height"] >= 24, box.inner_html()
    for button in page.locator("main .btn-primary").all():
        assert button.bounding_box()["height"] >= 44


def test_the_summary_of_errors_is_read_first_and_leads_to_the_field(open_page):
    page = open_page("/accounts/signup/")
    page.get_by_label("Your name").fill("Mai Vang")
    page.get_by_role("button", name="Make my account").click()
    expect(page.locator(".error-summary")).to_be_focused()
    assert page.title().startswith("Error: ")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    focused = page.evaluate("document.activeElement.id")
    assert focused == "id_email"
    field = page.locator("#id_email")
    assert field.get_attribute("aria-invalid") == "true"
    described = field.get_attribute("aria-describedby").split()
    assert page.locator(f"#{described[-1]}").inner_text() == "Please answer this."
    assert page.get_by_label("Your name").input_value() == "Mai Vang"


def test_every_stop_of_the_keyboard_is_visible_and_in_order(open_page):
    page = open_page("/")
    stops = []
    for _ in range(40):
        page.keyboard.press("Tab")
        stop = page.evaluate(
            """() => { const one = document.activeElement, box = one.getBoundingClientRect();
              const style = getComputedStyle(one);
              return {tag: one.tagName, outline: parseFloat(style.outlineWidth),
                kind: style.outlineStyle, left: box.left,
                place: [...document.querySelectorAll('*')].indexOf(one)}; }"""
        )
        if stop["tag"] == "BODY":
            break
        stops.append(stop)
    assert len(stops) >= 6
    assert stops[-1]["tag"] == "A"
    assert [stop["place"] for stop in stops] == sorted(stop["place"] for stop in stops)
    for stop in stops:
        assert stop["kind"] != "none", stop
        assert stop["outline"] >= 2, stop
        assert stop["left"] >= 0, stop


def test_a_date_opens_and_an_account_works_without_scripts(open_page, person):
    page = open_page("/", script=False)
    count = page.locator("details.date .count").first
    assert not count.is_visible()
    page.locator("details.date summary").first.click()
    assert count.is_visible()
    page.goto("/accounts/login/")
    sign_in(page)
    page.goto("/account/")
    page.get_by_label("Telephone").fill("(555) 010-0142")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Your details are saved.")).to_be_visible()


def test_on_paper_every_date_shows_its_count_and_no_menu(open_page):
    for script in (True, False):
        page = open_page("/", script=script)
        page.emulate_media(media="print")
        assert page.locator("details.date .count").first.is_visible()
        assert not page.locator(".masthead nav").is_visible()


def test_nothing_is_shown_by_the_back_button_after_signing_out(open_page, person):
    page = open_page("/accounts/login/")
    sign_in(page)
    page.goto("/account/")
    assert page.get_by_label("Your name").input_value() == "Mai Vang"
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("link", name="Sign in", exact=True).wait_for()
    page.go_back()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert "Mai Vang" not in page.content()


def test_all_can_be_seen_in_forced_colours(open_page):
    page = open_page("/accounts/login/")
    page.emulate_media(forced_colors="active", reduced_motion="reduce")
    assert barriers(page) == []
    button = page.get_by_role("main").get_by_role("button", name="Sign in")
    assert button.evaluate("one => getComputedStyle(one).borderTopStyle") == "solid"
