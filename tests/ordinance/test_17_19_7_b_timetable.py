"""The timetable of a revision order. former § 17.19(7)(b)"""

from datetime import date

import pytest

from portal.ordinance import Calendar, Stay, with_stays
from portal.ordinance.revision_order import line_deadline

CALENDAR = Calendar()
WEDNESDAY = date(2026, 7, 1)


def test_a_line_is_due_on_the_day_the_timetable_sets_sunday_and_holiday_too() -> None:
    for due in (WEDNESDAY, date(2026, 7, 4), date(2026, 7, 5)):
        clock = line_deadline(WEDNESDAY, due, calendar=CALENDAR)
        assert (clock.on, clock.safe_on) == (due, due)


def test_a_line_cannot_be_due_before_it_was_ordered() -> None:
    with pytest.raises(ValueError, match="before"):
        line_deadline(WEDNESDAY, date(2026, 6, 30), calendar=CALENDAR)


def test_the_count_says_what_was_ordered_and_cites_the_paragraph() -> None:
    clock = line_deadline(WEDNESDAY, date(2026, 7, 8), calendar=CALENDAR)
    assert str(clock.citation) == "former § 17.19(7)(b)"
    assert "Revision order issued Wednesday, July 1, 2026." in clock.explanation
    assert "The last day is Wednesday, July 8, 2026." in clock.explanation


def test_an_appeal_holds_a_line_and_the_days_left_run_on() -> None:
    clock = line_deadline(WEDNESDAY, date(2026, 7, 8), calendar=CALENDAR)
    held = with_stays(clock, [Stay(date(2026, 7, 3), date(2026, 7, 20))], CALENDAR)
    assert held.on == date(2026, 7, 25)  # five of seven days were left
    assert held.stayed_days == 17
    assert held.stayed_since is None


def test_a_running_stay_leaves_the_date_and_says_since_when() -> None:
    clock = line_deadline(WEDNESDAY, date(2026, 7, 8), calendar=CALENDAR)
    held = with_stays(clock, [Stay(date(2026, 7, 3))], CALENDAR)
    assert (held.on, held.stayed_since) == (date(2026, 7, 8), date(2026, 7, 3))
    assert held.stayed_days == 0
