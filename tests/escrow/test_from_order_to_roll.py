"""From the order to the tax roll by the acts that people use: of a permit, and without one.

Former § 17.19(7)(a), (c) and (e), (4)(e); Wis. Stat. § 66.0627(4), § 62.23(7)(e)5.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from escrow.account import drawing, releasing
from escrow.bills import levying, making
from escrow.models import EscrowEntry, RollCharge, RollLayout
from permits.models import DocketEntry, NotNow, Permit
from portal import papers
from portal.models import CouncilValue
from tests import factory
from tests.enforcement import works
from tests.escrow import money

from .walk import (
    ASSESSMENT,
    CHARGE,
    ISSUED,
    all_is_right,
    billed,
    certified,
    draw,
    listed,
    mailed,
    ordered,
    refused,
    unpermitted,
    worked,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _quick(at: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made = papers.Made(works.blank_pdf(), 1)
    monkeypatch.setattr(papers, "make", lambda template, context: made)
    at(date(2026, 2, 27))
    money.resolution(CouncilValue.Key.BILL_DAYS, "30")


@pytest.fixture
def layout() -> RollLayout:
    return RollLayout.objects.get(name="CSV, all columns")


@pytest.fixture
def permit(at: Any) -> Permit:
    """An issued permit with $2,500.00 of cash as its escrow."""
    at(ISSUED)
    made: Permit = factory.issued(on=ISSUED).permit
    made.refresh_from_db()
    return made


# (a) A permittee: the escrow first, the rest assessed ----------------------------------------


def test_from_an_order_under_a_permit_to_the_roll(
    permit: Permit, at: Any, layout: RollLayout
) -> None:
    order = ordered(permit, at)
    last_day = order.compliance_deadline()
    assert last_day is not None
    assert last_day.on == date(2026, 5, 14)
    notice = mailed(permit, at)
    opens = notice.draw_opens()
    assert opens is not None
    assert (opens.on, opens.safe_on) == (date(2026, 5, 29), date(2026, 6, 1))
    work = worked(notice, at, cost="2900.00")
    on = date(2026, 6, 8)
    at(on)

    # The escrow bears the cost first, as far as it goes, and nothing else is open.
    assert refused(making.bill_work, work, None, by=factory.clerk(), on=on) == ["draw-first"]
    assert set(refused(releasing.propose, permit, by=factory.clerk(), on=on)) >= {
        "open-order",
        "unsettled-work",
        "final-inspection",
    }
    assert refused(draw, work, "2500.01", on=on) == ["over-held"]
    drawn = draw(work, "2500.00", on=on)
    assert EscrowEntry.objects.filter(permit=permit).balance() == 0
    all_is_right(on)

    bill = billed(work, at, on=date(2026, 6, 15))
    assert (bill.path, bill.cost, bill.escrow_applied, bill.amount) == (
        ASSESSMENT,
        Decimal("2900.00"),
        Decimal("2500.00"),
        Decimal("400.00"),
    )
    assert bill.due_on == date(2026, 7, 15)
    with pytest.raises(NotNow, match=f"billed with this draw: bill {bill.number}"):
        drawing.reverse(drawn, by=factory.clerk(), on=on, reason="An error.")
    all_is_right(date(2026, 6, 15))

    # Unpaid, it waits for the council: without its levy the roll takes nothing.
    day = date(2026, 11, 15)
    at(day)
    (found,) = listed(ASSESSMENT, on=day, layout=layout)
    assert [problem.key for problem in found.problems] == ["needs-levy"]
    assert set(refused(levying.levy, bill, resolution="2026-90", levied_on=day, by=None)) == {
        "no-rate",
        "no-fee",
    }
    money.resolution(CouncilValue.Key.INTEREST_RATE, "5")
    money.resolution(CouncilValue.Key.ADMINISTRATIVE_FEE, "65.00")
    levying.levy(bill, resolution="2026-90", levied_on=date(2026, 9, 3), by=factory.clerk())
    batch = certified(ASSESSMENT, on=day, layout=layout)
    # $465.00 at 5 % for 73 days is $4.65.
    assert batch.total == Decimal("469.65")
    assert batch.year == 2026
    assert bill.balance() == 0
    assert listed(CHARGE, on=day, layout=layout) == []
    all_is_right(day)


# (b) Without a permit: notice of intent, special charge --------------------------------------


def test_from_an_order_without_a_permit_to_the_roll(at: Any, layout: RollLayout) -> None:
    _, work = unpermitted(at, ordered_on=date(2026, 8, 3))
    assert work.closed_on is not None
    bill = billed(work, at, on=date(2026, 9, 14))
    assert (bill.path, bill.amount, bill.payer_name) == (CHARGE, Decimal("1800.00"), "Pat Lund")
    (entry,) = DocketEntry.objects.of(bill).running()
    assert (entry.bound, entry.on) == (DocketEntry.Bound.PAYER, date(2026, 10, 14))
    all_is_right(date(2026, 9, 14))

    # Unpaid after its last day it is delinquent, and on the list of the year.
    assert not bill.is_delinquent(date(2026, 10, 14))
    assert bill.is_delinquent(date(2026, 10, 15))
    assert bill.delinquent_on == date(2026, 10, 15)
    on = date(2026, 11, 10)
    at(on)
    (found,) = listed(CHARGE, on=on, layout=layout)
    assert (found.bill, found.problems) == (bill, ())
    batch = certified(CHARGE, on=on, layout=layout)
    (line,) = batch.lines.all()
    assert (batch.year, line.parcel_number, line.owner_name, line.amount) == (
        2026,
        "0240-9001-001",
        "Pat Lund",
        Decimal("1800.00"),
    )
    assert RollCharge.objects.get().bill == bill
    assert bill.balance() == 0
    all_is_right(on)


@pytest.mark.parametrize(
    ("billed_on", "on", "year"),
    [
        (date(2026, 9, 28), date(2026, 11, 10), 2026),  # due October 28, unpaid on November 10
        (date(2026, 10, 20), date(2026, 11, 20), 2027),  # due November 19, unpaid on November 20
    ],
)
def test_the_cut_off_decides_the_year_of_the_roll(
    billed_on: date, on: date, year: int, at: Any, layout: RollLayout
) -> None:
    _, work = unpermitted(at, ordered_on=date(2026, 8, 3))
    bill = billed(work, at, on=billed_on)
    at(on)
    this_year = [each.bill for each in listed(CHARGE, on=on, layout=layout)]
    assert bill.is_delinquent(on)
    assert this_year == ([bill] if year == 2026 else [])
    if not this_year:
        later = date(2027, 11, 10)
        at(later)
        assert [each.bill for each in listed(CHARGE, on=later, layout=layout)] == [bill]
    batch = certified(CHARGE, on=on if this_year else later, layout=layout)
    assert batch.year == year
