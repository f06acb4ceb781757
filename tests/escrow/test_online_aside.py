"""Online payment that cannot be booked is set aside; what is on the roll is taken off it."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

import pytest

from escrow.bills import making
from escrow.bills.account import standing
from escrow.books.trial import trial_balance
from escrow.models import Bill, OnlineEvent, Receipt, RollLayout
from escrow.roll import certify, corrections
from escrow.roll.candidates import candidates
from escrow.roll.first_layouts import FIRST_LAYOUTS
from permits.models import Application, FeeEntry
from portal.models import CouncilValue
from tests import factory
from tests.escrow import money, online

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


# Set aside --------------------------------------------------------------------------------


def test_an_unknown_reference_is_set_aside() -> None:
    assert online.send(online.paid("nobody-knows", "200.00")).content == b"set-aside\n"
    event = only_event()
    assert (event.reference, event.amount, event.payment) == ("nobody-knows", Decimal(200), None)


@pytest.mark.parametrize("amount", ["199.99", "200.01", "0.01", "2000.00"])
def test_another_amount_is_refused_and_set_aside(bill: Bill, amount: str) -> None:
    payment = online.begun(bill=bill, amount="200.00")
    assert online.send(online.paid(payment.reference, amount)).content == b"refused\n"
    event = only_event()
    assert event.why == "$200.00 was asked for."
    assert (event.payment, event.amount) == (payment, Decimal(amount))
    assert standing(bill, on=TODAY).owed == Decimal("1200.00")


def test_another_currency_is_refused_and_set_aside(bill: Bill) -> None:
    payment = online.begun(bill=bill, amount="200.00")
    body = online.paid(payment.reference, "200.00", currency="cad")
    assert online.send(body).content == b"refused\n"
    event = only_event()
    assert (event.currency, event.amount) == ("CAD", None)
    assert "20000 came in CAD" in event.why
    assert not Receipt.objects.exists()


def test_a_bill_paid_at_the_counter_meanwhile_is_not_paid_twice(bill: Bill) -> None:
    payment = online.begun(bill=bill, amount="1200.00")
    online.pay_at_counter(bill, "1200.00")
    assert online.send(online.paid(payment.reference, "1200.00")).content == b"set-aside\n"
    assert "Nothing is owed on this bill." in only_event().why
    assert Receipt.objects.count() == 1
    balanced()


def test_a_bill_paid_in_part_at_the_counter_meanwhile_takes_no_more_than_it_owes(
    bill: Bill,
) -> None:
    payment = online.begun(bill=bill, amount="1200.00")
    online.pay_at_counter(bill, "100.00")
    assert online.send(online.paid(payment.reference, "1200.00")).content == b"set-aside\n"
    assert "$100.00 too much" in only_event().why


def test_a_fee_taken_at_the_counter_meanwhile_is_not_taken_twice(application: Application) -> None:
    payment = online.begun(application, amount=fee_of(application))
    from permits import acts

    acts.record_fee(
        application,
        by=factory.clerk(),
        on=TODAY,
        means="cash",
        amount=application.fee_due(on=TODAY),
        received_on=TODAY,
        receipt_number="R-1",
    )
    answer = online.send(online.paid(payment.reference, fee_of(application)))
    assert answer.content == b"set-aside\n"
    assert FeeEntry.objects.count() == 1


@pytest.mark.parametrize("kind", ["refund.failed", "charge.dispute.created"])
def test_trouble_at_the_provider_is_shown_to_the_clerk(kind: str) -> None:
    about = {"id": "re_1", "object": "refund", "amount": 100, "currency": "usd", "charge": "ch_1"}
    assert online.send(online.event(kind, about)).content == b"set-aside\n"
    assert only_event().why


# After certification ----------------------------------------------------------------------


def test_what_is_on_the_roll_is_taken_off_it_by_a_payment_online(at) -> None:
    at(date(2026, 11, 16))
    money.resolution(CouncilValue.Key.BILL_DAYS, "30")
    site = factory.issued(on=date(2026, 3, 2)).site
    work = money.charge_work(site, on=date(2026, 8, 3))
    bill = making.bill_work(work, online.PAYER, by=factory.clerk(), on=date(2026, 10, 1))
    certify_all(on=date(2026, 11, 16))
    assert standing(bill, on=TODAY).owed == 0
    at(date(2026, 11, 30))
    payment = online.begun(bill=bill, amount="1200.00")
    assert online.send(online.paid(payment.reference, "1200.00")).content == b"booked\n"
    kinds = list(bill.entries.values_list("kind", flat=True))
    assert kinds == ["billed", "roll", "off-roll", "payment"]
    assert [each.charge.bill for each in corrections.corrections(2026, bill.path)] == [bill]
    found = trial_balance(on=date(2026, 11, 30))
    assert found.problems == []


def certify_all(*, on: date) -> None:
    layout = RollLayout.objects.filter(format="csv").first() or RollLayout.objects.create(
        **FIRST_LAYOUTS[0]
    )
    path, cut_off = Bill.Path.SPECIAL_CHARGE, date(on.year, 11, 15)
    found = candidates(path, cut_off_on=cut_off, on=on, layout=layout)
    batch = certify.propose(
        certify.lines_from(found),
        year=on.year,
        cut_off_on=cut_off,
        instrument=path,
        layout=layout,
        by=factory.clerk(),
        on=on,
    )
    certify.certify(batch, signed=batch.sha256, by=factory.administrator(), on=on)
