"""Answers as people write them: units behind a number, parcels, and more ground than there is."""

from __future__ import annotations

from decimal import Decimal

import pytest

from permits.forms.base import show
from permits.forms.fields import FEET, AmountField
from portal.ordinance.wording import measure
from tests.apply.page import fill


@pytest.mark.parametrize("typed", ["20 ft", "20ft.", "20 feet", "20 linear feet", "20'", "20"])
def test_the_unit_that_the_question_names_may_stand_behind_the_number(typed):
    assert AmountField(places=1, units=FEET).clean(typed) == Decimal("20.0")


@pytest.mark.parametrize("typed", ["20 yards", "ft", "20 ft 6"])
def test_another_unit_is_no_number_of_this_one(typed):
    with pytest.raises(Exception, match="Write a number"):
        AmountField(places=1, units=FEET).clean(typed)


def test_one_is_one():
    assert measure(1, "square feet") == "1 square foot"
    assert measure(Decimal("1.5"), "acres") == "1.5 acres"
    assert show(None, (Decimal(1), "acres")) == "1 acre"


def test_a_parcel_number_without_a_digit_is_asked_again(client, draft):
    page = fill(client, draft.get_step_url("site"), parcels="0240-001\nabc")
    assert "this line has none: abc" in page.content.decode()
    assert not draft.site.parcels.exists()


@pytest.mark.parametrize(("area", "taken"), [("2.5", True), ("2.6", False)])
def test_no_more_ground_is_disturbed_than_there_is(client, draft, area, taken):
    draft.site.parcel_acres = Decimal("2.5")
    draft.site.save()
    page = fill(client, draft.get_step_url("work"), area_amount=area, area_unit="acres")
    assert (page.status_code == 303) is taken
    if not taken:
        assert "This is more than the whole site, which has 2.5 acres." in page.content.decode()
