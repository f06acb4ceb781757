"""The clerk's page of what came in online and could not be booked, and how it is settled."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from escrow.bills.account import standing
from escrow.books.trial import trial_balance
from escrow.models import Bill, OnlineEvent, Receipt, SetAsideDone
from permits.models import Application, FeeEntry
from portal.models import User
from tests import factory
from tests.escrow import online

pytestmark = pytest.mark.django_db

TODAY = online.TODAY
ASIDE = "/money/online/"


@pytest.fixture(autouse=True)
def _ready(at, monkeypatch: pytest.MonkeyPatch, settings) -> None:
    online.make_ready(settings, monkeypatch, at)


@pytest.fixture
def application() -> Application:
    return factory.submitted(on=TODAY - timedelta(days=4))


@pytest.fixture
def bill() -> Bill:
    return online.a_bill()


def signed_in(person: Any) -> Client:
    client = Client()
    client.force_login(person)
    return client


def token() -> dict[str, str]:
    return {"operation": str(uuid.uuid4())}


def text(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


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


def test_the_cash_book_can_be_asked_for_what_came_in_online(clerk: Client, bill: Bill) -> None:
    payment = online.begun(bill=bill, amount="200.00")
    online.send(online.paid(payment.reference, "200.00"))
    by = User.objects.get(name="Online payment").pk
    assert Receipt.objects.get().number in text(clerk.get(f"/money/cash/?way=online&by={by}"))
    assert Receipt.objects.get().number not in text(clerk.get("/money/cash/?way=cash"))


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
    online.pay_at_counter(bill)
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


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_twelve_settle_it_at_the_same_moment_and_one_has_done_it(
    unknown: OnlineEvent, bill: Bill
) -> None:
    clerk = signed_in(factory.clerk())
    went = at_once(
        lambda: settle(clerk, unknown, how="bill", number=str(bill)).status_code, times=12
    )
    assert sorted(went) == [303] + [409] * 11
    assert Receipt.objects.count() == SetAsideDone.objects.count() == 1


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_clerk_and_provider_settle_it_at_the_same_moment_and_one_has_done_it(bill: Bill) -> None:
    payment = online.begun(bill=bill, amount="1200.00")
    online.pay_at_counter(bill)
    online.send(online.paid(payment.reference, "1200.00"))
    event, clerk = OnlineEvent.objects.get(), signed_in(factory.clerk())
    body = online.refunded(payment.reference, "1200.00")
    acts = iter([lambda: settle(clerk, event, how="refunded", number="re_1"), None] * 4)
    lock = threading.Lock()

    def one() -> int:
        with lock:
            act = next(acts)
        return int((act() if act else online.send(body)).status_code)

    went = at_once(one, times=8)
    assert set(went) <= {200, 303, 409}
    assert went.count(303) <= 1
    assert went.count(200) == 4
    assert SetAsideDone.objects.get().what.startswith("Refunded at the provider")


def at_once(act: Callable[[], int], *, times: int) -> list[int]:
    """Let several do it at the same moment, and return how each was answered."""
    barrier, went = threading.Barrier(times), []

    def run() -> None:
        barrier.wait()
        try:
            went.append(act())
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return went
