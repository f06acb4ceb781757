"""§ 40-887 The five land disturbing activities; § 40-886(d) the two exceptions."""

from dataclasses import replace
from decimal import Decimal

import pytest

from portal.ordinance import Building, JurisdictionClass, Proposal, determine
from portal.ordinance.permit_needed import AreaUnit, VolumeUnit, cubic_yards, square_feet

NOTHING = Proposal(
    area_sq_ft=Decimal(0),
    volume_cu_yd=Decimal(0),
    street_work=False,
    pipe_ft=Decimal(0),
    dewatering=False,
    agriculture=False,
    state_project=False,
    building=Building.NONE,
)


@pytest.mark.parametrize(
    ("change", "needed", "paragraph"),
    [
        ({"area_sq_ft": Decimal("3999.99")}, False, "(1)"),
        ({"area_sq_ft": Decimal(4000)}, True, "(1)"),
        ({"area_sq_ft": Decimal(4001)}, True, "(1)"),
        ({"volume_cu_yd": Decimal("399.99")}, False, "(2)"),
        ({"volume_cu_yd": Decimal(400)}, True, "(2)"),
        ({"volume_cu_yd": Decimal(401)}, True, "(2)"),
        ({"street_work": True}, True, "(3)"),
        ({"pipe_ft": Decimal("299.9")}, False, "(4)"),
        ({"pipe_ft": Decimal(300)}, True, "(4)"),
        ({"pipe_ft": Decimal(301)}, True, "(4)"),
        ({"dewatering": True}, True, "(5)"),
    ],
)
def test_a_limit_is_reached_at_the_very_figure(change, needed, paragraph):
    found = determine(replace(NOTHING, **change))
    assert found.needed is needed
    met = [str(reason.citation) for reason in found.reasons if reason.met]
    assert met == ([f"§ 40-887{paragraph}"] if needed else [])
    assert len(found.reasons) == 5


def test_one_activity_is_enough_though_other_answers_are_missing():
    found = determine(Proposal(street_work=True, agriculture=False, state_project=False))
    assert found.needed is True
    assert found.unanswered == ("area_sq_ft", "volume_cu_yd", "pipe_ft", "dewatering")


def test_without_answers_nothing_is_said():
    found = determine(Proposal())
    assert found.needed is None
    assert found.reasons == ()
    assert found.sentence == "We cannot tell yet: some questions are still open."


def test_below_every_limit_no_permit_is_needed():
    found = determine(NOTHING)
    assert found.needed is False
    assert found.sentence == "This work needs no erosion control permit: it is below every limit."


def test_agriculture_needs_no_permit():
    found = determine(replace(NOTHING, area_sq_ft=Decimal(90000), agriculture=True))
    assert found.needed is False
    assert [str(reason.citation) for reason in found.exceptions if reason.met] == ["§ 40-886(d)(1)"]
    assert "an exception applies" in found.sentence


def test_a_state_project_is_exempt_only_where_the_state_asks_for_a_similar_plan():
    work = replace(NOTHING, street_work=True, state_project=True)
    assert determine(work).needed is None
    assert determine(work).unanswered == ("state_plan_required",)
    assert determine(replace(work, state_plan_required=False)).needed is True
    exempt = determine(replace(work, state_plan_required=True))
    assert exempt.needed is False
    assert str(exempt.exceptions[1].citation) == "§ 40-886(d)(2)"


def test_an_open_exception_leaves_the_answer_open():
    assert determine(replace(NOTHING, street_work=True, agriculture=None)).needed is None


def test_the_reason_names_the_figure_and_the_limit():
    found = determine(replace(NOTHING, area_sq_ft=Decimal("17424")))
    assert found.reasons[0].text == (
        "A disturbed surface of 17,424 square feet reaches the limit of 4,000 square feet."
    )


def test_acres_and_cubic_feet_are_turned_into_the_ordinances_units():
    assert square_feet(Decimal("0.4"), AreaUnit.ACRES) == Decimal("17424.0")
    assert square_feet(Decimal(4000)) == 4000
    assert cubic_yards(Decimal(10800), VolumeUnit.CUBIC_FEET) == 400
    assert cubic_yards(Decimal(400)) == 400


@pytest.mark.parametrize(
    ("change", "place", "source"),
    [
        ({"area_sq_ft": Decimal(43559)}, JurisdictionClass.UNDER_ACRE, "NR 151.105"),
        ({"area_sq_ft": Decimal(43560)}, JurisdictionClass.ACRE_OR_MORE, "NR 216"),
        (
            {"area_sq_ft": Decimal(5000), "larger_plan_sq_ft": Decimal(87120)},
            JurisdictionClass.ACRE_OR_MORE,
            "NR 216",
        ),
        (
            {"area_sq_ft": Decimal(5000), "building": Building.DWELLING},
            JurisdictionClass.UNDER_ACRE_DWELLING,
            "SPS 321.125",
        ),
        (
            {"area_sq_ft": Decimal(5000), "building": Building.PUBLIC},
            JurisdictionClass.UNDER_ACRE_PUBLIC,
            "SPS 360",
        ),
        ({"area_sq_ft": None}, JurisdictionClass.UNKNOWN, "62.232"),
    ],
)
def test_size_and_kind_tell_which_rules_of_the_state_go_with_it(change, place, source):
    found = determine(replace(NOTHING, **change))
    assert found.jurisdiction_class is place
    assert place.label
    assert any(source in rule.source for rule in found.state_rules)
    assert found.state_rules[-1].source == "Wis. Stat. § 62.232"
