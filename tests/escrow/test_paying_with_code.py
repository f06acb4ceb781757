"""A payer without the case: what is shown of the bill, and how it is paid."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.test import Client

from escrow.bills import moving
from escrow.bills.code import code_of
from escrow.models import Bill, OnlinePayment, Receipt
from escrow.online import provider
from permits.models import CaseEvent, Site
from portal import guards
from tests import factory
from tests.escrow import online
from tests.escrow.by_code import asks, enter, opened, page_of, text
from tests.escrow.provider_on_loopback import PAGE, Provider
from tests.escrow.provider_on_loopback import provider as on_loopback

pytestmark = pytest.mark.django_db

TODAY = online.TODAY
WRONG = "No bill has this number together with this code."


@pytest.fixture(autouse=True)
def _ready(at, monkeypatch: pytest.MonkeyPatch, settings) -> None:
    online.make_ready(settings, monkeypatch, at)


@pytest.fixture
def stripe(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    """The provider, on this machine."""
    with on_loopback() as made:
        monkeypatch.setattr(provider, "ADDRESSES", {"api": made.url})
        yield made


@pytest.fixture
def bill() -> Bill:
    return online.a_bill()


# What is shown ----------------------------------------------------------------------------


def test_nothing_of_the_case_beyond_the_bill_is_shown(bill: Bill) -> None:
    """Every free text of the case and of its people holds a canary; none sings here."""
    site, application = bill.site, bill.site.applications.get()
    for party in application.parties.all():
        party.name, party.company = "canary person", "canary company"
        party.telephone, party.email = "canary telephone", "canary@example.test"
        party.mailing_address = "canary address"
        party.save()
    application.description = "canary work"
    application.save()
    site.survey_description = "canary survey"
    site.save()
    online.pay_at_counter(bill, "100.00")
    client = opened(bill)
    payment = online.begun_with_code(bill, amount="200.00")
    online.send(online.paid(payment.reference, "200.00"))
    pages = [page_of(bill), f"{page_of(bill)}payments/{payment.key}/"]
    for page in pages:
        shown = text(client.get(page))
        assert "canary" not in shown
        assert "Mai Vang" not in shown, "who is billed and who paid at the counter stay unsaid"
        mails = set(re.findall(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", shown))
        assert mails <= {"inspection@city.example"}
        assert site.get_absolute_url() not in shown
    assert application.permit.number not in shown


def test_a_bill_whose_case_was_destroyed_is_opened_no_more(bill: Bill) -> None:
    client = opened(bill)
    guards.take_down()  # the door of destruction has tests of its own
    try:
        Site.objects.filter(pk=bill.site_id).update(destroyed_on=TODAY)
        assert client.get(page_of(bill)).status_code == 302
        assert WRONG in text(enter(Client(), bill.number, code_of(bill)))
    finally:
        guards.put_up()


@pytest.mark.parametrize("state", ["late", "paid", "withdrawn"])
def test_each_state_says_where_the_bill_stands(bill: Bill, at, state: str) -> None:
    said = {
        "late": "Delinquent since",
        "paid": "Settled. Nothing is owed.",
        "withdrawn": "Nothing is to be paid on it.",
    }
    client = opened(bill)
    if state == "paid":
        online.pay_at_counter(bill)
    if state == "withdrawn":
        moving.withdraw(bill, reason="The wrong site.", by=factory.clerk(), on=TODAY)
    if state == "late":
        at(bill.due_on + timedelta(days=1))
        client = opened(bill)
    shown = text(client.get(page_of(bill)))
    assert said[state] in shown
    assert ("Go on: see what will happen" in shown) == (state == "late")


def test_while_online_payment_is_off_the_page_says_the_other_ways(bill: Bill, settings) -> None:
    settings.ONLINE_PAYMENT = False
    client = opened(bill)
    page = client.get(page_of(bill))
    assert "The city takes no payments online." in text(page)
    assert "Go on" not in text(page)
    assert client.post(page_of(bill), asks("confirm")).status_code == 409
    assert "stripe" not in page.headers["Content-Security-Policy"]


def test_the_page_asks_no_more_as_the_account_grows(
    bill: Bill, django_assert_max_num_queries
) -> None:
    client = opened(bill)
    for _ in range(8):
        online.pay_at_counter(bill, "10.00")
    with django_assert_max_num_queries(25):
        client.get(page_of(bill))


# Paying -----------------------------------------------------------------------------------


def test_a_payment_is_shown_before_the_provider_is_asked(bill: Bill, stripe: Provider) -> None:
    shown = text(opened(bill).post(page_of(bill), asks("check")))
    assert "Pay $200.00 online?" in shown
    assert "$1,000.00 is left to pay until" in shown
    assert "A receipt in the name of Ann Meyer" in shown
    assert not OnlinePayment.objects.exists()
    assert not stripe.asked


def test_the_payer_changes_it_again_and_nothing_typed_is_lost(bill: Bill) -> None:
    shown = text(opened(bill).post(page_of(bill), asks("change")))
    assert 'value="200.00"' in shown
    assert 'value="Ann Meyer"' in shown


def test_a_payment_goes_to_the_provider_and_comes_back_to_its_receipt(
    bill: Bill, stripe: Provider, settings
) -> None:
    settings.PUBLIC_URL = "https://permits.city.example"
    client, sent = opened(bill), asks("confirm")
    answers = [client.post(page_of(bill), sent) for _ in range(2)]
    assert [each.headers["Location"] for each in answers] == [PAGE] * 2
    payment = OnlinePayment.objects.get()
    assert (payment.bill, payment.begun_by, payment.payer_name) == (bill, None, "Ann Meyer")
    assert str(payment.key) == sent["operation"]
    back = f"{page_of(bill)}payments/{payment.key}/"
    asked = stripe.asked[0].fields
    assert asked["success_url"] == f"https://permits.city.example{back}"
    assert asked["cancel_url"] == f"https://permits.city.example{page_of(bill)}"
    assert not any(code_of(bill) in value for value in asked.values())
    assert "waits for word" in text(client.get(back))
    before = CaseEvent.objects.filter(site=bill.site).count()
    online.send(online.paid(payment.reference, "200.00"))
    assert CaseEvent.objects.filter(site=bill.site).count() == before + 1
    receipt = Receipt.objects.get()
    assert (receipt.paid_by, receipt.means) == ("Ann Meyer", "online")
    shown = text(client.get(back))
    assert "$200.00 is in." in shown
    paper = f"{page_of(bill)}receipts/{receipt.number}/"
    assert paper in shown
    assert client.get(paper).headers["Content-Type"] == "application/pdf"
    assert paper in text(client.get(page_of(bill)))
    assert Client().get(paper).status_code == 302


def test_the_receipt_of_somebody_else_stays_theirs(bill: Bill) -> None:
    online.pay_at_counter(bill, "100.00")
    number = Receipt.objects.get().number
    client = opened(bill)
    assert number in text(client.get(page_of(bill)))
    assert client.get(f"{page_of(bill)}receipts/{number}/").status_code == 404


def test_the_payment_of_whoever_holds_the_case_is_not_shown(bill: Bill) -> None:
    theirs = online.begun(bill=bill, amount="200.00")
    assert opened(bill).get(f"{page_of(bill)}payments/{theirs.key}/").status_code == 404


def test_the_same_form_with_another_name_is_refused(bill: Bill, stripe: Provider) -> None:
    client, sent = opened(bill), asks("confirm")
    client.post(page_of(bill), sent)
    answer = client.post(page_of(bill), sent | {"name": "Tom Reyes"})
    assert answer.status_code == 409
    assert "sent before" in text(answer)
    assert len(stripe.asked) == 1


@pytest.mark.parametrize(
    "wrong", [{"amount": "1200.01"}, {"amount": "0"}, {"amount": "ten"}, {"name": " "}]
)
@pytest.mark.parametrize("step", ["check", "confirm"])
def test_what_cannot_be_taken_is_asked_again(
    bill: Bill, stripe: Provider, wrong: dict[str, str], step: str
) -> None:
    answer = opened(bill).post(page_of(bill), asks(step, **wrong))
    assert answer.status_code == 200
    assert "error-summary" in text(answer)
    assert not OnlinePayment.objects.exists()
    assert not stripe.asked


def test_a_provider_that_fails_is_told_in_plain_words(bill: Bill, stripe: Provider) -> None:
    stripe.status = 500
    answer = opened(bill).post(page_of(bill), asks("confirm"))
    assert answer.status_code == 503
    assert "nothing was paid" in text(answer)
    assert 'value="Ann Meyer"' in text(answer)


def test_only_the_pages_of_payment_lead_to_the_provider(bill: Bill) -> None:
    client = opened(bill)
    policy = client.post(page_of(bill), asks("check")).headers["Content-Security-Policy"]
    assert "form-action 'self' https://checkout.stripe.com" in policy
    assert "stripe" not in client.get("/pay/").headers["Content-Security-Policy"]


def test_nothing_of_the_bill_stays_in_a_cache(bill: Bill) -> None:
    client = opened(bill)
    assert client.get(page_of(bill)).headers["Cache-Control"] == "private, no-store"
    assert client.get(page_of(bill)).headers["Referrer-Policy"] == "same-origin"
