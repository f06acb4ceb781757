"""former § 17.19(4)(f)(2) and (4) to (7) The life of the agreement after the permit."""

from datetime import date
from itertools import islice

import pytest

from portal.ordinance import Calendar, Stay, with_stays
from portal.ordinance.begin_work import BeginFacts, Path
from portal.ordinance.upkeep import (
    NoticeFacts,
    WorkFacts,
    correction_deadline,
    due_dates,
    look_due,
    obstacles_to_notice,
    obstacles_to_work,
    task_deadline,
    task_schedule,
    work_opens,
)

CALENDAR = Calendar()
RECORDED = date(2026, 1, 31)
ISSUED = date(2026, 6, 1)


# (2) The schedule -------------------------------------------------------------------------


def test_a_task_falls_due_in_its_rhythm_and_a_short_month_ends_on_its_last_day() -> None:
    assert list(islice(due_dates(RECORDED, 1), 3)) == [
        date(2026, 2, 28),
        date(2026, 3, 31),
        date(2026, 4, 30),
    ]
    assert list(islice(due_dates(date(2024, 2, 29), 12), 2)) == [
        date(2025, 2, 28),
        date(2026, 2, 28),
    ]


def test_a_first_day_that_the_agreement_names_sets_the_rhythm() -> None:
    first = date(2026, 5, 1)
    found = list(islice(due_dates(RECORDED, 6, first), 3))
    assert found == [first, date(2026, 11, 1), date(2027, 5, 1)]


def test_days_before_the_recording_are_passed_over_and_the_rhythm_is_kept() -> None:
    found = list(islice(due_dates(RECORDED, 6, date(2024, 5, 1)), 2))
    assert found == [date(2026, 5, 1), date(2026, 11, 1)]
    schedule = task_schedule(RECORDED, 6, [], date(2024, 5, 1))
    assert (schedule.period_from, schedule.due_on) == (RECORDED, date(2026, 5, 1))
    assert not schedule.is_late(RECORDED)


def test_a_first_day_on_the_day_of_recording_is_due_that_day() -> None:
    assert next(due_dates(RECORDED, 6, RECORDED)) == RECORDED


def test_a_task_without_an_interval_is_no_schedule() -> None:
    with pytest.raises(ValueError, match="one month"):
        next(due_dates(RECORDED, 0))


@pytest.mark.parametrize(
    ("done", "due"),
    [
        pytest.param([], date(2026, 7, 31), id="nothing was done"),
        pytest.param([date(2026, 6, 1)], date(2027, 1, 31), id="done early"),
        pytest.param([date(2026, 7, 31)], date(2027, 1, 31), id="done on the day"),
        pytest.param([date(2026, 8, 3)], date(2027, 1, 31), id="done late"),
        pytest.param([date(2027, 2, 2)], date(2027, 7, 31), id="done after two days had passed"),
        pytest.param([date(2026, 5, 1), date(2026, 6, 1)], date(2027, 1, 31), id="twice early"),
        pytest.param([date(2025, 12, 1)], date(2026, 7, 31), id="before it was recorded"),
        pytest.param([date(2026, 8, 3), date(2026, 8, 4)], date(2027, 1, 31), id="twice late"),
        pytest.param([date(2026, 7, 31), date(2026, 8, 1)], date(2027, 1, 31), id="twice in time"),
        pytest.param([date(2026, 2, 1)], date(2026, 7, 31), id="the day after the recording"),
        pytest.param(
            [date(2026, 8, 3), date(2026, 12, 1)], date(2027, 7, 31), id="late, then early"
        ),
    ],
)
def test_upkeep_meets_every_day_that_had_come_else_the_next_one(
    done: list[date], due: date
) -> None:
    assert task_schedule(RECORDED, 6, done).due_on == due


