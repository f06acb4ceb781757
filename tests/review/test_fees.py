"""§ 40-886(b) The fee at the counter, and the receipt with the day of the decision."""

from __future__ import annotations

from datetime import date

import icalendar
import pytest
from django.test import Client

from permits.models import Application
from portal import operations
from portal.models import CouncilValue, OutboxMessage
from tests import factory

from .pages import FEE, act, confirm, fields_of, fill, signed_in, text_of, url

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("monday")]


@pytest.fixture
def clerk() -> Client:
    return signed_in(factory.clerk())


def test_the_page_says_when_the_decision_would_be_due(clerk: Client) -> None:
    page = clerk.get(url("fee", factory.submitted()))
    words = text_of(page)
    assert "$25.00" in words
    assert "Tuesday, December 1, 2026" in words
    assert "Thanksgiving Day, a legal holiday" in words, "with its count"


def test_the_fee_starts_the_ten_working_days(clerk: Client) -> None:
    application = factory.submitted()
    shown = fill(clerk, url("fee", application), **FEE)
    assert "Tuesday, December 1, 2026" in text_of(shown)
    assert not application.fee_entries.exists()
    done = confirm(clerk, url("fee", application), shown)
    assert done.headers["Location"] == url("receipt", application)
    application.refresh_from_db()
    assert application.status == Application.Status.UNDER_REVIEW
    assert application.received_on == factory.MONDAY
    entry = application.fee_entries.get()
    assert (str(entry.amount), entry.check_number) == ("25.00", "2044")


def test_a_check_mailed_before_the_form_was_filed_counts_from_the_form(clerk: Client) -> None:
    application = factory.submitted()
    act(clerk, url("fee", application), **FEE, received_on="11/12/2026")
    application.refresh_from_db()
    assert application.fee_received_on == date(2026, 11, 12)
    assert application.received_on == factory.MONDAY


def test_a_fee_found_in_the_mailbox_later_counts_from_its_own_day(clerk: Client, at) -> None:
    application = factory.submitted()
    at("2026-11-20")
    clerk = signed_in(factory.clerk())
    shown = fill(clerk, url("fee", application), **FEE, received_on="2026-11-18")
    assert "Thursday, December 3, 2026" in text_of(shown)


def test_a_day_so_early_that_the_decision_is_late_is_said_before(at) -> None:
    application = factory.submitted()
    at("2026-12-15")
    clerk = signed_in(factory.clerk())
    shown = fill(clerk, url("fee", application), **FEE, received_on="2026-11-17")
    assert "The decision would be late already." in text_of(shown)


def test_a_waiver_needs_its_resolution(clerk: Client) -> None:
    application = factory.submitted()
    page = fill(clerk, url("fee", application), means="waiver")
    assert "it is the proof of the fee" in text_of(page)
    act(clerk, url("fee", application), means="waiver", resolution="R-2026-14")
    entry = application.fee_entries.get()
    assert (str(entry.amount), entry.resolution) == ("0.00", "R-2026-14")
    assert application.site.events.filter(kind="fee.waived").exists()


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({}, "Please answer this."),
        ({"means": "cash"}, "it is the proof of the fee"),
        ({"means": "check", "receipt_number": "R-1"}, "it is the proof of the fee"),
        ({**FEE, "received_on": "2026-11-17"}, "This day is still to come."),
        ({**FEE, "received_on": "31/12/2026"}, "such as 12/8/2026"),
        ({**FEE, "received_on": "1926-11-16"}, "cannot be meant"),
        ({**FEE, "receipt_number": "9" * 61}, "at most 60"),
        ({"means": "reversal"}, "Choose one of the answers offered."),
    ],
)
def test_what_is_missing_is_asked_again(clerk: Client, answers: dict, sentence: str) -> None:
    application = factory.submitted()
    page = fill(clerk, url("fee", application), **answers)
    assert page.status_code == 200
    assert sentence in text_of(page)
    assert not application.fee_entries.exists()


def test_the_fee_of_the_day_of_filing_is_due(clerk: Client, at) -> None:
    """Fees are dated: an application keeps the one of the day on which it was filed."""
    CouncilValue.objects.create(
        key="fee", value="40.00", effective_on=date(2026, 11, 17), resolution="R-2026-15"
    )
    before = factory.submitted()
    at("2026-11-17")
    clerk = signed_in(factory.clerk())
    after = factory.submitted(on=date(2026, 11, 17))
    for application, amount in ((before, "25.00"), (after, "40.00")):
        act(clerk, url("fee", application), **FEE)
        assert str(application.fee_entries.get().amount) == amount


