"""What a sentence says when its names were held back: nothing that is not so."""

from __future__ import annotations

from permits.models import CaseEvent
from portal.desk import story_agreements, story_mail, story_upkeep

Kind = CaseEvent.Kind


def test_an_inspection_whose_problems_are_held_back_is_not_called_in_order() -> None:
    said = story_upkeep.SENTENCES[Kind.UPKEEP_INSPECTED]
    held = said({"inspection": "MI-2026-0001", "agreement": "MA-2026-0001"})
    assert "in order" not in held
    assert "finished" in held
    assert "in order" in said({"inspection": "MI-2026-0001", "problems": []})


def test_a_notice_whose_persons_are_held_back_does_not_say_nobody() -> None:
    said = story_upkeep.SENTENCES[Kind.UPKEEP_NOTICE_ISSUED]
    facts = {"notice": "MN-2026-0001", "last_day": "2026-10-30", "inspection": "MI-2026-0001"}
    assert "gave time until Friday, October 30, 2026" in said(facts)
    assert "gave Mai Vang time until" in said({**facts, "told": ["Mai Vang"]})


def test_letters_that_are_held_back_are_not_called_zero() -> None:
    (said,) = set(story_mail.SENTENCES.values())
    assert said({"what": "deposited"}) == "Mail was handed to the post."
    assert said({"what": "accepted"}) == "The post accepted mail."


def test_a_recording_whose_county_is_held_back_leaves_no_gap() -> None:
    said = story_agreements.SENTENCES[Kind.AGREEMENT_RECORDED]
    facts = {"agreement": "MA-2026-0001", "document": "1123396", "recorded_on": "2026-10-07"}
    on = "on Wednesday, October 7, 2026."
    assert said(facts) == f"Maintenance agreement MA-2026-0001 was recorded: document 1123396, {on}"
    assert f"1123396, Outagamie, {on}" in said({**facts, "county": "Outagamie"})
    del facts["document"]
    assert said(facts).endswith(f"was recorded: {on}")
