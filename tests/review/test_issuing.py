"""§ 40-886 Issuing: what stands in the way, what it does, and the card to hold in hand."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from permits import verify
from permits.models import DocketEntry, Permit
from portal.models import OutboxMessage
from tests import factory
from tests.factory import MONDAY

from .pages import confirm, fields_of, signed_in, text_of, url

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("monday")]


@pytest.fixture(params=["inspector", "clerk"])
def staff(request: pytest.FixtureRequest) -> Client:
    return signed_in(factory.user(request.param))


def test_the_page_shows_what_issuing_does_and_does_it(staff: Client) -> None:
    application = factory.posted()
    address = url("issue", application)
    shown = staff.get(address)
    words = text_of(shown)
    assert "Issue this permit?" in words
    assert "Wednesday, July 14, 2027" in words
    assert "Wednesday, December 16, 2026" in words, "the last day to appeal"
    done = confirm(staff, address, shown)
    assert done.headers["Location"] == address
    permit = Permit.objects.get(application=application)
    assert permit.status == Permit.Status.ISSUED
    assert permit.number == "EC-2026-0001"
    assert permit.issued_on == MONDAY
    page = text_of(staff.get(address))
    assert "Permit EC-2026-0001 is issued" in page
    assert "Open the permit card to print" in page


def test_issuing_starts_the_clock_of_permanent_cover(staff: Client) -> None:
    application = factory.posted()
    address = url("issue", application)
    confirm(staff, address, staff.get(address))
    entry = DocketEntry.objects.running().get(rule="permanent-cover")
    assert entry.on == date(2027, 7, 14)
    assert entry.bound == DocketEntry.Bound.PERMITTEE


def test_twenty_clicks_issue_one_permit() -> None:
    staff = signed_in(factory.inspector())
    application = factory.posted()
    address = url("issue", application)
    fields = fields_of(staff.get(address)) | {"step": "confirm"}
    places = {staff.post(address, fields).headers["Location"] for _ in range(20)}
    assert places == {address}
    assert application.papers.filter(kind="permit_card").count() == 1
    assert OutboxMessage.objects.filter(cause="issued").count() == 3
    assert application.site.events.filter(kind="permit.issued").count() == 1


def test_the_inspector_is_not_led_to_a_page_of_the_clerk() -> None:
    application = factory.granted()
    page = signed_in(factory.inspector()).get(url("issue", application))
    assert "is not posted" in text_of(page)
    assert url("escrow_post", application).encode() not in page.content


def test_a_second_clerk_is_told_that_it_is_issued() -> None:
    application = factory.issued()
    staff = signed_in(factory.clerk())
    response = staff.post(url("issue", application), {"step": "confirm"})
    assert response.status_code == 409
    assert Permit.objects.get(application=application).number == "EC-2026-0001"


@pytest.mark.parametrize("state", ["submitted", "received", "denied", "withdrawn"])
def test_what_is_not_granted_is_not_issued(state: str) -> None:
    application = factory.STATES[state]()
    staff = signed_in(factory.clerk())
    assert "not granted" in text_of(staff.get(url("issue", application)))
    assert staff.post(url("issue", application), {"step": "confirm"}).status_code == 409
    assert not Permit.objects.filter(application=application).exists()


def test_a_date_that_has_come_keeps_the_permit_until_the_inspector_sets_another(at) -> None:
    application = factory.posted()
    at("2027-07-20")
    clerk, inspector = signed_in(factory.clerk()), signed_in(factory.inspector())
    page = clerk.get(url("issue", application))
    assert "The date for the permanent controls, July 14, 2027, has come" in text_of(page)
    assert clerk.post(url("issue", application), {"step": "confirm"}).status_code == 409
    address = url("controls_date", application)
    assert address.encode() in inspector.get(url("issue", application)).content
    typed = {"to": "2027-10-01", "reason": "The escrow came late."}
    shown = inspector.post(address, {**typed, "step": "check"})
    assert "Friday, October 1, 2027" in text_of(shown)
    confirm(inspector, address, shown)
    permit = Permit.objects.get(application=application)
    assert permit.permanent_controls_by.isoformat() == "2027-10-01"
    assert permit.grant.permanent_controls_by.isoformat() == "2027-07-14"
    event = application.site.events.get(kind="date.moved")
    assert (event.reason, event.facts["from"]) == ("The escrow came late.", "2027-07-14")
    assert OutboxMessage.objects.filter(cause__startswith="controls_date:").count() == 3
    assert not list(verify.faults())
    confirm(clerk, url("issue", application), clerk.get(url("issue", application)))
    permit.refresh_from_db()
    assert permit.status == Permit.Status.ISSUED
    assert permit.clocks()[0].on.isoformat() == "2027-10-01"


def test_a_date_changed_without_a_record_is_found() -> None:
    application = factory.posted()
    Permit.objects.update(permanent_controls_by="2028-01-03")
    assert [fault for fault in verify.faults() if "controls by 2028-01-03" in fault]
    assert application.site.events.filter(kind="date.moved").count() == 0


@pytest.mark.parametrize("day", ["2026-11-16", "2026-11-01", ""])
def test_a_new_date_lies_after_today_and_has_a_reason(day: str) -> None:
    application = factory.granted()
    before = application.permit.permanent_controls_by
    address = url("controls_date", application)
    inspector = signed_in(factory.inspector())
    assert inspector.post(address, {"to": day, "reason": "Why not.", "step": "confirm"})
    assert inspector.post(address, {"to": "2027-10-01", "reason": "", "step": "confirm"})
    assert Permit.objects.get(application=application).permanent_controls_by == before


def test_an_issued_permit_keeps_its_date() -> None:
    application = factory.issued()
    inspector = signed_in(factory.inspector())
    typed = {"to": "2028-01-03", "reason": "Late.", "step": "confirm"}
    assert inspector.post(url("controls_date", application), typed).status_code == 409
    assert not application.site.events.filter(kind="date.moved").exists()


def test_looking_at_the_page_changes_nothing() -> None:
    """The page works out the dates of a permit issued today without touching the permit."""
    application = factory.posted()
    signed_in(factory.clerk()).get(url("issue", application))
    permit = Permit.objects.get(application=application)
    assert permit.issued_on is None
    assert permit.status == Permit.Status.AWAITING_ESCROW


def test_three_permits_are_three_cards(staff: Client) -> None:
    """Each mail brings the card of its own permit, once."""
    for application in [factory.posted() for _ in range(3)]:
        address = url("issue", application)
        confirm(staff, address, staff.get(address))
    mails = OutboxMessage.objects.filter(cause="issued", recipient="landowner@example.test")
    assert mails.count() == 3
    assert len({mail.attachment_id for mail in mails}) == 3
    for mail in mails.select_related("attachment"):
        assert mail.attachment is not None
        number = mail.subject.split()[1]
        assert number in mail.attachment.title
