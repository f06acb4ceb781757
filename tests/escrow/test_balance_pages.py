"""The trial balance as page, CSV and PDF; of everything, a permit, a parcel, a year."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from escrow.journal import Account
from permits.models import Parcel
from tests import factory
from tests.factory import MONDAY

pytestmark = pytest.mark.django_db

PAGE = "/money/balance/"


@pytest.fixture
def books(at: Callable[..., datetime], client: Client) -> Client:
    """The clerk's browser, two permits in the books."""
    at(MONDAY)
    factory.issued()
    factory.issued()
    client.force_login(factory.clerk())
    client.get("/account/")
    return client


def shown(client: Client, **asked: str) -> dict[Account, Decimal]:
    balance = client.get(PAGE, asked).context["balance"]
    assert balance.total == 0
    return {each.account: each.balance for each in balance.accounts}


def test_the_page_shows_every_account_and_that_the_rows_agree(
    books: Client, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(25):
        response = books.get(PAGE)
    page = response.content.decode()
    assert "every bill, receipt, instrument, draw, deposit and batch agrees" in page
    assert "$5,000.00" in page
    assert response.context["balance"].debit == Decimal("5050.00")


def test_a_permit_has_accounts_of_its_own(
    books: Client, django_assert_max_num_queries: Any
) -> None:
    case = factory.issued()
    with django_assert_max_num_queries(25):
        found = shown(books, permit=case.permit.number)
    assert found[Account.ESCROW_CASH] == Decimal("2500.00")
    assert found[Account.FEES] == Decimal("-25.00")
    instruments = books.get(PAGE, {"permit": case.permit.number}).context["instruments"]
    assert [item.left for item in instruments] == [Decimal("2500.00")]


def test_a_parcel_has_the_accounts_of_its_sites(books: Client) -> None:
    case = factory.issued()
    Parcel.objects.create(site=case.site, number="007.0-A")
    assert shown(books, parcel="007.0-A")[Account.FEES] == Decimal("-25.00")


def test_a_year_has_what_moved_in_it(books: Client, at: Callable[..., datetime]) -> None:
    at(date(2027, 2, 1))
    books.force_login(factory.clerk())
    assert shown(books, year="2026")[Account.FEES] == Decimal("-50.00")
    assert shown(books, year="2027") == {}
    assert "Nothing was booked" in books.get(PAGE, {"year": "2027"}).content.decode()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"permit": "EC-1999-0001"}, "There is no permit EC-1999-0001."),
        ({"parcel": "nowhere"}, "No site has the parcel nowhere."),
        ({"year": "3000"}, "The year 3000 has not begun."),
        ({"year": "soon"}, "Write a year with four digits"),
        ({"on": "13/45/2026"}, "Write a day of the calendar"),
    ],
)
def test_a_question_that_cannot_be_meant_is_asked_again(
    books: Client, asked: dict[str, str], said: str
) -> None:
    page = books.get(PAGE, asked).content.decode()
    assert said in page
    assert next(iter(asked.values())) in page
    assert books.get(f"{PAGE}balance.csv", asked).status_code == 404


def test_the_file_has_the_same_figures(books: Client) -> None:
    response = books.get(f"{PAGE}balance.csv")
    rows = list(csv.reader(io.StringIO(response.content.decode())))
    assert rows[0] == ["Account", "Name", "Debit", "Credit", "Balance"]
    assert ["1000", "Cash of the city", "50.00", "0.00", "50.00"] in rows
    assert rows[-1] == ["", "Total", "5050.00", "5050.00", "0.00"]
    assert "trial-balance-2026" in response["Content-Disposition"]


def test_the_paper_is_a_pdf(books: Client) -> None:
    number = factory.issued().permit.number
    response = books.get(f"{PAGE}balance.pdf", {"permit": number})
    assert response["Content-Type"] == "application/pdf"
    assert response.content.startswith(b"%PDF-1.7")


@pytest.mark.parametrize("name", ["", "balance.csv", "balance.pdf"])
def test_the_books_are_for_clerk_and_administrator(client: Client, name: str) -> None:
    client.force_login(factory.inspector())
    assert client.get(PAGE + name).status_code == 404
