"""The pages of online payment: the payer's, on and off, and the clerk's of what was set aside."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from escrow.bills import making, moving
from escrow.bills.account import standing
from escrow.bills.payers import Payer
from escrow.books.trial import trial_balance
from escrow.models import Bill, OnlineEvent, OnlinePayment, Receipt, SetAsideDone
from escrow.online import provider
from permits.models import Application, FeeEntry
from portal import papers
from portal.models import CouncilValue
from tests import factory
from tests.escrow import money, online
from tests.escrow.provider_on_loopback import PAGE, Provider
from tests.escrow.provider_on_loopback import provider as on_loopback

pytestmark = pytest.mark.django_db

TODAY = date(2026, 12, 14)
PAYER = Payer("landowner", "Mai Vang", "1 Mill Street\nExample, WI 54999", "mai@example.test")
ASIDE = "/money/online/"


@pytest.fixture(autouse=True)
def _ready(at, monkeypatch: pytest.MonkeyPatch, settings) -> None:
    made = papers.Made(b"%PDF-1.7 a stand-in\n%%EOF\n", 1)
    monkeypatch.setattr(papers, "make", lambda template, context: made)
    online.switch_on(settings)
    at(TODAY)


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
    money.resolution(CouncilValue.Key.BILL_DAYS, "30")
    work = money.charge_work(factory.issued().permit.site)
    made = making.bill_work(work, PAYER, by=factory.clerk(), on=TODAY)
    made.refresh_from_db()
    return made


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
    pay_at_counter(bill)
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


def pay_at_counter(bill: Bill) -> None:
    moving.pay(
        bill,
        amount=Decimal("1200.00"),
        received_on=TODAY,
        means="cash",
        paid_by="Mai Vang",
        by=factory.clerk(),
    )


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
    pay_at_counter(bill)
    online.send(online.paid(payment.reference, "1200.00"))
    shown = text(holder_of(bill).get(f"/money/online/{payment.key}/"))
    assert "came in but could not be booked" in shown


def test_strangers_find_no_such_payment(bill: Bill) -> None:
    payment = online.begun(bill=bill, amount="1200.00")
    stranger = signed_in(factory.applicant("Tom Reyes"))
    for page in (f"/money/online/{payment.key}/", bill_page(bill)):
        assert stranger.get(page).status_code == 404


# The clerk --------------------------------------------------------------------------------


@pytest.fixture
def clerk() -> Client:
    return signed_in(factory.clerk())


@pytest.fixture
def unknown() -> OnlineEvent:
    """$1,200.00 that nobody knows."""
    online.send(online.paid("nobody-knows", "1200.00"))
    return OnlineEvent.objects.get()


def settle(clerk: Client, event: OnlineEvent, **answers: str) -> Any:
    return clerk.post(f"{ASIDE}{event.pk}/settle/", answers | token())


def test_while_nothing_is_set_aside_the_page_says_so(clerk: Client) -> None:
    assert "Nothing is set aside." in text(clerk.get(ASIDE))
    assert "wait to be settled" not in text(clerk.get("/money/cash/"))


def test_what_is_set_aside_is_shown_and_linked_from_the_cash_book(
    clerk: Client, unknown: OnlineEvent
) -> None:
    shown = text(clerk.get(ASIDE))
    assert "nobody-knows" in shown
    assert "$1,200.00" in shown
    assert "No payment of this portal has this reference." in shown
    book = text(clerk.get("/money/cash/"))
    assert "1 message of online payment waits to be settled." in book
    assert f'href="{ASIDE}"' in book


def test_the_administrator_reads_it_and_settles_nothing(unknown: OnlineEvent) -> None:
    person = signed_in(factory.administrator())
    shown = text(person.get(ASIDE))
    assert "nobody-knows" in shown
    assert "/settle/" not in shown
    assert f'href="{ASIDE}"' in text(person.get("/money/cash/"))


def test_the_clerk_says_that_it_was_refunded(clerk: Client, unknown: OnlineEvent) -> None:
    answer = settle(clerk, unknown, how="refunded", number="re_77")
    assert (answer.status_code, answer.headers["Location"]) == (303, ASIDE)
    done = SetAsideDone.objects.get(event=unknown)
    assert (done.what, done.by) == ("Refunded at the provider, number re_77.", factory.clerk())
    shown = text(clerk.get(ASIDE))
    assert "Nothing is set aside." in shown
    assert "re_77" in shown


def test_the_clerk_books_it_to_a_bill(clerk: Client, unknown: OnlineEvent, bill: Bill) -> None:
    settle(clerk, unknown, how="bill", number=bill.number.lower())
    receipt = Receipt.objects.get()
    assert (receipt.means, receipt.amount, receipt.by) == (
        "online",
        Decimal(1200),
        factory.clerk(),
    )
    assert SetAsideDone.objects.get().what == f"Booked to bill {bill}, receipt {receipt.number}."
    assert standing(bill, on=TODAY).owed == 0
    assert trial_balance(on=TODAY).problems == []


def test_the_clerk_books_it_as_a_fee(clerk: Client, application: Application) -> None:
    online.send(online.paid("nobody-knows", str(application.fee_due(on=TODAY))))
    settle(clerk, OnlineEvent.objects.get(), how="fee", number=str(application.number))
    application.refresh_from_db()
    assert application.fee_received_on == TODAY
    assert FeeEntry.objects.get().means == "online"
    assert "as the fee of application" in SetAsideDone.objects.get().what


def test_what_a_bill_cannot_take_is_refused_and_nothing_is_settled(
    clerk: Client, unknown: OnlineEvent, bill: Bill
) -> None:
    pay_at_counter(bill)
    answer = settle(clerk, unknown, how="bill", number=str(bill))
    assert answer.status_code == 409
    assert "Nothing is owed on this bill." in text(answer)
    assert not SetAsideDone.objects.exists()
    assert Receipt.objects.count() == 1


@pytest.mark.parametrize(
    ("answers", "error"),
    [
        ({}, "How"),
        ({"how": "refunded"}, "Write the number that the refund has at the provider."),
        ({"how": "bill"}, "Write the number of the bill"),
        ({"how": "bill", "number": "BL-1999-0001"}, "There is no bill of this number."),
        ({"how": "fee", "number": "AP-1"}, "There is no application of this number."),
        ({"how": "other"}, "Write in a sentence what was done."),
        ({"how": "given away"}, "How"),
    ],
)
def test_an_answer_that_is_not_whole_settles_nothing(
    clerk: Client, unknown: OnlineEvent, answers: dict[str, str], error: str
) -> None:
    answer = settle(clerk, unknown, **answers)
    assert answer.status_code == 200
    assert error in text(answer)
    assert not SetAsideDone.objects.exists()


def test_it_is_settled_once(clerk: Client, unknown: OnlineEvent, bill: Bill) -> None:
    settle(clerk, unknown, how="other", words="The payer came in and took it as cash.")
    answer = settle(clerk, unknown, how="bill", number=str(bill))
    assert answer.status_code == 409
    assert "settled already" in text(answer)
    assert not Receipt.objects.exists()
    assert SetAsideDone.objects.count() == 1


def test_the_same_form_sent_twice_settles_it_once(
    clerk: Client, unknown: OnlineEvent, bill: Bill
) -> None:
    sent = {"how": "bill", "number": str(bill)} | token()
    answers = [clerk.post(f"{ASIDE}{unknown.pk}/settle/", sent) for _ in range(2)]
    assert [each.status_code for each in answers] == [303, 303]
    assert Receipt.objects.count() == 1


def test_what_is_no_money_cannot_be_booked(clerk: Client, bill: Bill) -> None:
    payment = online.begun(bill=bill, amount="200.00")
    online.send(online.paid(payment.reference, "200.00", currency="cad"))
    event = OnlineEvent.objects.get()
    assert "Book it to a bill" not in text(clerk.get(f"{ASIDE}{event.pk}/settle/"))
    assert settle(clerk, event, how="bill", number=str(bill)).status_code == 200
    assert not Receipt.objects.exists()


def test_what_the_clerk_booked_by_hand_is_not_reversed_by_itself(clerk: Client, bill: Bill) -> None:
    payment = online.begun(bill=bill, amount="1200.00")
    online.send(online.paid(payment.reference, "1199.00"))
    settle(clerk, OnlineEvent.objects.get(), how="bill", number=str(bill))
    assert standing(bill, on=TODAY).owed == Decimal("1.00")
    answer = online.send(online.refunded(payment.reference, "1199.00"))
    assert answer.content == b"set-aside\n"
    assert "settled by hand" in OnlineEvent.objects.latest("pk").why


def test_what_was_booked_by_itself_is_nothing_to_settle(clerk: Client, bill: Bill) -> None:
    payment = online.begun(bill=bill, amount="200.00")
    online.send(online.paid(payment.reference, "200.00"))
    event = OnlineEvent.objects.get()
    assert clerk.get(f"{ASIDE}{event.pk}/settle/").status_code == 404


def test_the_page_costs_the_same_however_much_is_set_aside(
    clerk: Client, django_assert_max_num_queries
) -> None:
    for _ in range(30):
        online.send(online.paid("nobody-knows", "10.00"))
    with django_assert_max_num_queries(12):
        assert "Pages of what was set aside" in text(clerk.get(ASIDE))
