"""What a court adds to a forfeiture: an estimate with its sources. former § 17.19(9)"""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from portal.ordinance.forfeiture import ADD_ONS, Court, estimate, exposure

MONDAY = date(2027, 3, 1)


@pytest.mark.parametrize(
    ("court", "low", "high"),
    [(Court.MUNICIPAL, "124.00", "187.00"), (Court.CIRCUIT, "200.50", "263.50")],
)
def test_one_count_comes_to_what_was_worked_out_by_hand(court: Court, low: str, high: str) -> None:
    found = estimate(exposure([MONDAY]), court)
    assert (found.low, found.high, found.counts) == (Decimal(low), Decimal(high), 1)


def test_each_documented_day_is_a_count_of_its_own() -> None:
    days = [MONDAY + timedelta(n) for n in range(10)]
    found = estimate(exposure(days), Court.MUNICIPAL)
    assert exposure(days).low == Decimal("500.00")
    assert (found.low, found.high) == (Decimal("1240.00"), Decimal("1870.00"))


def test_no_documented_day_is_no_exposure() -> None:
    found = estimate(exposure([]), Court.CIRCUIT)
    assert (found.low, found.high, found.counts) == (Decimal(0), Decimal(0), 0)


def test_the_jail_surcharge_is_the_greater_of_ten_dollars_and_one_per_cent() -> None:
    jail = next(each for each in ADD_ONS if each.key == "jail")
    assert jail.amount(Decimal("50.00")) == Decimal("10.00")
    assert jail.amount(Decimal("1000.00")) == Decimal("10.00")
    assert jail.amount(Decimal("1550.50")) == Decimal("15.51")


def test_every_add_on_names_its_statute_and_doubts_are_said() -> None:
    for each in ADD_ONS:
        assert str(each.source).startswith("Wis. Stat. § ")
        assert each.verified or each.note
