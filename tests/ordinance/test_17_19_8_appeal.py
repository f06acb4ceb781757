"""former § 17.19(8) Appeals, and the stay they bring."""

from datetime import date

import pytest

from portal.ordinance import Calendar, Standing, Stay, with_stays
from portal.ordinance.appeals import appeal_deadline
from portal.ordinance.city_work import city_work_opens, notice_of_intent_opens
from portal.ordinance.decision import decision_deadline
from portal.ordinance.revocation import revocation_opens
from portal.ordinance.stop_work import compliance_deadline


def test_thirty_days_from_notice_unless_the_city_sets_another(calendar):
    assert appeal_deadline(date(2026, 11, 28), calendar=calendar).on == date(2026, 12, 28)
    assert appeal_deadline(date(2026, 11, 30), calendar=calendar, days=10).on == date(2026, 12, 10)


def test_the_day_before_the_last_day_and_the_day_after(calendar):
    clock = appeal_deadline(date(2026, 6, 24), calendar=calendar)
    assert clock.on == date(2026, 7, 24)
    assert clock.standing(date(2026, 7, 23)) is Standing.OPEN
    assert clock.standing(date(2026, 7, 24)) is Standing.OPEN
    assert clock.standing(date(2026, 7, 25)) is Standing.LATE


@pytest.mark.parametrize(
    ("noticed", "last"),
    [
        (date(2026, 6, 25), date(2026, 7, 27)),  # a Saturday
        (date(2026, 6, 26), date(2026, 7, 27)),  # a Sunday
        (date(2026, 8, 8), date(2026, 9, 8)),  # Labor Day
        (date(2026, 12, 2), date(2027, 1, 4)),  # New Year's Day, a Friday
    ],
)
def test_a_filing_moves_off_saturday_sunday_and_holiday(noticed, last, calendar):
    assert appeal_deadline(noticed, calendar=calendar).on == last


def test_a_closure_moves_no_filing_but_is_told():
    clock = appeal_deadline(date(2026, 10, 28), calendar=Calendar([date(2026, 11, 27)]))
    assert clock.on == date(2026, 11, 27)
    assert "a closure does not move the last day" in clock.explanation


def test_the_ordinance_sets_no_period_and_the_count_says_so(calendar):
    text = appeal_deadline(date(2026, 6, 24), calendar=calendar).explanation
    assert "The ordinance sets no period" in text


def test_the_days_that_were_left_run_on_after_a_stay(calendar):
    order = compliance_deadline(date(2026, 6, 1), calendar=calendar)
    clock = with_stays(order, [Stay(date(2026, 6, 5), date(2026, 7, 20))], calendar)
    assert (clock.safe_on, clock.on) == (date(2026, 7, 26), date(2026, 7, 27))
    assert "with six of ten days left" in clock.explanation
    assert "Ten calendar days: Jun 2 to Jun 5, Jul 21 to Jul 26." in clock.explanation


def test_while_the_appeal_runs_the_clock_is_stayed(calendar):
    order = compliance_deadline(date(2026, 6, 1), calendar=calendar)
    clock = with_stays(order, [Stay(date(2026, 6, 5))], calendar)
    assert clock.standing(date(2026, 6, 4)) is Standing.OPEN
    assert clock.standing(date(2026, 6, 5)) is Standing.STAYED
    assert clock.standing(date(2026, 9, 1)) is Standing.STAYED
    assert not clock.is_late(date(2026, 9, 1))
    assert "will be counted again when the stay ends" in clock.explanation


def test_a_stay_closes_a_waiting_period_even_one_that_had_opened(calendar):
    clock = revocation_opens(date(2026, 6, 1), calendar=calendar)
    stayed = with_stays(clock, [Stay(date(2026, 6, 15), date(2026, 7, 20))], calendar)
    assert stayed.on == date(2026, 6, 12)
    assert stayed.is_open(date(2026, 6, 14))
    assert not stayed.is_open(date(2026, 6, 15))
    assert not stayed.is_open(date(2026, 7, 20))
    assert stayed.is_open(date(2026, 7, 21))
    assert "the period had run out before" in stayed.explanation


def test_every_waiting_period_under_the_order_runs_on(calendar):
    stay = [Stay(date(2026, 6, 5), date(2026, 7, 20))]
    revoke = with_stays(revocation_opens(date(2026, 6, 1), calendar=calendar), stay, calendar)
    assert revoke.on == date(2026, 7, 28)
    notice = notice_of_intent_opens(date(2026, 6, 1), calendar=calendar)
    assert with_stays(notice, stay, calendar).on == date(2026, 7, 26)
    work = city_work_opens(date(2026, 6, 1), calendar=calendar)
    assert with_stays(work, stay, calendar).on == date(2026, 7, 31)


def test_an_appeal_filed_on_the_last_day_leaves_the_last_day_of_the_stay(calendar):
    order = compliance_deadline(date(2026, 6, 1), calendar=calendar)
    clock = with_stays(order, [Stay(date(2026, 6, 11), date(2026, 7, 21))], calendar)
    assert clock.on == date(2026, 7, 21)
    assert not clock.is_late(date(2026, 7, 21))
    assert clock.is_late(date(2026, 7, 22))
    notice = notice_of_intent_opens(date(2026, 6, 1), calendar=calendar)
    opened = with_stays(notice, [Stay(date(2026, 6, 11), date(2026, 7, 21))], calendar)
    assert opened.on == date(2026, 7, 22)


def test_an_appeal_after_the_last_day_heals_nothing(calendar):
    order = compliance_deadline(date(2026, 6, 1), calendar=calendar)
    clock = with_stays(order, [Stay(date(2026, 6, 20), date(2026, 7, 20))], calendar)
    assert clock.on == date(2026, 6, 11)
    assert clock.standing(date(2026, 6, 12)) is Standing.LATE
    assert clock.standing(date(2026, 7, 1)) is Standing.STAYED
    assert clock.standing(date(2026, 7, 21)) is Standing.LATE


def test_two_stays_and_stays_that_overlap_count_once(calendar):
    order = compliance_deadline(date(2026, 6, 1), calendar=calendar)
    two = [Stay(date(2026, 6, 5), date(2026, 6, 10)), Stay(date(2026, 6, 12), date(2026, 6, 15))]
    assert with_stays(order, two, calendar).on == date(2026, 6, 20)
    same = [Stay(date(2026, 6, 5), date(2026, 6, 10)), Stay(date(2026, 6, 7), date(2026, 6, 15))]
    assert with_stays(order, same, calendar).on == date(2026, 6, 22)


def test_working_days_run_on_as_well(calendar):
    clock = decision_deadline(date(2026, 9, 14), calendar=calendar)
    stayed = with_stays(clock, [Stay(date(2026, 9, 16), date(2026, 9, 23))], calendar)
    assert stayed.on == date(2026, 10, 5)


def test_stays_replace_those_before_and_none_restores_the_date(calendar):
    order = compliance_deadline(date(2026, 6, 1), calendar=calendar)
    stayed = with_stays(order, [Stay(date(2026, 6, 5), date(2026, 7, 20))], calendar)
    assert with_stays(stayed, [], calendar) == order


def test_a_stay_cannot_end_before_it_begins(calendar):
    order = compliance_deadline(date(2026, 6, 1), calendar=calendar)
    with pytest.raises(ValueError, match="before it begins"):
        with_stays(order, [Stay(date(2026, 6, 5), date(2026, 6, 4))], calendar)
