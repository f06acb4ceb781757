"""What comes off the roll again: of which charge, of which roll, and never more than is on it.

An assessment may be paid in parts, so that all of this can happen to one. Former § 17.19(4)(e)
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from escrow import journal
from escrow.bills import levying, making, moving, rolled
from escrow.bills.account import standing
from escrow.models import Bill, RollBatch, RollCharge, RollLayout
from escrow.roll import certify, outcomes
from escrow.roll.candidates import candidates
from escrow.roll.corrections import corrections
from permits.models import NotNow
from portal import papers
from portal.models import CouncilValue
from tests import factory

from . import money, rolls, slow_money
from .rolls import PAYER

pytestmark = pytest.mark.django_db

WORKED, BILLED, LEVIED = date(2026, 6, 1), date(2026, 7, 20), date(2026, 9, 1)
TODAY, PATH = date(2026, 11, 16), Bill.Path.ASSESSMENT


@pytest.fixture(autouse=True)
def _quick(at, monkeypatch: pytest.MonkeyPatch) -> None:
    made = papers.Made(b"%PDF-1.7 a stand-in\n%%EOF\n", 1)
    monkeypatch.setattr(papers, "make", lambda template, context: made)
    at(TODAY)


@pytest.fixture
def layout() -> RollLayout:
    return RollLayout.objects.get(name="CSV, all columns")


def assessed(cost: str, parcels: int = 1) -> Bill:
    """An assessment of a cost above the escrow, divided equally where there are several parcels."""
    for key, value in (("BILL_DAYS", "30"), ("INTEREST_RATE", "10"), ("ADMINISTRATIVE_FEE", "0")):
        money.resolution(CouncilValue.Key[key], value)
    permit = factory.issued(on=date(2026, 3, 2)).permit
    permit.refresh_from_db()
    for number in range(2, parcels + 1):
        permit.site.parcels.create(number=f"0240-0999-{number:03d}")
    costs = (str(Decimal("2500.00") + Decimal(cost)),)
    drawn = money.drawn(permit, "2500.00", on=WORKED, costs=costs)
    bill = making.bill_work(drawn.work, PAYER, by=factory.clerk(), on=BILLED)
    levying.levy(bill, resolution="2026-20", levied_on=LEVIED, by=factory.clerk())
    if parcels > 1:
        weights = dict.fromkeys(bill.site.parcels.all(), Decimal(1))
        by = factory.clerk()
        levying.divide(bill, basis="equal", weights=weights, why="Agreed.", by=by, on=TODAY)
    return Bill.objects.get(pk=bill.pk)


def sign(batch: RollBatch, on: date = TODAY) -> RollBatch:
    return certify.certify(batch, signed=batch.sha256, by=factory.administrator(), on=on)


def put_on_roll(layout: RollLayout, *, on: date = TODAY, year: int = 2026) -> RollBatch:
    found = candidates(PATH, cut_off_on=on, on=on, layout=layout)
    facts = {"cut_off_on": on, "instrument": PATH, "layout": layout, "on": on}
    lines = certify.lines_from(found)
    return sign(certify.propose(lines, year=year, by=factory.clerk(), **facts), on)


def propose_corrections(layout: RollLayout, *, on: date = TODAY) -> RollBatch:
    facts = {"cut_off_on": on, "instrument": PATH, "layout": layout, "on": on, "year": 2026}
    return rolls.propose_corrections(corrections(2026, PATH), by=factory.clerk(), **facts)


def pay(bill: Bill, amount: str, *, on: date = TODAY) -> None:
    facts = {"means": "cash", "paid_by": "Mai Vang", "by": factory.clerk()}
    moving.pay(bill, amount=Decimal(amount), received_on=on, **facts)


def reject(charge: RollCharge, *, on: date = TODAY) -> None:
    outcomes.reject(charge, reason="No such parcel.", by=factory.clerk(), on=on)


def charges_of(batch: RollBatch) -> list[RollCharge]:
    return list(batch.charges.order_by("pk"))  # type: ignore[attr-defined]


def test_cents_come_off_charge_by_charge_and_none_falls_below_zero(layout: RollLayout) -> None:
    bill = assessed("0.05", parcels=3)
    batch = put_on_roll(layout)
    amounts = [charge.amount for charge in charges_of(batch)]
    assert sum(amounts) == Decimal("0.05")
    for _ in range(5):
        pay(bill, "0.01")
    sign(propose_corrections(layout))
    assert [outcomes.net(charge) for charge in charges_of(batch)] == [0, 0, 0]
    assert rolled.on_roll(bill)[0] == 0


def test_what_was_paid_before_the_roll_rejected_a_charge_is_not_owed_again(
    layout: RollLayout,
) -> None:
    bill = assessed("900.00")
    batch = put_on_roll(layout)
    (charge,) = charges_of(batch)
    pay(bill, "200.00")
    reject(charge)
    assert bill.balance() == charge.amount - 200
    assert rolled.on_roll(bill) == (Decimal("0.00"), None)
    assert corrections(2026, PATH) == []
    assert journal.balances()[journal.Account.ON_ROLL].balance == 0


def test_of_several_parcels_only_the_rejected_one_is_owed_again(layout: RollLayout) -> None:
    bill = assessed("900.00", parcels=3)
    first, second, third = charges_of(put_on_roll(layout))
    pay(bill, "300.00")
    reject(second)
    lowered = {each.charge: each.amount for each in corrections(2026, PATH)}
    assert set(lowered) == {first, third}
    assert sum(lowered.values()) + (second.amount - bill.balance()) == Decimal("300.00")


def test_a_charge_is_not_rejected_while_its_correction_waits_nor_once_collected(
    layout: RollLayout,
) -> None:
    bill = assessed("900.00", parcels=2)
    first, second = charges_of(put_on_roll(layout))
    pay(bill, "100.00")
    waiting = propose_corrections(layout)
    with pytest.raises(NotNow, match=f"Correction batch {waiting} lowers {first}"):
        reject(first)
    sign(waiting)
    by, day = factory.clerk(), date(2027, 1, 20)
    outcomes.collect(second, amount=Decimal("5.00"), reference="", by=by, on=day)
    with pytest.raises(NotNow, match="the roll has taken it"):
        reject(second, on=day)
    lowering = RollCharge.objects.filter(batch=waiting).first()
    assert lowering is not None
    with pytest.raises(NotNow, match="lowers another charge"):
        reject(lowering)


def test_a_payment_lowers_no_charge_below_what_was_collected(layout: RollLayout, at: Any) -> None:
    """One parcel's tax came in; a payment of before the delivery is entered afterwards."""
    bill = assessed("900.00", parcels=2)
    first, second = charges_of(put_on_roll(layout))
    day, by = date(2027, 1, 20), factory.clerk()
    at(day)
    outcomes.collect(first, amount=first.amount, reference="", by=by, on=day)
    at(date(2027, 1, 21))
    pay(bill, "300.00", on=date(2026, 12, 1))
    lowered = {each.charge: each.amount for each in corrections(2026, PATH)}
    assert lowered == {second: Decimal("300.00")}
    assert outcomes.uncollected(first) == 0
    assert outcomes.uncollected(second) == second.amount - 300
    # What is collected later moves nothing of what was paid before.
    at(date(2027, 1, 22))
    outcomes.collect(second, amount=Decimal("5.00"), reference="", by=by, on=date(2027, 1, 22))
    assert {each.charge: each.amount for each in corrections(2026, PATH)} == lowered


