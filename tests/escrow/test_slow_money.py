"""Interest and division against a second, slow way of counting. LAW.md 3.2, former § 17.19(4)(e)

Actual days over 365, the last day included, half a cent up, at most one year from the levy.
"""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portal.ordinance.assessment import anniversary, interest, interest_between
from portal.ordinance.division import divide

from . import slow_money

DAYS = st.dates(date(2024, 1, 1), date(2033, 12, 31))
SPAN = st.integers(-3, 800)
PRINCIPAL = st.decimals(Decimal("0.01"), Decimal("9999999999.99"), places=2)
RATE = st.decimals(0, 25, places=3)


@pytest.mark.parametrize(
    ("principal", "rate", "levied", "until", "by_hand"),
    [
        pytest.param("1000.00", "5.5", "2026-03-02", "2026-03-02", "0.00", id="the day itself"),
        pytest.param("1000.00", "5.5", "2026-03-02", "2026-03-03", "0.15", id="one day"),
        # 1000 * 0.055 * 30 / 365 = 4.5205…
        pytest.param("1000.00", "5.5", "2026-03-02", "2026-04-01", "4.52", id="thirty days"),
        pytest.param("1000.00", "5.5", "2026-03-02", "2027-03-02", "55.00", id="the last day"),
        pytest.param("1000.00", "5.5", "2026-03-02", "2027-03-03", "55.00", id="a day later"),
        # 73 days are a fifth of 365: 0.10 * 25 % / 5 = 0.005, half a cent, up
        pytest.param("0.10", "25", "2026-01-01", "2026-03-15", "0.01", id="half a cent"),
        pytest.param("0.10", "24.999", "2026-01-01", "2026-03-15", "0.00", id="just below"),
        # A leap year has 366 days, over 365: 365 * 0.1 * 366 / 365 = 36.60
        pytest.param("365.00", "10", "2027-03-01", "2028-03-01", "36.60", id="366 days"),
        # February 29 ends on February 28: 365 days
        pytest.param("365.00", "10", "2028-02-29", "2030-01-01", "36.50", id="from a leap day"),
    ],
)
def test_interest_by_hand(principal: str, rate: str, levied: str, until: str, by_hand: str) -> None:
    facts = (Decimal(principal), Decimal(rate), date.fromisoformat(levied))
    day = date.fromisoformat(until)
    assert interest(*facts, day) == Decimal(by_hand)
    assert slow_money.interest(*facts, facts[2], day) == Decimal(by_hand)


@settings(max_examples=150, deadline=None)
@given(PRINCIPAL, RATE, DAYS, SPAN)
def test_interest_is_what_a_slow_count_day_by_day_finds(
    principal: Decimal, rate: Decimal, levied_on: date, span: int
) -> None:
    until = levied_on + timedelta(days=span)
    slow = slow_money.interest(principal, rate, levied_on, levied_on, until)
    assert interest(principal, rate, levied_on, until) == slow


@settings(max_examples=150, deadline=None)
@given(PRINCIPAL, RATE, DAYS, SPAN, SPAN)
def test_interest_between_two_days_too(
    principal: Decimal, rate: Decimal, levied_on: date, first: int, last: int
) -> None:
    since, until = levied_on + timedelta(days=first), levied_on + timedelta(days=last)
    slow = slow_money.interest(principal, rate, levied_on, since, until)
    assert interest_between(principal, rate, levied_on, since, until) == slow


@given(DAYS)
def test_a_year_ends_on_the_day_that_a_slow_walk_finds(day: date) -> None:
    assert anniversary(day) == slow_money.a_year_later(day)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 400), st.lists(st.integers(0, 20), min_size=1, max_size=12).filter(any))
def test_cents_dealt_one_by_one_come_to_the_same(cents: int, weights: list[int]) -> None:
    """Whoever is dealt a cent at a time, always the one farthest behind, ends within a cent."""
    found = divide(Decimal(cents) / 100, [Decimal(weight) for weight in weights])
    dealt = slow_money.parts(cents, weights)
    assert sum(found) * 100 == sum(dealt) == cents
    assert all(abs(part * 100 - slow) <= 1 for part, slow in zip(found, dealt, strict=True))


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.integers(1, 500), min_size=1, max_size=8),
    st.lists(st.integers(1, 900), min_size=1, max_size=12),
)
def test_what_is_taken_off_by_what_is_left_never_goes_below_zero(
    charges: list[int], payments: list[int]
) -> None:
    """As corrections do it: each payment is divided by what the charges are still for."""
    left = [Decimal(each) / 100 for each in charges]
    for payment in payments:
        amount = min(Decimal(payment) / 100, sum(left, Decimal(0)))
        if not amount:
            break
        parts = divide(amount, left)
        left = [have - part for have, part in zip(left, parts, strict=True)]
        assert sum(parts) == amount
        assert min(left) >= 0
