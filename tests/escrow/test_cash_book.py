"""The cash book: every receipt and payment by day, kind, way and person, from its own row."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from escrow import journal
from escrow.bills import making, moving
from escrow.bills.payers import Payer
from escrow.books.cash import Asked, Summed, entries
from escrow.journal import Account
from escrow.models import Bill, DayClose
from portal import papers
from portal.models import CouncilValue
from tests import factory
from tests.escrow import money
from tests.factory import MONDAY

pytestmark = pytest.mark.django_db

BOOK = "/money/cash/"
PAID = date(2026, 12, 14)
PAYER = Payer("landowner", "Mai Vang", "1 Mill Street\nExample, WI 54999", "mai@example.test")


@pytest.fixture(autouse=True)
def _quick(at: Callable[..., datetime], monkeypatch: pytest.MonkeyPatch) -> None:
    made = papers.Made(b"%PDF-1.7 a stand-in\n%%EOF\n", 1)
    monkeypatch.setattr(papers, "make", lambda template, context: made)
    at(PAID)


@pytest.fixture
def bill() -> Bill:
    """Fee and escrow of the Monday; on the day of payment a bill, $200.00 and $50.00 on it."""
    permit = factory.issued().permit
    money.resolution(CouncilValue.Key.BILL_DAYS, "30")
    made = making.bill_work(money.charge_work(permit.site), PAYER, by=factory.clerk(), on=PAID)
    pay(made, "200.00", means="cash", paid_by="=HYPERLINK(1)")
    pay(made, "50.00", means="check", paid_by="Mai Vang", check_number="77")
    return made


@pytest.fixture
def clerk(client: Client) -> Client:
    """The clerk's browser."""
    client.force_login(factory.clerk())
    client.get("/account/")
    return client


def pay(bill: Bill, amount: str, **details: str) -> None:
    moving.pay(bill, amount=Decimal(amount), received_on=PAID, by=factory.clerk(), **details)


def shown(client: Client, **asked: str) -> list[tuple[str, Decimal]]:
    response = client.get(BOOK, asked)
    return [(entry.words.what, entry.amount) for entry in response.context["entries"]]


def test_a_day_shows_what_came_in_on_it(
    bill: Bill, clerk: Client, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(25):
        found = shown(clerk)
    what = f"Bill {bill.number}"
    assert found == [(what, Decimal("200.00")), (what, Decimal("50.00"))]


def test_a_span_shows_fees_and_escrow_too(bill: Bill, clerk: Client) -> None:
    number = bill.site.applications.get().number
    found = shown(clerk, since=MONDAY.isoformat(), until=PAID.isoformat())
    assert (f"Fee of application {number}", Decimal("25.00")) in found
    assert (f"Escrow posted, application {number}", Decimal("2500.00")) in found
    assert len(found) == 4


def test_the_sums_are_by_kind_way_and_person(bill: Bill) -> None:
    summed = Summed.of(Asked(MONDAY, PAID))
    assert {name: sums.left for name, sums in summed.by_kind.items()} == {
        "Application fees": Decimal("25.00"),
        "Cash escrow": Decimal("2500.00"),
        "Bills for city work": Decimal("250.00"),
    }
    assert summed.by_way["Check"].came_in == Decimal("50.00")
    assert sum(each.count for each in summed.by_person.values()) == 4
    assert summed.by_day[PAID].came_in == Decimal("250.00")


def test_a_reversal_is_an_entry_of_its_own(bill: Bill, clerk: Client) -> None:
    payment = bill.entries.filter(kind="payment").last()
    moving.reverse(payment, by=factory.clerk(), on=PAID, reason="Check returned")
    found = shown(clerk, way="check")
    assert found[-1] == (f"Reversal: bill {bill.number}", Decimal("-50.00"))
    assert "Check returned" in clerk.get(BOOK).content.decode()


def test_the_book_says_what_the_accounts_say(bill: Bill) -> None:
    payment = bill.entries.filter(kind="payment").last()
    moving.reverse(payment, by=factory.clerk(), on=PAID, reason="Check returned")
    balances = journal.balances(on=PAID)
    cash = balances[Account.CASH].balance + balances[Account.ESCROW_CASH].balance
    assert Summed.of(Asked(MONDAY, PAID)).total.left == cash == Decimal("2725.00")


def test_what_is_asked_for_narrows_the_book(bill: Bill, clerk: Client) -> None:
    assert shown(clerk, way="check") == [(f"Bill {bill.number}", Decimal("50.00"))]
    assert shown(clerk, kind="fee") == []
    assert len(shown(clerk, by=str(bill.billed_by_id))) == 2
    assert "Nothing came in" in clerk.get(BOOK, {"kind": "fee"}).content.decode()


def test_an_entry_after_the_close_says_that_it_is_late(
    bill: Bill, clerk: Client, at: Callable[..., datetime]
) -> None:
    at(PAID, "17:00")
    DayClose.objects.create(
        on=PAID,
        by=factory.clerk(),
        expected_cash=200,
        counted_cash=200,
        expected_checks=50,
        counted_checks=50,
    )
    at(PAID, "17:20")
    pay(bill, "10.00", means="cash", paid_by="Mai Vang")
    clerk = Client()  # who sat idle for hours signs in again
    clerk.force_login(factory.clerk())
    late = [entry.is_late for entry in clerk.get(BOOK).context["entries"]]
    assert late == [False, False, True]
    assert "Entered late" in clerk.get(BOOK).content.decode()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"since": "2026-12-14", "until": "2026-12-13"}, "This day is before the first."),
        ({"since": "2024-12-14", "until": "2026-12-13"}, "Ask for one year at most."),
        ({"since": "never"}, "Write a day of the calendar"),
        ({"kind": "bribe"}, "Choose one of the answers offered."),
    ],
)
def test_a_question_that_cannot_be_meant_is_asked_again(
    clerk: Client, asked: dict[str, str], said: str
) -> None:
    assert said in clerk.get(BOOK, asked).content.decode()
    assert clerk.get(f"{BOOK}cash-book.csv", asked).status_code == 404


def test_the_file_has_every_entry_and_no_formula(bill: Bill, clerk: Client) -> None:
    response = clerk.get(f"{BOOK}cash-book.csv")
    text = b"".join(response.streaming_content).decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["Received"] for row in rows] == ["200.00", "50.00"]
    assert rows[0]["Of"] == "'=HYPERLINK(1)"


def test_a_day_is_read_by_index(bill: Bill) -> None:
    """The day of each large table is found without reading the others."""
    plan = entries(Asked(PAID, PAID)).explain()
    if connection.vendor == "sqlite":
        for table in ("permits_feeentry", "escrow_escrowentry", "escrow_billentry"):
            assert f"SCAN {table}" not in plan
            assert f"SEARCH {table} USING INDEX" in plan.replace("COVERING ", "")
