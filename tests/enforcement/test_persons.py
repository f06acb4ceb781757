"""Whom an act concerns where the land has changed hands. Former § 17.19(4)(e), (4)(f), (6)"""

from __future__ import annotations

from datetime import date

import pytest

from enforcement.acts import notices
from enforcement.persons import Person, persons_of
from permits.models import Permit

from .factory import MONDAY, active_permit, order_of_permit, order_standing, sold

pytestmark = pytest.mark.django_db

LATER = date(2026, 11, 23)


@pytest.fixture(autouse=True)
def _on_a_later_day(at) -> None:
    at(LATER)


@pytest.fixture
def permit() -> Permit:
    return active_permit()


def listed(permit: Permit) -> list[Person]:
    return persons_of(permit.site, permit)


def roles(people: list[Person], name: str) -> list[str]:
    return [person.title for person in people if person.name == name]


def test_the_new_owner_comes_first_and_the_permit_stays_made_out_to_the_one_before(
    permit: Permit,
) -> None:
    before = str(permit.application.parties.get(role="landowner"))
    assert roles(listed(permit), before) == ["Permittee and landowner"]
    sold(permit.site, on=LATER)
    people = listed(permit)
    assert (people[0].name, people[0].title) == ("Tom Reyes", "Landowner")
    assert people[0].mailing_address == "9 Ridge Road\nExample, WI 54999"
    assert people[0].source == "owner since Monday, November 23, 2026 (Warranty deed 1130001)"
    assert roles(people, before) == ["Permittee"]
    assert [each.name for each in people if each.role == "landowner"] == ["Tom Reyes"]


def test_a_sale_that_is_still_to_come_changes_nothing(permit: Permit) -> None:
    known = listed(permit)
    sold(permit.site, on=date(2026, 11, 24))
    assert listed(permit) == known


def test_whoever_was_told_as_owner_before_is_listed_once_and_not_as_owner(permit: Permit) -> None:
    order_of_permit(permit, on=MONDAY)
    before = str(permit.application.parties.get(role="landowner"))
    sold(permit.site, on=LATER)
    assert roles(listed(permit), before) == ["Permittee"]


def test_a_corrected_address_of_the_same_owner_makes_nobody_new(permit: Permit) -> None:
    party = permit.application.parties.get(role="landowner")
    sold(permit.site, on=LATER, name=party.name, organization=party.organization)
    people = listed(permit)
    assert roles(people, str(party)) == ["Permittee and landowner"]
    assert people[0].mailing_address == "9 Ridge Road\nExample, WI 54999"


def test_a_notice_of_intent_reaches_the_new_owner_as_well(permit: Permit) -> None:
    order = order_standing(permit, on=MONDAY)
    sold(permit.site, on=LATER)
    assert "Tom Reyes" in [person.name for person in notices.persons_for(order)]


def test_the_list_takes_as_many_queries_after_ten_sales_as_after_one(
    permit: Permit, django_assert_max_num_queries
) -> None:
    sold(permit.site, on=date(2026, 10, 1), name="Ann Lee")
    for day in range(1, 11):
        sold(permit.site, on=date(2026, 11, day))
    with django_assert_max_num_queries(5):
        persons_of(permit.site, permit)
