"""Money goes to the bank once, with its slip; a day is closed once, with what was counted."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from escrow import acts as escrow_acts
from escrow.account import drawing
from escrow.bills import making, moving
from escrow.bills.payers import Payer
from escrow.books.closing import Drawer, drawer
from escrow.models import Bill, DayClose, Deposit, DepositLine
from portal import operations, papers
from portal.models import CouncilValue
from tests import factory, scene
from tests.escrow import money

pytestmark = pytest.mark.django_db

BANK = "/money/deposits/"
CLOSE = "/money/close/"
PAID = date(2026, 12, 14)
COUNTED = {"counted_cash": "200", "counted_checks": "50.00", "why": "", "step": "confirm"}
PAYER = Payer("landowner", "Mai Vang", "1 Mill Street\nExample, WI 54999", "mai@example.test")


@pytest.fixture(autouse=True)
def _quick(at: Callable[..., datetime], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(papers, "render", scene.quick_paper)
    at(PAID)


@pytest.fixture
def bill() -> Bill:
    """A bill on which $200.00 in cash and $50.00 by check came in today."""
    permit = factory.issued().permit
    money.resolution(CouncilValue.Key.BILL_DAYS, "30")
    made = making.bill_work(money.charge_work(permit.site), PAYER, by=factory.clerk(), on=PAID)
    pay(made, "200.00", means="cash")
    pay(made, "50.00", means="check", check_number="77")
    return made


@pytest.fixture
def clerk(client: Client) -> Client:
    """The clerk's browser."""
    client.force_login(factory.clerk())
    return client


def pay(bill: Bill, amount: str, **details: str) -> None:
    facts = {"paid_by": "Mai Vang"} | details
    moving.pay(bill, amount=Decimal(amount), received_on=PAID, by=factory.clerk(), **facts)


def sent(**answers: str) -> dict[str, str]:
    return {"operation": operations.new_token()} | answers


def counting(**answers: str) -> dict[str, str]:
    return sent(
        day=PAID.isoformat(),
        expected_cash="200.00",
        expected_checks="50.00",
        **{"counted_cash": "200", "counted_checks": "50.00", "why": "", "step": "confirm"}
        | answers,
    )


# To the bank ------------------------------------------------------------------------------


def test_the_drawer_is_listed_with_cash_and_checks(
    bill: Bill, clerk: Client, django_assert_max_num_queries: Any
) -> None:
    clerk.get("/account/")
    with django_assert_max_num_queries(25):
        found = clerk.get(BANK).context["takings"]
    assert (found.cash, found.checks) == (Decimal("200.00"), Decimal("50.00"))
    assert [row.check_number for row in found.rows] == ["", "77"]


def test_a_deposit_has_its_slip_and_takes_each_row_once(bill: Bill, clerk: Client) -> None:
    answers = sent(total="250.00")
    assert clerk.post(BANK, answers).status_code == 302
    assert clerk.post(BANK, answers).status_code == 302  # sent twice, done once
    made = Deposit.objects.get()
    assert made.number.startswith("DP-2026-")
    assert (made.cash, made.checks) == (Decimal("200.00"), Decimal("50.00"))
    assert made.lines.count() == 2
    assert clerk.get(f"{BANK}{made.key}/slip/")["Content-Type"] == "application/pdf"
    page = clerk.get(BANK).content.decode()
    assert "Nothing of these days waits for the bank." in page
    assert made.number in page
    again = clerk.post(BANK, sent(total="250.00"))
    assert again.status_code == 409
    assert "at the bank already" in again.content.decode()


def test_a_drawer_that_changed_meanwhile_is_looked_at_again(bill: Bill, clerk: Client) -> None:
    pay(bill, "10.00", means="cash")
    response = clerk.post(BANK, sent(total="250.00"))
    assert response.status_code == 409
    assert "The list has changed: it was $250.00 and is $260.00 now." in response.content.decode()
    assert not DepositLine.objects.exists()


def test_what_was_reversed_does_not_go_to_the_bank(bill: Bill, clerk: Client) -> None:
    entry = bill.entries.filter(kind="payment").last()
    moving.reverse(entry, by=factory.clerk(), on=PAID, reason="Check returned")
    assert clerk.get(BANK).context["takings"].total == Decimal("200.00")


def test_fee_and_escrow_of_an_earlier_day_are_offered(clerk: Client) -> None:
    factory.issued(on=date(2026, 12, 7))
    response = clerk.get(BANK)
    assert response.context["earlier"] == (date(2026, 12, 7), PAID)
    asked = {"since": "2026-12-07", "until": "2026-12-14"}
    assert clerk.get(BANK, asked).context["takings"].total == Decimal("2525.00")


def test_money_that_lies_longer_than_a_month_is_offered_month_by_month(clerk: Client) -> None:
    factory.issued(on=date(2025, 9, 2))
    factory.issued(on=date(2026, 12, 7))
    response = clerk.get(BANK)
    assert response.context["earlier"] == (date(2025, 9, 2), date(2025, 10, 3))
    address = f"{BANK}?since=2025-09-02&amp;until=2025-10-03"
    assert (
        f'<a href="{address}">take that of Tuesday, September 2, 2025' in response.content.decode()
    )
    days = {"since": "2025-09-02", "until": "2025-10-03"}
    assert clerk.post(BANK, sent(total="2525.00", **days)).status_code == 302
    assert clerk.get(BANK).context["earlier"] == (date(2026, 12, 7), PAID)


