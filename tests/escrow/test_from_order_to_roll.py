"""From the order to the tax roll by the acts that people use: of a permit, and without one.

Former § 17.19(7)(a), (c) and (e), (4)(e); Wis. Stat. § 66.0627(4), § 62.23(7)(e)5.
"""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from enforcement.acts import owner_notices
from enforcement.models import CityWork, OwnerNotice, StopWorkOrder
from escrow.account import drawing, releasing
from escrow.account.drawing import Part
from escrow.bills import levying, making
from escrow.bills.payers import payers
from escrow.books.trial import trial_balance
from escrow.models import Bill, Draw, EscrowEntry, RollBatch, RollCharge, RollLayout
from escrow.roll import certify
from escrow.roll.candidates import Candidate, candidates
from escrow.roll.year import roll_year_on
from permits.models import DocketEntry, NotNow, Permit, Site
from portal import papers
from portal.models import CouncilValue
from tests import factory
from tests.enforcement import factory as orders
from tests.enforcement import works
from tests.enforcement.appealing import appealed, decided, holds_true
from tests.escrow import money

pytestmark = pytest.mark.django_db

ISSUED = date(2026, 3, 2)  # a Monday
ORDERED = date(2026, 5, 4)  # the permittee has until Thursday, May 14
NOTICED = date(2026, 5, 18)  # accepted by the post that day: open May 29, safe June 1
CHARGE, ASSESSMENT = Bill.Path.SPECIAL_CHARGE, Bill.Path.ASSESSMENT


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


def refused(act: Any, *args: Any, **given: Any) -> list[str]:
    with pytest.raises(NotNow) as why:
        act(*args, **given)
    return [obstacle.key for obstacle in why.value.obstacles]


def ordered(permit: Permit, at: Any) -> StopWorkOrder:
    at(ORDERED)
    return orders.order_standing(permit, on=ORDERED)


def mailed(permit: Permit, at: Any, *, on: date = NOTICED) -> OwnerNotice:
    """The notice to the owner, accepted by the post on its day."""
    at(on)
    notice = works.owner_notice(permit, on=on)
    for letter in owner_notices.letters_of(notice):
        works.mailed(letter, on=on)
    notice.refresh_from_db()
    return notice


def worked(notice: Any, at: Any, *, cost: str, on: date | None = None) -> CityWork:
    """City work begun on the safe day, at one cost, closed on the next day."""
    opens = notice.city_work_opens() if hasattr(notice, "order") else notice.draw_opens()
    day = on or opens.safe_on
    at(day)
    begun = works.begun(notice, on=day)
    rate = works.cost(day, quantity=Decimal("1.00"), unit="lot", rate=Decimal(cost))
    works.work.add_cost(begun, rate, by=factory.inspector(), on=day)
    at(day + timedelta(days=1))
    return works.work.close(
        begun, by=factory.inspector(), on=day + timedelta(days=1), note="Seeded and matted."
    )


def billed(work: CityWork, at: Any, *, on: date) -> Bill:
    at(on)
    payer = payers(work.site, making.permit_of(work), work)[-1]
    return making.bill_work(work, payer, by=factory.clerk(), on=on)


def draw(work: CityWork, amount: str, *, on: date) -> Draw:
    assert work.owner_notice is not None
    part = Part(work.owner_notice.permit.instruments.get(), Decimal(amount))  # type: ignore[attr-defined]
    return drawing.draw(work, [part], by=factory.clerk(), on=on)


def listed(path: str, *, on: date, layout: RollLayout) -> list[Candidate]:
    """The clerk's list on a day, of the roll on which she works."""
    now = roll_year_on(on)
    return candidates(path, cut_off_on=now.list_on, on=on, layout=layout)


def certified(path: str, *, on: date, layout: RollLayout) -> RollBatch:
    now = roll_year_on(on)
    batch = certify.propose(
        certify.lines_from(listed(path, on=on, layout=layout)),
        year=now.year,
        cut_off_on=now.cut_off_on,
        instrument=path,
        layout=layout,
        by=factory.clerk(),
        on=on,
    )
    return certify.certify(batch, signed=batch.sha256, by=factory.administrator(), on=on)


def all_is_right(on: date) -> None:
    """Docket, record, papers and accounts agree, as `verify` and `trial_balance` say."""
    assert holds_true() == []
    found = trial_balance(on=on)
    assert (found.total, found.problems) == (Decimal("0.00"), [])
    call_command("trial_balance", f"--on={on}", stdout=StringIO())


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


def unpermitted(at: Any, *, ordered_on: date) -> tuple[Site, CityWork]:
    """Land where nobody applied, from the order to the closed work of $1,800.00."""
    at(ordered_on)
    site = orders.site_without_permit()
    site.parcels.create(number="0240-9001-001")
    order = orders.posted_order(orders.order_without_permit(site, on=ordered_on))
    opens = order.notice_of_intent_opens()
    assert opens is not None
    at(opens.safe_on)
    notice = works.intent(order, told=[(orders.owner(), "us_mail")])
    return site, worked(notice, at, cost="1800.00")


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


# An appeal in between ------------------------------------------------------------------------


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


# A revoked permit ----------------------------------------------------------------------------


def test_the_escrow_of_a_revoked_permit_is_held_and_drawn_on_as_before(
    permit: Permit, at: Any
) -> None:
    order = ordered(permit, at)
    from enforcement.acts import revocation

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
    keys = [each.key for each in releasing.obstacles_to_release(permit, on=on)]
    assert "final-inspection" in keys
    all_is_right(on)
