"""Wis. Stat. § 66.0627: delinquent, lien, and the current or next tax roll."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from portal.ordinance import Calendar
from portal.ordinance.assessment import LevyFacts, interest_between, obstacles_to_levy
from portal.ordinance.bills import PaymentFacts, bill_due, obstacles_to_pay
from portal.ordinance.special_charge import delivery_on
from portal.ordinance.tax_roll import ChargeCandidate, problems, roll_days, roll_open_on

CALENDAR = Calendar()


@pytest.mark.parametrize(
    ("billed", "days", "due"),
    [
        pytest.param(date(2026, 9, 15), 30, date(2026, 10, 15), id="a Thursday stays"),
        pytest.param(date(2026, 9, 10), 30, date(2026, 10, 13), id="Saturday, Sunday, holiday"),
        pytest.param(date(2026, 11, 25), 30, date(2026, 12, 28), id="over Christmas and a weekend"),
        pytest.param(date(2028, 1, 30), 30, date(2028, 2, 29), id="the last of February"),
    ],
)
def test_a_bill_is_paid_in_the_days_of_the_resolution(billed: date, days: int, due: date) -> None:
    assert bill_due(billed, days, "2026-14", calendar=CALENDAR).on == due


def test_the_count_names_the_resolution() -> None:
    assert "2026-14" in bill_due(date(2026, 9, 15), 30, "2026-14", calendar=CALENDAR).note


@pytest.mark.parametrize(
    ("day", "year"),
    [(date(2026, 11, 15), 2026), (date(2026, 12, 20), 2026), (date(2026, 12, 21), 2027)],
)
def test_the_clerk_works_on_this_years_roll_until_it_is_delivered(day: date, year: int) -> None:
    assert roll_open_on(day) == year


def test_the_days_of_a_roll() -> None:
    days = {each.key: each.on for each in roll_days(2026, calendar=CALENDAR)}
    assert days == {
        "cut-off": date(2026, 11, 15),
        "early-delivery": date(2026, 12, 8),
        "delivery": date(2026, 12, 21),
        "payable": date(2027, 1, 31),
        "grace": date(2027, 2, 5),
        "interest": date(2027, 2, 1),
    }
    assert roll_days(2026, calendar=CALENDAR, cutoff=date(2026, 11, 1))[0].on == date(2026, 11, 1)


def test_the_council_sets_an_earlier_day_for_the_treasurer_and_no_later_one() -> None:
    early, late = date(2000, 12, 8), date(2000, 12, 21)
    assert delivery_on(2026, set_to=early) == date(2026, 12, 8)
    assert delivery_on(2027, set_to=late) == delivery_on(2027) == date(2027, 12, 20)
    day = date(2026, 12, 5)
    assert roll_open_on(day, delivery=day) == 2027
    days = roll_days(2026, calendar=CALENDAR, delivery=day)
    assert [each.key for each in days][:3] == ["cut-off", "delivery", "early-delivery"]


PAYMENT = PaymentFacts(
    owed=Decimal("1200.00"),
    amount=Decimal("1200.00"),
    received_on=date(2026, 10, 15),
    billed_on=date(2026, 9, 15),
    due_on=date(2026, 10, 15),
    is_special_charge=True,
)


def keys(facts: PaymentFacts) -> list[str]:
    return [each.key for each in obstacles_to_pay(facts)]


def test_parts_are_taken_until_the_last_day() -> None:
    assert keys(replace(PAYMENT, amount=Decimal("0.01"))) == []


def test_from_the_day_after_a_special_charge_is_paid_in_full() -> None:
    late = replace(PAYMENT, received_on=date(2026, 10, 16))
    assert keys(late) == []
    assert keys(replace(late, amount=Decimal("1199.99"))) == ["in-parts"]


def test_an_assessment_takes_parts_later_too() -> None:
    late = replace(PAYMENT, received_on=date(2026, 10, 16), is_special_charge=False)
    assert keys(replace(late, amount=Decimal("5.00"))) == []


def test_one_cent_too_much_is_refused_with_the_cent() -> None:
    (found,) = obstacles_to_pay(replace(PAYMENT, amount=Decimal("1200.01")))
    assert found.text == "$1,200.00 is owed; that is $0.01 too much."


def test_nothing_is_paid_before_the_bill_or_after_it_is_settled() -> None:
    assert keys(replace(PAYMENT, received_on=date(2026, 9, 14))) == ["before-bill"]
    assert keys(replace(PAYMENT, owed=Decimal(0))) == ["nothing-owed"]


def test_once_the_roll_is_delivered_it_is_paid_with_the_tax() -> None:
    on_roll = replace(PAYMENT, on_roll=True, roll_delivered_on=date(2026, 12, 21))
    assert keys(replace(on_roll, received_on=date(2026, 12, 20))) == []
    assert keys(replace(on_roll, received_on=date(2026, 12, 21))) == ["with-treasurer"]


def test_with_the_treasurer_only_a_special_charge_is_said_to_be_paid_in_full() -> None:
    day = date(2026, 12, 21)
    charge = replace(PAYMENT, on_roll=True, roll_delivered_on=day, received_on=day)
    (found,) = obstacles_to_pay(charge)
    assert (str(found.citation), "in full" in found.text) == ("Wis. Stat. § 74.11(3)", True)
    (found,) = obstacles_to_pay(replace(charge, is_special_charge=False))
    assert (str(found.citation), "in full" in found.text) == ("Wis. Stat. § 74.03", False)
    assert "the assessment is paid there" in found.text


LEVY = LevyFacts(
    is_escrow_path=True,
    unpaid=Decimal("300.00"),
    due_on=date(2026, 10, 15),
    rate=Decimal("5.5"),
    fee=Decimal("75.00"),
)


@pytest.mark.parametrize(
    ("facts", "found"),
    [
        (LEVY, []),
        (replace(LEVY, rate=None), ["no-rate"]),
        (replace(LEVY, fee=None), ["no-fee"]),
        (replace(LEVY, rate=None, fee=None), ["no-rate", "no-fee"]),
        (replace(LEVY, is_escrow_path=False), ["other-path"]),
        (replace(LEVY, unpaid=Decimal(0)), ["paid"]),
        (replace(LEVY, levied_before=True), ["levied"]),
        (replace(LEVY, due_on=date(2026, 10, 16)), ["not-due"]),
    ],
)
def test_nothing_is_assessed_without_the_council(facts: LevyFacts, found: list[str]) -> None:
    assert [each.key for each in obstacles_to_levy(facts, on=date(2026, 10, 16))] == found


def test_the_missing_resolution_is_named() -> None:
    (found,) = obstacles_to_levy(replace(LEVY, rate=None), on=date(2026, 10, 16))
    assert "resolution on the interest rate" in found.text


def test_interest_goes_on_from_the_day_up_to_which_it_is_booked() -> None:
    levied, rate = date(2026, 1, 1), Decimal("5")
    # 1000 at 5 % for 73 days is 10.00; for 365 days 50.00.
    first = interest_between(Decimal(1000), rate, levied, levied, date(2026, 3, 15))
    assert first == Decimal("10.00")
    rest = interest_between(Decimal(500), rate, levied, date(2026, 3, 15), date(2027, 6, 1))
    assert rest == Decimal("20.00")
    after = interest_between(Decimal(500), rate, levied, date(2027, 1, 1), date(2027, 6, 1))
    assert after == 0


CLEAN = ChargeCandidate(owed=Decimal("1200.00"), parcels=1, least_part=Decimal("1200.00"))


@pytest.mark.parametrize(
    ("facts", "key", "stops"),
    [
        (replace(CLEAN, stayed_by="AB-2026-0001"), "stayed", True),
        (replace(CLEAN, needs_levy=True), "needs-levy", True),
        (replace(CLEAN, parcels=0), "no-parcel", True),
        (replace(CLEAN, parcels=3), "several-parcels", True),
        (replace(CLEAN, split="0240-1"), "split", True),
        (replace(CLEAN, retired="0240-1"), "retired", True),
        (replace(CLEAN, odd_number="abc"), "odd-number", True),
        (replace(CLEAN, least_part=Decimal(0)), "nothing", True),
        (replace(CLEAN, owner_changed="Tom Reyes"), "owner-changed", False),
    ],
)
def test_each_problem_of_a_charge_has_its_sentence(
    facts: ChargeCandidate, key: str, *, stops: bool
) -> None:
    (found,) = problems(facts)
    assert (found.key, found.stops) == (key, stops)
    assert found.text.endswith(".")


def test_a_charge_without_problems_has_none() -> None:
    assert problems(CLEAN) == []
    assert problems(replace(CLEAN, parcels=3, divided=True)) == []
