"""Twenty at once: a list is certified once, a bill is paid once, each charge exported once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal

import pytest

from escrow import journal
from escrow.bills import making, moving
from escrow.bills.payers import Payer
from escrow.books.proof import problems
from escrow.models import Bill, RollBatch, RollCharge, RollFile, RollLayout, RollLine
from escrow.roll import certify, files
from escrow.roll.candidates import candidates
from escrow.roll.first_layouts import FIRST_LAYOUTS
from portal import guards, papers
from portal.models import CouncilValue
from tests import factory
from tests.escrow import money

from .at_once import AT_ONCE, all_at_once

CUT_OFF, TODAY = date(2026, 11, 15), date(2026, 11, 16)
PATH = Bill.Path.SPECIAL_CHARGE
PAYER = Payer("landowner", "Mai Vang", "1 Mill Street\nExample, WI 54999")


@pytest.fixture
def no_list_waits(lasting_database: None) -> Iterator[None]:
    """Begin and end without a proposed list; the rows of other tests stay beside."""
    if not CouncilValue.objects.filter(key=CouncilValue.Key.BILL_DAYS).exists():
        money.resolution(CouncilValue.Key.BILL_DAYS, "30")
    yield
    for batch in RollBatch.objects.filter(status="proposed"):
        certify.withdraw(batch, reason="A test.", by=factory.clerk(), on=TODAY)
    assert sum(each.balance for each in journal.balances().values()) == 0
    assert list(problems()) == []


@pytest.fixture(autouse=True)
def _quick(at, monkeypatch: pytest.MonkeyPatch) -> None:
    made = papers.Made(b"%PDF-1.7 a stand-in\n%%EOF\n", 1)
    monkeypatch.setattr(papers, "make", lambda template, context: made)
    at(TODAY)


def a_layout() -> RollLayout:
    found = RollLayout.objects.filter(format="csv").first()
    return found or RollLayout.objects.create(**FIRST_LAYOUTS[0])


def a_bill(amount: str = "1200.00") -> Bill:
    site = factory.issued(on=date(2026, 3, 2)).site
    work = money.charge_work(site, on=date(2026, 8, 3), costs=(amount,))
    return making.bill_work(work, PAYER, by=factory.clerk(), on=date(2026, 10, 1))


def propose() -> RollBatch:
    layout = a_layout()
    found = candidates(PATH, cut_off_on=CUT_OFF, on=TODAY, layout=layout)
    return certify.propose(
        certify.lines_from(found),
        year=2026,
        cut_off_on=CUT_OFF,
        instrument=PATH,
        layout=layout,
        by=factory.clerk(),
        on=TODAY,
    )


def sign(batch: RollBatch) -> RollBatch:
    return certify.certify(batch, signed=batch.sha256, by=factory.administrator(), on=TODAY)


def pay(bill: Bill, amount: Decimal) -> None:
    moving.pay(
        bill,
        amount=amount,
        received_on=TODAY,
        means="cash",
        paid_by="Mai Vang",
        by=factory.clerk(),
    )


@pytest.mark.django_db
def test_the_guards_of_the_database_are_up() -> None:
    """And the database of the tests is made: what lasts longer than a test does not ask for it."""
    assert list(guards.missing()) == []


@pytest.mark.postgres
@pytest.mark.usefixtures("no_list_waits")
def test_twenty_certify_and_one_has_done_it() -> None:
    bill = a_bill()
    batch, second = propose(), factory.administrator()
    went = all_at_once(
        lambda: certify.certify(batch, signed=batch.sha256, by=second, on=TODAY),
        words=[f"Batch {batch} is certified."],
    )
    assert went == {"done": 1, "refused": AT_ONCE - 1}
    assert RollCharge.objects.filter(batch=batch).count() == batch.count
    assert bill.balance() == 0


@pytest.mark.postgres
@pytest.mark.usefixtures("no_list_waits")
def test_twenty_propose_and_one_list_waits() -> None:
    a_bill()
    factory.clerk()
    a_layout()
    went = all_at_once(propose, words=["Another list is proposed and waits for its second person"])
    assert went == {"done": 1, "refused": AT_ONCE - 1}
    assert RollBatch.objects.filter(status="proposed").count() == 1


@pytest.mark.postgres
@pytest.mark.usefixtures("no_list_waits")
def test_twenty_payments_in_full_are_one() -> None:
    bill = a_bill()
    factory.clerk()
    went = all_at_once(
        lambda: pay(Bill.objects.get(pk=bill.pk), Decimal("1200.00")),
        words=["Nothing is owed on this bill."],
    )
    assert went == {"done": 1, "refused": AT_ONCE - 1}
    assert bill.balance() == 0


@pytest.mark.postgres
@pytest.mark.usefixtures("no_list_waits")
def test_twenty_ask_for_another_file_and_it_is_made_once() -> None:
    a_bill()
    batch, clerk = sign(propose()), factory.clerk()
    other = RollLayout.objects.exclude(pk=batch.layout_id).first()
    went = all_at_once(lambda: files.make_another(batch, other, by=clerk))
    assert went == {"done": AT_ONCE}
    made = RollFile.objects.get(batch=batch, layout=other)
    with made.document.file.open("rb") as kept:
        assert hashlib.sha256(kept.read()).hexdigest() == made.document.sha256


@pytest.mark.postgres
@pytest.mark.usefixtures("no_list_waits")
def test_lists_of_both_instruments_at_once_get_two_numbers() -> None:
    lines = [line_of(a_bill(), PATH), line_of(an_assessment(), Bill.Path.ASSESSMENT)]
    went = all_at_once(*(lambda made=made: made() for made in lines), times=2)
    assert went == {"done": 2}
    proposed = RollBatch.objects.filter(status="proposed")
    assert len({batch.number for batch in proposed}) == 2


def line_of(bill: Bill, path: str) -> Callable[[], RollBatch]:
    """What proposes a list of one bill, whatever else is owed."""
    parcel, layout, clerk = bill.site.parcels.get(), a_layout(), factory.clerk()

    def run() -> RollBatch:
        line = RollLine(
            position=1,
            bill=bill,
            site=bill.site,
            parcel=parcel,
            parcel_number=parcel.number,
            delinquent_on=bill.due_on,
            amount=bill.amount,
        )
        return certify.propose(
            [line],
            year=2026,
            cut_off_on=CUT_OFF,
            instrument=path,
            layout=layout,
            by=clerk,
            on=TODAY,
        )

    return run


def an_assessment() -> Bill:
    """A bill for what the escrow did not cover."""
    permit = factory.issued(on=date(2026, 3, 2)).permit
    permit.refresh_from_db()
    drawn = money.drawn(permit, "2500.00", on=date(2026, 8, 3), costs=("2600.00",))
    return making.bill_work(drawn.work, PAYER, by=factory.clerk(), on=date(2026, 10, 1))
