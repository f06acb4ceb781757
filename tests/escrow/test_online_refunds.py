"""Refunds at the provider: a reversing row each time, and what is left on a new receipt."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest

from escrow.bills import moving
from escrow.bills.account import standing
from escrow.books.cash import Asked, Summed
from escrow.books.fees import explained, fees_that_differ
from escrow.books.trial import trial_balance
from escrow.models import Bill, BillEntry, OnlineEvent, OnlinePayment, Receipt, SetAsideDone
from permits import acts
from permits.models import Application, DocketEntry, FeeEntry
from permits.verify import faults
from portal.models import OutboxMessage
from tests import factory
from tests.escrow import online

pytestmark = pytest.mark.django_db

TODAY = online.TODAY


@pytest.fixture(autouse=True)
def _ready(at, monkeypatch: pytest.MonkeyPatch, settings) -> None:
    online.make_ready(settings, monkeypatch, at)


@pytest.fixture
def bill() -> Bill:
    return online.a_bill()


@pytest.fixture
def payment(bill: Bill) -> OnlinePayment:
    """The bill of $1,200.00, paid online."""
    begun = online.begun(bill=bill, amount="1200.00")
    assert online.send(online.paid(begun.reference, "1200.00")).content == b"booked\n"
    return begun


@pytest.fixture
def fee() -> OnlinePayment:
    """The fee of an application, paid online."""
    application = factory.submitted(on=TODAY - timedelta(days=4))
    amount = str(application.fee_due(on=TODAY))
    begun = online.begun(application, amount=amount)
    assert online.send(online.paid(begun.reference, amount)).content == b"booked\n"
    application.refresh_from_db()
    return begun


def refund(payment: OnlinePayment, so_far: str) -> bytes:
    answer = online.send(online.refunded(payment.reference, so_far))
    assert answer.status_code == 200
    return bytes(answer.content)


def balanced() -> None:
    found = trial_balance(on=TODAY)
    assert found.problems == []
    assert sum(line.debit - line.credit for line in found.accounts) == 0


def entries(bill: Bill) -> list[tuple[str, Decimal]]:
    rows = BillEntry.objects.filter(bill=bill).order_by("pk")
    return [(row.kind, row.amount) for row in rows]


# Bills ------------------------------------------------------------------------------------


def test_a_refund_of_all_is_a_reversing_row(bill: Bill, payment: OnlinePayment) -> None:
    assert refund(payment, "1200.00") == b"refunded\n"
    assert entries(bill) == [
        ("billed", Decimal(1200)),
        ("payment", Decimal(-1200)),
        ("reversal", Decimal(1200)),
    ]
    assert "refunded at the provider" in bill.entries.get(kind="reversal").reason
    assert standing(bill, on=TODAY).owed == Decimal("1200.00")
    assert DocketEntry.objects.of(bill).running().get().on == bill.due_on
    way = Summed.of(Asked(TODAY, TODAY)).by_way["Online"]
    assert (way.came_in, way.went_out) == (Decimal(1200), Decimal(1200))
    balanced()


def test_a_refund_of_a_part_leaves_the_rest_on_a_new_receipt(
    bill: Bill, payment: OnlinePayment
) -> None:
    assert refund(payment, "300.00") == b"refunded\n"
    assert entries(bill)[2:] == [("reversal", Decimal(1200)), ("payment", Decimal(-900))]
    first, rest = Receipt.objects.order_by("pk")
    assert (rest.amount, rest.means, rest.paid_by) == (Decimal(900), "online", first.paid_by)
    assert standing(bill, on=TODAY).owed == Decimal("300.00")
    balanced()


def test_a_second_refund_reverses_the_rest(bill: Bill, payment: OnlinePayment) -> None:
    refund(payment, "300.00")
    assert refund(payment, "500.00") == b"refunded\n"
    assert standing(bill, on=TODAY).owed == Decimal("500.00")
    assert refund(payment, "1200.00") == b"refunded\n"
    assert standing(bill, on=TODAY).owed == Decimal("1200.00")
    amounts = OnlineEvent.objects.filter(verdict="refunded").order_by("pk")
    assert [each.amount for each in amounts] == [Decimal(300), Decimal(200), Decimal(700)]
    balanced()


def test_the_same_refund_told_twice_is_booked_once(bill: Bill, payment: OnlinePayment) -> None:
    refund(payment, "300.00")
    assert refund(payment, "300.00") == b"repeat\n"
    body = online.refunded(payment.reference, "400.00")
    assert [online.send(body).content for _ in range(3)] == [b"refunded\n"] * 3
    assert standing(bill, on=TODAY).owed == Decimal("400.00")


def test_an_older_refund_that_comes_late_changes_nothing(
    bill: Bill, payment: OnlinePayment
) -> None:
    refund(payment, "500.00")
    assert refund(payment, "300.00") == b"repeat\n"
    assert standing(bill, on=TODAY).owed == Decimal("500.00")


def test_more_than_was_paid_is_not_refunded(bill: Bill, payment: OnlinePayment) -> None:
    assert refund(payment, "1200.01") == b"refused\n"
    assert standing(bill, on=TODAY).owed == 0


def test_a_refund_in_another_currency_is_refused(payment: OnlinePayment) -> None:
    answer = online.send(online.refunded(payment.reference, "300.00", currency="eur"))
    assert answer.content == b"refused\n"
    assert BillEntry.objects.filter(kind="reversal").count() == 0


def test_what_the_clerk_reversed_before_is_not_reversed_twice(
    bill: Bill, payment: OnlinePayment
) -> None:
    entry = bill.entries.get(kind="payment")
    moving.reverse(entry, reason="The payer asks for it back.", by=factory.clerk(), on=TODAY)
    assert refund(payment, "1200.00") == b"set-aside\n"
    assert "reversed already" in OnlineEvent.objects.latest("pk").why
    assert standing(bill, on=TODAY).owed == Decimal("1200.00")
    balanced()


def test_a_refund_of_a_payment_that_is_not_known_is_set_aside() -> None:
    assert online.send(online.refunded("nobody-knows", "10.00")).content == b"set-aside\n"


def test_a_refund_before_its_payment_is_set_aside(bill: Bill) -> None:
    begun = online.begun(bill=bill, amount="1200.00")
    assert refund(begun, "1200.00") == b"set-aside\n"


def test_a_part_is_refunded_after_the_bill_became_delinquent(
    bill: Bill, payment: OnlinePayment, at
) -> None:
    """What was paid in time stays paid, though no parts are taken any more."""
    at(bill.due_on + timedelta(days=10))
    assert refund(payment, "300.00") == b"refunded\n"
    assert standing(bill, on=bill.due_on + timedelta(days=10)).owed == Decimal("300.00")


# Fees -------------------------------------------------------------------------------------


def application_of(payment: OnlinePayment) -> Application:
    assert payment.application is not None
    payment.application.refresh_from_db()
    return payment.application


def test_a_refund_of_a_fee_before_the_decision_lets_the_days_wait_again(
    fee: OnlinePayment,
) -> None:
    assert refund(fee, str(fee.amount)) == b"refunded\n"
    application = application_of(fee)
    assert application.status == Application.Status.SUBMITTED
    assert application.received_on is None
    assert not DocketEntry.objects.of(application).running().exists()
    reversal = FeeEntry.objects.get(means="reversal")
    assert (reversal.amount, reversal.reverses.means) == (-fee.amount, "online")
    assert OutboxMessage.objects.filter(cause__startswith="fee_reversed:").exists()
    assert list(faults()) == []
    balanced()


def test_a_fee_that_was_refunded_can_be_paid_again(fee: OnlinePayment) -> None:
    refund(fee, str(fee.amount))
    again = online.begun(application_of(fee), amount=str(fee.amount))
    assert online.send(online.paid(again.reference, str(fee.amount))).content == b"booked\n"
    assert application_of(fee).status == Application.Status.UNDER_REVIEW
    balanced()


def test_a_refund_of_a_fee_after_the_decision_is_a_row_of_the_books_alone(
    fee: OnlinePayment,
) -> None:
    application = application_of(fee)
    change = {"section": "plan", "sheet": "", "text": "Show the inlet."}
    acts.deny(application, by=factory.inspector(), on=TODAY, changes=[change])
    assert refund(fee, str(fee.amount)) == b"refunded\n"
    application = application_of(fee)
    assert application.status == Application.Status.DENIED
    assert application.fee_received_on is not None
    assert FeeEntry.objects.get(means="reversal").amount == -fee.amount
    assert application.site.events.get(kind="payment.refunded").facts["amount"] == str(fee.amount)
    assert list(faults()) == []
    balanced()


def test_a_refund_of_a_part_of_a_fee_stops_no_clock_and_is_explained(fee: OnlinePayment) -> None:
    assert refund(fee, "10.00") == b"refunded\n"
    assert application_of(fee).status == Application.Status.UNDER_REVIEW
    rest = FeeEntry.objects.latest("pk")
    assert (rest.means, rest.amount) == ("online", fee.amount - 10)
    assert [each.why for each in explained(fees_that_differ())] == [
        "What is left after a refund of $10.00."
    ]
    assert refund(fee, "15.00") == b"refunded\n"
    assert FeeEntry.objects.latest("pk").amount == fee.amount - 15
    assert refund(fee, str(fee.amount)) == b"refunded\n"
    assert sum(each.amount for each in FeeEntry.objects.all()) == 0
    assert application_of(fee).status == Application.Status.SUBMITTED
    balanced()


# What was never booked --------------------------------------------------------------------


def set_aside(bill: Bill) -> OnlinePayment:
    """A payment that came after the bill was paid at the counter."""
    begun = online.begun(bill=bill, amount="1200.00")
    online.pay_at_counter(bill)
    assert online.send(online.paid(begun.reference, "1200.00")).content == b"set-aside\n"
    return begun


def test_what_was_set_aside_is_settled_by_its_refund(bill: Bill) -> None:
    begun = set_aside(bill)
    before = entries(bill)
    assert refund(begun, "1200.00") == b"ignored\n"
    done = SetAsideDone.objects.get()
    assert done.what.startswith("Refunded at the provider")
    assert str(done.by) == "Online payment"
    assert entries(bill) == before
    assert refund(begun, "1200.00") == b"ignored\n"
    assert SetAsideDone.objects.count() == 1


def test_a_part_of_what_was_set_aside_leaves_the_clerk_the_rest(bill: Bill) -> None:
    begun = set_aside(bill)
    assert refund(begun, "200.00") == b"set-aside\n"
    assert not SetAsideDone.objects.exists()