def test_the_fee_is_taken_once(clerk: Client) -> None:
    application = factory.submitted()
    address = url("fee", application)
    fields = fields_of(fill(clerk, address, **FEE)) | {"step": "confirm"}
    places = {clerk.post(address, fields).headers["Location"] for _ in range(5)}
    assert places == {url("receipt", application)}
    assert application.fee_entries.count() == 1
    assert OutboxMessage.objects.filter(cause__startswith="received:").count() == 3
    other = fields | {operations.FIELD: operations.new_token()}
    assert clerk.post(address, other).status_code == 409
    assert application.fee_entries.count() == 1


# Reversal ---------------------------------------------------------------------------------


def test_a_check_that_came_back_takes_the_days_back(clerk: Client) -> None:
    application = factory.received()
    shown = fill(clerk, url("fee_reverse", application), reason="The bank returned the check.")
    assert "never began" in text_of(shown)
    assert confirm(clerk, url("fee_reverse", application), shown).status_code == 302
    application.refresh_from_db()
    assert application.status == Application.Status.SUBMITTED
    assert application.received_on is None
    assert sum(entry.amount for entry in application.fee_entries.all()) == 0
    mail = OutboxMessage.objects.filter(cause__startswith="fee_reversed").first()
    assert mail is not None
    assert "The bank returned the check." in mail.body
    act(clerk, url("fee", application), **FEE)
    application.refresh_from_db()
    assert application.received_on == factory.MONDAY


def test_the_fee_of_a_decided_application_is_not_reversed(clerk: Client) -> None:
    application = factory.denied()
    page = clerk.post(url("fee_reverse", application), {"reason": "x", "step": "confirm"})
    assert page.status_code == 409
    assert application.fee_entries.count() == 1


# Receipt ----------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["applicant", "inspector", "clerk"])
def test_the_receipt_is_the_same_page_for_all(role: str) -> None:
    application = factory.received()
    user = application.applicant if role == "applicant" else factory.user(role)
    words = text_of(signed_in(user).get(url("receipt", application)))
    for part in (
        application.number,
        "Tuesday, December 1, 2026",
        "Ten working days: Nov 17, 18, 19, 20, 23, 24, 25, 27, 30, Dec 1.",
        "cash at the counter",
        "Work may begin only once the permit is issued.",
    ):
        assert part in words


def test_before_the_fee_the_receipt_says_what_is_missing() -> None:
    application = factory.submitted()
    page = signed_in(application.applicant).get(url("receipt", application))
    words = text_of(page)
    assert "Filed, not all is in yet" in words
    assert "The fee of $25.00 has not been paid or waived." in words
    assert ".ics" not in page.content.decode()
    calendar = signed_in(application.applicant).get(url("receipt_calendar", application))
    assert calendar.status_code == 404


def test_a_late_city_is_told_to_the_applicant_in_plain_words(at) -> None:
    application = factory.received()
    at("2026-12-01", "23:59")
    page = signed_in(application.applicant).get(url("receipt", application))
    assert "has not decided in time" not in text_of(page)
    at("2026-12-02", "00:00")
    page = signed_in(application.applicant).get(url("receipt", application))
    assert "The city has not decided in time." in text_of(page)
    assert "Nothing is deemed granted" in text_of(page)


def test_the_date_goes_into_peoples_calendars() -> None:
    application = factory.received()
    response = signed_in(application.applicant).get(url("receipt_calendar", application))
    assert response.headers["Content-Type"] == "text/calendar; charset=utf-8"
    (entry,) = icalendar.Calendar.from_ical(response.content).walk("VEVENT")
    assert entry["DTSTART"].dt == date(2026, 12, 1)
    assert entry["DTEND"].dt == date(2026, 12, 2)
    assert application.number in entry["SUMMARY"]
    assert "Thanksgiving Day" in entry["DESCRIPTION"]


@pytest.mark.parametrize("state", sorted(factory.STATES))
def test_the_receipt_stands_in_every_state(state: str) -> None:
    application = factory.STATES[state]()
    assert signed_in(application.applicant).get(url("receipt", application)).status_code == 200
