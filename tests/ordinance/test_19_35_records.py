"""Wis. Stat. § 19.35 Requests for records: when they are answered, and what they cost."""

from datetime import date
from decimal import Decimal

import pytest

from portal.ordinance import Calendar, Kind
from portal.ordinance.records import (
    GROUNDS,
    Copying,
    Prices,
    answer_deadline,
    destruction_opens,
    fee_for,
)

PRICES = Prices(page=Decimal("0.25"), locating_hour=Decimal("25.00"))


# The clock --------------------------------------------------------------------------------


def test_ten_working_days_are_the_rule_of_thumb():
    found = answer_deadline(date(2026, 11, 16), calendar=Calendar())
    assert found.on == date(2026, 12, 1)  # Thanksgiving is left out
    assert "rule of thumb" in found.note
    assert str(found.citation) == "Wis. Stat. § 19.35(4)(a)"


@pytest.mark.parametrize(
    ("on", "late"),
    [
        pytest.param(date(2026, 11, 30), False, id="the day before"),
        pytest.param(date(2026, 12, 1), False, id="the last day"),
        pytest.param(date(2026, 12, 2), True, id="the day after"),
    ],
)
def test_the_last_day_is_in_time(on, late):
    assert answer_deadline(date(2026, 11, 16), calendar=Calendar()).is_late(on) is late


def test_over_the_year_s_end_the_holidays_do_not_count():
    assert answer_deadline(date(2026, 12, 21), calendar=Calendar()).on == date(2027, 1, 6)


def test_a_closure_by_the_council_does_not_count():
    closed = Calendar([date(2026, 11, 27)])
    assert answer_deadline(date(2026, 11, 16), calendar=closed).on == date(2026, 12, 2)


def test_the_society_has_sixty_days_and_the_city_acts_after_them():
    found = destruction_opens(date(2026, 10, 1), calendar=Calendar())
    assert found.kind is Kind.WAITING
    assert (found.on, found.safe_on) == (date(2026, 12, 1), date(2026, 12, 4))
    assert not found.is_open(date(2026, 11, 30))
    assert found.is_open(date(2026, 12, 1))


# The fee ----------------------------------------------------------------------------------


def test_pages_cost_the_city_s_price_and_no_more():
    assert fee_for(Copying(pages=3), PRICES).total == Decimal("0.75")


def test_without_a_price_by_the_council_a_page_costs_nothing():
    assert fee_for(Copying(pages=400), Prices()).total == Decimal("0.00")


@pytest.mark.parametrize(
    ("hours", "charged"),
    [
        pytest.param("1.99", "0.00", id="$49.75 is not charged"),
        pytest.param("2.00", "50.00", id="$50.00 is charged whole"),
        pytest.param("2.01", "50.25", id="$50.25"),
    ],
)
def test_locating_is_charged_only_from_fifty_dollars_on(hours, charged):
    found = fee_for(Copying(locating_hours=Decimal(hours)), PRICES)
    assert found.total == Decimal(charged)
    assert str(found.lines[0].citation) == "Wis. Stat. § 19.35(3)(c)"


@pytest.mark.parametrize(
    ("pages", "first"),
    [
        pytest.param(20, False, id="$5.00 is not asked first"),
        pytest.param(21, True, id="$5.25 may be"),
    ],
)
def test_prepayment_may_be_asked_only_above_five_dollars(pages, first):
    assert fee_for(Copying(pages=pages), PRICES).may_be_asked_first is first


def test_each_part_is_a_line_with_its_own_paragraph():
    copying = Copying(
        pages=10, locating_hours=Decimal(3), other=Decimal("4.10"), mailing=Decimal("1.63")
    )
    found = fee_for(copying, PRICES)
    assert [line.amount for line in found.lines] == [
        Decimal("2.50"),
        Decimal("4.10"),
        Decimal("75.00"),
        Decimal("1.63"),
    ]
    assert found.total == Decimal("83.23")


def test_a_part_of_a_cent_is_never_charged():
    prices = Prices(page=Decimal("0.125"))
    assert fee_for(Copying(pages=3), prices).total == Decimal("0.37")


def test_every_ground_of_refusal_has_its_citation():
    for words, citation in GROUNDS.values():
        assert words[0].isupper()
        assert str(citation).startswith("Wis. Stat. § ")
