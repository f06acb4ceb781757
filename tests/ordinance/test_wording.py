"""Days and numbers in words."""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from portal.ordinance.wording import (
    day_list,
    day_range,
    day_ranges,
    dollars,
    figure,
    long_day,
    number_word,
    ordinal_word,
    plain_day,
)


def test_days_in_words():
    assert long_day(date(2026, 11, 30)) == "Monday, November 30, 2026"
    assert plain_day(date(2026, 5, 1)) == "May 1, 2026"


def test_lists_name_the_month_when_it_changes():
    days = [date(2026, 11, 27), date(2026, 11, 30), date(2026, 12, 1), date(2027, 1, 4)]
    assert day_list(days) == "Nov 27, 30, Dec 1, Jan 4"


def test_ranges_name_the_year_when_it_changes():
    assert day_range(date(2026, 11, 29), date(2026, 12, 8)) == "Nov 29 to Dec 8"
    assert day_range(date(2026, 12, 29), date(2027, 1, 8)) == "Dec 29, 2026 to Jan 8, 2027"
    assert day_range(date(2026, 11, 29), date(2026, 11, 29)) == "Nov 29"
    row = [date(2026, 11, 1) + timedelta(n) for n in (0, 1, 2, 9, 10, 20)]
    assert day_ranges(row) == "Nov 1 to Nov 3, Nov 10 to Nov 11, Nov 21"
    assert day_ranges([]) == ""


@pytest.mark.parametrize(
    ("number", "word", "ordinal"),
    [
        (1, "one", "first"),
        (10, "ten", "tenth"),
        (14, "fourteen", "fourteenth"),
        (20, "twenty", "twentieth"),
        (21, "21", "21st"),
        (30, "thirty", "thirtieth"),
        (42, "42", "42nd"),
        (63, "63", "63rd"),
        (111, "111", "111th"),
        (365, "365", "365th"),
    ],
)
def test_numbers_in_words(number, word, ordinal):
    assert (number_word(number), ordinal_word(number)) == (word, ordinal)


def test_amounts_and_figures():
    assert dollars(Decimal("2500")) == "$2,500.00"
    assert figure(Decimal("4000.00")) == "4,000"
    assert figure(Decimal("0.40")) == "0.4"
    assert figure(Decimal("12345.5")) == "12,345.5"
