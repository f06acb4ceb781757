"""The trial balance: from source rows, zero in sum, and honest about what disagrees."""

from __future__ import annotations

import io
import json
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from escrow import journal
from escrow.bills import making, moving
from escrow.bills.payers import Payer
from escrow.books.trial import trial_balance
from escrow.journal import Account
from escrow.models import Bill, BillEntry, EscrowEntry, Instrument
from permits.models import FeeEntry
from portal import guards, papers
from portal.models import CouncilValue
from tests import factory
from tests.escrow import money

pytestmark = pytest.mark.django_db

BILLED = date(2026, 12, 14)
PAYER = Payer("landowner", "Mai Vang", "1 Mill Street\nExample, WI 54999", "mai@example.test")


@pytest.fixture(autouse=True)
def _quick(at, monkeypatch: pytest.MonkeyPatch) -> None:
    made = papers.Made(b"%PDF-1.7 a stand-in\n%%EOF\n", 1)
    monkeypatch.setattr(papers, "make", lambda template, context: made)
    at(BILLED)


@pytest.fixture
def bill() -> Bill:
    """A permit with fee and escrow, and a bill of $1,200.00 of which $200.00 is paid."""
    permit = factory.issued().permit
    money.resolution(CouncilValue.Key.BILL_DAYS, "30")
    made = making.bill_work(money.charge_work(permit.site), PAYER, by=factory.clerk(), on=BILLED)
    moving.pay(
        made,
        amount=Decimal("200.00"),
        received_on=BILLED,
        means="cash",
        paid_by="Mai Vang",
        by=factory.clerk(),
    )
    return made


def asked(**options: Any) -> dict[str, Any]:
    out = io.StringIO()
    call_command("trial_balance", json=True, stdout=out, **options)
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def tampered(sql: str, *values: object) -> None:
    """Change rows behind the back of the guards, as a fault of the disk would."""
    guards.take_down()
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
    guards.put_up()


def test_every_account_is_added_up_from_its_rows(bill: Bill) -> None:
    balance = trial_balance(on=BILLED)
    by_account = {each.account: each.balance for each in balance.accounts}
    assert by_account == {
        Account.CASH: Decimal("225.00"),
        Account.ESCROW_CASH: Decimal("2500.00"),
        Account.HELD_CASH: Decimal("-2500.00"),
        Account.FEES: Decimal("-25.00"),
        Account.CHARGES_RECEIVABLE: Decimal("1000.00"),
        Account.COST_BILLED: Decimal("-1200.00"),
        Account.COST_OF_WORK: Decimal("1200.00"),
        Account.CITY_FUNDS: Decimal("-1200.00"),
    }
    assert balance.total == 0
    assert balance.problems == []


def test_the_command_prints_accounts_total_and_problems(bill: Bill) -> None:
    found = asked()
    assert set(found) == {"accounts", "total", "problems"}
    cash = next(each for each in found["accounts"] if each["account"] == "1000")
    assert cash["name"] == "Cash of the city"
    assert (cash["debit"], cash["credit"], cash["balance"]) == ("225.00", "0.00", "225.00")
    assert found["total"] == "0.00"
    assert found["problems"] == []


def test_the_command_prints_a_table_for_people(bill: Bill) -> None:
    out = io.StringIO()
    call_command("trial_balance", stdout=out)
    assert "Cash of the city" in out.getvalue()
    assert out.getvalue().splitlines()[-1].split() == ["Total", "5,125.00", "5,125.00", "0.00"]


def test_a_day_before_the_bill_knows_nothing_of_it(bill: Bill) -> None:
    names = {each["account"] for each in asked(on=factory.MONDAY)["accounts"]}
    assert names == {"1000", "1010", "2010", "4000"}


def test_a_day_that_is_none_is_refused_in_words() -> None:
    with pytest.raises(CommandError, match="no day"):
        call_command("trial_balance", "--on", "2026-02-30")


def test_empty_books_balance() -> None:
    assert asked() == {"accounts": [], "total": "0.00", "problems": []}


@pytest.mark.parametrize(
    ("sql", "named"),
    [
        ("UPDATE escrow_receipt SET amount = 199.99", "receipt against its payment on a bill"),
        ("UPDATE escrow_bill SET cost = 1200.01, amount = 1200.01", "bill against its lines"),
        ("UPDATE escrow_billentry SET amount = 1199 WHERE kind = 'billed'", "its first entry"),
        ("UPDATE enforcement_workcost SET amount = 1 WHERE id > 0", "against its costs"),
        ("UPDATE escrow_instrument SET amount = 2500.01", "instrument against its posting"),
    ],
)
def test_a_row_that_was_tampered_with_is_named(bill: Bill, sql: str, named: str) -> None:
    tampered(sql)
    with pytest.raises(CommandError, match=named) as failed:
        call_command("trial_balance", stdout=io.StringIO())
    assert failed.value.returncode == 1


def test_a_reversal_of_another_amount_is_named(bill: Bill) -> None:
    payment = bill.entries.get(kind="payment")
    moving.reverse(payment, by=factory.clerk(), on=BILLED, reason="Check returned")
    assert trial_balance(on=BILLED).problems == []
    tampered("UPDATE escrow_billentry SET amount = 199 WHERE kind = 'reversal'")
    assert any("is reversed by" in each for each in trial_balance(on=BILLED).problems)


def test_a_kind_without_an_account_is_a_problem_and_not_passed_over(
    bill: Bill, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(journal.FEES.postings, ("cash",))
    assert any("has no account" in each for each in trial_balance(on=BILLED).problems)


def test_every_kind_of_row_has_its_accounts() -> None:
    """A kind that is added to a table without its accounts fails here, not in the city."""
    fees = {(means,) for means in FeeEntry.Means.values}
    escrow = {
        (kind, form)
        for kind in set(EscrowEntry.Kind.values) - {"reversed"}
        for form in Instrument.Form.values
    }
    bills = {
        (kind, path)
        for kind in set(BillEntry.Kind.values) - {"reversal"}
        for path in Bill.Path.values
    }
    assert set(journal.FEES.postings) == fees
    assert set(journal.ESCROW.postings) == escrow
    assert set(journal.BILLS.postings) == bills
