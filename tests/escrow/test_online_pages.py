"""The payer's pages of online payment: on and off, to the provider and back."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from escrow.models import Bill, OnlinePayment, Receipt
from escrow.online import provider
from permits.models import Application, FeeEntry
from tests import factory
from tests.escrow import online
from tests.escrow.provider_on_loopback import PAGE, Provider
from tests.escrow.provider_on_loopback import provider as on_loopback

pytestmark = pytest.mark.django_db

TODAY = online.TODAY


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
def application() -> Application:
    return factory.submitted(on=TODAY - timedelta(days=4))


@pytest.fixture
def bill() -> Bill:
    return online.a_bill()


def holder_of(about: Application | Bill) -> Client:
    """The browser of whoever holds the case."""
    application = about if isinstance(about, Application) else about.site.applications.get()
    return signed_in(application.applicant)


def signed_in(person: Any) -> Client:
    client = Client()
    client.force_login(person)
    return client


def fee_page(application: Application) -> str:
    return f"/money/pay/fee/{application.key}/"


def bill_page(bill: Bill) -> str:
    return f"/money/pay/bill/{bill.key}/"


def token() -> dict[str, str]:
    return {"operation": str(uuid.uuid4())}


def text(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


# Off --------------------------------------------------------------------------------------


def test_while_it_is_off_the_page_says_how_to_pay_and_has_no_button(
    application: Application, settings
) -> None:
    settings.ONLINE_PAYMENT = False
    page = holder_of(application).get(fee_page(application))
    shown = text(page)
    assert "The city takes no payments online." in shown
    assert "At the counter" in shown
    assert "By mail" in shown
    assert application.number in shown
    assert "Pay online" not in shown
    assert "checkout" not in page.headers["Content-Security-Policy"]


def test_while_it_is_off_no_payment_is_begun(bill: Bill, settings) -> None:
    settings.ONLINE_PAYMENT = False
    answer = holder_of(bill).post(bill_page(bill), {"amount": "10.00"} | token())
    assert answer.status_code == 409
    assert not OnlinePayment.objects.exists()


# On ---------------------------------------------------------------------------------------


def test_the_button_leads_to_the_providers_page(
    application: Application, stripe: Provider, settings
) -> None:
    settings.PUBLIC_URL = "https://permits.city.example"
    person, sent = holder_of(application), token()
    assert "Pay online" in text(person.get(fee_page(application)))
    answer = person.post(fee_page(application), sent)
    assert (answer.status_code, answer.headers["Location"]) == (303, PAGE)
    payment = OnlinePayment.objects.get()
    fee = application.fee_due(on=TODAY)
    assert (payment.application, payment.amount) == (application, fee)
    assert str(payment.key) == sent["operation"] == payment.reference
    (asked,) = stripe.asked
    assert asked.path == "/v1/checkout/sessions"
    assert asked.headers["Idempotency-Key"] == sent["operation"]
    assert asked.headers["Authorization"] == "Bearer sk_test_siltfence"
    assert asked.fields["client_reference_id"] == payment.reference
    assert asked.fields["metadata[reference]"] == payment.reference
    assert asked.fields["payment_intent_data[metadata][reference]"] == payment.reference
    assert asked.fields["line_items[0][price_data][unit_amount]"] == str(int(fee * 100))
    assert asked.fields["line_items[0][price_data][currency]"] == "usd"
    assert str(application) in asked.fields["line_items[0][price_data][product_data][name]"]
    back = f"https://permits.city.example/money/online/{payment.key}/"
    assert asked.fields["success_url"] == back
    assert asked.fields["cancel_url"].endswith(fee_page(application))
    assert not any("card" in name or "mail" in name for name in asked.fields)


def test_only_the_form_may_lead_to_the_provider_and_no_script_may_come_from_there(
    bill: Bill,
) -> None:
    policy = holder_of(bill).get(bill_page(bill)).headers["Content-Security-Policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";") if " " in rule.strip())
    assert rules.pop("form-action") == "'self' https://checkout.stripe.com"
    assert not any("stripe" in rule for rule in rules.values())


def test_other_pages_lead_nowhere_else(bill: Bill) -> None:
    policy = holder_of(bill).get(bill.get_absolute_url()).headers["Content-Security-Policy"]
    assert "stripe" not in policy


def test_the_same_form_sent_twice_begins_one_payment(bill: Bill, stripe: Provider) -> None:
    person, sent = holder_of(bill), {"amount": "200.00"} | token()
    answers = [person.post(bill_page(bill), sent) for _ in range(3)]
    assert [each.headers["Location"] for each in answers] == [PAGE] * 3
    assert OnlinePayment.objects.count() == 1
    assert len({asked.headers["Idempotency-Key"] for asked in stripe.asked}) == 1
    assert len({str(sorted(asked.fields.items())) for asked in stripe.asked}) == 1


def test_the_same_form_with_another_amount_is_refused(bill: Bill, stripe: Provider) -> None:
    person, sent = holder_of(bill), token()
    person.post(bill_page(bill), {"amount": "200.00"} | sent)
    answer = person.post(bill_page(bill), {"amount": "300.00"} | sent)
    assert answer.status_code == 409
    assert len(stripe.asked) == 1


@pytest.mark.django_db(transaction=True)
def test_the_provider_is_asked_outside_of_any_transaction(
    bill: Bill, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[bool, int]] = []

    def page(payment: OnlinePayment, **details: str) -> str:
        seen.append((connection.in_atomic_block, OnlinePayment.objects.count()))
        return PAGE

    monkeypatch.setattr(provider, "open_page", page)
    holder_of(bill).post(bill_page(bill), {"amount": "200.00"} | token())
    assert seen == [(False, 1)]


@pytest.mark.parametrize("status", [400, 401, 402, 429, 500])
def test_a_provider_that_fails_is_told_in_plain_words_with_the_other_ways(
    bill: Bill, stripe: Provider, status: int
) -> None:
    stripe.status = status
    answer = holder_of(bill).post(bill_page(bill), {"amount": "200.00"} | token())
    assert answer.status_code == 503
    shown = text(answer)
    assert "nothing was paid" in shown
    assert "At the counter" in shown
    assert "Something is wrong here." not in shown


def test_a_provider_that_does_not_answer_is_told_in_plain_words(
    bill: Bill, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provider, "ADDRESSES", {"api": "http://127.0.0.1:9"})
    answer = holder_of(bill).post(bill_page(bill), {"amount": "200.00"} | token())
    assert answer.status_code == 503
    assert "nothing was paid" in text(answer)


def test_after_a_failure_the_same_form_can_be_sent_again(bill: Bill, stripe: Provider) -> None:
    person, sent = holder_of(bill), {"amount": "200.00"} | token()
    stripe.status = 500
    assert person.post(bill_page(bill), sent).status_code == 503
    stripe.status = 200
    assert person.post(bill_page(bill), sent).headers["Location"] == PAGE
    assert OnlinePayment.objects.count() == 1


@pytest.mark.parametrize("page", ["https://example.com/pay", "http://checkout.stripe.com/c", ""])
def test_nobody_is_sent_anywhere_else(bill: Bill, stripe: Provider, page: str) -> None:
    stripe.page = page
    answer = holder_of(bill).post(bill_page(bill), {"amount": "200.00"} | token())
    assert answer.status_code == 503


@pytest.mark.parametrize("amount", ["", "0", "-1", "1.001", "1e9", "1200.01", "999999999999"])
def test_an_amount_that_could_not_be_booked_is_asked_again(
    bill: Bill, stripe: Provider, amount: str
) -> None:
    answer = holder_of(bill).post(bill_page(bill), {"amount": amount} | token())
    assert answer.status_code == 200
    assert "id_amount" in text(answer)
    assert not OnlinePayment.objects.exists()
    assert not stripe.asked


def test_a_delinquent_charge_is_paid_in_full(bill: Bill, stripe: Provider, at) -> None:
    at(bill.due_on + timedelta(days=1))
    answer = holder_of(bill).post(bill_page(bill), {"amount": "200.00"} | token())
    assert "paid in full" in text(answer)
    assert not stripe.asked


def test_what_is_paid_has_no_button(bill: Bill) -> None:
    online.pay_at_counter(bill)
    person = holder_of(bill)
    assert "Nothing is owed on this bill." in text(person.get(bill_page(bill)))
    assert person.post(bill_page(bill), {"amount": "1.00"} | token()).status_code == 409


@pytest.mark.parametrize(
    ("state", "why"),
    [
        ("draft", "not filed yet"),
        ("received", "The fee of this application is in."),
        ("withdrawn", "nothing to pay"),
    ],
)
def test_a_fee_that_is_not_due_has_no_button(state: str, why: str) -> None:
    application = factory.STATES[state]()
    shown = text(holder_of(application).get(fee_page(application)))
    assert why in shown
    assert "Pay online" not in shown


# What became of it ------------------------------------------------------------------------


def test_whoever_comes_back_sees_what_became_of_the_payment(bill: Bill) -> None:
    payment = online.begun(bill=bill, amount="1200.00")
    person, page = holder_of(bill), f"/money/online/{payment.key}/"
    assert "waits for word" in text(person.get(page))
    online.send(online.paid(payment.reference, "1200.00"))
    shown = text(person.get(page))
    assert "$1,200.00 is in." in shown
    assert Receipt.objects.get().number in shown
    online.send(online.refunded(payment.reference, "200.00"))
    assert "$200.00 of it was refunded" in text(person.get(page))


def test_the_payer_of_a_fee_sees_its_receipt_number(application: Application) -> None:
    amount = str(application.fee_due(on=TODAY))
    payment = online.begun(application, amount=amount)
    online.send(online.paid(payment.reference, amount))
    person = holder_of(application)
    number = FeeEntry.objects.get().receipt_number
    assert number in text(person.get(f"/money/online/{payment.key}/"))
    receipt = text(person.get(f"/applications/{application.key}/receipt/"))
    assert "paid online" in receipt
    assert number in receipt


def test_a_payment_that_could_not_be_booked_is_told_to_the_payer(bill: Bill) -> None:
    payment = online.begun(bill=bill, amount="1200.00")
    online.pay_at_counter(bill)
    online.send(online.paid(payment.reference, "1200.00"))
    shown = text(holder_of(bill).get(f"/money/online/{payment.key}/"))
    assert "came in but could not be booked" in shown


def test_strangers_find_no_such_payment(bill: Bill) -> None:
    payment = online.begun(bill=bill, amount="1200.00")
    stranger = signed_in(factory.applicant("Tom Reyes"))
    for page in (f"/money/online/{payment.key}/", bill_page(bill)):
        assert stranger.get(page).status_code == 404
