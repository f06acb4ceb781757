"""The sections in our own words, and the register of rules."""

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from portal.ordinance import (
    RULES,
    SECTION_KEYS,
    Counting,
    Kind,
    Period,
    newest_sections,
    sections_of,
)
from portal.ordinance.section_texts import TEXTS

ORDINANCE = Path(__file__).resolve().parents[3] / "shared" / "ordinance.txt"
KEYS = {
    "decision": Kind.DEADLINE,
    "revision-review": Kind.DEADLINE,
    "stop-work-compliance": Kind.DEADLINE,
    "permit-after-stop-work": Kind.DEADLINE,
    "revocation": Kind.WAITING,
    "cease-and-desist": Kind.WAITING,
    "notice-of-intent": Kind.WAITING,
    "city-work": Kind.WAITING,
    "mailed-notice": Kind.WAITING,
    "upkeep-work": Kind.WAITING,
    "permanent-cover": Kind.DEADLINE,
    "assessment-term": Kind.DEADLINE,
    "appeal": Kind.DEADLINE,
    "records-request": Kind.DEADLINE,
    "destruction": Kind.WAITING,
}


def test_the_fifteen_rules_and_their_kinds():
    assert {key: rule.kind for key, rule in RULES.items()} == KEYS


def test_each_period_has_its_own_way_of_counting():
    assert RULES["decision"].counting is Counting.WORKING_DAYS
    assert RULES["stop-work-compliance"].counting is Counting.CALENDAR_DAYS
    assert RULES["permanent-cover"].counting is Counting.FIXED_DATE
    assert RULES["city-work"].counting is Counting.NOT_BEFORE


@pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))
def test_a_clock_says_the_same_as_the_register(rule, edition, calendar):
    clock = rule.compute(date(2026, 11, 13), calendar=calendar, edition=edition)
    assert clock.key == rule.key
    assert clock.kind is rule.kind
    assert clock.citation == rule.citation(edition)
    assert rule.sentence.endswith(".")
    assert rule.starts_with.startswith("the day ")


def test_every_section_has_its_page():
    assert tuple(newest_sections()) == SECTION_KEYS == tuple(TEXTS)
    for section in newest_sections().values():
        assert 2 <= len(section.summary) <= 4
        assert section.title
        assert all(text.endswith(".") for text in section.summary)
        assert not re.search(r"[{}]", " ".join(section.summary))


def test_every_rule_is_on_the_page_of_its_section():
    shown = [key for section in newest_sections().values() for key in section.rules]
    assert sorted(shown) == sorted(key for key, rule in RULES.items() if not rule.state)


def test_a_rule_of_the_state_cites_its_statute_and_is_on_no_page_of_a_section(edition):
    of_state = {key: str(rule.citation(edition)) for key, rule in RULES.items() if rule.state}
    assert of_state == {
        "records-request": "Wis. Stat. § 19.35(4)(a)",
        "destruction": "Wis. Stat. § 19.21(4)(a)",
    }


def test_the_text_follows_the_edition(edition):
    own = sections_of(replace(edition, decision_working_days=15))
    assert "fifteen working days" in " ".join(own["permit"].summary)


def test_the_sentence_of_a_rule_follows_the_edition(edition):
    own = replace(
        edition, stop_work_period=Period(7), officers={**edition.officers, "attorney": "counsel"}
    )
    text = RULES["cease-and-desist"].sentence_in(own)
    assert "ask the counsel" in text
    assert "seven days" in text
    assert "ten days" in RULES["cease-and-desist"].sentence


def test_the_sentences_are_plain():
    """About the reading level of grade 8: short sentences."""
    for section in newest_sections().values():
        text = re.sub(r"(Wis|Stat|Admin|ch)\.", r"\1", " ".join(section.summary))
        sentences = re.split(r"(?<=[.;:])\s", text)
        words = [len(sentence.split()) for sentence in sentences]
        assert sum(words) / len(words) <= 20, section.key


def test_the_words_are_our_own():
    if not ORDINANCE.is_file():
        pytest.skip("the text of the ordinance is not here")
    theirs = re.sub(r"\W+", " ", ORDINANCE.read_text(encoding="utf-8").lower())
    for section in newest_sections().values():
        ours = re.sub(r"\W+", " ", " ".join(section.summary).lower()).split()
        for start in range(len(ours) - 9):
            run = " ".join(ours[start : start + 10])
            assert run not in theirs, f"{section.key}: {run}"