def test_many_bills_are_corrected_in_a_fixed_number_of_queries(
    layout: RollLayout, django_assert_num_queries: Any
) -> None:
    bills = [assessed("900.00")]
    put_on_roll(layout)
    pay(bills[0], "100.00")
    with django_assert_num_queries(4):
        assert len(corrections(2026, PATH)) == 1
    bills += [assessed("700.00"), assessed("800.00")]
    put_on_roll(layout)
    for bill in bills[1:]:
        pay(bill, "100.00")
    with django_assert_num_queries(4):
        found = corrections(2026, PATH)
        assert [each.charge.line.parcel_number for each in found]
    assert {each.charge.bill for each in found} == set(bills)


def test_a_list_of_assessments_is_certified_in_a_fixed_number_of_queries(
    layout: RollLayout,
) -> None:
    counted = []
    # The first list makes what is made once: counters, and types that are remembered.
    for costs in (("300.00",), ("900.00",), ("700.00", "800.00", "1100.00")):
        bills = [assessed(cost) for cost in costs]
        found = candidates(PATH, cut_off_on=TODAY, on=TODAY, layout=layout)
        facts = {"cut_off_on": TODAY, "instrument": PATH, "layout": layout, "on": TODAY}
        lines = certify.lines_from(found)
        batch = certify.propose(lines, year=2026, by=factory.clerk(), **facts)
        assert batch.count == len(bills)
        second = factory.administrator()
        with CaptureQueriesContext(connection) as asked:
            certify.certify(batch, signed=batch.sha256, by=second, on=TODAY)
        counted.append(len(asked))
        assert [bill.balance() for bill in bills] == [0] * len(bills)
    assert counted[1] == counted[2]