def test_the_paper_of_a_deposit_is_a_pdf(
    bill: Bill, clerk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: dict[str, Any] = {}

    def keep(template: str, context: dict[str, Any], **named: str) -> Any:
        seen.update(made=papers.make(template, {"title": named["title"], **context}))
        return scene.quick_paper(template, context, **named)

    monkeypatch.setattr(papers, "render", keep)
    clerk.post(BANK, sent(total="250.00"))
    assert seen["made"].content.startswith(b"%PDF-1.7")


def test_cash_escrow_goes_to_the_bank_though_a_draw_was_taken_back(clerk: Client) -> None:
    permit = factory.issued(on=PAID).permit
    drawn = money.draw(money.escrow_work(permit, on=PAID - timedelta(days=40)), "100.00", on=PAID)
    drawing.reverse(drawn, by=factory.clerk(), on=PAID, reason="Drawn twice.")
    assert clerk.get(BANK).context["takings"].total == Decimal("2525.00")


def test_an_escrow_entered_in_error_does_not_go_to_the_bank(clerk: Client) -> None:
    permit = factory.posted(on=PAID).permit
    permit.refresh_from_db()
    escrow_acts.reverse(permit, by=factory.clerk(), on=PAID, reason="Wrong case.")
    assert clerk.get(BANK).context["takings"].total == Decimal("25.00")


# Close of day -----------------------------------------------------------------------------


def test_what_was_counted_closes_the_day(bill: Bill, clerk: Client) -> None:
    checked = clerk.post(CLOSE, counting(step="check")).content.decode()
    assert "Close Monday, December 14, 2026?" in checked
    assert not DayClose.objects.exists()
    answers = counting()
    assert clerk.post(CLOSE, answers).status_code == 302
    assert clerk.post(CLOSE, answers).status_code == 302
    made = DayClose.objects.get()
    assert (made.on, made.counted_cash, made.expected_checks) == (PAID, 200, 50)
    assert made.totals["By way of payment"]["Check"]["received"] == "50.00"
    assert "Closed by" in clerk.get(CLOSE).content.decode()
    assert clerk.post(CLOSE, counting()).status_code == 409


def test_a_difference_needs_its_reason(bill: Bill, clerk: Client) -> None:
    page = clerk.post(CLOSE, counting(counted_cash="199.99")).content.decode()
    assert "The books expect $200.00. Count again, or write why." in page
    assert 'value="199.99"' in page  # nothing typed is lost
    assert not DayClose.objects.exists()
    clerk.post(CLOSE, counting(counted_cash="199.99", why="A cent was given as change."))
    assert DayClose.objects.get().why == "A cent was given as change."


def test_a_day_to_come_is_not_closed(bill: Bill, clerk: Client) -> None:
    response = clerk.post(CLOSE, counting() | {"day": "2026-12-15"})
    assert response.status_code == 200
    assert not DayClose.objects.exists()


def test_an_entry_while_counting_is_looked_at_first(bill: Bill, clerk: Client) -> None:
    pay(bill, "10.00", means="cash")
    response = clerk.post(CLOSE, counting())
    assert response.status_code == 409
    assert "Something was entered for this day just now" in response.content.decode()


@pytest.mark.parametrize("typed", ["-1", "0.001", "1e9", "a lot"])
def test_what_cannot_be_counted_is_asked_again(bill: Bill, clerk: Client, typed: str) -> None:
    page = clerk.post(CLOSE, counting(counted_cash=typed)).content.decode()
    assert typed in page
    assert not DayClose.objects.exists()


def test_a_receipt_reversed_on_its_day_is_not_in_the_drawer(bill: Bill) -> None:
    entry = bill.entries.filter(kind="payment").last()
    moving.reverse(entry, by=factory.clerk(), on=PAID, reason="Check returned")
    assert drawer(PAID) == Drawer(Decimal("200.00"), Decimal("0.00"))


def test_a_reversal_of_another_day_leaves_the_drawer_alone(
    bill: Bill, at: Callable[..., datetime]
) -> None:
    at(date(2026, 12, 15))
    entry = bill.entries.filter(kind="payment").last()
    moving.reverse(entry, by=factory.clerk(), on=date(2026, 12, 15), reason="Check returned")
    assert drawer(PAID) == Drawer(Decimal("200.00"), Decimal("50.00"))
    assert drawer(date(2026, 12, 15)) == Drawer(Decimal("0.00"), Decimal("0.00"))


def test_fee_and_cash_escrow_are_in_the_drawer() -> None:
    factory.issued()
    assert drawer(factory.MONDAY).cash == Decimal("2525.00")


def test_cash_escrow_reversed_on_a_later_day_stays_in_the_drawer_of_its_own() -> None:
    permit = factory.posted(on=PAID).permit
    permit.refresh_from_db()
    day_after = PAID + timedelta(days=1)
    escrow_acts.reverse(permit, by=factory.clerk(), on=day_after, reason="Wrong case.")
    assert drawer(PAID).cash == Decimal("2525.00")
    assert drawer(day_after).cash == 0


def test_cash_escrow_reversed_on_its_day_is_not_in_the_drawer() -> None:
    permit = factory.posted(on=PAID).permit
    permit.refresh_from_db()
    escrow_acts.reverse(permit, by=factory.clerk(), on=PAID, reason="Wrong case.")
    assert drawer(PAID).cash == Decimal("25.00")


@pytest.mark.parametrize("address", [BANK, CLOSE])
def test_only_the_clerk_banks_and_closes(client: Client, address: str) -> None:
    client.force_login(factory.administrator())
    assert client.get(address).status_code == 404
