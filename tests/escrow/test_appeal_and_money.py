"""What an appeal, a reversal and a revocation do to draw, bill and roll. Former § 17.19(8)

Wis. Stat. § 62.23(7)(e)5., former § 17.19(7)(c) and (4)(e)
"""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.urls import reverse

from enforcement.acts import orders as act_on_orders
from enforcement.acts import revocation
from escrow import journal
from escrow.account import drawing, releasing
from escrow.bills import levying, making, moving, rolled, undone
from escrow.models import Bill, EscrowEntry, RollCharge, RollLayout
from escrow.roll import certify
from escrow.roll.corrections import corrections
from inspections.acts import cover
from permits.models import DocketEntry, NotNow, Permit
from portal import papers
from portal.models import CouncilValue
from tests import factory
from tests.enforcement import factory as orders
from tests.enforcement import works
from tests.enforcement.appealing import appealed, decided
from tests.escrow import money
from tests.review.pages import fields_of, signed_in, text_of

from .walk import (
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


def test_a_stay_refuses_the_draw_until_it_ends(permit: Permit, at: Any) -> None:
    order = ordered(permit, at)
    work = worked(mailed(permit, at), at, cost="900.00")
    on = order.appeal_deadline().on  # June 3, after the work was closed
    at(on)
    appeal = appealed(order, on=on)
    assert not appeal.is_late
    assert f"appeal-{appeal.number}" in refused(draw, work, "900.00", on=on)
    assert "stayed" in refused(making.bill_work, work, None, by=factory.clerk(), on=on)
    all_is_right(on)
    day = on + timedelta(days=9)
    at(day)
    decided(appeal, on=day)
    later = day + timedelta(days=1)
    at(later)
    assert draw(work, "900.00", on=later).amount == Decimal("900.00")
    all_is_right(later)


def test_what_the_board_reversed_is_neither_drawn_nor_billed(permit: Permit, at: Any) -> None:
    order = ordered(permit, at)
    work = worked(mailed(permit, at), at, cost="900.00")
    on = order.appeal_deadline().on
    at(on)
    appeal = appealed(order, on=on)
    day = on + timedelta(days=9)
    at(day)
    decided(appeal, on=day, outcome="reversed")
    later = day + timedelta(days=1)
    at(later)
    assert refused(draw, work, "900.00", on=later) == ["undone"]
    assert "undone" in refused(making.bill_work, work, None, by=factory.clerk(), on=later)
    all_is_right(later)


def test_a_stay_holds_the_last_day_and_the_roll_still(at: Any, layout: RollLayout) -> None:
    _, work = unpermitted(at, ordered_on=date(2026, 8, 3))
    notice = work.notice_of_intent
    assert notice is not None
    bill = billed(work, at, on=date(2026, 9, 7))  # due Wednesday, October 7
    assert bill.due_on == date(2026, 10, 7)
    filed = notice.appeal_deadline().on
    assert date(2026, 9, 7) < filed <= bill.due_on
    at(filed)
    appeal = appealed(notice, on=filed)
    (entry,) = DocketEntry.objects.of(bill).running()
    assert entry.stayed_since == filed
    all_is_right(filed)

    # Nobody is delinquent while the board has it; the list names what stops the charge.
    on = date(2026, 11, 10)
    at(on)
    assert not bill.is_delinquent(on)
    assert list(Bill.objects.delinquent(on)) == []
    (found,) = listed(CHARGE, on=on, layout=layout)
    assert [problem.key for problem in found.problems] == ["stayed"]
    assert found.stops

    desk = signed_in(factory.clerk())
    page = text_of(desk.get(bill.get_absolute_url()))
    assert f"Appeal {appeal.number} holds the last day still" in page
    assert "held still by an appeal" in text_of(desk.get(reverse("bills")))
    assert str(bill) not in text_of(desk.get(reverse("bills"), {"list": "late"}))
    roll = text_of(desk.get(reverse("roll")))
    assert f"Appeal {appeal.number} stays it." in roll

    # The days that were left run on: it is due after the cut-off now, and on the next roll.
    decided(appeal, on=on)
    bill = Bill.objects.get()
    left = (bill.due_on - filed).days
    assert bill.last_day >= on + timedelta(days=left)
    assert bill.due_on == date(2026, 10, 7)  # what was billed is a fact
    assert listed(CHARGE, on=date(2026, 11, 16), layout=layout) == []
    after = bill.last_day + timedelta(days=1)
    at(after)
    assert bill.is_delinquent(after)
    assert [each.pk for each in Bill.objects.delinquent(after)] == [bill.pk]
    assert bill.delinquent_on == after
    all_is_right(after)
    next_year = date(2027, 11, 10)
    at(next_year)
    assert certified(CHARGE, on=next_year, layout=layout).year == 2027


def test_an_appeal_after_the_proposal_keeps_the_charge_off_the_roll(
    at: Any, layout: RollLayout
) -> None:
    _, work = unpermitted(at, ordered_on=date(2026, 8, 24))
    notice = work.notice_of_intent
    assert notice is not None
    bill = billed(work, at, on=date(2026, 9, 28))
    filed = notice.appeal_deadline().on
    on = date(2026, 11, 5)
    at(on)
    lines = certify.lines_from(listed(CHARGE, on=on, layout=layout))
    assert [line.bill for line in lines] == [bill]
    batch = certify.propose(
        lines,
        year=2026,
        cut_off_on=date(2026, 11, 15),
        instrument=CHARGE,
        layout=layout,
        by=factory.clerk(),
        on=on,
    )
    # It came to the board in time, by letter, and is entered only now.
    appeal = appealed(notice, on=on, received_on=filed, paper_reason="A letter to the board.")
    with pytest.raises(NotNow, match=f"since appeal {appeal.number}"):
        certify.certify(batch, signed=batch.sha256, by=factory.administrator(), on=on)
    assert not RollCharge.objects.exists()


def test_a_charge_whose_ground_the_board_reversed_comes_off_the_roll(
    at: Any, layout: RollLayout
) -> None:
    _, work = unpermitted(at, ordered_on=date(2026, 8, 24))
    notice = work.notice_of_intent
    assert notice is not None
    bill = billed(work, at, on=date(2026, 9, 28))
    on = date(2026, 11, 5)
    at(on)
    batch = certified(CHARGE, on=on, layout=layout)
    page, roll = reverse("bill_off_roll", args=[bill.key]), reverse("roll")
    desk = signed_in(factory.clerk())
    assert "The board has not reversed what" in text_of(desk.get(page))
    assert "Take it off the roll" not in text_of(desk.get(bill.get_absolute_url()))
    with pytest.raises(NotNow, match="has not reversed"):
        undone.take_off_undone(bill, reason="A wish.", by=factory.clerk(), on=on)

    filed = notice.appeal_deadline().on
    appeal = appealed(notice, on=on, received_on=filed, paper_reason="A letter to the board.")
    day = date(2026, 12, 1)
    at(day)
    decided(appeal, on=day, outcome="reversed")
    desk = signed_in(factory.clerk())
    for where in (bill.get_absolute_url(), roll):
        assert f"On appeal {appeal.number} the board reversed" in text_of(desk.get(where))
        assert "$1,800.00 can be taken off here" in text_of(desk.get(where))
    shown = fields_of(desk.get(page))
    assert appeal.number in shown["reason"]
    assert desk.post(page, shown).status_code == 303

    off, credit = bill.entries.order_by("pk")[2:]
    assert (off.kind, off.amount, off.batch) == ("off-roll", Decimal("1800.00"), batch)
    assert (credit.kind, credit.amount) == ("credit", Decimal("-1800.00"))
    assert appeal.number in off.reason
    assert appeal.number in credit.reason
    assert bill.balance() == 0
    assert rolled.on_roll(bill)[0] == 0
    assert not DocketEntry.objects.of(bill).running().exists()
    found = journal.balances(on=day)
    assert found[journal.Account.ON_ROLL].balance == 0
    assert found[journal.Account.CHARGES_RECEIVABLE].balance == 0
    (lowered,) = corrections(2026, CHARGE)
    assert (lowered.charge.batch, lowered.amount) == (batch, Decimal("1800.00"))
    assert "still stands on the tax roll" not in text_of(desk.get(roll))
    with pytest.raises(NotNow, match="Nothing of this bill is on the tax roll"):
        undone.take_off_undone(bill, reason="Twice.", by=factory.clerk(), on=day)
    all_is_right(day)


def test_once_the_roll_is_delivered_the_treasurer_is_written(at: Any, layout: RollLayout) -> None:
    _, work = unpermitted(at, ordered_on=date(2026, 8, 24))
    notice = work.notice_of_intent
    assert notice is not None
    bill = billed(work, at, on=date(2026, 9, 28))
    on = date(2026, 11, 5)
    at(on)
    certified(CHARGE, on=on, layout=layout)
    filed = notice.appeal_deadline().on
    appeal = appealed(notice, on=on, received_on=filed, paper_reason="A letter to the board.")
    day = date(2026, 12, 21)
    at(day)
    decided(appeal, on=day, outcome="reversed")
    with pytest.raises(NotNow, match="Write the treasurer"):
        undone.take_off_undone(bill, reason="The board.", by=factory.clerk(), on=day)
    page = text_of(signed_in(factory.clerk()).get(bill.get_absolute_url()))
    assert "$1,800.00 went to the treasurer with the roll and cannot be taken off here" in page
    assert "Take it off the roll" not in page
    all_is_right(day)


# A revoked permit ----------------------------------------------------------------------------


def test_the_escrow_of_a_revoked_permit_is_held_and_drawn_on_as_before(
    permit: Permit, at: Any
) -> None:
    order = ordered(permit, at)
    opens = order.revocation_opens()
    assert opens is not None
    at(opens.safe_on)
    revocation.revoke(
        order,
        by=factory.inspector(),
        on=opens.safe_on,
        facts="Grading went on.",
        told=orders.told(permit.site, permit),
    )
    permit.refresh_from_db()
    assert permit.status == Permit.Status.REVOKED
    assert EscrowEntry.objects.filter(permit=permit).balance() == Decimal("2500.00")
    work = worked(mailed(permit, at), at, cost="900.00")
    on = date(2026, 6, 8)
    at(on)
    draw(work, "900.00", on=on)
    why = [each.key for each in releasing.obstacles_to_release(permit, on=on)]
    assert {"final-inspection", "permanent-cover", "open-order"} <= set(why)
    all_is_right(on)

    account = reverse("escrow_account", args=[permit.application.key])
    words = text_of(signed_in(factory.clerk()).get(account))
    assert "A revocation ends the right to work, not the guarantee." in words
    assert "The final inspection has not passed." in words

    # The city has restored the land: it passes, and what is left goes back whole.
    grown = date(2026, 9, 1)
    at(grown)
    order.refresh_from_db()
    visit = orders.finished_visit(permit.site, on=grown, note="All is in order.")
    act_on_orders.lift(order, by=factory.inspector(), on=grown, visit=visit, why="Restored.")
    final = orders.open_visit(permit.site, on=grown)
    cover.record_final(
        final,
        by=factory.inspector(),
        controls_complete=True,
        perennial=True,
        density_percent=80,
        method="estimate",
        controls={each.key: True for each in cover.planned_controls(permit)},
    )
    permit.refresh_from_db()
    assert permit.status == Permit.Status.REVOKED
    assert permit.final_inspection_passed_on == grown
    assert releasing.obstacles_to_release(permit, on=grown) == []
    release = releasing.propose(permit, by=factory.clerk(), on=grown)
    assert release.amount == Decimal("1600.00")
    releasing.approve(release, by=factory.administrator(), on=grown)
    assert EscrowEntry.objects.filter(permit=permit).balance() == 0
    all_is_right(grown)


def test_a_stay_refuses_the_levy_and_a_reversal_ends_it(permit: Permit, at: Any) -> None:
    order = ordered(permit, at)
    work = worked(mailed(permit, at), at, cost="2900.00")
    on = date(2026, 6, 2)  # the day on which the work was closed
    draw(work, "2500.00", on=on)
    bill = billed(work, at, on=on)
    filed = order.appeal_deadline().on
    at(filed)
    appeal = appealed(order, on=filed)
    money.resolution(CouncilValue.Key.INTEREST_RATE, "5")
    money.resolution(CouncilValue.Key.ADMINISTRATIVE_FEE, "65.00")
    later = date(2026, 9, 3)
    at(later)
    assert [each.key for each in levying.obstacles_to_levy(bill, on=later)] == ["stayed"]
    decided(appeal, on=later, outcome="reversed")
    day = date(2026, 9, 4)
    at(day)
    assert "undone" in [each.key for each in levying.obstacles_to_levy(bill, on=day)]
    with pytest.raises(NotNow):
        levying.levy(bill, resolution="2026-90", levied_on=day, by=factory.clerk())
    # The clerk withdraws the bill, and the draw can be taken back: the escrow is whole again.
    moving.withdraw(bill, reason="The board reversed the order.", by=factory.clerk(), on=day)
    drawn = permit.draws.get()  # type: ignore[attr-defined]
    drawing.reverse(drawn, reason="The board reversed the order.", by=factory.clerk(), on=day)
    assert EscrowEntry.objects.filter(permit=permit).balance() == Decimal("2500.00")
    all_is_right(day)
