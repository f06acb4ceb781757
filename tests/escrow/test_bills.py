"""Bills for city work: made once, paid in parts, credited, reversed, delinquent, assessed.

Former § 17.19(7)(e) and (4)(e); Wis. Stat. § 66.0627(4)
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.urls import reverse

from escrow import journal
from escrow.bills import levying, making, moving
from escrow.bills.account import standing, statement
from escrow.bills.payers import Payer, payers
from escrow.models import Bill, BillEntry, Receipt
from permits.models import CasePaper, DocketEntry, NotNow, OwnerChange, Permit
from permits.verify import faults
from portal import papers
from portal.models import CouncilValue, Mailing, OutboxMessage
from tests import factory
from tests.escrow import money
from tests.factory import MONDAY
from tests.review.pages import signed_in, text_of

pytestmark = pytest.mark.django_db

BILLED = date(2026, 12, 14)
DUE = date(2027, 1, 13)  # thirty days later, a Wednesday
PAYER = Payer("landowner", "Mai Vang", "1 Mill Street\nExample, WI 54999", "mai@example.test")
Key = CouncilValue.Key


@pytest.fixture(autouse=True)
def _quick(at, monkeypatch: pytest.MonkeyPatch) -> None:
    made = papers.Made(b"%PDF-1.7 a stand-in\n%%EOF\n", 1)
    monkeypatch.setattr(papers, "make", lambda template, context: made)
    at(BILLED)


@pytest.fixture
def permit() -> Permit:
    made: Permit = factory.issued().permit
    made.refresh_from_db()
    return made


@pytest.fixture
def bill(permit: Permit) -> Bill:
    """A bill of $1,200.00 for work after a notice of intent."""
    money.resolution(Key.BILL_DAYS, "30", number="2026-14")
    made = making.bill_work(money.charge_work(permit.site), PAYER, by=factory.clerk(), on=BILLED)
    made.refresh_from_db()
    return made


def pay(bill: Bill, amount: str, *, on: date = BILLED, **details: str) -> Receipt:
    facts = {"means": "cash", "paid_by": "Mai Vang"} | details
    return moving.pay(bill, amount=Decimal(amount), received_on=on, by=factory.clerk(), **facts)


def keys(refused: pytest.ExceptionInfo[NotNow]) -> list[str]:
    return [each.key for each in refused.value.obstacles]


def test_a_bill_copies_the_costs_and_counts_its_days(bill: Bill) -> None:
    assert bill.number.startswith("BL-2026-")
    assert [line.amount for line in bill.lines.all()] == [Decimal(800), Decimal(400)]
    assert (bill.cost, bill.escrow_applied, bill.amount) == (Decimal(1200), 0, Decimal(1200))
    assert bill.due_on == DUE
    assert bill.due_resolution == "2026-14"
    assert bill.path == Bill.Path.SPECIAL_CHARGE
    assert bill.balance() == Decimal("1200.00")
    assert bill.paper.kind == CasePaper.Kind.BILL
    assert DocketEntry.objects.of(bill).running().get().on == DUE
    assert bill.site.events.filter(kind="bill.issued").count() == 1


def test_the_payer_gets_a_letter(bill: Bill) -> None:
    letter = Mailing.objects.get(cause=f"bill:{bill.number}")
    assert letter.means == "us_mail"
    assert letter.document == bill.paper.document


def test_a_payer_known_to_the_case_gets_an_email_too(permit: Permit) -> None:
    money.resolution(Key.BILL_DAYS, "30")
    landowner = next(each for each in payers(permit.site, permit) if each.role == "landowner")
    made = making.bill_work(
        money.charge_work(permit.site), landowner, by=factory.clerk(), on=BILLED
    )
    sent = OutboxMessage.objects.get(cause=f"bill:{made.number}")
    assert "$1,200.00" in sent.body
    assert "January 13, 2027" in sent.body


def test_without_the_councils_time_to_pay_no_bill_is_made(permit: Permit) -> None:
    work = money.charge_work(permit.site)
    with pytest.raises(NotNow) as refused:
        making.bill_work(work, PAYER, by=factory.clerk(), on=BILLED)
    assert keys(refused) == ["no-time-to-pay"]
    assert "resolution on the time to pay" in refused.value.obstacles[0].text
    assert not Bill.objects.exists()


def test_work_is_billed_once_and_only_when_closed(bill: Bill) -> None:
    with pytest.raises(NotNow) as refused:
        making.bill_work(bill.work, PAYER, by=factory.clerk(), on=BILLED)
    assert keys(refused) == ["billed"]
    still_open = money.charge_work(bill.site, closed=False)
    with pytest.raises(NotNow) as refused:
        making.bill_work(still_open, PAYER, by=factory.clerk(), on=BILLED)
    assert keys(refused)[0] == "open-work"


def test_the_escrow_bears_the_cost_first_on_its_own_path(permit: Permit) -> None:
    money.resolution(Key.BILL_DAYS, "30")
    work = money.escrow_work(permit, costs=("2000.00", "800.00"))
    with pytest.raises(NotNow) as refused:
        making.bill_work(work, PAYER, by=factory.clerk(), on=BILLED)
    assert keys(refused) == ["draw-first"]
    money.draw(work, "2500.00")
    made = making.bill_work(work, PAYER, by=factory.clerk(), on=BILLED)
    assert (made.cost, made.escrow_applied, made.amount) == (
        Decimal("2800.00"),
        Decimal("2500.00"),
        Decimal("300.00"),
    )
    assert made.path == Bill.Path.ASSESSMENT
    assert made.balance() == Decimal("300.00")


def test_a_cost_wholly_borne_by_the_escrow_leaves_nothing_to_pay(permit: Permit) -> None:
    money.resolution(Key.BILL_DAYS, "30")
    work = money.escrow_work(permit, costs=("100.00",))
    money.draw(work, "100.00")
    made = making.bill_work(work, PAYER, by=factory.clerk(), on=BILLED)
    assert made.balance() == 0
    assert not DocketEntry.objects.of(made).running().exists()


def test_maintenance_work_becomes_a_special_charge(permit: Permit) -> None:
    money.resolution(Key.BILL_DAYS, "30")
    work = money.maintenance_work(permit.site, costs=("489.98",))
    made = making.bill_work(work, PAYER, by=factory.clerk(), on=BILLED)
    assert made.amount == Decimal("489.98")
    assert (made.ground, made.path) == ("maintenance", Bill.Path.SPECIAL_CHARGE)
    notice = work.upkeep_notice
    assert notice is not None
    for words in (notice.agreement.document_number, notice.number, "November 30, 2026"):
        assert words in made.agreement
    assert made.due_deadline().citation.section == "maintenance"


def test_work_under_an_agreement_is_billed_to_the_owner_of_the_land_or_to_its_party(
    permit: Permit,
) -> None:
    work = money.maintenance_work(permit.site)
    known = payers(permit.site, permit, work)
    assert [each.role for each in known][-1] == "landowner"
    assert "permittee" not in {each.role for each in known}
    with pytest.raises(NotNow):  # a bill without a resolution on the time to pay
        making.bill_work(work, PAYER, by=factory.clerk(), on=BILLED)


def test_work_under_an_agreement_is_billed_to_whoever_owns_the_land_on_that_day(
    permit: Permit, at: Callable[..., Any]
) -> None:
    work = money.maintenance_work(permit.site)
    assert work.closed_on is not None
    sold_on = work.closed_on + timedelta(days=1)
    OwnerChange.objects.create(
        site=permit.site,
        name="Tom Reyes",
        mailing_address="9 Ridge Road\nExample, WI 54999",
        from_on=sold_on,
        source="Warranty deed, document 1130001",
        by=factory.clerk(),
    )
    seller = payers(permit.site, permit, work, on=work.closed_on)[-1]
    assert seller.name != "Tom Reyes"
    assert payers(permit.site, permit, work, on=sold_on)[-1].name == "Tom Reyes"
    at(sold_on)
    money.resolution(Key.BILL_DAYS, "30")
    page = reverse("bill_work", args=[work.key])
    assert "Tom Reyes" in text_of(signed_in(factory.clerk()).get(page))


def test_parts_are_paid_each_with_its_receipt(bill: Bill) -> None:
    first, second = pay(bill, "200.00"), pay(bill, "1000.00", on=DUE)
    assert (first.number, second.number) == ("RC-2026-0001", "RC-2027-0001")
    assert first.paper is None or first.paper.kind == "payment_receipt"
    assert bill.balance() == 0
    assert not DocketEntry.objects.of(bill).running().exists()
    assert bill.site.events.filter(kind="bill.payment").count() == 2
    assert CasePaper.objects.filter(kind="payment_receipt").count() == 2


@pytest.mark.parametrize(
    ("amount", "on", "key"),
    [
        pytest.param("1200.01", BILLED, "too-much", id="one cent too much"),
        pytest.param("1000000000.00", BILLED, "too-much", id="1e9"),
        pytest.param("0.00", BILLED, "no-amount", id="nothing"),
        pytest.param("-5.00", BILLED, "no-amount", id="less than nothing"),
        pytest.param("5.001", BILLED, "no-amount", id="a part of a cent"),
        pytest.param("5.00", date(2026, 12, 13), "before-bill", id="before the bill"),
        pytest.param("1199.99", date(2027, 1, 14), "in-parts", id="in parts when delinquent"),
    ],
)
def test_a_wrong_payment_leaves_nothing_half_booked(
    bill: Bill, amount: str, on: date, key: str
) -> None:
    with pytest.raises(NotNow) as refused:
        pay(bill, amount, on=on)
    assert keys(refused) == [key]
    assert not Receipt.objects.exists()
    assert bill.entries.count() == 1


def test_it_is_delinquent_and_a_lien_from_the_day_after(bill: Bill) -> None:
    assert not bill.is_delinquent(DUE)
    assert bill.is_delinquent(date(2027, 1, 14))
    assert bill.delinquent_on == date(2027, 1, 14)
    assert list(Bill.objects.delinquent(DUE)) == []
    assert list(Bill.objects.delinquent(date(2027, 1, 14))) == [bill]
    pay(bill, "1200.00", on=date(2027, 1, 20))
    assert not bill.is_delinquent(date(2027, 1, 21))


def test_a_check_number_twice_is_refused_until_the_first_is_reversed(bill: Bill) -> None:
    check = {"means": "check", "check_number": "1041"}
    pay(bill, "100.00", **check)
    with pytest.raises(NotNow, match=r"Check 1041 of Mai Vang is recorded: receipt RC-2026-0001"):
        pay(bill, "100.00", **check, paid_by="MAI  vang.")
    pay(bill, "100.00", **check, paid_by="Somebody Else")
    first = bill.entries.get(receipt__number="RC-2026-0001")
    moving.reverse(first, reason="The bank returned it.", by=factory.clerk(), on=BILLED)
    pay(bill, "100.00", **check)
    assert bill.balance() == Decimal("1000.00")


def test_a_reversal_opens_the_bill_again(bill: Bill) -> None:
    pay(bill, "1200.00")
    paid = bill.entries.get(kind="payment")
    moving.reverse(paid, reason="The bank returned it.", by=factory.clerk(), on=BILLED)
    assert bill.balance() == Decimal("1200.00")
    assert DocketEntry.objects.of(bill).running().get().on == DUE
    with pytest.raises(NotNow, match="reversed already"):
        moving.reverse(paid, reason="Again.", by=factory.clerk(), on=BILLED)
    billed = bill.entries.get(kind="billed")
    with pytest.raises(NotNow, match="Only a payment or a credit"):
        moving.reverse(billed, reason="No.", by=factory.clerk(), on=BILLED)


def test_a_credit_is_at_most_what_is_owed(bill: Bill) -> None:
    with pytest.raises(NotNow, match=r"at most what is owed, \$1,200\.00"):
        moving.credit(
            bill, amount=Decimal("1200.01"), reason="Too much.", by=factory.clerk(), on=BILLED
        )
    moving.credit(
        bill, amount=Decimal("200.00"), reason="Less fence.", by=factory.clerk(), on=BILLED
    )
    assert bill.balance() == Decimal("1000.00")


def test_a_bill_made_in_error_is_withdrawn_and_the_work_billed_anew(bill: Bill) -> None:
    moving.withdraw(bill, reason="The wrong owner.", by=factory.clerk(), on=BILLED)
    bill.refresh_from_db()
    assert bill.status == Bill.Status.WITHDRAWN
    assert bill.balance() == 0
    again = making.bill_work(bill.work, PAYER, by=factory.clerk(), on=BILLED)
    pay(again, "1.00")
    with pytest.raises(NotNow, match="reverse that first"):
        moving.withdraw(again, reason="No.", by=factory.clerk(), on=BILLED)


def test_the_statement_runs_to_the_balance(bill: Bill) -> None:
    pay(bill, "200.00")
    moving.credit(bill, amount=Decimal("50.00"), reason="Less.", by=factory.clerk(), on=BILLED)
    assert [line.balance for line in statement(bill)] == [
        Decimal("1200.00"),
        Decimal("1000.00"),
        Decimal("950.00"),
    ]


# The assessment ---------------------------------------------------------------------------


@pytest.fixture
def above(permit: Permit) -> Bill:
    """A bill of $300.00 above an escrow of $2,500.00."""
    money.resolution(Key.BILL_DAYS, "30")
    work = money.escrow_work(permit, costs=("2800.00",))
    money.draw(work, "2500.00")
    return making.bill_work(work, PAYER, by=factory.clerk(), on=BILLED)


LEVIED = date(2027, 2, 2)


def levy(bill: Bill, *, on: date = LEVIED) -> None:
    levying.levy(bill, resolution="2027-3", levied_on=on, by=factory.clerk())


def test_nothing_is_assessed_without_the_councils_resolutions(above: Bill) -> None:
    with pytest.raises(NotNow) as refused:
        levy(above)
    assert keys(refused) == ["no-rate", "no-fee"]
    money.resolution(Key.INTEREST_RATE, "5")
    with pytest.raises(NotNow) as refused:
        levy(above)
    assert keys(refused) == ["no-fee"]
    assert standing(above, on=date(2027, 12, 31)).interest == 0


@pytest.fixture
def assessed(above: Bill) -> Bill:
    money.resolution(Key.INTEREST_RATE, "5")
    money.resolution(Key.ADMINISTRATIVE_FEE, "65.00")
    levy(above)
    above.refresh_from_db()
    return above


def test_the_fee_becomes_part_of_the_assessment(assessed: Bill) -> None:
    assert assessed.balance() == Decimal("365.00")
    assert assessed.assessment.ends_on == date(2028, 2, 2)


@pytest.mark.parametrize(
    ("on", "interest"),
    [
        pytest.param(LEVIED, "0.00", id="the day of the levy bears none"),
        pytest.param(date(2027, 4, 16), "3.65", id="73 days: 365 at 5 % over 365"),
        pytest.param(date(2028, 2, 2), "18.25", id="a year"),
        pytest.param(date(2028, 6, 1), "18.25", id="no longer than a year"),
    ],
)
def test_interest_is_simple_and_ends_with_the_year(assessed: Bill, on: date, interest: str) -> None:
    assert standing(assessed, on=on).interest == Decimal(interest)


def test_a_payment_pays_the_interest_first_and_lowers_the_principal(assessed: Bill) -> None:
    pay(assessed, "103.65", on=date(2027, 4, 16))
    assert standing(assessed, on=date(2027, 4, 16)).owed == Decimal("265.00")
    # 265.00 at 5 % for 73 more days
    assert standing(assessed, on=date(2027, 6, 28)).interest == Decimal("2.65")
    pay(assessed, "267.65", on=date(2027, 6, 28))
    assert assessed.balance() == 0


def test_interest_bears_no_interest(assessed: Bill) -> None:
    pay(assessed, "1.00", on=date(2027, 4, 16))  # 2.65 of interest stays unpaid
    assert standing(assessed, on=date(2027, 6, 28)).interest == Decimal("3.65")


def test_a_special_charge_is_not_assessed_and_bears_no_interest(bill: Bill) -> None:
    money.resolution(Key.INTEREST_RATE, "5")
    money.resolution(Key.ADMINISTRATIVE_FEE, "65.00")
    with pytest.raises(NotNow) as refused:
        levy(bill)
    assert keys(refused) == ["other-path"]
    assert standing(bill, on=date(2028, 1, 1)).owed == Decimal("1200.00")


def test_the_books_and_the_docket_agree(bill: Bill) -> None:
    pay(bill, "200.00")
    found = journal.balances(on=date(2027, 12, 31))
    assert sum(each.balance for each in found.values()) == 0
    receivable = found[journal.Account.CHARGES_RECEIVABLE]
    assert receivable.balance == Decimal("1000.00")
    assert [fault for fault in faults() if "Bill" in fault or "bill" in fault] == []


def test_every_entry_carries_who_and_when(bill: Bill) -> None:
    pay(bill, "200.00")
    for entry in BillEntry.objects.all():
        assert entry.by == factory.clerk()
        assert entry.at is not None
    assert bill.billed_on > MONDAY
