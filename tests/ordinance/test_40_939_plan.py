"""§ 40-939 What the erosion control plan must contain."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

from portal.ordinance.plan import PLAN_CONTENTS, PlanFacts, PlannedActivity, missing_contents

GRADING = PlannedActivity(
    "Grading",
    date(2026, 6, 1),
    date(2026, 6, 30),
    Decimal(5000),
    "Silt fence along the east side",
    "Seed and mulch",
)
WHOLE = PlanFacts(
    drawings=1,
    scale='1" = 20 ft',
    factors_on_site="Clay, 8 % slope to the east",
    factors_adjacent="Ditch along the road",
    devices=2,
    devices_placed=2,
    activities=(GRADING,),
    disturbed_sq_ft=Decimal(5000),
)


def keys(facts):
    return [obstacle.key for obstacle in missing_contents(facts)]


def test_a_whole_plan_lacks_nothing():
    assert keys(WHOLE) == []


def test_an_empty_plan_is_told_all_it_lacks_at_once():
    assert keys(PlanFacts()) == ["drawing", "scale", "factors", "devices", "timetable"]


def test_each_content_is_asked_for_by_itself():
    assert keys(replace(WHOLE, drawings=0)) == ["drawing"]
    assert keys(replace(WHOLE, scale=" ")) == ["scale"]
    assert keys(replace(WHOLE, factors_adjacent="")) == ["factors"]
    assert keys(replace(WHOLE, devices_placed=1)) == ["devices"]
    assert keys(replace(WHOLE, activities=(replace(GRADING, area_sq_ft=None),))) == ["areas"]
    assert keys(replace(WHOLE, activities=(replace(GRADING, temporary=""),))) == ["temporary"]
    assert keys(replace(WHOLE, activities=(replace(GRADING, permanent=""),))) == ["permanent"]
    assert keys(replace(WHOLE, activities=(replace(GRADING, ends_on=None),))) == ["timetable"]


def test_an_activity_that_ends_before_it_begins_is_asked_again():
    backwards = replace(GRADING, ends_on=date(2026, 5, 31))
    found = missing_contents(replace(WHOLE, activities=(backwards,)))
    assert found[0].text == "Some activities end before they begin."
    assert str(found[0].citation) == "§ 40-939"


def test_an_acre_needs_the_soil_loss_result_and_less_does_not():
    assert keys(replace(WHOLE, disturbed_sq_ft=Decimal("43559.99"))) == []
    found = missing_contents(replace(WHOLE, disturbed_sq_ft=Decimal(43560)))
    assert [obstacle.key for obstacle in found] == ["soil-loss"]
    assert str(found[0].citation) == "Wis. Admin. Code § NR 151.11(6m)"


def test_five_tons_are_within_the_limit_and_a_hundredth_more_is_not():
    acre = replace(
        WHOLE,
        disturbed_sq_ft=Decimal(43560),
        soil_loss_tons=Decimal("5.0"),
        soil_loss_from=date(2026, 6, 1),
        soil_loss_until=date(2026, 6, 30),
    )
    assert keys(acre) == []
    assert (
        "over the limit of 5.0"
        in missing_contents(replace(acre, soil_loss_tons=Decimal("5.01")))[0].text
    )
    late = replace(acre, soil_loss_from=date(2026, 6, 2))
    assert "do not cover the timetable" in missing_contents(late)[0].text
    short = replace(acre, soil_loss_until=date(2026, 6, 29))
    assert "do not cover the timetable" in missing_contents(short)[0].text


def test_every_content_has_a_sentence_and_a_citation(edition):
    for content in PLAN_CONTENTS:
        assert content.sentence.endswith(".")
        assert str(content.citation(edition))
