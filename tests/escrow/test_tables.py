"""What the database itself refuses, whoever writes to it. Former § 17.19(4)(c) and (e)"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from escrow import journal
from escrow.models import (
    Assessment,
    Bill,
    BillEntry,
    EscrowEntry,
    Forfeiture,
    Instrument,
    Receipt,
    Release,
)
from permits.models import Permit
from portal import guards, papers
from tests import factory
from tests.escrow import money
from tests.factory import MONDAY

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _quick(at, monkeypatch: pytest.MonkeyPatch) -> None:
    made = papers.Made(b"%PDF-1.7 a stand-in\n%%EOF\n", 1)
    monkeypatch.setattr(papers, "make", lambda template, context: made)
    at(MONDAY)


@pytest.fixture
def permit() -> Permit:
    made: Permit = factory.issued().permit
    made.refresh_from_db()
    return made


def refuses(act: Callable[[], object], words: str | None = None) -> None:
    with pytest.raises(IntegrityError, match=words), transaction.atomic():
        act()


def entry(instrument: Instrument, kind: str, amount: str, **fields: Any) -> EscrowEntry:
    return EscrowEntry.objects.create(
        permit=instrument.permit,
        instrument=instrument,
        kind=kind,
        amount=Decimal(amount),
        on=MONDAY,
        by=factory.clerk(),
        **fields,
    )


def release(permit: Permit, **fields: Any) -> Release:
    return Release.objects.create(
        number="RL-2026-0001",
        site=permit.site,
        permit=permit,
        amount=Decimal("2500.00"),
        proposed_on=MONDAY,
        proposed_by=factory.clerk(),
        **fields,
    )


def bill(permit: Permit, /, **fields: Any) -> Bill:
    work = fields.pop("work", None) or money.charge_work(permit.site)
    facts: dict[str, Any] = {
        "number": "BL-2026-0001",
        "site": permit.site,
        "permit": permit,
        "work": work,
        "ground": "notice-of-intent",
        "path": "special-charge",
        "cost": work.total,
        "amount": work.total,
        "payer": "permittee",
        "payer_name": "Mai Vang",
        "payer_address": "1 Mill Street",
        "billed_on": MONDAY,
        "due_on": MONDAY.replace(month=12),
        "due_days": 30,
        "due_resolution": "2026-9",
        "billed_by": factory.clerk(),
    }
    made = Bill.objects.create(**facts | fields)
    owed(made, "billed", str(made.amount))
    return made


def owed(made: Bill, kind: str, amount: str, **fields: Any) -> BillEntry:
    return BillEntry.objects.create(
        bill=made, kind=kind, amount=Decimal(amount), on=MONDAY, by=factory.clerk(), **fields
    )


def receipt(permit: Permit, amount: str = "1.00", **fields: Any) -> Receipt:
    facts: dict[str, Any] = {"means": "cash", "paid_by": "Mai Vang", "number": "RC-1"} | fields
    return Receipt.objects.create(
        site=permit.site, amount=Decimal(amount), on=MONDAY, by=factory.clerk(), **facts
    )


def test_every_guard_is_up() -> None:
    assert list(guards.missing()) == []


def test_the_escrow_of_an_instrument_never_goes_below_zero(permit: Permit) -> None:
    cash = permit.instruments.get()
    made = money.escrow_work(permit, costs=("2500.01",))
    refuses(lambda: money.draw(made, "2500.01"), "below zero")
    money.draw(made, "2500.00")
    assert cash.held() == 0
    refuses(lambda: money.draw(made, "0.01"), "below zero")


def test_a_partial_release_does_not_exist(permit: Permit) -> None:
    cash, whole = permit.instruments.get(), release(permit)
    refuses(lambda: entry(cash, "released", "-2499.99", release=whole), "whole")
    entry(cash, "released", "-2500.00", release=whole)
    assert permit.escrow_entries.balance() == 0


def test_the_remainder_after_a_draw_is_released_whole(permit: Permit) -> None:
    cash = permit.instruments.get()
    money.draw(money.escrow_work(permit, costs=("100.10",)), "100.10")
    whole = release(permit)
    refuses(lambda: entry(cash, "released", "-2500.00", release=whole))
    entry(cash, "released", "-2399.90", release=whole)


def test_a_draw_is_taken_back_once_and_by_a_row_that_names_it(permit: Permit) -> None:
    cash = permit.instruments.get()
    money.draw(money.escrow_work(permit, costs=("100.00",)), "100.00")
    drawn = cash.entries.get(kind="drawn")
    refuses(lambda: entry(cash, "reversed", "100.00"))
    entry(cash, "reversed", "100.00", reverses=drawn)
    refuses(lambda: entry(cash, "reversed", "100.00", reverses=drawn))
    assert cash.held() == Decimal("2500.00")


@pytest.mark.parametrize("kind", ["drawn", "forfeited", "released"])
def test_money_leaves_the_escrow_by_its_act_only(permit: Permit, kind: str) -> None:
    refuses(lambda: entry(permit.instruments.get(), kind, "-2500.00"))


@pytest.mark.parametrize("amount", ["0.00", "100.00"])
def test_a_draw_lowers_the_escrow(permit: Permit, amount: str) -> None:
    drawn = money.draw(money.escrow_work(permit), "1.00")
    refuses(lambda: entry(permit.instruments.get(), "drawn", amount, draw=drawn))


def test_release_and_forfeiture_are_approved_by_a_second_person(permit: Permit) -> None:
    alone = {"status": "approved", "decided_on": MONDAY, "decided_by": factory.clerk()}
    refuses(lambda: release(permit, **alone), "second_person")
    release(permit, **alone | {"decided_by": factory.administrator()})
    facts = {
        "number": "FO-2026-0001",
        "site": permit.site,
        "permit": permit,
        "amount": Decimal("1.00"),
        "what_is_open": "The east slope is bare.",
        "due_on": MONDAY.replace(day=1),
        "proposed_on": MONDAY,
        "proposed_by": factory.clerk(),
    }
    refuses(lambda: Forfeiture.objects.create(**facts | alone), "second_person")
    refuses(lambda: Forfeiture.objects.create(**facts | {"due_on": MONDAY}), "last_day")


def test_no_more_is_paid_than_a_bill_owes(permit: Permit) -> None:
    made = bill(permit)
    paid = receipt(permit, "1200.01")
    refuses(lambda: owed(made, "payment", "-1200.01", receipt=paid), "than a bill owes")
    owed(made, "payment", "-1200.00", receipt=paid)
    again = receipt(permit, "0.01", number="RC-2")
    refuses(lambda: owed(made, "payment", "-0.01", receipt=again), "than a bill owes")
    assert made.balance() == 0


def test_a_payment_has_its_receipt_and_a_credit_its_reason(permit: Permit) -> None:
    made = bill(permit)
    refuses(lambda: owed(made, "payment", "-1.00"))
    refuses(lambda: owed(made, "credit", "-1.00"))
    refuses(lambda: owed(made, "payment", "1.00", receipt=receipt(permit)))


def test_a_special_charge_takes_nothing_from_the_escrow(permit: Permit) -> None:
    refuses(lambda: bill(permit, escrow_applied=Decimal("1.00"), amount=Decimal("1199.00")))


def test_a_bill_takes_the_path_of_its_notice(permit: Permit) -> None:
    refuses(lambda: bill(permit, path="assessment"))


def test_a_special_charge_is_never_assessed(permit: Permit) -> None:
    made = bill(permit)
    refuses(
        lambda: Assessment.objects.create(
            number="AS-2026-0001",
            site=made.site,
            bill=made,
            levied_on=MONDAY,
            resolution="2026-20",
            cost=Decimal("1.00"),
            rate=Decimal("5.5"),
            rate_resolution="2026-1",
            fee=Decimal("75.00"),
            fee_resolution="2026-2",
            levied_by=factory.clerk(),
        ),
        "never assessed",
    )


def test_the_amounts_of_a_bill_never_change(permit: Permit) -> None:
    made = bill(permit)
    Bill.objects.filter(pk=made.pk).update(due_on=made.due_on, due_days=made.due_days)
    refuses(lambda: Bill.objects.filter(pk=made.pk).update(due_on=MONDAY), "never change")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("due_days", 60),
        ("due_resolution", "2026-10"),
        ("payer", "landowner"),
        ("payer_name", "Somebody Else"),
        ("payer_address", "2 Mill Street"),
        ("agreement", "Another agreement"),
        ("permit", None),
        ("work", None),
    ],
)
def test_the_terms_of_a_bill_never_change(permit: Permit, field: str, value: object) -> None:
    made = bill(permit)
    assert getattr(made, field) != value
    refuses(lambda: Bill.objects.filter(pk=made.pk).update(**{field: value}), "never change")


def test_a_bill_without_a_permit_gets_none_later(permit: Permit) -> None:
    made = bill(permit, permit=None)
    refuses(lambda: Bill.objects.filter(pk=made.pk).update(permit=permit), "never change")


def test_a_check_counts_once(permit: Permit) -> None:
    check = {"means": "check", "check_number": "1041", "payer_key": "mai vang"}
    receipt(permit, number="RC-1", **check)
    refuses(lambda: receipt(permit, number="RC-2", **check), "check_counts_once|UNIQUE")
    receipt(permit, number="RC-3", **check, use=2)
    refuses(lambda: receipt(permit, number="RC-4", means="check"), "check_has_its_number|CHECK")


@pytest.mark.parametrize("table", ["escrow_billentry", "escrow_receipt", "escrow_draw"])
def test_rows_of_money_are_never_changed_or_removed(permit: Permit, table: str) -> None:
    made = bill(permit)
    owed(made, "payment", "-1.00", receipt=receipt(permit))
    money.draw(money.escrow_work(permit), "1.00")
    for sql in (f"UPDATE {table} SET amount = 5", f"DELETE FROM {table}"):
        with connection.cursor() as cursor:
            refuses(lambda cursor=cursor, sql=sql: cursor.execute(sql), "append-only")


def test_the_sum_of_everything_is_zero(permit: Permit) -> None:
    made = bill(permit)
    owed(made, "payment", "-200.00", receipt=receipt(permit, "200.00"))
    money.draw(money.escrow_work(permit, costs=("100.10",)), "100.10")
    found = journal.balances(on=MONDAY.replace(year=2027))
    assert sum(each.balance for each in found.values()) == 0
    account = journal.Account
    # $25.00 fee, $200.00 on the bill, $100.10 drawn from the cash escrow.
    assert found[account.CASH].balance == Decimal("325.10")
    assert found[account.ESCROW_CASH].balance == Decimal("2399.90")
    assert found[account.HELD_CASH].balance == Decimal("-2399.90")
    assert found[account.CHARGES_RECEIVABLE].balance == Decimal("1000.00")
    assert found[account.DRAWN_TO_APPLY].balance == Decimal("-100.10")
    assert found[account.COST_OF_WORK].balance == Decimal("1300.10")
