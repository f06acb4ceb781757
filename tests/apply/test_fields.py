"""What people write into a form, and what it is taken for."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError

from permits.forms.fields import (
    AmountField,
    DayField,
    Line,
    MeasureField,
    Paragraph,
    TelephoneField,
    split_unit,
)

AREA = {"acres": "acres", "sq_ft": "square feet"}


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("17,424", "17424"),
        ("0.4", "0.4"),
        (".4", "0.4"),
        ("4000.", "4000"),
        (" 1 250 ", "1250"),
        ("1,234,567.125", "1234567.125"),
        ("-0", "0"),
    ],
)
def test_a_number_is_read_as_people_write_it(typed, number):
    assert AmountField().clean(typed) == Decimal(number)


@pytest.mark.parametrize(
    "typed",
    [
        "about half",
        "1e309",
        "1,5",
        "17,42",
        "-3",
        "NaN",
        "Infinity",
        "٣",
        "0x10",
        ".",
        ",",
        "1.2.3",
    ],
)
def test_what_is_not_surely_a_number_is_asked_again(typed):
    with pytest.raises(ValidationError):
        AmountField().clean(typed)


def test_a_number_has_its_bounds_and_its_digits():
    with pytest.raises(ValidationError, match="up to 999,999,999"):
        AmountField().clean("9" * 30)
    with pytest.raises(ValidationError, match="at most 3 digits"):
        AmountField().clean("0.4001")


def test_dollars_may_have_their_sign():
    assert AmountField(places=2, prefix="$").clean("$1,200.50") == Decimal("1200.50")


@pytest.mark.parametrize(
    ("typed", "day"),
    [
        ("2026-12-08", date(2026, 12, 8)),
        ("12/8/2026", date(2026, 12, 8)),
        ("02/29/2028", date(2028, 2, 29)),
        ("", None),
    ],
)
def test_a_day_is_read_as_written_or_as_the_calendar_gives_it(typed, day, at):
    at("2026-11-16")
    assert DayField(required=False).clean(typed) == day


@pytest.mark.parametrize(
    "typed",
    ["31/12/2026", "13/13/2026", "2026-02-29", "12/8/26", "8 December", "2062-01-01", "1999-12-31"],
)
def test_a_day_that_cannot_be_meant_is_asked_again_and_never_becomes_another(typed, at):
    at("2026-11-16")
    with pytest.raises(ValidationError):
        DayField().clean(typed)


def test_a_wrong_day_stays_visible_as_it_was_typed():
    widget = DayField().widget
    assert 'type="text"' in widget.render("day", "31/12/2026")
    assert 'value="31/12/2026"' in widget.render("day", "31/12/2026")
    assert 'type="date"' in widget.render("day", "12/8/2026")
    assert 'value="2026-12-08"' in widget.render("day", "12/8/2026")


@pytest.mark.parametrize(
    ("typed", "unit", "measure"),
    [
        ("0.4", "acres", (Decimal("0.4"), "acres")),
        ("17,424 square feet", "acres", (Decimal("17424"), "sq_ft")),
        ("17,424 sq ft", "acres", (Decimal("17424"), "sq_ft")),
        ("0.4 acre", "sq_ft", (Decimal("0.4"), "acres")),
        ("500 ft2", "acres", (Decimal("500"), "sq_ft")),
        ("", "acres", (None, "acres")),
    ],
)
def test_a_unit_behind_the_number_counts_before_the_chosen_one(typed, unit, measure):
    assert MeasureField(AREA, example="0.4", required=False).clean([typed, unit]) == measure


def test_a_unit_that_is_not_known_is_not_guessed():
    assert split_unit("3 hectares", AREA) == ("3 hectares", "")


@pytest.mark.parametrize(
    "typed", ["(555) 010-0199", "555.010.0199", "+1 555 010 0199", "555-010-0199 x12", "5550100199"]
)
def test_a_telephone_number_is_kept_as_typed(typed):
    assert TelephoneField().clean(typed) == typed


@pytest.mark.parametrize(
    "typed", ["010-0199", "call me", "555", "555-010-0199; or 7", "٥٥٥٠١٠٠١٩٩"]
)
def test_a_telephone_number_needs_its_area_code(typed):
    with pytest.raises(ValidationError, match="area code"):
        TelephoneField().clean(typed)


def test_a_character_that_no_database_keeps_is_refused_in_plain_words():
    with pytest.raises(ValidationError, match="cannot be kept"):
        Line().clean("Prairie\x00Road")


def test_a_text_that_is_too_long_says_how_long_it_may_be():
    with pytest.raises(ValidationError, match="at most 5 characters; there are 6"):
        Line(max_length=5).clean("abcdef")


def test_a_paragraph_has_one_kind_of_line_end():
    assert Paragraph().clean("one\r\ntwo\rthree") == "one\ntwo\nthree"
