"""Dividing an amount over parcels: to the cent, and the parts add up. Wis. Stat. § 66.0627(2)"""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.ordinance.division import divide

AMOUNTS = st.decimals(min_value=0, max_value=Decimal("9999999999.99"), places=2)
WEIGHTS = st.lists(
    st.decimals(min_value=0, max_value=Decimal("99999999999.999"), places=3),
    min_size=1,
    max_size=60,
).filter(any)


def parts(amount: str, *weights: str) -> list[str]:
    return [str(part) for part in divide(Decimal(amount), list(map(Decimal, weights)))]


def test_a_cent_that_is_left_goes_to_the_first_of_equals() -> None:
    assert parts("100.00", "1", "1", "1") == ["33.34", "33.33", "33.33"]


def test_two_cents_that_are_left_go_to_two() -> None:
    assert parts("100.01", "1", "1", "1") == ["33.34", "33.34", "33.33"]


def test_by_area_each_bears_its_share() -> None:
    assert parts("1200.00", "17424", "8712", "8712") == ["600.00", "300.00", "300.00"]


def test_the_cent_goes_to_whoever_lost_most_by_the_cut() -> None:
    # 10.00 by 1:2:3 is 1.666…, 3.333…, 5.00
    assert parts("10.00", "1", "2", "3") == ["1.67", "3.33", "5.00"]


def test_a_parcel_of_no_weight_bears_nothing() -> None:
    assert parts("0.01", "0", "1") == ["0.00", "0.01"]


def test_a_correction_is_divided_like_its_charge() -> None:
    assert parts("-100.00", "1", "1", "1") == ["-33.34", "-33.33", "-33.33"]


@pytest.mark.parametrize(
    ("amount", "weights"), [("1.00", []), ("1.00", ["0", "0"]), ("1.00", ["-1", "2"])]
)
def test_what_divides_nothing_is_refused(amount: str, weights: list[str]) -> None:
    with pytest.raises(ValueError, match="weights"):
        parts(amount, *weights)


def test_half_a_cent_cannot_be_divided() -> None:
    with pytest.raises(ValueError, match="whole cents"):
        parts("1.005", "1")


@given(AMOUNTS, WEIGHTS)
def test_the_parts_of_any_amount_add_up(amount: Decimal, weights: list[Decimal]) -> None:
    found = divide(amount, weights)
    assert sum(found) == amount
    assert all(part >= 0 and part == part.quantize(Decimal("0.01")) for part in found)
    assert divide(-amount, weights) == [-part for part in found]


@given(AMOUNTS, WEIGHTS)
def test_no_part_is_a_cent_or_more_away_from_its_share(
    amount: Decimal, weights: list[Decimal]
) -> None:
    cents, total = int(amount * 100), sum(int(weight * 1000) for weight in weights)
    for part, weight in zip(divide(amount, weights), weights, strict=True):
        assert abs(int(part * 100) * total - cents * int(weight * 1000)) < total


@given(AMOUNTS, st.integers(1, 60))
def test_equal_weights_differ_by_a_cent_at_most(amount: Decimal, number: int) -> None:
    found = divide(amount, [Decimal(1)] * number)
    assert max(found) - min(found) <= Decimal("0.01")
