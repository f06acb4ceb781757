"""The daily round opens each need once, however many sites there are."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from inspections.models import VisitNeed
from inspections.needs import open_needs
from permits.models import Permit, Site
from portal import rounds
from tests.inspections import factory
from tests.inspections.factory import MONDAY

pytestmark = pytest.mark.django_db

Reason = VisitNeed.Reason


def day(after: int) -> date:
    """So many days after the Monday on which the permits of these tests are issued."""
    return MONDAY + timedelta(days=after)


def needs(on: date, reason: str) -> list[VisitNeed]:
    open_needs(on)
    return list(VisitNeed.objects.open().filter(reason=reason))


def is_wanted(on: date, reason: str) -> bool:
    return bool(needs(on, reason))


# Once, and however many -------------------------------------------------------------------


def busy_city(sites: int) -> None:
    """Sites with several reasons each, and three whose findings are due."""
    for _ in range(sites):
        permit = factory.active_permit()
        factory.finished_visit(permit.site, on=day(1), stockpile_since=day(0))
        factory.finding(permit.site, on=day(2), correct_by=day(9))
    factory.rain(day(3), "0.8")


def test_the_round_run_twice_finds_nothing_to_do() -> None:
    busy_city(3)
    assert open_needs(day(12)) > 0
    before = list(VisitNeed.objects.order_by("pk").values())
    assert open_needs(day(12)) == 0
    assert list(VisitNeed.objects.order_by("pk").values()) == before


def test_no_site_has_two_open_needs_of_one_reason() -> None:
    busy_city(2)
    for after in range(12, 40, 3):
        open_needs(day(after))
    rows = list(VisitNeed.objects.open().values_list("site", "reason"))
    assert len(rows) == len(set(rows))


def test_it_is_part_of_the_daily_round() -> None:
    factory.active_permit()
    assert rounds.run_all(day(9))["visit needs"] > 0
    assert VisitNeed.objects.open().exists()


def count_queries(on: date) -> int:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        open_needs(on)
    return len(queries)


def test_the_number_of_queries_does_not_depend_on_the_number_of_sites() -> None:
    busy_city(2)
    few = count_queries(day(12)), count_queries(day(12)), count_queries(day(60))
    VisitNeed.objects.all().delete()
    busy_city(12)
    many = count_queries(day(12)), count_queries(day(12)), count_queries(day(60))
    assert many == few


def test_two_permits_of_one_site_share_one_need() -> None:
    one = factory.active_permit(starts_on=day(3))
    other = factory.active_permit(starts_on=day(9))
    Permit.objects.filter(pk=other.pk).update(site=one.site)
    (need,) = needs(day(10), Reason.WEEK)
    assert need.due_on == day(3)


# The order of urgency ---------------------------------------------------------------------


def test_the_most_urgent_need_of_each_site_comes_first() -> None:
    quiet, wet, amiss = (factory.active_permit().site for _ in range(3))
    for site, reason, due in [
        (quiet, Reason.WEEK, 1),
        (wet, Reason.WEEK, 0),
        (wet, Reason.RAIN, 5),
        (amiss, Reason.CORRECTION, 2),
        (amiss, Reason.SEASON, 0),
    ]:
        VisitNeed.objects.raise_once(site, reason, due_on=day(due), because="x", since=day(0))
    first = [(need.site, need.reason) for need in VisitNeed.objects.first_of_each_site()]
    assert first == [(wet, Reason.RAIN), (amiss, Reason.CORRECTION), (quiet, Reason.WEEK)]


def test_every_reason_has_its_place_in_the_order() -> None:
    assert sorted(VisitNeed.URGENCY) == sorted(Reason.values)


def test_a_met_need_can_open_again() -> None:
    site: Site = factory.active_permit().site
    for _ in range(2):
        VisitNeed.objects.raise_once(site, Reason.WEEK, due_on=day(1), because="x", since=day(0))
        assert VisitNeed.objects.open().count() == 1
        VisitNeed.objects.open().update(closed_on=day(2))
