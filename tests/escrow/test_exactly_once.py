"""Twenty at once: a list is certified once, a bill is paid once, each charge exported once."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from datetime import date
from decimal import Decimal

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from escrow import journal
from escrow.bills import making, moving
from escrow.bills.payers import Payer
from escrow.models import Bill, BillEntry, RollBatch, RollCharge, RollLayout
from escrow.roll import certify, outcomes
from escrow.roll.candidates import candidates
from escrow.roll.corrections import corrections
from escrow.roll.first_layouts import FIRST_LAYOUTS
from permits.models import NotNow
from portal import papers
from portal.models import CouncilValue
from tests import factory
from tests.escrow import money

CUT_OFF, TODAY = date(2026, 11, 15), date(2026, 11, 16)
PATH = Bill.Path.SPECIAL_CHARGE
PAYER = Payer("landowner", "Mai Vang", "1 Mill Street\nExample, WI 54999")
AT_ONCE = 20


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


def all_at_once(act: Callable[[], object]) -> Counter[str]:
    """Let twenty do the same act at the same moment, and count how it went for them."""
    barrier, went = threading.Barrier(AT_ONCE), []

    def run() -> None:
        barrier.wait()
        try:
            act()
            went.append("done")
        except NotNow:
            went.append("refused")
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _ in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return Counter(went)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_twenty_certify_and_one_has_done_it() -> None:
    money.resolution(CouncilValue.Key.BILL_DAYS, "30")
    bill = a_bill()
    batch, second = propose(), factory.administrator()
    went = all_at_once(lambda: certify.certify(batch, signed=batch.sha256, by=second, on=TODAY))
    assert went == {"done": 1, "refused": AT_ONCE - 1}
    assert RollCharge.objects.count() == 1
    assert bill.balance() == 0


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_twenty_propose_and_one_list_waits() -> None:
    money.resolution(CouncilValue.Key.BILL_DAYS, "30")
    a_bill()
    factory.clerk()
    a_layout()
    went = all_at_once(propose)
    assert went == {"done": 1, "refused": AT_ONCE - 1}
    assert RollBatch.objects.count() == 1


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_twenty_payments_in_full_are_one() -> None:
    money.resolution(CouncilValue.Key.BILL_DAYS, "30")
    bill = a_bill()
    factory.clerk()
    went = all_at_once(lambda: pay(Bill.objects.get(pk=bill.pk), Decimal("1200.00")))
    assert went == {"done": 1, "refused": AT_ONCE - 1}
    assert bill.balance() == 0


ACTS = st.lists(
    st.tuples(
        st.sampled_from(
            ["pay", "credit", "reverse", "propose", "certify", "withdraw", "reject", "correct"]
        ),
        st.integers(0, 2),
        st.decimals(min_value=Decimal("0.01"), max_value=Decimal(1300), places=2),
    ),
    max_size=25,
)


@pytest.mark.slow
@pytest.mark.django_db
@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(acts=ACTS)
def test_whatever_is_done_every_sum_holds(
    acts: list[tuple[str, int, Decimal]],
) -> None:
    """Random acts, legal or refused, keep every balance, and no charge is exported twice."""
    with transaction.atomic():
        money.resolution(CouncilValue.Key.BILL_DAYS, "30")
        bills = [a_bill(amount) for amount in ("1200.00", "0.03", "800.10")]
        for name, which, amount in acts:
            try:
                with transaction.atomic():
                    _do(name, bills[which], amount)
            except NotNow:
                continue
            finally:
                _holds(bills)
        transaction.set_rollback(True)


def _do(name: str, bill: Bill, amount: Decimal) -> None:
    DOING[name](bill, amount)


def _pay(bill: Bill, amount: Decimal) -> None:
    pay(bill, amount if amount < 600 else bill.balance() or moving.on_roll(bill)[0])


def _credit(bill: Bill, amount: Decimal) -> None:
    moving.credit(bill, amount=amount, reason="A test.", by=factory.clerk(), on=TODAY)


def _reverse(bill: Bill, amount: Decimal) -> None:
    entry = bill.entries.filter(kind__in=["payment", "credit"]).last()
    if entry is not None:
        moving.reverse(entry, reason="A test.", by=factory.clerk(), on=TODAY)


def _certify(bill: Bill, amount: Decimal) -> None:
    for batch in RollBatch.objects.filter(status="proposed"):
        sign(batch)


def _withdraw(bill: Bill, amount: Decimal) -> None:
    for batch in RollBatch.objects.filter(status="proposed"):
        certify.withdraw(batch, reason="A test.", by=factory.clerk(), on=TODAY)


def _reject(bill: Bill, amount: Decimal) -> None:
    charge = RollCharge.objects.filter(bill=bill, amount__gt=0).last()
    if charge is not None:
        outcomes.reject(charge, reason="A test.", by=factory.clerk(), on=TODAY)


def _correct(bill: Bill, amount: Decimal) -> None:
    certify.propose_corrections(
        corrections(2026, PATH),
        year=2026,
        instrument=PATH,
        cut_off_on=CUT_OFF,
        layout=a_layout(),
        by=factory.clerk(),
        on=TODAY,
    )


DOING: dict[str, Callable[[Bill, Decimal], None]] = {
    "pay": _pay,
    "credit": _credit,
    "reverse": _reverse,
    "propose": lambda bill, amount: propose() and None,
    "certify": _certify,
    "withdraw": _withdraw,
    "reject": _reject,
    "correct": _correct,
}


def _holds(bills: list[Bill]) -> None:
    """Every bill is at or above zero, the books sum to zero, the roll has what it was given."""
    assert all(bill.balance() >= 0 for bill in bills)
    found = journal.balances(on=date(2027, 12, 31))
    assert sum(each.balance for each in found.values()) == 0
    moved = -BillEntry.objects.filter(kind__in=["roll", "off-roll"]).balance()
    assert found[journal.Account.ON_ROLL].balance == moved
    for batch in RollBatch.objects.filter(status="certified"):
        charges = sum(RollCharge.objects.filter(batch=batch).values_list("amount", flat=True))
        assert charges == batch.total
