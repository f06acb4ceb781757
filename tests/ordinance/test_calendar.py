"""Wis. Stat. § 995.20 and § 990.001(4): the days that count and those that do not."""

from datetime import date, timedelta

import pytest

from portal.ordinance import (
    LEGAL_HOLIDAY_RULES,
    Calendar,
    Roll,
    legal_holidays,
    parse_day,
    postal_holidays,
)
from portal.ordinance.days import days_between, nth_day, roll_forward


def test_there_are_thirteen_rules():
    assert len(LEGAL_HOLIDAY_RULES) == 13
    assert len({rule.key for rule in LEGAL_HOLIDAY_RULES}) == 13


def test_the_holidays_of_an_even_year():
    assert [day.isoformat() for day in sorted(legal_holidays(2026))] == [
        "2026-01-01",
        "2026-01-19",
        "2026-02-16",
        "2026-05-25",
        "2026-06-19",
        "2026-07-04",
        "2026-08-11",
        "2026-09-07",
        "2026-10-12",
        "2026-11-03",
        "2026-11-11",
        "2026-11-26",
        "2026-12-25",
    ]


def test_an_odd_year_has_no_election():
    keys = {holiday.key for holiday in legal_holidays(2027).values()}
    assert len(keys) == 11
    assert keys.isdisjoint({"partisan-primary", "general-election"})


@pytest.mark.parametrize(
    "day",
    [date(2024, 8, 13), date(2028, 8, 8), date(2032, 8, 10), date(2024, 11, 5), date(2030, 11, 5)],
)
def test_elections_fall_on_their_tuesdays(day):
    assert Calendar().legal_holiday(day)


def test_a_sunday_holiday_is_kept_on_monday_and_a_saturday_one_stays():
    calendar = Calendar()
    assert calendar.legal_holiday(date(2027, 7, 4)) is None
    monday = calendar.legal_holiday(date(2027, 7, 5))
    assert str(monday) == "Independence Day (moved from Sunday)"
    assert calendar.legal_holiday(date(2026, 7, 3)) is None
    assert calendar.legal_holiday(date(2026, 7, 4)).moved is False


@pytest.mark.parametrize(
    "day",
    [
        date(2026, 4, 3),  # Good Friday
        date(2026, 11, 27),  # day after Thanksgiving
        date(2026, 12, 24),
        date(2026, 12, 31),
        date(2028, 2, 15),  # what a package calls a holiday
        date(2027, 12, 24),  # no move from Saturday to Friday
    ],
)
def test_what_is_no_legal_holiday_is_a_working_day(day):
    assert Calendar().is_working_day(day)


def test_why_a_day_is_no_working_day(closed):
    assert closed.why_not_working(date(2026, 11, 28)) == "a Saturday"
    assert closed.why_not_working(date(2026, 11, 27)) == "Day after Thanksgiving, city hall closed"
    assert closed.why_not_working(date(2026, 11, 26)).startswith(
        "Thanksgiving Day, a legal holiday"
    )
    assert closed.why_not_working(date(2026, 11, 25)) is None


def test_closures_may_be_given_as_days_alone():
    calendar = Calendar([date(2026, 11, 27)])
    assert calendar.closures == {date(2026, 11, 27): "City hall closed"}
    assert calendar == Calendar({date(2026, 11, 27): "City hall closed"})
    assert hash(calendar) == hash(Calendar({date(2026, 11, 27): "City hall closed"}))


def test_the_days_on_which_the_post_takes_no_mail():
    calendar = Calendar()
    assert not calendar.is_postal_day(date(2026, 7, 4))
    assert not calendar.is_postal_day(date(2026, 7, 5))
    assert not calendar.is_postal_day(date(2026, 10, 12))
    assert calendar.is_postal_day(date(2026, 7, 11))
    assert calendar.is_postal_day(date(2026, 11, 3))
    assert calendar.why_not_postal(date(2026, 7, 6)) is None
    assert len(postal_holidays(2026)) == len(postal_holidays(2027)) == 11


def test_how_a_last_day_moves():
    calendar = Calendar()
    saturday, sunday, fourth = date(2026, 7, 11), date(2026, 7, 12), date(2026, 7, 4)
    assert not calendar.moves(saturday, Roll.SUNDAY_HOLIDAY)
    assert calendar.moves(saturday, Roll.FILING)
    assert calendar.moves(sunday, Roll.SUNDAY_HOLIDAY)
    assert calendar.moves(fourth, Roll.SUNDAY_HOLIDAY)
    assert not calendar.moves(sunday, Roll.NONE)


def test_counting_forward_backward_and_between():
    def weekday(day):
        return day.weekday() < 5

    friday, monday = date(2026, 9, 18), date(2026, 9, 21)
    assert nth_day(friday, 1, weekday) == monday
    assert nth_day(monday, -1, weekday) == friday
    assert nth_day(friday, 0, weekday) == friday
    assert days_between(friday, monday, weekday) == 1
    assert days_between(monday, friday, weekday) == -1
    assert roll_forward(friday + timedelta(1), weekday) == monday


def test_a_day_is_read_in_one_way_only():
    assert parse_day(" 2026-05-18 ") == date(2026, 5, 18)


@pytest.mark.parametrize(
    "text",
    [
        "31/12/2026",
        "13/13/2026",
        "2026-13-13",
        "2026-02-30",
        "20260518",
        "2026-W21-1",
        "2026-5-18",
        "0026-05-18",
        "2206-05-18",
        "２０２６-05-18",
        "",
        "tomorrow",
    ],
)
def test_what_is_no_date_is_refused_and_never_becomes_another(text):
    with pytest.raises(ValueError):
        parse_day(text)
