"""A visit on a telephone: without signal, closed, opened again, and everything sent once."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import BrowserContext, Page, expect

from inspections.acts import visits as acts
from inspections.models import Finding, LineAnswer, Visit, VisitDescription, VisitPhoto
from portal import clock
from portal.accounts import mark_verified
from portal.models import Role, Upload
from tests.browser.barriers import barriers, is_too_wide
from tests.conftest import CHROMIUM

from .factory import PASSWORD, active_permit, finding, inspector, open_visit, user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.slow]

PHONE = {"width": 390, "height": 844}
PATIENCE = 120_000


@pytest.fixture
def visit() -> Visit:
    mark_verified(inspector())
    permit = active_permit(issued_on=clock.today() - timedelta(days=30))
    return open_visit(permit.site, on=clock.today(), began_at=clock.now() - timedelta(minutes=5))


@pytest.fixture
def telephone(playwright, tmp_path: Path, live_server) -> Iterator[Callable[..., BrowserContext]]:
    """Open the browser of one telephone; closed and opened again, it knows what it kept."""
    opened: list[BrowserContext] = []

    def turn_on(**options) -> BrowserContext:
        context = playwright.chromium.launch_persistent_context(
            str(tmp_path / "telephone"),
            executable_path=CHROMIUM,
            args=["--no-sandbox"],
            base_url=live_server.url,
            **{"viewport": PHONE, **options},
        )
        context.set_default_timeout(PATIENCE)
        opened.append(context)
        return context

    expect.set_options(timeout=PATIENCE)
    yield turn_on
    for context in opened:
        context.close()


def sign_in(page: Page, address: str, email: str = "inspector@example.test") -> None:
    page.goto(address)
    page.get_by_label("E-mail address").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Sign out").wait_for()


def photos(folder: Path, count: int) -> list[Path]:
    """Photos that differ, as a camera names them."""
    made = []
    for number in range(count):
        path = folder / f"IMG_{number:04d}.jpg"
        Image.new("RGB", (64, 48), (number * 7 % 256, number * 13 % 256, 90)).save(path, "JPEG")
        made.append(path)
    return made


def status(page: Page):
    return page.locator("#sending-words")


def until(page: Page, question: str) -> None:
    """Wait until a promise in the page is kept with something true."""
    for _ in range(PATIENCE // 250):
        if page.evaluate(question):
            return
        page.wait_for_timeout(250)
    raise AssertionError(f"never true: {question}")


def wait_until_kept_offline(page: Page) -> None:
    until(page, "navigator.serviceWorker.ready.then(() => true)")
    until(
        page,
        "caches.open('visit-pages').then((kept) => kept.match(location.pathname))"
        ".then((found) => Boolean(found))",
    )


def test_twenty_photos_without_signal_arrive_once_each(telephone, visit, tmp_path):
    lines = list(visit.lines.all())
    files = photos(tmp_path, 20)
    context = telephone()
    page = context.new_page()
    sign_in(page, visit.get_absolute_url())
    wait_until_kept_offline(page)

    context.set_offline(True)
    page.reload()  # the page opens without signal
    for line in lines:
        section = page.locator(f"#line-{line.pk}")
        section.get_by_text("In place", exact=True).click()
    first = page.locator(f"#line-{lines[0].pk}")
    first.get_by_label("Note").fill("Leans at the corner.")
    page.get_by_text("After rain", exact=True).click()
    first.locator("[data-photos]").set_input_files(files[:12])
    page.locator(f"#line-{lines[2].pk} [data-photos]").set_input_files(files[12:])
    expect(page.locator("[data-shots] li")).to_have_count(20)
    expect(status(page)).to_contain_text("No signal.")
    expect(status(page)).to_contain_text("20 photos wait on this device")
    context.close()
    assert not LineAnswer.objects.exists()

    context = telephone(offline=True)
    page = context.new_page()
    page.goto(visit.get_absolute_url())
    expect(page.locator("[data-shots] li")).to_have_count(20)
    expect(page.locator(f"#line-{lines[0].pk}").get_by_label("Note")).to_have_value(
        "Leans at the corner."
    )
    expect(status(page)).to_contain_text("20 photos wait on this device")

    context.set_offline(False)
    page.reload()
    sign_in(page, visit.get_absolute_url())
    expect(status(page)).to_have_text("Everything is saved.")
    expect(page.locator("[data-shots] .state", has_text="waits")).to_have_count(0)
    context.close()

    assert Counter(VisitPhoto.objects.values_list("upload__sha256", flat=True)) == Counter(
        hashlib.sha256(path.read_bytes()).hexdigest() for path in files
    )
    assert Upload.objects.count() == 20
    assert VisitPhoto.objects.filter(line=lines[0]).count() == 12
    assert Counter(LineAnswer.objects.values_list("line", flat=True)) == Counter(
        line.pk for line in lines
    )
    assert LineAnswer.objects.get(line=lines[0]).note == "Leans at the corner."
    assert VisitDescription.objects.get().weather == "after_rain"


def test_what_one_inspector_left_waits_for_them_and_nobody_else(telephone, visit):
    mark_verified(user(Role.INSPECTOR, "other@example.test", "Sam Reyes"))
    address, line = visit.get_absolute_url(), visit.lines.first()
    context = telephone()
    page = context.new_page()
    sign_in(page, address)
    wait_until_kept_offline(page)
    context.set_offline(True)
    page.locator(f"#line-{line.pk}").get_by_text("Missing", exact=True).click()
    expect(status(page)).to_contain_text("No signal.")
    context.set_offline(False)
    context.clear_cookies()
    page.goto("/accounts/login/")
    until(page, "caches.has('visit-pages').then((kept) => !kept)")

    sign_in(page, address, "other@example.test")
    expect(status(page)).to_contain_text("1 thing of another inspector waits here")
    expect(page.locator(f"#line-{line.pk} input:checked")).to_have_count(0)
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("link", name="Sign in", exact=True).wait_for()
    assert not LineAnswer.objects.exists()

    sign_in(page, "/account/")  # it is sent from whatever page is open
    for _ in range(PATIENCE // 250):
        if LineAnswer.objects.exists():
            break
        page.wait_for_timeout(250)
    expect(page.get_by_text("Open the visit to")).to_have_count(0)
    context.close()
    answer = LineAnswer.objects.get()
    assert (answer.by, answer.outcome) == (inspector(), "missing")


def test_findings_and_things_on_no_plan_wait_for_the_signal_too(telephone, visit):
    earlier = finding(visit.site, on=visit.visited_on - timedelta(days=3))
    context = telephone()
    page = context.new_page()
    sign_in(page, visit.get_absolute_url())
    wait_until_kept_offline(page)
    context.set_offline(True)

    part = page.get_by_role("group", name=f"Finding {earlier.number}")
    part.get_by_role("button", name="Still there today").click()
    page.get_by_role("button", name="Another thing").click()
    extra = page.locator("#extra .line").last
    extra.get_by_text("Needs correction", exact=True).click()
    extra.get_by_label("Note", exact=False).first.fill("A fuel tank without a tray.")
    extra.get_by_role("button", name="Record the finding").click()
    expect(extra.locator("[data-amiss]")).to_have_text("Say whether it is a violation.")
    extra.get_by_text("Yes", exact=True).click()
    extra.get_by_role("button", name="Record the finding").click()
    expect(extra.locator(".finding")).to_contain_text("waiting to be sent: A fuel tank")
    expect(status(page)).to_contain_text("1 answer and 2 findings wait")
    page.reload()
    expect(page.locator(".finding")).to_contain_text("waiting to be sent: A fuel tank")
    page.get_by_role("button", name="Finish the visit").click()
    expect(status(page)).to_contain_text("can be finished when everything is sent")

    context.set_offline(False)
    expect(page.locator(".finding")).to_contain_text(f"Finding {earlier.number + 1}, to be")
    expect(status(page)).to_have_text("Everything is saved.")
    page.get_by_role("button", name="Finish the visit").click()
    page.get_by_role("heading", name="Finish the visit").wait_for()
    page.get_by_role("button", name="Finish and report").click()
    page.get_by_text("is finished and on record").wait_for()
    context.close()

    found = Finding.objects.get(visit=visit)
    assert (found.what, found.is_violation) == ("A fuel tank without a tray.", True)
    assert found.line.kind == "extra"
    assert [day.on for day in earlier.days.all()] == [visit.visited_on]


def test_a_photo_that_fails_is_named_and_can_be_sent_again(telephone, visit, tmp_path):
    letter = tmp_path / "letter.jpg"
    letter.write_text("not a photo")
    good = photos(tmp_path, 1)
    # What a service worker asks for does not pass by the route below.
    context = telephone(service_workers="block")
    page = context.new_page()
    sign_in(page, visit.get_absolute_url())
    chooser = page.locator("#line-visit [data-photos]")
    context.route("**/photos/", lambda route: route.fulfill(status=500, body="no"))
    chooser.set_input_files(good)
    expect(status(page)).to_contain_text("1 photo waits on this device. The server does not")
    context.unroute("**/photos/")
    chooser.set_input_files(letter)
    amiss = page.locator("#sending-amiss")
    expect(amiss).to_contain_text("letter.jpg (the whole visit) is not taken")
    amiss.get_by_role("button", name="Send again").click()
    expect(amiss).to_contain_text("is not a photo")
    amiss.get_by_role("button", name="Remove").click()
    amiss.get_by_role("button", name="Really remove it").click()
    expect(amiss).to_be_hidden()
    expect(status(page)).to_have_text("Everything is saved.")
    context.close()
    assert VisitPhoto.objects.get().upload.original_name == "IMG_0000.jpg"


def test_what_is_entered_before_the_scripts_are_there_is_kept(telephone, visit, tmp_path):
    held = []
    context = telephone(service_workers="block")
    context.route(re.compile(r"/visit\.[^/]*js$"), lambda route: held.append(route))
    page = context.new_page()
    sign_in(page, visit.get_absolute_url())
    part = page.locator(f"#line-{visit.lines.first().pk}")
    part.get_by_text("Missing", exact=True).click()
    part.locator("[data-photos]").set_input_files(photos(tmp_path, 1))
    expect(status(page)).to_have_text("Press Save to keep what you entered.")
    held[0].continue_()
    expect(part.locator("[data-shots] li")).to_have_count(1)
    expect(status(page)).to_have_text("Everything is saved.")
    context.close()
    assert VisitPhoto.objects.get().upload.original_name == "IMG_0000.jpg"
    assert LineAnswer.objects.get().outcome == "missing"


def test_without_scripts_one_save_keeps_the_page(telephone, visit, tmp_path):
    line = visit.lines.first()
    context = telephone(java_script_enabled=False)
    page = context.new_page()
    sign_in(page, visit.get_absolute_url())
    part = page.locator(f"#line-{line.pk}")
    part.get_by_text("Missing", exact=True).click()
    part.get_by_label("Note").fill("Gone.")
    part.locator("[data-photos]").set_input_files(photos(tmp_path, 2))
    page.get_by_text("Dry", exact=True).click()
    page.get_by_role("button", name="Save", exact=True).last.click()
    page.get_by_text("Saved.").wait_for()
    assert part.get_by_label("Missing").is_checked()
    expect(part.locator("[data-shots] li")).to_have_count(2)
    part.locator("summary", has_text="Record a finding").wait_for()
    part.get_by_label("No", exact=True).check()
    part.get_by_role("button", name="Record the finding").click()
    expect(part.locator(".finding")).to_contain_text("Gone.")
    context.close()
    assert LineAnswer.objects.count() == 1


def test_the_page_fits_its_targets_are_large_and_nothing_keeps_anybody_out(telephone, visit):
    finding(visit.site, on=visit.visited_on - timedelta(days=3), is_violation=True)
    acts.answer(visit.lines.first(), by=inspector(), outcome="missing", note="Gone.")
    context = telephone()
    page = context.new_page()
    sign_in(page, visit.get_absolute_url())
    page.goto(f"{visit.get_absolute_url()}finish/")
    assert barriers(page) == []
    page.goto(visit.get_absolute_url())
    page.locator(".saves-itself").wait_for()
    assert barriers(page) == []
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert not is_too_wide(page), width
        for target in page.locator(".visit .pick:visible, .visit .btn:visible").all():
            assert target.bounding_box()["height"] >= 44, target.inner_html()
    context.close()