def test_the_day_of_the_schedule_is_in_time_and_the_next_is_late() -> None:
    schedule = task_schedule(RECORDED, 6, [])
    clock = task_deadline(schedule, 6, recorded_on=RECORDED, calendar=CALENDAR)
    assert (clock.on, clock.safe_on) == (date(2026, 7, 31), date(2026, 7, 31))
    assert not clock.is_late(date(2026, 7, 31))
    assert clock.is_late(date(2026, 8, 1))
    assert schedule.is_late(date(2026, 8, 1))
    assert str(clock.citation) == "former § 17.19(4)(f)(2)"
    assert "every six months" in clock.explanation
    assert "recorded Saturday, January 31, 2026" in clock.explanation


# (5) The city's look ----------------------------------------------------------------------


def test_the_city_looks_once_a_year_where_everything_is_reported() -> None:
    ahead = [date(2027, 6, 1)]
    assert look_due(RECORDED, None, ahead) == date(2027, 1, 31)
    assert look_due(RECORDED, date(2026, 9, 30), ahead) == date(2027, 6, 16)
    assert look_due(RECORDED, date(2026, 4, 30), ahead) == date(2027, 4, 30)


def test_a_day_that_passed_without_a_report_brings_the_city_two_weeks_later() -> None:
    assert look_due(RECORDED, None, [date(2026, 7, 31)]) == date(2026, 8, 15)


def test_after_a_look_the_same_open_day_asks_for_no_second_one() -> None:
    assert look_due(RECORDED, date(2026, 8, 20), [date(2026, 7, 31)]) == date(2027, 8, 20)


# (6) The time to correct ------------------------------------------------------------------


def test_the_time_that_the_city_sets_moves_off_a_sunday_and_a_holiday() -> None:
    sunday = correction_deadline(ISSUED, date(2026, 6, 28), calendar=CALENDAR)
    assert (sunday.on, sunday.safe_on) == (date(2026, 6, 29), date(2026, 6, 28))
    juneteenth = correction_deadline(ISSUED, date(2026, 6, 19), calendar=CALENDAR)
    assert juneteenth.on == date(2026, 6, 20)  # a Saturday holds a last day to comply
    assert not sunday.is_late(date(2026, 6, 29))
    assert sunday.is_late(date(2026, 6, 30))


def test_the_count_says_who_set_the_time_and_that_no_number_is_in_the_ordinance() -> None:
    clock = correction_deadline(ISSUED, date(2026, 7, 1), calendar=CALENDAR)
    assert str(clock.citation) == "former § 17.19(4)(f)(6)"
    assert "Notice of maintenance issued Monday, June 1, 2026" in clock.explanation
    assert "The city set Wednesday, July 1, 2026, thirty days after it" in clock.explanation
    assert "reasonable time frame" in clock.note


def test_nothing_is_due_before_it_was_asked_for() -> None:
    with pytest.raises(ValueError, match="before"):
        correction_deadline(ISSUED, date(2026, 5, 31), calendar=CALENDAR)


# (7) The city's own work ------------------------------------------------------------------


def test_the_city_may_work_from_the_day_after_and_never_on_the_last_day() -> None:
    opens = work_opens(date(2026, 6, 26), issued_on=ISSUED, calendar=CALENDAR)
    assert opens.on == date(2026, 6, 27)
    assert not opens.is_open(date(2026, 6, 26))
    assert opens.is_open(date(2026, 6, 27))
    assert str(opens.citation) == "former § 17.19(4)(f)(7)"


def test_its_safe_day_waits_for_a_last_day_that_moves_off_a_saturday_too() -> None:
    saturday = work_opens(date(2026, 6, 27), issued_on=ISSUED, calendar=CALENDAR)
    assert (saturday.on, saturday.safe_on) == (date(2026, 6, 28), date(2026, 6, 30))


def test_work_opens_with_the_deadline_over_a_year_end() -> None:
    last = date(2027, 1, 1)  # New Year's Day, a Friday
    issued = date(2026, 12, 1)
    assert correction_deadline(issued, last, calendar=CALENDAR).on == date(2027, 1, 2)
    opens = work_opens(last, issued_on=issued, calendar=CALENDAR)
    assert (opens.on, opens.safe_on) == (date(2027, 1, 3), date(2027, 1, 5))


