"""Online payment: one payment for one message however often it comes; the rest is set aside."""

from __future__ import annotations

import threading
import time
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from escrow.bills import moving
from escrow.bills.account import standing
from escrow.books.cash import Asked, Summed
from escrow.books.trial import trial_balance
from escrow.models import Bill, OnlineEvent, OnlinePayment, Receipt
from permits.models import Application, CasePaper, DocketEntry, FeeEntry
from permits.verify import faults
from portal import guards
from portal.models import OutboxMessage, User
from tests import factory
from tests.escrow import online

pytestmark = pytest.mark.django_db

TODAY = online.TODAY


@pytest.fixture(autouse=True)
def _ready(at, monkeypatch: pytest.MonkeyPatch, settings) -> None:
    online.make_ready(settings, monkeypatch, at)


@pytest.fixture
def application() -> Application:
    """An application that waits for its fee."""
    return factory.submitted(on=TODAY - timedelta(days=4))


@pytest.fixture
def bill() -> Bill:
    return online.a_bill()


def fee_of(application: Application) -> str:
    return str(application.fee_due(on=TODAY))


def only_event() -> OnlineEvent:
    return OnlineEvent.objects.get()


def balanced() -> None:
    found = trial_balance(on=TODAY)
    assert found.problems == []
    assert sum(line.debit - line.credit for line in found.accounts) == 0


# The happy path ---------------------------------------------------------------------------


def test_a_fee_paid_online_starts_the_ten_working_days_on_the_day_it_was_paid(
    application: Application, at
) -> None:
    payment = online.begun(application, amount=fee_of(application))
    saturday_night = at(date(2026, 12, 12), "23:30").timestamp()
    body = online.paid(payment.reference, fee_of(application), at=saturday_night)
    at(TODAY)
    answer = online.send(body)
    assert (answer.status_code, answer.content) == (200, b"booked\n")
    application.refresh_from_db()
    assert application.status == Application.Status.UNDER_REVIEW
    assert application.fee_received_on == date(2026, 12, 12)
    deadline = application.decision_deadline()
    assert deadline is not None
    assert deadline == application.decision_if_received(date(2026, 12, 12))
    assert DocketEntry.objects.of(application).running().get().on == deadline.on
    entry = FeeEntry.objects.get(application=application)
    assert (entry.means, entry.amount) == ("online", application.fee_due(on=TODAY))
    assert entry.receipt_number.startswith("RC-2026-")
    assert (str(entry.recorded_by), entry.recorded_by.is_active) == ("Online payment", False)
    recorded = application.site.events.get(kind="fee.recorded")
    assert recorded.actor_name == "Online payment"
    assert recorded.facts["means"] == "online"
    assert OutboxMessage.objects.filter(cause__startswith="received:").exists()
    assert list(faults()) == []
    balanced()


def test_a_bill_paid_online_has_its_receipt_and_stands_in_the_cash_book(bill: Bill) -> None:
    payment = online.begun(bill=bill, amount="1200.00")
    assert online.send(online.paid(payment.reference, "1200.00")).content == b"booked\n"
    receipt = Receipt.objects.get()
    assert (receipt.means, receipt.amount, receipt.on) == ("online", Decimal("1200.00"), TODAY)
    assert receipt.paid_by == str(payment.begun_by)
    assert only_event().receipt == receipt
    assert standing(bill, on=TODAY).owed == 0
    assert bill.site.papers.filter(kind=CasePaper.Kind.PAYMENT_RECEIPT).count() == 1
    summed = Summed.of(Asked(TODAY, TODAY))
    assert summed.by_way["Online"].came_in == Decimal("1200.00")
    assert summed.by_person["Online payment"].came_in == Decimal("1200.00")
    balanced()


def test_the_books_see_a_payment_that_is_not_what_the_provider_told(bill: Bill) -> None:
    payment = online.begun(bill=bill, amount="1200.00")
    online.send(online.paid(payment.reference, "1200.00"))
    guards.take_down()
    OnlineEvent.objects.update(amount=Decimal("1200.01"))
    guards.put_up()
    (problem,) = trial_balance(on=TODAY).problems
    assert only_event().event_id in problem
    assert "$1,200.01" in problem


def test_a_payment_from_a_bank_account_counts_once_it_has_come(bill: Bill) -> None:
    payment = online.begun(bill=bill, amount="1200.00")
    first = online.paid(payment.reference, "1200.00", payment_status="unpaid")
    assert online.send(first).content == b"ignored\n"
    assert not Receipt.objects.exists()
    kind = "checkout.session.async_payment_succeeded"
    assert online.send(online.paid(payment.reference, "1200.00", kind=kind)).content == b"booked\n"
    assert Receipt.objects.count() == 1


@pytest.mark.parametrize(
    "kind", ["checkout.session.expired", "checkout.session.async_payment_failed", "price.updated"]
)
def test_what_moves_no_money_is_kept_and_does_nothing(kind: str, bill: Bill) -> None:
    payment = online.begun(bill=bill, amount="1200.00")
    body = online.paid(payment.reference, "1200.00", kind=kind, payment_status="unpaid")
    assert online.send(body).content == b"ignored\n"
    assert standing(bill, on=TODAY).owed == Decimal("1200.00")


def test_a_part_is_taken_before_the_last_day(bill: Bill) -> None:
    payment = online.begun(bill=bill, amount="200.00")
    online.send(online.paid(payment.reference, "200.00"))
    assert standing(bill, on=TODAY).owed == Decimal("1000.00")


