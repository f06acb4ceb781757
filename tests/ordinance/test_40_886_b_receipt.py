"""§ 40-886(b) Form, plan and fee make an application; the last of them is receipt."""

from datetime import date
from decimal import Decimal

from portal.ordinance.completeness import missing, received_on

MONDAY, TUESDAY, SATURDAY = date(2026, 9, 14), date(2026, 9, 15), date(2026, 9, 19)


def test_received_on_the_day_the_last_of_the_three_comes_in():
    assert received_on(MONDAY, MONDAY, TUESDAY) == TUESDAY
    assert received_on(TUESDAY, MONDAY, MONDAY) == TUESDAY
    assert received_on(MONDAY, TUESDAY, MONDAY) == TUESDAY


def test_a_saturday_is_a_day_of_receipt():
    assert received_on(MONDAY, MONDAY, SATURDAY) == SATURDAY


def test_nothing_is_received_while_one_of_the_three_is_out():
    assert received_on(None, MONDAY, MONDAY) is None
    assert received_on(MONDAY, None, MONDAY) is None
    assert received_on(MONDAY, MONDAY, None) is None


def test_every_missing_part_is_told_with_its_cure():
    lacking = missing(MONDAY, None, None)
    assert [obstacle.key for obstacle in lacking] == ["plan", "fee"]
    assert lacking[1].text == "The fee of $25.00 has not been paid or waived."
    assert str(lacking[0].citation) == "§ 40-886(b)"
    assert lacking[0].cure == "add the plan"


def test_the_councils_fee_is_named_where_it_set_one():
    assert "$40.00" in missing(MONDAY, MONDAY, None, fee=Decimal("40.00"))[0].text


def test_a_complete_application_lacks_nothing():
    assert missing(MONDAY, MONDAY, MONDAY) == []
