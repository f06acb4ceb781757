"""Every rule against a second, slow implementation written only for this."""

import csv
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portal.ordinance import (
    RULES,
    Calendar,
    Kind,
    Period,
    Stay,
    all_editions,
    cities,
    legal_holidays,
    with_stays,
)
from portal.ordinance.decision import decision_deadline
from portal.ordinance.periods import Measure
from portal.ordinance.revocation import revocation_opens
from portal.ordinance.stop_work import compliance_deadline

from . import slow

days = st.dates(date(2000, 1, 1), date(2120, 12, 31))
EDITIONS = {city: all_editions(city)[-1] for city in cities()}
PAIRS = Path(__file__).with_name("decision_pairs.csv")


@st.composite
def days_with_closures(draw: st.DrawFn) -> tuple[date, frozenset[date]]:
    """A day, and closures that may fall into its count."""
    day = draw(days)
    offsets = draw(st.frozensets(st.integers(0, 40), max_size=8))
    return day, frozenset(day + timedelta(offset) for offset in offsets)


@pytest.mark.parametrize("city", EDITIONS)
@pytest.mark.parametrize("rule", RULES)
@given(chosen=days_with_closures())
@settings(max_examples=120, deadline=None)
def test_every_rule_gives_the_date_the_slow_one_finds(rule, city, chosen):
    day, closures = chosen
    clock = RULES[rule].compute(day, calendar=Calendar(closures), edition=EDITIONS[city])
    found = None if clock is None else (clock.on, clock.safe_on)
    assert found == slow.answer(rule, day, closures, city)


@given(day=days, hours=st.integers(1, 96))
@settings(max_examples=120, deadline=None)
def test_any_number_of_hours_ends_where_half_hours_end_one_by_one(day, hours):
    own = replace(EDITIONS["neighbor"], stop_work_period=Period(hours, Measure.HOURS), rolls={})
    clock = compliance_deadline(day, calendar=Calendar(), edition=own)
    assert clock.on == slow.latest_end(day, hours)
    assert clock.safe_on == slow.earliest_end(day, hours)
    opens = revocation_opens(day, calendar=Calendar(), edition=own)
    assert opens.on == opens.safe_on == slow.latest_end(day, hours) + timedelta(1)


@pytest.mark.parametrize("city", EDITIONS)
@pytest.mark.parametrize("rule", RULES)
@given(chosen=days_with_closures())
@settings(max_examples=60, deadline=None)
def test_a_safe_date_is_never_on_the_wrong_side(rule, city, chosen):
    day, closures = chosen
    clock = RULES[rule].compute(day, calendar=Calendar(closures), edition=EDITIONS[city])
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


@pytest.mark.parametrize("city", EDITIONS)
@pytest.mark.parametrize("rule", RULES)
@given(day=days, begins=st.integers(0, 60), lasts=st.integers(0, 90))
@settings(max_examples=60, deadline=None)
def test_a_stay_never_shortens_a_period_and_opens_nothing(rule, city, day, begins, lasts):
    calendar = Calendar()
    clock = RULES[rule].compute(day, calendar=calendar, edition=EDITIONS[city])
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