def test_an_appeal_holds_both_and_the_days_that_were_left_run_on() -> None:
    stay = Stay(date(2026, 6, 10), date(2026, 7, 10))
    last = correction_deadline(ISSUED, date(2026, 6, 30), calendar=CALENDAR)
    opens = work_opens(date(2026, 6, 30), issued_on=ISSUED, calendar=CALENDAR)
    assert with_stays(last, [stay], CALENDAR).on == date(2026, 7, 30)  # 20 of 29 days were left
    held = with_stays(opens, [stay], CALENDAR)
    assert held.on == date(2026, 7, 31)
    assert held.is_stayed(date(2026, 7, 1))


def keys(facts: WorkFacts, on: date) -> list[str]:
    return [each.key for each in obstacles_to_work(facts, on=on)]


OPENS = work_opens(date(2026, 6, 30), issued_on=ISSUED, calendar=CALENDAR)
BEGIN = BeginFacts(path=Path.MAINTENANCE, notice="MN-2026-0001", opens=OPENS)
MAILED = date(2026, 6, 2)
LAST = date(2026, 6, 30)


def test_every_obstacle_to_the_work_has_its_paragraph_and_its_cure() -> None:
    facts = WorkFacts(BEGIN, accepted_on=MAILED, last_day=LAST)
    assert keys(facts, LAST) == ["not-open"]
    assert keys(facts, date(2026, 7, 1)) == []
    reported = WorkFacts(BEGIN, reported_on=LAST, accepted_on=MAILED, last_day=LAST)
    assert keys(reported, date(2026, 7, 1)) == ["reported"]
    ended = WorkFacts(BEGIN, agreement_ended="released", accepted_on=MAILED, last_day=LAST)
    assert keys(ended, date(2026, 7, 1)) == ["agreement-ended"]
    late = WorkFacts(BEGIN, accepted_on=LAST, last_day=LAST)
    found = obstacles_to_work(late, on=date(2026, 7, 1))
    assert [(each.key, each.cure) for each in found] == [("mailed-late", "extend the time")]
    assert str(found[0].citation) == "former § 17.19(4)(f)(6)"


def test_a_notice_that_ended_opens_nothing_and_says_only_that() -> None:
    begin = BeginFacts(path=Path.MAINTENANCE, notice="MN-2026-0001", ended="corrected", opens=OPENS)
    facts = WorkFacts(begin, agreement_ended="released", reported_on=LAST)
    assert keys(facts, date(2026, 7, 1)) == ["notice-ended"]
    unmailed = BeginFacts(path=Path.MAINTENANCE, notice="MN-2026-0001", opens=None)
    assert keys(WorkFacts(unmailed), date(2026, 7, 1)) == ["not-mailed"]


@pytest.mark.parametrize(
    ("facts", "key"),
    [
        (NoticeFacts(recorded_on=None, problems=1), "not-recorded"),
        (NoticeFacts(recorded_on=RECORDED, problems=1, ended="released"), "agreement-ended"),
        (NoticeFacts(recorded_on=RECORDED, problems=1, running="MN-2026-0001"), "running"),
        (NoticeFacts(recorded_on=RECORDED, problems=1, inspected=False), "not-finished"),
        (NoticeFacts(recorded_on=RECORDED), "no-problem"),
    ],
)
def test_a_notice_needs_a_recorded_agreement_and_a_problem_that_was_seen(
    facts: NoticeFacts, key: str
) -> None:
    found = obstacles_to_notice(facts)
    assert [each.key for each in found] == [key]
    assert found[0].cure
    assert str(found[0].citation).startswith("former § 17.19(4)(f)")


def test_a_problem_seen_under_a_recorded_agreement_opens_the_notice() -> None:
    assert obstacles_to_notice(NoticeFacts(recorded_on=RECORDED, problems=2)) == []
