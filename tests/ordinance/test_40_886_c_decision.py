"""§ 40-886(c) Grant or denial within ten working days after receipt."""

from datetime import date, timedelta

import pytest

from portal.ordinance import RULES, Calendar, Kind, Standing
from portal.ordinance.decision import decision_deadline, revision_review_deadline


@pytest.mark.parametrize(
    ("received", "due"),
    [
        pytest.param(date(2026, 9, 14), date(2026, 9, 28), id="ten plain working days"),
        pytest.param(date(2026, 5, 18), date(2026, 6, 2), id="Memorial Day is skipped"),
        pytest.param(date(2026, 12, 18), date(2027, 1, 5), id="over Christmas and New Year"),
        pytest.param(date(2026, 6, 26), date(2026, 7, 10), id="a Saturday Fourth moves nothing"),
        pytest.param(date(2027, 6, 25), date(2027, 7, 12), id="a Sunday Fourth takes the Monday"),
        pytest.param(date(2026, 10, 20), date(2026, 11, 4), id="the general election"),
        pytest.param(date(2026, 8, 3), date(2026, 8, 18), id="the partisan primary"),
        pytest.param(date(2028, 2, 22), date(2028, 3, 7), id="over February 29"),
    ],
)
def test_only_working_days_count(received, due, calendar):
    assert decision_deadline(received, calendar=calendar).on == due


def test_the_day_of_receipt_is_not_counted(calendar):
    clock = decision_deadline(date(2026, 9, 14), calendar=calendar)
    assert clock.started_on == date(2026, 9, 14)
    assert "Sep 15, 16, 17, 18, 21, 22, 23, 24, 25, 28" in clock.explanation


@pytest.mark.parametrize("day", [date(2026, 9, 18), date(2026, 9, 19), date(2026, 9, 20)])
def test_a_filing_on_friday_night_saturday_or_sunday_is_due_on_the_same_day(day, calendar):
    assert decision_deadline(day, calendar=calendar).on == date(2026, 10, 2)


def test_the_day_before_the_tenth_day_and_the_tenth_are_in_time(calendar):
    clock = decision_deadline(date(2026, 9, 14), calendar=calendar)
    assert clock.standing(date(2026, 9, 25)) is Standing.OPEN
    assert clock.standing(date(2026, 9, 28)) is Standing.OPEN
    assert not clock.is_late(date(2026, 9, 28))


def test_the_day_after_is_late_and_nothing_is_deemed_granted(calendar):
    clock = decision_deadline(date(2026, 9, 14), calendar=calendar)
    assert clock.standing(date(2026, 9, 29)) is Standing.LATE
    assert clock.is_late(date(2026, 9, 29))
    assert "Nothing is deemed granted." in clock.consequence


def test_a_decision_on_the_tenth_day_is_met_and_one_after_is_met_late(calendar):
    clock = decision_deadline(date(2026, 9, 14), calendar=calendar)
    later = date(2026, 10, 20)
    assert clock.standing(later, met_on=date(2026, 9, 28)) is Standing.MET
    assert not clock.is_late(later, met_on=date(2026, 9, 28))
    assert clock.standing(later, met_on=date(2026, 9, 29)) is Standing.MET
    assert clock.met_late(date(2026, 9, 29))
    assert clock.is_late(later, met_on=date(2026, 9, 29))


def test_a_decision_still_to_come_does_not_count_yet(calendar):
    clock = decision_deadline(date(2026, 9, 14), calendar=calendar)
    assert clock.standing(date(2026, 9, 29), met_on=date(2026, 9, 30)) is Standing.LATE


def test_a_closure_by_the_council_is_not_a_working_day(closed):
    clock = decision_deadline(date(2026, 11, 16), calendar=closed)
    assert clock.on == date(2026, 12, 2)
    assert (
        "Friday, November 27, 2026 is not counted: Day after Thanksgiving, city hall closed."
        in (clock.explanation)
    )


def test_a_closure_on_a_weekend_changes_nothing():
    weekend = Calendar([date(2026, 9, 19), date(2026, 9, 20)])
    assert decision_deadline(date(2026, 9, 14), calendar=weekend).on == date(2026, 9, 28)


def test_the_safe_date_counts_holidays_on_which_city_hall_is_open(calendar):
    clock = decision_deadline(date(2026, 10, 30), calendar=calendar)
    assert (clock.on, clock.safe_on) == (date(2026, 11, 17), date(2026, 11, 13))
    assert "Nov 3, 11" in clock.steps[-1].text


def test_the_clerk_can_say_that_city_hall_is_shut_on_election_day():
    shut = Calendar(city_hall_open=frozenset({"presidents", "october", "veterans"}))
    clock = decision_deadline(date(2026, 10, 20), calendar=shut)
    assert clock.on == clock.safe_on == date(2026, 11, 4)


def test_the_count_in_sentences(calendar):
    clock = decision_deadline(date(2026, 11, 13), calendar=calendar)
    assert [step.kind for step in clock.steps] == [
        "start",
        "counted",
        "skipped",
        "skipped",
        "end",
        "safe",
    ]
    assert [step.text for step in clock.steps] == [
        "Received Friday, November 13, 2026 (form, plan and fee); not counted.",
        "Ten working days: Nov 16, 17, 18, 19, 20, 23, 24, 25, 27, 30.",
        "Six weekend days are not counted: Nov 14, 15, 21, 22, 28, 29.",
        "Thursday, November 26, 2026 is not counted: Thanksgiving Day, a legal holiday "
        "(Wis. Stat. § 995.20).",
        "The tenth working day is Monday, November 30, 2026, the last day to decide.",
        "Safe date Monday, November 30, 2026: no reading of the ordinance calls that late.",
    ]
    assert str(clock) == "Ten working days after receipt: Monday, November 30, 2026"
    assert str(clock.citation) == "§ 40-886(c)"
    assert clock.bound == "building inspector"
    assert clock.kind is Kind.DEADLINE
    assert clock.explanation.startswith("Ten working days after receipt (§ 40-886(c)). ")


def test_each_revision_has_a_clock_of_its_own_that_is_the_citys_promise(calendar):
    clock = revision_review_deadline(date(2026, 9, 14), calendar=calendar)
    assert clock.on == date(2026, 9, 28)
    assert clock.key == "revision-review"
    assert "the ordinance sets no time for a revised plan" in clock.explanation


def test_the_council_may_promise_another_number_of_days(calendar):
    clock = revision_review_deadline(date(2026, 9, 14), calendar=calendar, working_days=5)
    assert clock.on == date(2026, 9, 21)
    assert clock.title == "Five working days after a revised plan is received"


@pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))
def test_no_sentence_of_any_rule_is_left_unfinished(rule):
    """Every count over a long run of days reads as sentences."""
    for offset in range(0, 800, 3):
        day = date(2026, 1, 1) + timedelta(offset)
        clock = rule.compute(day, calendar=Calendar([date(2026, 11, 27)]))
        if clock is None:
            assert rule.why_not(day).endswith(".")
            continue
        for step in clock.steps:
            assert step.text[0].isupper()
            assert step.text.endswith(".")
        for mark in ("{", "}", "  ", "None", " .", " ,", "\n", ".."):
            assert mark not in clock.explanation
