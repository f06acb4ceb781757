"""Former § 17.19(4)(c) The escrow: posted whole before the permit, a cent short is refused."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse

from escrow import acts as escrow_acts
from escrow.models import EscrowEntry, Instrument
from permits import acts
from permits.models import NotNow, Permit
from portal import papers
from portal.models import OutboxMessage, Upload
from tests import factory
from tests.factory import MONDAY
from tests.floor.sample_files import pdf
from tests.review.pages import act, confirm, fields_of, fill, signed_in, text_of, url

pytestmark = pytest.mark.django_db

CASH = {"escrow-0-form": "cash", "escrow-0-amount": "2,500.00", "escrow-0-receipt_number": "E-1"}
BOND = {
    "escrow-0-form": "bond",
    "escrow-0-amount": "3,000",
    "escrow-0-issuer": "Lake States Surety",
    "escrow-0-instrument_number": "B-77120",
    "escrow-0-expires_on": "2028-12-31",
    "escrow-0-renews_itself": "on",
}


@pytest.fixture(autouse=True)
def _monday(at, monkeypatch: pytest.MonkeyPatch) -> None:
    made = papers.Made(b"%PDF-1.7 a stand-in\n%%EOF\n", 1)
    monkeypatch.setattr(papers, "make", lambda template, context: made)
    at(MONDAY)


@pytest.fixture
def clerk() -> Client:
    return signed_in(factory.clerk())


@pytest.fixture
def permit() -> Permit:
    permit: Permit = factory.granted().permit
    return permit


def page(permit: Permit) -> str:
    return url("escrow_post", permit.application)


def held(permit: Permit) -> Decimal:
    return permit.escrow_entries.balance()


def test_cash_to_the_cent_is_posted(clerk: Client, permit: Permit) -> None:
    shown = fill(clerk, page(permit), **CASH)
    assert "Post this escrow?" in text_of(shown)
    assert held(permit) == 0
    done = confirm(clerk, page(permit), shown)
    assert done.headers["Location"] == page(permit)
    assert held(permit) == Decimal("2500.00")
    words = text_of(clerk.get(page(permit)))
    assert "The escrow is posted" in words
    assert "Receipt E-1" in words
    event = permit.site.events.get(kind="escrow.posted")
    assert event.facts["total"] == "2500.00"


@pytest.mark.parametrize(
    ("amount", "sentence"),
    [
        ("2,499.99", "The escrow is $0.01 short: $2,499.99 of $2,500.00 is posted."),
        ("2,500.01", "The cash is $0.01 more than the escrow of $2,500.00."),
        ("0", "Write a number of"),
        ("2500,00", "Write a number, such as 2,500.00."),
        ("1e4", "Write a number, such as 2,500.00."),
        ("9" * 15, "Write a number up to"),
    ],
)
def test_not_the_amount_is_refused_with_what_is_wrong(
    clerk: Client, permit: Permit, amount: str, sentence: str
) -> None:
    for step in ("check", "confirm"):
        fields = fields_of(clerk.get(page(permit))) | CASH | {"end_of_form": ""}
        sent = {**fields, "escrow-0-amount": amount, "step": step}
        response = clerk.post(page(permit), sent)
        assert sentence in text_of(response)
        assert fields_of(response)["escrow-0-amount"] == amount
    assert held(permit) == 0


def test_a_bond_may_exceed_the_amount(clerk: Client, permit: Permit) -> None:
    shown = fill(clerk, page(permit), **BOND)
    words = text_of(shown)
    assert "$500.00 more than that" in words
    assert "until Sunday, December 31, 2028" in words
    confirm(clerk, page(permit), shown)
    permit.refresh_from_db()
    assert permit.escrow_good_until == date(2028, 12, 31)


def test_several_instruments_cover_the_amount_together(clerk: Client, permit: Permit) -> None:
    first = fields_of(clerk.get(page(permit))) | CASH | {"escrow-0-amount": "1,000"}
    more = clerk.post(page(permit), {**first, "step": "add"})
    assert "needs another look" not in text_of(more)
    letter = {
        "escrow-1-form": "letter_of_credit",
        "escrow-1-amount": "1,500.00",
        "escrow-1-issuer": "First Bank",
        "escrow-1-instrument_number": "LC-9",
    }
    shown = clerk.post(page(permit), {**fields_of(more), **letter, "step": "check"})
    assert confirm(clerk, page(permit), shown).status_code == 302
    assert held(permit) == Decimal("2500.00")
    assert permit.instruments.count() == 2


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({**CASH, "escrow-0-receipt_number": ""}, "A cash escrow needs this."),
        ({**BOND, "escrow-0-issuer": ""}, "A bond needs this."),
        ({**BOND, "escrow-0-instrument_number": ""}, "A bond needs this."),
        ({**BOND, "escrow-0-expires_on": "2026-11-15"}, "guarantees nothing any more"),
        ({**CASH, "escrow-0-expires_on": "2028-11-15"}, "Cash does not expire."),
        ({**CASH, "escrow-0-received_on": "2026-11-17"}, "This day is still to come."),
        ({**CASH, "escrow-0-form": "gold"}, "Choose one of the answers offered."),
        ({}, "Enter at least one instrument"),
    ],
)
def test_each_instrument_needs_its_proof(
    clerk: Client, permit: Permit, answers: dict[str, str], sentence: str
) -> None:
    response = fill(clerk, page(permit), **answers)
    assert response.status_code == 200
    assert sentence in text_of(response)
    assert held(permit) == 0


def test_a_scan_survives_a_mistake_elsewhere(clerk: Client, permit: Permit) -> None:
    scan = SimpleUploadedFile("bond.pdf", pdf(), "application/pdf")
    fields = fields_of(clerk.get(page(permit))) | BOND | {"escrow-0-issuer": "", "step": "check"}
    wrong = clerk.post(page(permit), {**fields, "escrow-0-scan": scan})
    assert "bond.pdf" in text_of(wrong)
    fixed = fields_of(wrong) | {"escrow-0-issuer": "Lake States Surety", "step": "check"}
    shown = clerk.post(page(permit), fixed)
    confirm(clerk, page(permit), shown)
    kept = permit.instruments.get().scan
    assert kept is not None
    assert kept.original_name == "bond.pdf"
    assert Upload.objects.count() == 2, "the plan's sheet and the scan, once"


def test_a_bad_scan_is_refused_in_words(clerk: Client, permit: Permit) -> None:
    scan = SimpleUploadedFile("bond.pdf", b"", "application/pdf")
    fields = fields_of(clerk.get(page(permit))) | BOND | {"step": "check"}
    response = clerk.post(page(permit), {**fields, "escrow-0-scan": scan})
    assert "it is empty (0 bytes)" in text_of(response)


def test_somebody_elses_file_is_no_scan(clerk: Client, permit: Permit) -> None:
    theirs = factory.upload(factory.applicant())
    response = fill(clerk, page(permit), **BOND, **{"escrow-0-scan_key": str(theirs.key)})
    assert "The scan is not there any more." in text_of(response)


def test_a_cut_off_form_posts_nothing(clerk: Client, permit: Permit) -> None:
    fields = fields_of(clerk.get(page(permit))) | CASH | {"step": "confirm"}
    del fields["end_of_form"]
    response = clerk.post(page(permit), fields)
    assert response.status_code == 400
    assert "The upload was cut off" in text_of(response)
    assert held(permit) == 0
    stranger = signed_in(factory.applicant())
    assert stranger.post(response.request["PATH_INFO"], {"step": "check"}).status_code == 404


def test_the_same_form_sent_twenty_times_posts_once(clerk: Client, permit: Permit) -> None:
    fields = fields_of(fill(clerk, page(permit), **CASH)) | {"step": "confirm", "end_of_form": ""}
    places = {clerk.post(page(permit), fields).headers["Location"] for _ in range(20)}
    assert places == {page(permit)}
    assert held(permit) == Decimal("2500.00")
    assert OutboxMessage.objects.filter(cause__startswith="escrow_posted").count() == 3


def test_posted_is_not_posted_again(clerk: Client) -> None:
    permit = factory.posted().permit
    form = fields_of(clerk.get(url("escrow_post", factory.granted())))
    response = clerk.post(page(permit), form | CASH | {"step": "confirm"})
    assert response.status_code == 409
    assert "already posted" in text_of(response)
    assert held(permit) == Decimal("2500.00")


def test_before_the_grant_no_escrow_is_due(clerk: Client) -> None:
    application = factory.received()
    address = url("escrow_post", application)
    assert "No escrow is due" in text_of(clerk.get(address))
    sent = CASH | {"step": "confirm", "end_of_form": ""}
    assert clerk.post(address, sent).status_code == 409
    assert not EscrowEntry.objects.exists()


# Reversal ---------------------------------------------------------------------------------


def test_a_posting_in_error_is_reversed_whole_and_stays_on_record(clerk: Client) -> None:
    permit = factory.posted().permit
    address = url("escrow_reverse", permit.application)
    shown = fill(clerk, address, reason="Entered for the wrong case.")
    assert "$2,500.00 reversed today" in text_of(shown)
    assert confirm(clerk, address, shown).status_code == 302
    assert held(permit) == 0
    assert list(permit.escrow_entries.values_list("kind", flat=True)) == ["posted", "reversed"]
    event = permit.site.events.get(kind="escrow.reversed")
    assert event.reason == "Entered for the wrong case."
    mail = OutboxMessage.objects.filter(cause__startswith="escrow_reversed").first()
    assert mail is not None
    assert "Entered for the wrong case." in mail.body
    act(clerk, page(permit), **CASH)
    assert held(permit) == Decimal("2500.00")


@pytest.mark.parametrize("state", ["granted", "issued"])
def test_there_is_nothing_to_reverse(clerk: Client, state: str) -> None:
    application = factory.STATES[state]()
    address = url("escrow_reverse", application)
    response = clerk.post(address, {"reason": "x", "step": "confirm"})
    assert response.status_code == 409
    assert not EscrowEntry.objects.filter(kind="reversed").exists()


def test_a_reversal_needs_a_reason(clerk: Client) -> None:
    application = factory.posted()
    response = clerk.post(url("escrow_reverse", application), {"reason": " ", "step": "confirm"})
    assert "Please answer this." in text_of(response)
    assert held(application.permit) == Decimal("2500.00")


# No permit without it: in the page, in the method, in the database ------------------------


def test_the_page_refuses_to_issue_and_leads_to_the_cure(clerk: Client, permit: Permit) -> None:
    address = url("issue", permit.application)
    words = text_of(clerk.get(address))
    assert "The escrow of $2,500.00 is not posted." in words
    assert page(permit).encode() in clerk.get(address).content
    assert clerk.post(address, {"step": "confirm"}).status_code == 409
    permit.refresh_from_db()
    assert permit.number is None


def test_the_method_refuses(permit: Permit) -> None:
    with pytest.raises(NotNow, match="cannot be issued yet"):
        acts.issue(permit, by=factory.clerk(), on=MONDAY)


def test_the_database_refuses(permit: Permit) -> None:
    rows = Permit.objects.filter(pk=permit.pk)
    facts = {"status": "issued", "number": "EC-2026-9999", "issued_on": MONDAY}
    for more in ({}, {"escrow_posted_on": MONDAY}):
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.update(**facts, **more)


def test_the_database_refuses_a_cent_short(permit: Permit) -> None:
    item = Instrument.objects.create(
        permit=permit,
        form="cash",
        amount=Decimal("2499.99"),
        received_on=MONDAY,
        receipt_number="E-1",
        posted_by=factory.clerk(),
    )
    details = {"instrument": item, "kind": "posted", "on": MONDAY, "by": factory.clerk()}
    EscrowEntry.objects.create(permit=permit, amount=Decimal("2499.99"), **details)
    facts = {"status": "issued", "number": "EC-2026-9999", "issued_on": MONDAY}
    with pytest.raises(IntegrityError), transaction.atomic():
        Permit.objects.filter(pk=permit.pk).update(**facts, escrow_posted_on=MONDAY)


def test_an_expired_instrument_guarantees_nothing(permit: Permit, clerk: Client, at) -> None:
    act(clerk, page(permit), **{**BOND, "escrow-0-expires_on": "2026-12-01"})
    permit.refresh_from_db()
    assert not permit.obstacles_to_issue(on=date(2026, 12, 1)), "its last day included"
    at("2026-12-02")
    clerk = signed_in(factory.clerk())
    assert "expired" in text_of(clerk.get(url("issue", permit.application)))
    with pytest.raises(NotNow):
        acts.issue(permit, by=factory.clerk(), on=date(2026, 12, 2))


@pytest.mark.parametrize("table", ["escrow_instrument", "escrow_escrowentry"])
def test_the_ledger_is_only_added_to(table: str) -> None:
    factory.posted()
    for statement in (f"UPDATE {table} SET amount = 1", f"DELETE FROM {table}"):
        with (
            pytest.raises(IntegrityError, match="append-only"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)


def test_the_balance_is_the_sum_of_its_entries(permit: Permit) -> None:
    """Any order of posting and reversing leaves what the entries say."""
    for n in range(3):
        cash = Instrument(
            form="cash",
            amount=permit.escrow_amount,
            received_on=MONDAY,
            receipt_number=f"E-{n}",
        )
        escrow_acts.post(permit, [cash], by=factory.clerk(), on=MONDAY)
        permit.refresh_from_db()
        assert held(permit) == permit.escrow_amount
        escrow_acts.reverse(permit, by=factory.clerk(), on=MONDAY, reason="Again.")
        permit.refresh_from_db()
        assert held(permit) == 0
    total = sum(entry.amount for entry in permit.escrow_entries.all())
    assert total == 0


def test_the_holder_is_led_to_how_the_escrow_is_posted() -> None:
    application = factory.granted()
    holder = Client()
    holder.force_login(application.applicant)
    address = reverse("escrow_how", args=[application.key])
    case = holder.get(application.get_absolute_url()).content.decode()
    assert f'href="{address}">How to post it</a>' in case
    page = holder.get(address).content.decode()
    for told in ("$2,500.00", "Bond", "Letter of credit", "city clerk", str(application.number)):
        assert told in page
    stranger = Client()
    stranger.force_login(factory.applicant("Another"))
    assert stranger.get(address).status_code == 404
