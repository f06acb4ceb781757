"""Years that end, leap, change their clocks, or lie far ahead."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from portal.ordinance import RULES, Calendar, legal_holidays
from portal.ordinance.assessment import anniversary
from portal.ordinance.decision import decision_deadline

CITY = ZoneInfo("America/Chicago")


@pytest.mark.parametrize(
    ("moment", "due"),
    [
        pytest.param(datetime(2026, 9, 18, 16, 59), date(2026, 10, 2), id="Friday 16:59"),
        pytest.param(datetime(2026, 9, 18, 17, 1), date(2026, 10, 2), id="Friday 17:01"),
        pytest.param(datetime(2026, 9, 18, 23, 59), date(2026, 10, 2), id="Friday 23:59"),
        pytest.param(datetime(2026, 9, 19, 0, 1), date(2026, 10, 2), id="Saturday"),
        pytest.param(datetime(2026, 9, 20, 12, 0), date(2026, 10, 2), id="Sunday"),
        pytest.param(datetime(2026, 11, 25, 18, 0), date(2026, 12, 10), id="a holiday's eve"),
        pytest.param(datetime(2026, 12, 24, 12, 0), date(2027, 1, 11), id="December 24"),
        pytest.param(datetime(2026, 12, 25, 12, 0), date(2027, 1, 11), id="December 25"),
        pytest.param(datetime(2026, 12, 26, 12, 0), date(2027, 1, 11), id="December 26"),
        pytest.param(datetime(2026, 6, 4, 9, 0), date(2026, 6, 18), id="the eve of Juneteenth"),
        pytest.param(datetime(2026, 6, 5, 9, 0), date(2026, 6, 22), id="tenth on a holiday"),
    ],
)
def test_54_ten_working_days(moment, due):
    received = moment.replace(tzinfo=CITY).date()
    assert decision_deadline(received, calendar=Calendar()).on == due


@pytest.mark.parametrize("day", [date(2026, 11, 1), date(2027, 3, 14)])
def test_55_the_nights_on_which_clocks_change_move_no_date(day):
    """Every hour of that night, twice-told ones too, is one day to the law."""
    start = datetime(day.year, day.month, day.day, tzinfo=CITY).astimezone(ZoneInfo("UTC"))
    hours = [(start + timedelta(hours=hour)).astimezone(CITY).date() for hour in range(23)]
    assert set(hours) == {day}
    dates = {decision_deadline(hour, calendar=Calendar()).on for hour in hours}
    assert len(dates) == 1


@pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))
@pytest.mark.parametrize(
    "day",
    [date(2028, 2, 28), date(2028, 2, 29), date(2028, 3, 1), date(2026, 12, 31), date(2027, 1, 3)],
)
def test_57_leap_days_year_ends_and_week_53_break_nothing(rule, day):
    clock = rule.compute(day, calendar=Calendar())
    assert clock is None or clock.on > day


def test_57_the_anniversary_of_february_29_is_february_28():
    assert anniversary(date(2028, 2, 29)) == date(2029, 2, 28)
    assert anniversary(date(2028, 2, 29), 4) == date(2032, 2, 29)


@pytest.mark.parametrize("year", [1900, 2027, 2050, 2100, 2199])
def test_58_no_year_is_without_holidays(year):
    """They are rules, not rows: no table can run out and leave bare weekdays."""
    assert len(legal_holidays(year)) in (11, 13)
    thanksgiving = next(
        day for day, kept in legal_holidays(year).items() if kept.key == "thanksgiving"
    )
    clock = decision_deadline(thanksgiving - timedelta(1), calendar=Calendar())
    assert thanksgiving.strftime("%A, %B") in clock.explanation
    assert any(step.day == thanksgiving and step.kind == "skipped" for step in clock.steps)