# Once -------------------------------------------------------------------------------------


def test_the_same_callback_twenty_six_times_is_one_payment(bill: Bill) -> None:
    payment = online.begun(bill=bill, amount="200.00")
    body = online.paid(payment.reference, "200.00")
    answers = [online.send(body) for _ in range(26)]
    assert {(each.status_code, each.content) for each in answers} == {(200, b"booked\n")}
    assert Receipt.objects.count() == OnlineEvent.objects.count() == 1
    assert standing(bill, on=TODAY).owed == Decimal("1000.00")


def test_another_message_of_the_same_payment_books_nothing(bill: Bill) -> None:
    payment = online.begun(bill=bill, amount="200.00")
    online.send(online.paid(payment.reference, "200.00"))
    assert online.send(online.paid(payment.reference, "200.00")).content == b"repeat\n"
    assert Receipt.objects.count() == 1


def at_once(bodies: list[str]) -> list[tuple[int, bytes]]:
    barrier, answers = threading.Barrier(len(bodies)), []

    def run(body: str) -> None:
        barrier.wait()
        try:
            answer = online.send(body)
            answers.append((answer.status_code, answer.content))
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(body,)) for body in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_twenty_six_at_the_same_moment_are_one_payment(bill: Bill) -> None:
    payment = online.begun(bill=bill, amount="200.00")
    answers = at_once([online.paid(payment.reference, "200.00")] * 26)
    assert answers == [(200, b"booked\n")] * 26
    assert Receipt.objects.count() == OnlineEvent.objects.count() == 1
    assert standing(bill, on=TODAY).owed == Decimal("1000.00")
    assert User.objects.filter(name="Online payment").count() == 1
    balanced()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_different_messages_of_one_payment_at_the_same_moment_are_one_payment(bill: Bill) -> None:
    payment = online.begun(bill=bill, amount="200.00")
    answers = at_once([online.paid(payment.reference, "200.00") for _ in range(12)])
    assert sorted(answers) == [(200, b"booked\n")] + [(200, b"repeat\n")] * 11
    assert Receipt.objects.count() == 1


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_an_unknown_payment_twenty_six_times_at_the_same_moment_is_set_aside_once() -> None:
    answers = at_once([online.paid("nobody-knows", "200.00")] * 26)
    assert answers == [(200, b"set-aside\n")] * 26
    assert OnlineEvent.objects.count() == 1


# Who sends it -----------------------------------------------------------------------------


@pytest.fixture
def body(bill: Bill) -> str:
    return online.paid(online.begun(bill=bill, amount="200.00").reference, "200.00")


def test_a_message_with_another_signature_is_refused_and_not_kept(body: str) -> None:
    assert online.send(body, secret="whsec_of_somebody_else").status_code == 400
    assert not OnlineEvent.objects.exists()
    assert not Receipt.objects.exists()


def test_a_message_signed_long_ago_is_refused_and_not_kept(body: str) -> None:
    now = int(time.time())
    assert online.send(body, signed_at=now - 301).status_code == 400
    assert not OnlineEvent.objects.exists()
    assert online.send(body, signed_at=now - 290).status_code == 200


@pytest.mark.parametrize("header", ["", "t=1", "v1=0", "t=x,v1=y", "\u00e9"])
@pytest.mark.parametrize("sent", ["body", "not json", "\ud800"])
def test_without_a_right_signature_nothing_is_read(body: str, header: str, sent: str) -> None:
    data = body if sent == "body" else sent
    answer = Client().post(
        online.CALLBACK,
        data.encode("utf-8", "surrogatepass"),
        content_type="application/json",
        headers={"Stripe-Signature": header} if header else {},
    )
    assert answer.status_code == 400
    assert not OnlineEvent.objects.exists()


@pytest.mark.parametrize("text", ["{}", "[]", "null", '{"id": "evt_1"}', "1"])
def test_a_signed_message_that_is_none_is_refused(text: str) -> None:
    assert online.send(text).status_code == 400
    assert not OnlineEvent.objects.exists()


def test_only_a_post_is_answered() -> None:
    assert Client().get(online.CALLBACK).status_code == 405


def test_while_it_is_off_nobody_is_there(body: str, settings) -> None:
    settings.ONLINE_PAYMENT = False
    assert online.send(body).status_code == 404
    assert not OnlineEvent.objects.exists()


def test_while_the_case_is_busy_the_provider_sends_it_again(
    body: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.db import OperationalError

    def busy(*args: Any, **kwargs: Any) -> None:
        raise OperationalError("canceling statement due to lock timeout")

    with monkeypatch.context() as patch:
        patch.setattr(moving, "pay", busy)
        assert online.send(body).status_code == 503
    assert not OnlineEvent.objects.exists()
    assert online.send(body).content == b"booked\n"


def test_whoever_made_an_account_with_the_address_of_the_machine_cannot_use_it() -> None:
    squatter = User.objects.create_user("online-payment@portal.invalid", factory.PASSWORD)
    found = User.objects.machine("Online payment")
    assert found == squatter
    found.refresh_from_db()
    assert not found.is_active
    assert not found.has_usable_password()


def test_a_payment_row_is_never_changed(bill: Bill) -> None:
    from django.db import DatabaseError, transaction

    payment = online.begun(bill=bill, amount="200.00")
    with pytest.raises(DatabaseError), transaction.atomic():
        OnlinePayment.objects.filter(pk=payment.pk).update(amount=Decimal(1))
