"""former § 17.19(7)(a) Stop-work orders, and the ten days that follow."""

from datetime import date

import pytest

from portal.ordinance import Calendar, Standing
from portal.ordinance.stop_work import GROUNDS, compliance_deadline, permit_deadline


def test_there_are_three_grounds_and_no_more(edition):
    assert [str(ground.citation(edition)) for ground in GROUNDS] == [
        "former § 17.19(7)(a)(1)",
        "former § 17.19(7)(a)(2)",
        "former § 17.19(7)(a)(3)",
    ]


@pytest.mark.parametrize(
    ("issued", "comply", "obtain"),
    [
        pytest.param(date(2026, 6, 1), date(2026, 6, 11), date(2026, 6, 11), id="a plain Thursday"),
        pytest.param(date(2026, 7, 1), date(2026, 7, 11), date(2026, 7, 13), id="a Saturday"),
        pytest.param(date(2026, 7, 2), date(2026, 7, 13), date(2026, 7, 13), id="a Sunday"),
        pytest.param(date(2026, 6, 9), date(2026, 6, 20), date(2026, 6, 22), id="Juneteenth"),
        pytest.param(date(2026, 12, 22), date(2027, 1, 2), date(2027, 1, 4), id="New Year's Day"),
        pytest.param(date(2027, 6, 24), date(2027, 7, 6), date(2027, 7, 6), id="a Sunday Fourth"),
        pytest.param(date(2026, 10, 24), date(2026, 11, 4), date(2026, 11, 4), id="election day"),
    ],
)
def test_ten_days_then_off_a_sunday_or_holiday_and_a_filing_off_a_saturday(
    issued, comply, obtain, calendar
):
    assert compliance_deadline(issued, calendar=calendar).on == comply
    assert permit_deadline(issued, calendar=calendar).on == obtain


def test_the_day_before_the_last_day_and_the_day_after(calendar):
    clock = compliance_deadline(date(2026, 6, 1), calendar=calendar)
    assert clock.standing(date(2026, 6, 10)) is Standing.OPEN
    assert clock.standing(date(2026, 6, 11)) is Standing.OPEN
    assert clock.standing(date(2026, 6, 12)) is Standing.LATE


def test_the_safe_date_is_the_tenth_day_itself(calendar):
    clock = compliance_deadline(date(2026, 7, 2), calendar=calendar)
    assert (clock.safe_on, clock.on) == (date(2026, 7, 12), date(2026, 7, 13))


def test_a_closure_moves_no_last_day():
    closed = Calendar({date(2026, 11, 27): "Day after Thanksgiving"})
    assert compliance_deadline(date(2026, 11, 16), calendar=closed).on == date(2026, 11, 27)
    filing = permit_deadline(date(2026, 11, 16), calendar=closed)
    assert filing.on == date(2026, 11, 27)
    assert "a closure does not move the last day" in filing.explanation


def test_the_count_in_sentences(calendar):
    clock = permit_deadline(date(2026, 7, 1), calendar=calendar)
    assert [step.text for step in clock.steps] == [
        "Stop-work order issued Wednesday, July 1, 2026; not counted.",
        "Ten calendar days: Jul 2 to Jul 11.",
        "The last day does not stay on Saturday, July 11, 2026; it moves on "
        "(Wis. Stat. § 990.001(4)(c)).",
        "The last day does not stay on Sunday, July 12, 2026; it moves on "
        "(Wis. Stat. § 990.001(4)(b)).",
        "The last day to obey or to obtain a permit is Monday, July 13, 2026.",
        "Safe date Saturday, July 11, 2026: the period ends on Jul 11 itself if the move is not "
        "allowed.",
    ]
    assert str(clock.citation) == "former § 17.19(7)(d)"


def test_a_last_day_that_stays_says_so(calendar):
    text = compliance_deadline(date(2026, 11, 28), calendar=calendar).explanation
    assert "Ten calendar days: Nov 29 to Dec 8." in text
    assert "It is neither a Sunday nor a legal holiday, so it does not move." in text
    assert "After that day the building inspector may revoke the permit." in text