def test_a_payment_comes_off_the_roll_that_is_still_open(layout: RollLayout) -> None:
    """Half of it the roll of 2026 rejected: that is on the next roll, the rest is with the tax."""
    bill = assessed("900.00", parcels=2)
    first, second = charges_of(put_on_roll(layout))
    reject(second)
    later = date(2027, 10, 4)
    put_on_roll(layout, on=later, year=2027)
    owed = rolled.total(rolled.payable(bill, on=later))
    assert [each.batch.year for each in rolled.payable(bill, on=later)] == [2027]
    with pytest.raises(NotNow) as refused:
        pay(bill, str(owed + first.amount), on=later)
    assert [each.key for each in refused.value.obstacles] == ["too-much"]
    pay(bill, str(owed), on=later)
    assert [(each.batch.year, each.amount) for each in rolled.batches_of(bill)] == [
        (2026, first.amount)
    ]


def test_a_payment_over_two_open_lists_lowers_each_to_nothing_at_most(layout: RollLayout) -> None:
    bill = assessed("900.00", parcels=2)
    reject(charges_of(put_on_roll(layout))[1])
    put_on_roll(layout)
    amounts = [each.amount for each in rolled.batches_of(bill)]
    pay(bill, str(sum(amounts) - 1))
    assert [each.amount for each in rolled.batches_of(bill)] == [Decimal("1.00")]
    sign(propose_corrections(layout))
    assert all(outcomes.net(each) >= 0 for each in RollCharge.objects.filter(amount__gt=0))


def test_interest_bears_none_after_the_roll_rejected_it_or_a_payment_was_taken_back(
    layout: RollLayout,
) -> None:
    bill, rate, later = assessed("900.00"), Decimal(10), date(2027, 3, 1)
    (charge,) = charges_of(put_on_roll(layout))
    booked = slow_money.interest(Decimal(900), rate, LEVIED, LEVIED, TODAY)
    assert charge.amount == 900 + booked
    reject(charge)
    since = slow_money.interest(Decimal(900), rate, LEVIED, TODAY, later)
    assert standing(bill, on=later).owed == 900 + booked + since
    pay(bill, "100.00")
    moving.reverse(
        bill.entries.get(kind="payment"), reason="It bounced.", by=factory.clerk(), on=TODAY
    )
    assert standing(bill, on=later).owed == 900 + booked + since


def test_a_credit_takes_the_interest_of_the_days_before_it(layout: RollLayout) -> None:
    bill, rate, later = assessed("900.00"), Decimal(10), date(2027, 3, 1)
    until = slow_money.interest(Decimal(900), rate, LEVIED, LEVIED, TODAY)
    moving.credit(bill, amount=Decimal(400), reason="Agreed.", by=factory.clerk(), on=TODAY)
    left = 900 + until - 400
    rest = slow_money.interest(left, rate, LEVIED, TODAY, later)
    assert standing(bill, on=later).owed == left + rest
