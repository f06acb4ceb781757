"""former § 17.19(5) Waste, tracking and inlets; (1), (6) and (9) besides."""

from datetime import date
from decimal import Decimal

from portal.ordinance import NUMBERS
from portal.ordinance.forfeiture import alleged_days, exposure
from portal.ordinance.site import STANDARDS

MARCH = [date(2027, 3, day) for day in range(1, 11)]


def test_three_standards_hold_on_every_site(edition):
    assert [str(standard.citation(edition)) for standard in STANDARDS] == [
        "former § 17.19(5)(a)",
        "former § 17.19(5)(b)",
        "former § 17.19(5)(c)",
    ]


def test_each_documented_day_is_a_violation_of_its_own():
    found = exposure(MARCH)
    assert (found.low, found.high) == (Decimal("500.00"), Decimal("1000.00"))
    assert str(found.citation) == "former § 17.19(9)"
    assert "The court decides; the city does not." in found.sentence


def test_days_on_which_nobody_looked_do_not_count():
    found = exposure([MARCH[0], MARCH[-1], MARCH[0]])
    assert len(found.days) == 2
    assert found.high == Decimal("200.00")
    assert alleged_days(MARCH[0], MARCH[-1]) == 10


def test_the_first_day_is_also_the_last():
    assert alleged_days(MARCH[0], MARCH[0]) == 1
    assert exposure([MARCH[0]]).low == Decimal("50.00")
    assert "documented on one day." in exposure([MARCH[0]]).sentence


def test_without_a_documented_day_there_is_no_exposure():
    assert exposure([]).high == Decimal("0.00")
    assert "no forfeiture exposure" in exposure([]).sentence


def test_half_an_inch_is_exact(edition):
    rain = next(number for number in NUMBERS if number.name == "rain_trigger_inches")
    assert rain.value(edition) == Decimal("0.5")
    assert Decimal("12.7") / Decimal("25.4") == rain.value(edition)
    assert rain.text(edition) == "0.5 inch"
