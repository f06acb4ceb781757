"""Two things at the same moment: one is done, the other is told why not, nothing is half booked."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal

import pytest

from enforcement.models import CityWork
from escrow import journal
from escrow.account import deciding, drawing, forfeiting, releasing
from escrow.bills import making, moving
from escrow.bills.payers import Payer
from escrow.books import bank, closing
from escrow.books.proof import problems
from escrow.models import (
    Bill,
    BillEntry,
    DayClose,
    Deposit,
    Draw,
    EscrowEntry,
    Forfeiture,
    Receipt,
    Release,
)
from inspections.acts import cover
from inspections.acts import visits as visit_acts
from permits.models import Permit
from portal import guards, papers
from portal.models import CouncilValue
from tests import factory
from tests.factory import MONDAY

from . import money
from .at_once import AT_ONCE, all_at_once

LATE = MONDAY + timedelta(days=300)
WORKED = LATE - timedelta(days=60)
PAYER = Payer("landowner", "Mai Vang", "1 Mill Street\nExample, WI 54999")


@pytest.fixture(autouse=True)
def _quick(at, monkeypatch: pytest.MonkeyPatch) -> None:
    made = papers.Made(b"%PDF-1.7 a stand-in\n%%EOF\n", 1)
    monkeypatch.setattr(papers, "make", lambda template, context: made)
    at(LATE)


@pytest.fixture
def agree(lasting_database: None) -> Iterator[None]:
    """After every race the books balance and no row disagrees with another."""
    if not CouncilValue.objects.filter(key=CouncilValue.Key.BILL_DAYS).exists():
        money.resolution(CouncilValue.Key.BILL_DAYS, "30")
    yield
    assert sum(each.balance for each in journal.balances().values()) == 0
    assert list(problems()) == []


@pytest.fixture
def permit(lasting_database: None) -> Permit:
    made: Permit = factory.issued().permit
    made.refresh_from_db()
    factory.clerk(), factory.administrator(), factory.inspector()
    return made


def held(permit: Permit) -> Decimal:
    return EscrowEntry.objects.filter(permit=permit).balance()


def draw(work: CityWork, amount: str) -> Draw:
    """Draw as a request does it: from rows of its own."""
    mine = CityWork.objects.get(pk=work.pk)
    assert mine.owner_notice is not None
    part = drawing.Part(mine.owner_notice.permit.instruments.get(), Decimal(amount))
    return drawing.draw(mine, [part], by=factory.clerk(), on=LATE)


@pytest.mark.django_db
def test_the_guards_of_the_database_are_up() -> None:
    """And the database of the tests is made: what lasts longer than a test does not ask for it."""
    assert list(guards.missing()) == []


@pytest.mark.postgres
@pytest.mark.usefixtures("agree")
def test_draw_and_forfeiture_never_take_the_same_money(permit: Permit) -> None:
    work = money.escrow_work(permit, on=WORKED, costs=("400.00",))
    made = forfeiting.propose(permit, what_is_open="Bare.", by=factory.inspector(), on=LATE)
    second = factory.administrator()
    went = all_at_once(
        lambda: draw(work, "400.00"),
        lambda: forfeiting.approve(Forfeiture.objects.get(pk=made.pk), by=second, on=LATE),
        words=["$0.00 of the cost", "is void", "Only $0.00 is held", "already", "not forfeited"],
    )
    assert went == {"done": 1, "refused": AT_ONCE - 1}
    kinds = set(EscrowEntry.objects.filter(permit=permit).values_list("kind", flat=True))
    assert (held(permit), kinds) in [
        (Decimal("2100.00"), {"posted", "drawn"}),
        (Decimal("0.00"), {"posted", "forfeited"}),
    ]


@pytest.mark.postgres
@pytest.mark.usefixtures("agree")
def test_release_waits_for_a_draw_of_the_same_moment(permit: Permit) -> None:
    made = proposed_release(permit)
    work = money.escrow_work(permit, on=WORKED, costs=("400.00",))
    second = factory.administrator()
    went = all_at_once(
        lambda: draw(work, "400.00"),
        lambda: releasing.approve(Release.objects.get(pk=made.pk), by=second, on=LATE),
        words=["$0.00 of the cost", "is void", "City work"],
    )
    assert went == {"done": 1, "refused": AT_ONCE - 1}
    assert held(permit) == Decimal("2100.00")
    assert not made.entries.exists()


@pytest.mark.postgres
@pytest.mark.usefixtures("agree")
def test_a_release_is_approved_once_and_pays_once(permit: Permit) -> None:
    made, second = proposed_release(permit), factory.administrator()
    went = all_at_once(
        lambda: releasing.approve(Release.objects.get(pk=made.pk), by=second, on=LATE),
        lambda: deciding.decline(
            Release.objects.get(pk=made.pk), by=second, on=LATE, why="A second thought."
        ),
        words=["it is already"],
    )
    assert went == {"done": 1, "refused": AT_ONCE - 1}
    made.refresh_from_db()
    paid = sum(made.check_requests.values_list("amount", flat=True), Decimal(0))
    assert (made.status, held(permit), paid) in [
        ("approved", Decimal(0), Decimal("2500.00")),
        ("declined", Decimal("2500.00"), Decimal(0)),
    ]


def proposed_release(permit: Permit) -> Release:
    """A release that waits for its second person, of a permit whose work is finished."""
    by = factory.inspector()
    visit = visit_acts.begin(permit.site, by=by, on=LATE, today=LATE)
    cover.record_final(
        visit,
        by=by,
        controls_complete=True,
        perennial=True,
        density_percent=80,
        method="estimate",
    )
    permit.refresh_from_db()
    return releasing.propose(permit, by=factory.clerk(), on=LATE)


@pytest.mark.postgres
@pytest.mark.usefixtures("agree")
def test_a_draw_is_taken_back_once(permit: Permit) -> None:
    drawn = draw(money.escrow_work(permit, on=WORKED, costs=("400.00",)), "400.00")
    clerk = factory.clerk()
    went = all_at_once(
        lambda: drawing.reverse(
            Draw.objects.get(pk=drawn.pk), by=clerk, on=LATE, reason="The wrong permit."
        ),
        words=["taken back already"],
    )
    assert went == {"done": 1, "refused": AT_ONCE - 1}
    assert held(permit) == Decimal("2500.00")


def a_bill(permit: Permit) -> Bill:
    work = money.maintenance_work(permit.site, on=WORKED, costs=("41.35",))
    return making.bill_work(work, PAYER, by=factory.clerk(), on=LATE)


def pay(bill: Bill, **details: str) -> Receipt:
    facts = {"means": "cash", "paid_by": "Mai Vang"} | details
    mine, by = Bill.objects.get(pk=bill.pk), factory.clerk()
    return moving.pay(mine, amount=mine.amount, received_on=LATE, by=by, **facts)


@pytest.mark.postgres
@pytest.mark.usefixtures("agree")
def test_a_check_pays_one_bill_of_several_cases(permit: Permit) -> None:
    bills = [a_bill(each) for each in (permit, *(factory.issued().permit for _ in range(4)))]
    went = all_at_once(
        *(
            lambda bill=bill: pay(bill, means="check", check_number="1041")  # type: ignore[misc]
            for bill in bills
        ),
        words=["Check 1041 of Mai Vang is recorded: receipt RC-", "Nothing is owed"],
    )
    assert went == {"done": 1, "refused": AT_ONCE - 1}
    assert Receipt.objects.filter(check_number="1041").count() == 1
    assert BillEntry.objects.filter(kind="payment", bill__in=bills).count() == 1


@pytest.mark.postgres
@pytest.mark.usefixtures("agree")
def test_a_payment_is_taken_back_once(permit: Permit) -> None:
    entry, clerk = pay(a_bill(permit)).bill_entry, factory.clerk()
    went = all_at_once(
        lambda: moving.reverse(
            BillEntry.objects.get(pk=entry.pk), reason="It bounced.", by=clerk, on=LATE
        ),
        words=["reversed already"],
    )
    assert went == {"done": 1, "refused": AT_ONCE - 1}
    assert entry.bill.balance() == entry.bill.amount


@pytest.mark.postgres
@pytest.mark.usefixtures("agree")
def test_work_is_billed_once(permit: Permit) -> None:
    work, clerk = money.charge_work(permit.site, on=WORKED), factory.clerk()
    went = all_at_once(
        lambda: making.bill_work(CityWork.objects.get(pk=work.pk), PAYER, by=clerk, on=LATE),
        words=["This work is billed already."],
    )
    assert went == {"done": 1, "refused": AT_ONCE - 1}
    assert Bill.objects.filter(work=work).count() == 1


@pytest.mark.postgres
@pytest.mark.usefixtures("agree")
def test_the_drawer_goes_to_the_bank_once_and_the_day_is_closed_once(permit: Permit) -> None:
    pay(a_bill(permit))
    total, clerk = bank.takings(LATE, LATE).total, factory.clerk()
    went = all_at_once(
        lambda: bank.deposit(since=LATE, until=LATE, total=total, by=clerk, on=LATE),
        words=["at the bank already"],
    )
    assert went == {"done": 1, "refused": AT_ONCE - 1}
    deposited = Deposit.objects.get()
    assert deposited.cash + deposited.checks == total
    drawer = closing.drawer(LATE)
    went = all_at_once(
        lambda: closing.close(LATE, expected=drawer, counted=drawer, why="", by=clerk, on=LATE),
        words=["is closed already"],
    )
    assert went == {"done": 1, "refused": AT_ONCE - 1}
    assert DayClose.objects.get(on=LATE).expected_cash == drawer.cash
