"""Fees beside the table: empty, or each with its reason. § 40-886(b)"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from escrow.books.fees import explained, fee_table, fees_that_differ
from permits.models import FeeEntry
from portal import clock
from portal.models import CouncilValue
from tests import factory
from tests.factory import MONDAY

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def monday(at: Callable[..., datetime]) -> None:
    at(MONDAY)


def set_fee(dollars: str, *, on: date, entered: timedelta = timedelta(0)) -> None:
    CouncilValue.objects.create(
        key=CouncilValue.Key.FEE,
        value=dollars,
        effective_on=on,
        resolution="2026-41",
        entered_at=clock.now() + entered,
    )


def reasons() -> list[str]:
    return [each.why for each in explained(fees_that_differ())]


def test_fees_of_the_table_are_not_listed() -> None:
    factory.received()
    assert reasons() == []


def test_the_day_of_change_has_the_new_fee_and_the_day_before_the_old() -> None:
    before = MONDAY - timedelta(days=1)
    set_fee("40.00", on=MONDAY, entered=-timedelta(days=30))
    old, new = factory.received(on=before), factory.received(on=MONDAY)
    assert old.fee_entries.get().amount == Decimal("25.00")
    assert new.fee_entries.get().amount == Decimal("40.00")
    assert reasons() == []
    assert [step.fee for step in fee_table()][-2:] == [Decimal("25.00"), Decimal("40.00")]


def test_a_resolution_entered_afterwards_explains_the_difference() -> None:
    factory.received()
    set_fee("40.00", on=MONDAY, entered=timedelta(hours=2))
    (why,) = reasons()
    assert why.startswith("Resolution 2026-41 was entered on")


def test_a_fee_that_no_table_explains_is_a_question(client: Client) -> None:
    case = factory.submitted()
    FeeEntry.objects.create(
        application=case,
        means="cash",
        amount=Decimal("20.00"),
        received_on=MONDAY,
        receipt_number="1",
        recorded_by=factory.clerk(),
    )
    (found,) = explained(fees_that_differ())
    assert (found.due, found.difference, found.why) == (Decimal("25.00"), Decimal("-5.00"), "")
    client.force_login(factory.clerk())
    assert "Not explained." in client.get("/money/fees/").content.decode()


def test_a_waiver_names_its_resolution() -> None:
    case = factory.submitted()
    case.record_fee(
        means="waiver",
        amount=Decimal("0.00"),
        received_on=MONDAY,
        by=factory.clerk(),
        resolution="2026-77",
    )
    assert reasons() == ["Waived by resolution 2026-77."]


def test_what_was_reversed_is_no_question(client: Client) -> None:
    case = factory.received()
    set_fee("40.00", on=MONDAY, entered=timedelta(hours=2))
    case.reverse_fee(by=factory.clerk(), on=MONDAY, reason="Check returned")
    assert reasons() == []


def test_an_empty_report_says_so(client: Client, django_assert_max_num_queries: Any) -> None:
    factory.received()
    client.force_login(factory.clerk())
    client.get("/account/")
    with django_assert_max_num_queries(25):
        page = client.get("/money/fees/").content.decode()
    assert "Every fee is the one of the table." in page
