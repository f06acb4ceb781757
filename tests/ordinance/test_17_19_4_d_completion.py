"""former § 17.19(4)(d) When permanent controls and cover are due."""

from datetime import date

import pytest

from portal.ordinance import Standing
from portal.ordinance.cover import (
    before_certificate_deadline,
    completion,
    permanent_cover_deadline,
)


@pytest.mark.parametrize(
    ("certificate", "due"),
    [
        pytest.param(date(2026, 10, 14), None, id="the day before the winter"),
        pytest.param(date(2026, 10, 15), date(2027, 7, 15), id="its first day"),
        pytest.param(date(2026, 10, 16), date(2027, 7, 15), id="the day after"),
        pytest.param(date(2026, 12, 31), date(2027, 7, 15), id="the last day of the year"),
        pytest.param(date(2027, 1, 1), date(2027, 7, 15), id="the July of the same year"),
        pytest.param(date(2028, 2, 29), date(2028, 7, 15), id="February 29; a Saturday stays"),
        pytest.param(date(2027, 4, 14), date(2027, 7, 15), id="the day before the last"),
        pytest.param(date(2027, 4, 15), date(2027, 7, 15), id="its last day"),
        pytest.param(date(2027, 4, 16), None, id="the day after the winter"),
        pytest.param(date(2028, 12, 1), date(2029, 7, 16), id="a Sunday in July 2029"),
    ],
)
def test_a_winter_certificate_gives_until_july_15(certificate, due, calendar):
    clock = permanent_cover_deadline(certificate, calendar=calendar)
    assert (clock.on if clock else None) == due


def test_the_safe_date_is_july_15_itself(calendar):
    clock = permanent_cover_deadline(date(2028, 12, 1), calendar=calendar)
    assert (clock.safe_on, clock.on) == (date(2029, 7, 15), date(2029, 7, 16))
    assert "Jul 15 is the day the ordinance names" in clock.explanation


def test_july_15_is_in_time_and_july_16_is_late(calendar):
    clock = permanent_cover_deadline(date(2026, 11, 2), calendar=calendar)
    assert clock.standing(date(2027, 7, 14)) is Standing.OPEN
    assert clock.standing(date(2027, 7, 15)) is Standing.OPEN
    assert clock.standing(date(2027, 7, 16)) is Standing.LATE


def test_a_closure_on_july_15_moves_nothing(closed):
    assert permanent_cover_deadline(date(2026, 11, 2), calendar=closed).on == date(2027, 7, 15)


def test_the_count_in_sentences(calendar):
    clock = permanent_cover_deadline(date(2026, 11, 2), calendar=calendar)
    assert clock.steps[1].text == (
        "That lies between October 15 and April 15, both included: the controls are due by "
        "July 15, 2027, three months after April 15, 2027."
    )
    assert str(clock.citation) == "former § 17.19(4)(d)"


def test_outside_the_winter_the_earlier_of_permit_date_and_certificate(calendar):
    early = completion(date(2026, 8, 1), date(2026, 9, 1), calendar=calendar)
    assert early.limit_on == date(2026, 8, 1)
    late = completion(date(2026, 10, 1), date(2026, 9, 1), calendar=calendar)
    assert late.limit_on == date(2026, 9, 1)
    assert late.winter is None


def test_a_certificate_issued_while_work_is_open_is_irregular(calendar):
    open_work = completion(date(2026, 10, 1), date(2026, 9, 1), calendar=calendar)
    assert open_work.certificate_irregular
    assert open_work.is_late(date(2026, 9, 2))
    done = completion(
        date(2026, 10, 1), date(2026, 9, 1), calendar=calendar, complete_on=date(2026, 9, 1)
    )
    assert not done.certificate_irregular


def test_without_a_certificate_the_permits_date_stands_alone(calendar):
    found = completion(date(2026, 8, 1), calendar=calendar)
    assert found.limit_on == found.permit_on == date(2026, 8, 1)
    assert not found.is_late(date(2026, 8, 1))
    assert found.is_late(date(2026, 8, 2))
    with pytest.raises(ValueError, match="needs a date"):
        completion(None, calendar=calendar)


def test_a_permit_date_between_certificate_and_july_is_shown_beside_the_limit(calendar):
    found = completion(date(2027, 6, 1), date(2026, 12, 5), calendar=calendar)
    assert (found.permit_on, found.limit_on) == (date(2027, 6, 1), date(2027, 7, 15))
    assert found.is_permit_condition_late(date(2027, 6, 2))
    assert not found.is_late(date(2027, 7, 15))
    assert found.is_late(date(2027, 7, 16))
    assert found.choice.startswith("Decide whether")


def test_a_permit_date_after_july_15_gives_way_to_it(calendar):
    found = completion(date(2027, 9, 30), date(2026, 12, 5), calendar=calendar)
    assert (found.permit_on, found.limit_on) == (None, date(2027, 7, 15))
    assert found.choice == ""


def test_a_permit_date_missed_before_the_certificate_stays_missed(calendar):
    found = completion(date(2026, 11, 30), date(2026, 12, 5), calendar=calendar)
    assert found.permit_overdue_from() == date(2026, 12, 1)
    assert found.is_permit_condition_late(date(2026, 12, 6))
    assert found.limit_on == date(2027, 7, 15)
    done = date(2026, 11, 29)
    assert not found.is_permit_condition_late(date(2026, 12, 6), complete_on=done)


def test_no_permit_date_leaves_july_15_alone(calendar):
    found = completion(None, date(2026, 12, 5), calendar=calendar)
    assert found.permit_overdue_from() is None
    assert found.limit_on == date(2027, 7, 15)


@pytest.mark.parametrize(
    ("permit_date", "due"),
    [
        pytest.param(None, date(2027, 5, 3), id="the certificate"),
        pytest.param(date(2027, 9, 30), date(2027, 5, 3), id="a later permit date changes nothing"),
        pytest.param(date(2027, 3, 1), date(2027, 3, 1), id="the permit's date, if earlier"),
    ],
)
def test_outside_the_winter_open_work_is_due_at_once(permit_date, due, calendar):
    clock = before_certificate_deadline(permit_date, date(2027, 5, 3), calendar=calendar)
    assert (clock.key, clock.on, clock.safe_on) == ("permanent-cover", due, due)
    assert "outside October 15 to April 15" in clock.explanation
