"""Wis. Stat. § 19.21(4) How long records are kept, and the city's schedule as data."""

from dataclasses import replace
from datetime import date

import pytest

from portal.ordinance import Obstacle, retention
from portal.ordinance.retention import CaseFacts, Trigger, retention_of, schedule

CLOSED = date(2019, 5, 17)
OPEN = Obstacle("bill", "Bill BL-2019-0001 is not paid.", retention.KEPT, "take the payment")
HOLD = Obstacle("hold", "Held for a suit.", retention.HELD, "end the hold")


def test_a_case_is_kept_for_seven_years_after_the_last_fact_on_its_record():
    found = retention_of(CaseFacts(CLOSED))
    assert found.until == date(2026, 5, 17)
    assert found.steps[-1] == "Seven years from that day end on Sunday, May 17, 2026, that day too."


@pytest.mark.parametrize(
    ("on", "allowed"),
    [
        pytest.param(date(2026, 5, 16), False, id="the day before"),
        pytest.param(date(2026, 5, 17), False, id="the last day"),
        pytest.param(date(2026, 5, 18), True, id="the day after"),
    ],
)
def test_the_last_day_still_belongs_to_the_seven_years(on, allowed):
    assert retention_of(CaseFacts(CLOSED)).may_be_destroyed(on) is allowed


def test_seven_years_from_a_leap_day_are_not_cut_short():
    assert retention_of(CaseFacts(date(2020, 2, 29))).until == date(2027, 3, 1)


def test_an_open_matter_keeps_a_case_however_old_it_is():
    found = retention_of(CaseFacts(date(1999, 1, 4), open_matters=(OPEN,)))
    assert found.until is None
    assert found.closed_on is None
    assert found.why_not(date(2040, 1, 1)) == (OPEN,)


def test_a_hold_wins_over_the_schedule():
    found = retention_of(CaseFacts(CLOSED, holds=(HOLD,)))
    assert found.until == date(2026, 5, 17)
    assert found.why_not(date(2040, 1, 1)) == (HOLD,)


def test_a_case_with_a_maintenance_agreement_is_never_destroyed():
    found = retention_of(CaseFacts(CLOSED, has_agreement=True))
    assert found.series.trigger is Trigger.PERMANENT
    assert found.until is None
    assert not found.may_be_destroyed(date(2100, 1, 1))


def test_a_case_without_a_record_is_no_case_to_destroy():
    assert not retention_of(CaseFacts(None)).may_be_destroyed(date(2100, 1, 1))


def test_every_reason_is_told_not_only_the_first():
    facts = CaseFacts(CLOSED, has_agreement=True, open_matters=(OPEN,), holds=(HOLD,))
    assert {each.key for each in retention_of(facts).why_not(date(2020, 1, 1))} == {
        "bill",
        "hold",
        "agreement",
    }


# The schedule -----------------------------------------------------------------------------


def test_the_schedule_says_its_version_and_its_end():
    found = schedule()
    assert (found.approved_on, found.expires_on) == (date(2018, 8, 27), date(2028, 8, 27))


@pytest.mark.parametrize(
    ("on", "warns", "expired"),
    [
        (date(2027, 8, 27), False, False),
        (date(2027, 8, 28), True, False),
        (date(2028, 8, 26), True, False),
        (date(2028, 8, 27), True, True),
    ],
)
def test_it_warns_a_year_before_it_expires(on, warns, expired):
    assert (schedule().warns(on), schedule().has_expired(on)) == (warns, expired)


def test_what_is_certified_to_the_roll_and_what_was_destroyed_stays_for_good():
    permanent = {key for key, row in schedule().series.items() if row.is_permanent}
    assert permanent == {"agreement", "roll", "destruction"}


def test_every_line_names_its_source():
    for row in schedule().series.values():
        assert row.authority.startswith("Wis. Stat. §")
        assert row.covers.endswith(".")
        assert row.kept.startswith(("for good", "seven years from "))


LINE = """
version = "x"
title = "Test"
approved_on = 2018-08-27
expires_on = 2028-08-27
warn_days = 365
society_name = "Society"
society_address = "1 State Street"
[[series]]
key = "case"
title = "Case"
covers = "All."
trigger = "{trigger}"
event = "closing"
years = {years}
society = "{society}"
authority = "Wis. Stat. § 19.21(4)(b)"
"""


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ({"years": 6}, "the law asks for 7"),
        ({"society": "Y"}, "society is W"),
        ({"trigger": "P"}, "a permanent series has no years"),
        ({"trigger": "XX"}, "XX"),
    ],
)
def test_a_schedule_that_breaks_the_law_is_not_read(line, fault):
    good = {"trigger": "EVT", "years": 7, "society": "N"}
    assert retention.read(LINE.format(**good)).series["case"].years == 7
    with pytest.raises(ValueError, match=fault):
        retention.read(LINE.format(**{**good, **line}))


def test_another_schedule_changes_the_answer():
    case = replace(schedule().series["case"], years=10)
    longer = replace(schedule(), series={**schedule().series, "case": case})
    assert retention_of(CaseFacts(CLOSED), by=longer).until == date(2029, 5, 17)
