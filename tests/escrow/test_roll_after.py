"""After certification: corrections, rejections, collection, and the other instrument.

Wis. Stat. § 66.0627(4), former § 17.19(7)(e) and (4)(e)
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse

from escrow import journal
from escrow.account.releasable import release_facts
from escrow.bills import levying, making, moving
from escrow.books import proof
from escrow.models import (
    Bill,
    RollCharge,
    RollLayout,
    RollOutcome,
)
from escrow.roll import certify, outcomes
from escrow.roll.candidates import candidates
from escrow.roll.corrections import corrections
from escrow.roll.year import roll_year_on
from permits.models import NotNow
from portal import papers
from portal.city import edition_on
from portal.models import CouncilValue
from tests import factory
from tests.escrow import money
from tests.review.pages import signed_in, text_of

from .rolls import (
    CHARGE,
    CUT_OFF,
    PAYER,
    TODAY,
    billed,
    certified,
    correct,
    listed,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _quick(at, monkeypatch: pytest.MonkeyPatch) -> None:
    made = papers.Made(b"%PDF-1.7 a stand-in\n%%EOF\n", 1)
    monkeypatch.setattr(papers, "make", lambda template, context: made)
    at(TODAY)


@pytest.fixture
def layout(db: None) -> RollLayout:
    return RollLayout.objects.get(name="CSV, all columns")


@pytest.fixture(autouse=True)
def _time_to_pay(db: None) -> None:
    money.resolution(CouncilValue.Key.BILL_DAYS, "30")


def pay_late(bill: Bill, amount: str = "1200.00", *, on: date = date(2026, 12, 1)) -> None:
    moving.pay(
        bill,
        amount=Decimal(amount),
        received_on=on,
        means="cash",
        paid_by="Mai Vang",
        by=factory.clerk(),
    )


def test_a_late_payment_gives_a_correction_batch(layout: RollLayout) -> None:
    bill = billed()
    first = certified(layout)
    pay_late(bill)
    assert bill.balance() == 0
    (found,) = corrections(2026, CHARGE)
    assert (found.charge.batch, found.amount) == (first, Decimal("1200.00"))
    batch = correct(layout, on=date(2026, 12, 1))
    assert (batch.number, batch.purpose) == (2, "correction")
    assert batch.total == Decimal("-1200.00")
    assert corrections(2026, CHARGE) == []
    found = journal.balances(on=date(2026, 12, 31))
    assert found[journal.Account.ON_ROLL].balance == 0
    assert bill.site.events.filter(kind="roll.corrected").count() == 1


def test_after_delivery_it_is_paid_with_the_tax(layout: RollLayout) -> None:
    bill = billed()
    certified(layout)
    with pytest.raises(NotNow) as refused:
        pay_late(bill, on=date(2026, 12, 21))
    assert [each.key for each in refused.value.obstacles] == ["with-treasurer"]


def test_from_the_day_that_the_council_set_it_is_with_the_treasurer(layout: RollLayout) -> None:
    money.resolution(CouncilValue.Key.ROLL_DELIVERY, "12-08")
    bill = billed()
    certified(layout)
    assert roll_year_on(date(2026, 12, 7)).year == 2026
    assert roll_year_on(date(2026, 12, 8)).year == 2027
    with pytest.raises(NotNow) as refused:
        pay_late(bill, on=date(2026, 12, 8))
    assert [each.key for each in refused.value.obstacles] == ["with-treasurer"]
    pay_late(bill, on=date(2026, 12, 7))
    with pytest.raises(NotNow, match="is with the treasurer"):
        correct(layout, on=date(2026, 12, 8))
    assert correct(layout, on=date(2026, 12, 7)).total == Decimal("-1200.00")


def test_what_was_collected_with_the_tax_is_not_taken_at_the_counter_too(
    layout: RollLayout,
) -> None:
    """A payment that came in before the delivery, and is entered when the tax was paid."""
    bill = billed()
    certified(layout)
    charge, day = RollCharge.objects.get(), date(2027, 1, 20)
    outcomes.collect(charge, amount=Decimal("1000.00"), reference="T-1", by=factory.clerk(), on=day)
    with pytest.raises(NotNow) as refused:
        pay_late(bill)
    assert [each.key for each in refused.value.obstacles] == ["too-much"]
    outcomes.collect(charge, amount=Decimal("200.00"), reference="T-2", by=factory.clerk(), on=day)
    with pytest.raises(NotNow, match="not collected with the tax"):
        pay_late(bill)
    assert journal.balances(on=day)[journal.Account.ON_ROLL].balance == 0


def test_what_was_paid_here_is_not_booked_as_collected_too(layout: RollLayout) -> None:
    """Paid before the delivery, no correction certified, and the treasurer collected it."""
    bill = billed()
    certified(layout)
    pay_late(bill)
    charge, day = RollCharge.objects.get(), date(2027, 1, 20)
    assert outcomes.net(charge) == 1200  # the roll has not heard of it
    with pytest.raises(NotNow) as refused:
        outcomes.collect(
            charge, amount=Decimal("1200.00"), reference="", by=factory.clerk(), on=day
        )
    why = refused.value.sentence
    assert "$0.00 of SC-2026-0001 is not collected yet" in why
    assert "$1,200.00 on Tuesday, December 1, 2026" in why
    assert "less what was paid here" in why
    assert journal.balances(on=day)[journal.Account.ON_ROLL].balance == 0
    page = text_of(signed_in(factory.clerk()).get(reverse("roll_collect", args=[charge.number])))
    assert "The city itself took $1,200.00 on Tuesday, December 1, 2026 for it" in page


def test_one_bill_that_came_in_twice_hides_no_charge_of_another(layout: RollLayout) -> None:
    permit = factory.issued(on=date(2026, 3, 2)).permit
    first = billed(permit.site)
    billed(permit.site, costs=("300.00",))
    certified(layout)
    charge = RollCharge.objects.get(bill=first)
    by, day = factory.clerk(), date(2027, 1, 20)
    # As the acts would no longer book it.
    RollOutcome.objects.create(charge=charge, kind="collected", amount=1400, by=by, on=day)
    assert release_facts(permit, on=day).on_roll == Decimal("300.00")


def test_a_rejected_charge_is_owed_again_and_listed_again(layout: RollLayout) -> None:
    bill = billed()
    certified(layout)
    charge = RollCharge.objects.get()
    outcomes.reject(charge, reason="No such parcel.", by=factory.clerk(), on=TODAY)
    assert bill.balance() == Decimal("1200.00")
    assert corrections(2026, CHARGE) == []
    assert [each.bill for each in listed()] == [bill]
    with pytest.raises(NotNow, match="recorded already"):
        outcomes.reject(charge, reason="Again.", by=factory.clerk(), on=TODAY)
    second = certified(layout)
    assert second.number == 2
    assert RollCharge.objects.count() == 2


def test_a_bill_that_the_roll_rejected_can_be_withdrawn(layout: RollLayout) -> None:
    bill = billed()
    certified(layout)
    with pytest.raises(NotNow, match="on the tax roll"):
        moving.withdraw(bill, reason="Wrong land.", by=factory.clerk(), on=TODAY)
    outcomes.reject(
        RollCharge.objects.get(), reason="No such parcel.", by=factory.clerk(), on=TODAY
    )
    moving.withdraw(bill, reason="Wrong land.", by=factory.clerk(), on=TODAY)
    assert bill.balance() == 0
    assert listed() == []
    found = journal.balances(on=TODAY)
    assert found[journal.Account.CHARGES_RECEIVABLE].balance == 0
    assert found[journal.Account.ON_ROLL].balance == 0
    assert list(proof.problems()) == []


def test_what_the_treasurer_collects_is_at_most_the_charge(layout: RollLayout) -> None:
    billed()
    batch = certified(layout)
    assert outcomes.accept_rest(batch, by=factory.clerk(), on=TODAY) == 1
    charge = RollCharge.objects.get()
    day = date(2027, 1, 20)
    with pytest.raises(NotNow, match=r"\$1,200\.00 of SC-2026-0001"):
        outcomes.collect(
            charge, amount=Decimal("1200.01"), reference="", by=factory.clerk(), on=day
        )
    done = outcomes.collect(
        charge, amount=Decimal("1200.00"), reference="T-1", by=factory.clerk(), on=day
    )
    found = journal.balances(on=day)
    assert found[journal.Account.ON_ROLL].balance == 0
    assert found[journal.Account.COLLECTED_WITH_TAX].balance == Decimal("1200.00")
    outcomes.uncollect(done, reason="The check bounced.", by=factory.clerk(), on=day)
    assert journal.balances(on=day)[journal.Account.ON_ROLL].balance == Decimal("1200.00")


def test_an_assessment_goes_on_the_roll_with_its_interest(layout: RollLayout) -> None:
    money.resolution(CouncilValue.Key.INTEREST_RATE, "5")
    money.resolution(CouncilValue.Key.ADMINISTRATIVE_FEE, "65.00")
    permit = factory.issued(on=date(2026, 3, 2)).permit
    work = money.escrow_work(permit, on=date(2026, 4, 1), costs=("2800.00",))
    money.draw(work, "2500.00")
    bill = making.bill_work(work, PAYER, by=factory.clerk(), on=date(2026, 6, 1))
    path = Bill.Path.ASSESSMENT
    (found,) = candidates(path, cut_off_on=CUT_OFF, on=CUT_OFF, layout=layout)
    assert [problem.key for problem in found.problems] == ["needs-levy"]
    levying.levy(bill, resolution="2026-40", levied_on=date(2026, 9, 3), by=factory.clerk())
    # 365.00 at 5 % for 73 days
    (found,) = candidates(path, cut_off_on=CUT_OFF, on=CUT_OFF, layout=layout)
    assert (found.owed, found.problems) == (Decimal("368.65"), ())
    batch = certify.propose(
        certify.lines_from([found]),
        year=2026,
        cut_off_on=CUT_OFF,
        instrument=path,
        layout=layout,
        by=factory.clerk(),
        on=CUT_OFF,
    )
    certify.certify(batch, signed=batch.sha256, by=factory.administrator(), on=TODAY)
    assert bill.balance() == 0
    assert batch.total == Decimal("368.65")
    assert bill.entries.get(kind="interest").amount == Decimal("3.65")


def test_a_receipt_says_what_stays_on_the_roll(
    layout: RollLayout, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The roll rejected one of two parcels; what is paid for it pays not the other."""
    bill = billed(costs=("300.00",))
    parcels = [*bill.site.parcels.all(), bill.site.parcels.create(number="0240-9999-001")]
    weights = {parcels[0]: Decimal(1), parcels[1]: Decimal(2)}
    levying.divide(
        bill, basis="share", weights=weights, why="Two lots.", by=factory.clerk(), on=TODAY
    )
    certified(layout)
    charge = RollCharge.objects.get(amount=Decimal("100.00"))
    outcomes.reject(charge, reason="No such parcel.", by=factory.clerk(), on=TODAY)
    seen: list[str] = []

    def keep(template: str, context: dict[str, Any]) -> papers.Made:
        known = {"city": settings.CITY, "today": TODAY, "edition": edition_on(TODAY)}
        seen.append(render_to_string(template, known | context))
        return papers.Made(b"%PDF-1.7 a stand-in\n%%EOF\n", 1)

    monkeypatch.setattr(papers, "make", keep)
    pay_late(bill, "100.00")
    assert "$200.00 of the bill is on the tax roll." in seen[-1]
    assert "paid in full" not in seen[-1]
    pay_late(bill, "200.00")
    assert "The bill is paid in full." in seen[-1]
