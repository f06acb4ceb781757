"""Findings, log, cover and certificates in a real browser: on a phone, readable, by keyboard."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page

from inspections.acts import cover as cover_acts
from inspections.acts import findings as finding_acts
from inspections.acts import log as log_acts
from inspections.acts import visits as visit_acts
from inspections.models import LogEntry
from permits.models import DocketEntry
from portal import clock
from portal.uploads.store import store
from tests.browser.barriers import barriers, is_too_wide
from tests.floor.sample_files import jpeg, sent
from tests.inspections import factory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.slow]

SHOTS = os.environ.get("SILTFENCE_SHOTS", "")
"""A folder for pictures of the pages, for whoever wants to look at them."""


@pytest.fixture
def open_page(browser, live_server) -> Iterator[Callable[..., Page]]:
    """Open a page as somebody; what the browser complains about fails the test."""
    contexts, complaints = [], []

    def opened(address: str, person, *, width: int = 320, script: bool = True) -> Page:
        client = Client()
        client.force_login(person)
        context = browser.new_context(
            base_url=live_server.url,
            viewport={"width": width, "height": 800},
            java_script_enabled=script,
        )
        contexts.append(context)
        name = settings.SESSION_COOKIE_NAME
        value = client.cookies[name].value
        context.add_cookies([{"name": name, "value": value, "url": live_server.url}])
        page = context.new_page()
        page.set_default_timeout(120_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address, timeout=120_000)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not complaints


@pytest.fixture
def case():
    """A permit with findings, a log with gaps, a certificate and an open visit."""
    today = clock.today()
    permit = factory.active_permit(
        issued_on=today - timedelta(days=40), ends_on=today + timedelta(days=400)
    )
    permit.grant.revision.devices.create(
        device="inlet-protection", place="Rain garden outlet", permanent=True
    )
    for count in permit.clocks():
        DocketEntry.objects.start(permit, count, title=f"Permanent cover due, permit {permit}")
    visit = factory.open_visit(permit.site, on=today - timedelta(days=2))
    inspector, line = visit.inspector, visit.lines.first()
    photo = store(sent("north line.jpg", jpeg()), by=inspector)
    visit_acts.attach_photo(visit, photo, by=inspector, line=line)
    finding = finding_acts.record(
        visit,
        by=inspector,
        what="The silt fence on the north line is down over 60 feet; soil lies on the walk.",
        section="devices",
        correct_by=today - timedelta(days=1),
        who="contractor",
        line=line,
        is_violation=True,
    )
    visit_acts.finish(visit, by=inspector)
    finding_acts.answer(
        finding,
        by=permit.application.applicant,
        on=today,
        text="Set again and keyed in, 60 feet. The walk is swept.",
        photos=[photo],
    )
    log_acts.enter(
        permit,
        by=permit.application.applicant,
        today=today,
        key=finding.key,
        inspected_on=today - timedelta(days=12),
        answers=log_acts.Answers(
            kind="weekly", inspectors="Ana Ruiz", weather="Dry", phase="Rough grading"
        ),
        lines={"silt_fence": ("yes", "Set again on the north line."), "mat": ("na", "")},
        photos=[photo],
    )
    return finding


def shot(page: Page, name: str) -> None:
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{name}.png", full_page=True)


def test_the_log_is_written_with_a_thumb_and_without_a_script(open_page, case) -> None:
    address = reverse("log_add", args=[case.site.number])
    page = open_page(address, case.permit.application.applicant, script=False)
    page.get_by_label("From", exact=True).fill("07:30")
    page.get_by_label("Weather").fill("Dry")
    for group in page.locator(".practice").all():
        group.get_by_label("Fine").check()
    fence = page.locator(".practice", has_text="Silt fence")
    follow = fence.get_by_label("Silt fence: what is done about it?")
    assert not follow.is_visible()
    fence.get_by_label("Needs work").check()
    assert follow.is_visible()
    page.get_by_role("button", name="Write it into the log").click()
    page.get_by_role("alert").wait_for()  # the follow-up is missing
    assert not is_too_wide(page)
    shot(page, "log-error-320")
    page.get_by_label("Silt fence: what is done about it?").fill("Set again.")
    page.get_by_role("button", name="Write it into the log").click()
    page.get_by_text("The inspection is in the log.").wait_for()
    assert LogEntry.objects.count() == 2


def test_a_certificate_shows_what_it_does_and_a_final_passes(open_page, case) -> None:
    inspector = factory.inspector()
    page = open_page(reverse("certificate", args=[case.site.number]), inspector, width=1280)
    page.get_by_label("Building").fill("Unit 1")
    page.get_by_label("Day on which").fill(case.found_on.isoformat())
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("heading", name="What this certificate does").wait_for()
    assert barriers(page) == []
    shot(page, "certificate-shown-1280")
    page.set_viewport_size({"width": 320, "height": 800})
    assert not is_too_wide(page)
    shot(page, "certificate-shown-320")
    page.context.close()

    visit = factory.open_visit(case.site, on=clock.today())
    page = open_page(reverse("final", args=[visit.key]), inspector)
    for group in page.get_by_role("group", name="In place").all():
        group.get_by_label("Yes").check()
    page.get_by_role("group", name="Is the cover perennial?").get_by_label("Yes").check()
    page.get_by_label("Density").fill("64")
    page.get_by_label("Estimate by eye").check()
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("heading", name="It does not pass").wait_for()
    assert barriers(page) == []
    assert not is_too_wide(page)
    shot(page, "final-shown-320")
    assert cover_acts.why_not_final(visit) == ""
