"""Editions: an amendment adds a file; a case keeps the numbers of its day."""

import tomllib
from dataclasses import fields, replace
from datetime import date
from decimal import Decimal

import pytest

from portal.ordinance import (
    NUMBERS,
    RULES,
    SECTION_KEYS,
    Calendar,
    all_editions,
    edition_on,
    load_editions,
)
from portal.ordinance.decision import decision_deadline
from portal.ordinance.editions import FOLDER, TABLES, read_edition
from portal.ordinance.stop_work import compliance_deadline

TEXT = (FOLDER / "example" / "2021-01-25.toml").read_text(encoding="utf-8")


def amended(**changes: str) -> str:
    text = TEXT
    for old, new in changes.values():
        assert old in text
        text = text.replace(old, new)
    return text


@pytest.fixture
def two(tmp_path):
    """The edition there is, and an amendment in force from March 1, 2027."""
    (tmp_path / "2021-01-25.toml").write_text(TEXT, encoding="utf-8")
    later = amended(
        key=('key = "2021-01-25"', 'key = "2027-03-01"'),
        since=("in_force_on = 2021-01-25", "in_force_on = 2027-03-01"),
        days=("decision_working_days = 10", "decision_working_days = 15"),
        officer=('inspector = "building inspector"', 'inspector = "city engineer"'),
        label=('permit = "§ 40-886"', 'permit = "§ 14-3"'),
    )
    (tmp_path / "2027-03-01.toml").write_text(later, encoding="utf-8")
    return load_editions(tmp_path)


def test_the_edition_of_the_day_of_the_fact_decides(two):
    assert edition_on(date(2027, 2, 28), two).key == "2021-01-25"
    assert edition_on(date(2027, 3, 1), two).key == "2027-03-01"
    assert edition_on(date(2027, 3, 2), two).key == "2027-03-01"


def test_old_cases_keep_their_count_and_new_ones_use_the_new(two, calendar):
    old, new = date(2027, 2, 26), date(2027, 3, 1)
    before = decision_deadline(old, calendar=calendar, edition=edition_on(old, two))
    after = decision_deadline(new, calendar=calendar, edition=edition_on(new, two))
    assert before.on == date(2027, 3, 12)
    assert after.on == date(2027, 3, 22)
    assert after.title == "Fifteen working days after receipt"
    assert str(after.citation) == "§ 14-3(c)"
    assert after.bound == "city engineer"


def test_days_before_the_first_edition_are_judged_by_it():
    assert edition_on(date(2013, 7, 8)) is all_editions()[0]


def test_an_edition_that_forgets_or_invents_a_number_is_refused():
    with pytest.raises(ValueError, match="decision_working_days"):
        read_edition(amended(gone=("decision_working_days = 10\n", "")))
    with pytest.raises(ValueError, match="moon_phase"):
        read_edition(amended(more=("[numbers]\n", "[numbers]\nmoon_phase = 3\n")))
    with pytest.raises(ValueError, match="labels"):
        read_edition(amended(gone=('purpose = "former § 17.19(1)"\n', "")))


def test_an_edition_with_an_impossible_number_is_refused():
    with pytest.raises(ValueError, match="must not be negative"):
        read_edition(amended(bad=("mail_days = 3", "mail_days = -3")))
    with pytest.raises(ValueError):
        read_edition(amended(bad=('cover_due = "07-15"', 'cover_due = "13-15"')))
    with pytest.raises(ValueError):
        read_edition(amended(bad=('appeal = "filing"', 'appeal = "sometimes"')))


def test_two_editions_cannot_begin_on_one_day(tmp_path):
    for name in ("one.toml", "two.toml"):
        (tmp_path / name).write_text(TEXT, encoding="utf-8")
    with pytest.raises(ValueError, match="same day"):
        load_editions(tmp_path)
    with pytest.raises(ValueError, match="no edition"):
        load_editions(tmp_path / "nowhere")


def test_how_a_last_day_moves_is_a_choice_of_the_edition(edition):
    """The attorney may switch the move off a Sunday or holiday on or off."""
    off = replace(edition, rolls={})
    day = date(2026, 10, 22)
    assert compliance_deadline(day, calendar=Calendar()).on == date(2026, 11, 2)
    assert compliance_deadline(day, calendar=Calendar(), edition=off).on == date(2026, 11, 1)


def test_the_city_may_use_its_own_titles_and_labels(edition):
    own = edition.renamed(officers={"inspector": "zoning administrator"}, labels={"appeal": "§ 9"})
    assert own.officer("inspector") == "zoning administrator"
    assert str(own.citation("appeal")) == "§ 9"
    assert edition.officer("inspector") == "building inspector"
    assert own.decision_working_days == edition.decision_working_days


def test_only_three_section_numbers_are_certain(edition):
    sure = {label for label in edition.labels.values() if not label.startswith("former")}
    assert sure == {"§ 40-886", "§ 40-887", "§ 40-939"}
    assert edition.section_label("permit") == "§ 40-886 (former § 17.19(2))"
    assert edition.section_label("appeal") == "former § 17.19(8)"


def test_every_number_has_a_name_a_sentence_and_a_citation(edition):
    described = {number.name for number in NUMBERS}
    words = {"key", "title", "in_force_on", *TABLES}
    assert described == {field.name for field in fields(edition)} - words
    assert described == set(tomllib.loads(TEXT)["numbers"])
    for number in NUMBERS:
        assert number.sentence.endswith(".")
        assert number.section in SECTION_KEYS
        assert str(number.citation(edition))
        assert number.text(edition)


def test_numbers_in_words(edition):
    named = {number.name: number.text(edition) for number in NUMBERS}
    assert named["decision_working_days"] == "10 working days"
    assert named["fee"] == "$25.00"
    assert named["cover_due"] == "July 15"
    assert named["trigger_area_sq_ft"] == "4,000 square feet"
    assert named["soil_loss_limit"] == "5 tons an acre a year"


def test_the_fee_and_forfeitures_are_exact(edition):
    assert edition.fee == Decimal("25.00")
    assert (edition.forfeiture_min, edition.forfeiture_max) == (Decimal("50.00"), Decimal("100.00"))


def test_every_rule_that_moves_a_last_day_is_a_rule(edition):
    assert set(edition.rolls) <= set(RULES)
    assert str(edition).startswith("Code 2006")
