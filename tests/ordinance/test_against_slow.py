"""Every rule against a second, slow implementation written only for this."""

import csv
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portal.ordinance import RULES, Calendar, Kind, Stay, legal_holidays, with_stays
from portal.ordinance.decision import decision_deadline

from . import slow

days = st.dates(date(2000, 1, 1), date(2120, 12, 31))
PAIRS = Path(__file__).with_name("decision_pairs.csv")


@st.composite
def days_with_closures(draw: st.DrawFn) -> tuple[date, frozenset[date]]:
    """A day, and closures that may fall into its count."""
    day = draw(days)
    offsets = draw(st.frozensets(st.integers(0, 40), max_size=8))
    return day, frozenset(day + timedelta(offset) for offset in offsets)


@pytest.mark.parametrize("rule", RULES)
@given(chosen=days_with_closures())
@settings(max_examples=120, deadline=None)
def test_every_rule_gives_the_date_the_slow_one_finds(rule, chosen):
    day, closures = chosen
    clock = RULES[rule].compute(day, calendar=Calendar(closures))
    found = None if clock is None else (clock.on, clock.safe_on)
    assert found == slow.answer(rule, day, closures)


@pytest.mark.parametrize("rule", RULES)
@given(chosen=days_with_closures())
@settings(max_examples=60, deadline=None)
def test_a_safe_date_is_never_on_the_wrong_side(rule, chosen):
    day, closures = chosen
    clock = RULES[rule].compute(day, calendar=Calendar(closures))
    if clock is None:
        return
    if clock.kind is Kind.DEADLINE:
        assert clock.safe_on <= clock.on
    else:
        assert clock.safe_on >= clock.on
    assert clock.on > day


@given(chosen=days_with_closures())
@settings(max_examples=100, deadline=None)
def test_a_closure_never_makes_the_time_to_decide_shorter(chosen):
    day, closures = chosen
    without = decision_deadline(day, calendar=Calendar())
    assert decision_deadline(day, calendar=Calendar(closures)).on >= without.on


@pytest.mark.parametrize("rule", RULES)
@given(day=days, begins=st.integers(0, 60), lasts=st.integers(0, 90))
@settings(max_examples=60, deadline=None)
def test_a_stay_never_shortens_a_period_and_opens_nothing(rule, day, begins, lasts):
    calendar = Calendar()
    clock = RULES[rule].compute(day, calendar=calendar)
    if clock is None:
        return
    begin = day + timedelta(begins)
    end = begin + timedelta(lasts)
    stayed = with_stays(clock, [Stay(begin, end)], calendar)
    assert stayed.on >= clock.on
    assert stayed.safe_on >= clock.safe_on
    if stayed.kind is Kind.WAITING:
        assert not stayed.is_open(begin)
        assert not stayed.is_open(end)


@pytest.mark.parametrize("year", range(1990, 2101))
def test_the_holidays_of_a_year_are_those_the_slow_one_knows(year):
    every_day = [date(year, 1, 1) + timedelta(n) for n in range(366)]
    expected = [day for day in every_day if day.year == year and slow.holiday(day)]
    assert sorted(legal_holidays(year)) == expected


def test_two_hundred_pairs_of_received_and_due():
    with PAIRS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) >= 200
    calendar = Calendar()
    for row in rows:
        clock = decision_deadline(date.fromisoformat(row["received"]), calendar=calendar)
        assert (clock.on.isoformat(), clock.safe_on.isoformat()) == (row["due"], row["safe"]), row
