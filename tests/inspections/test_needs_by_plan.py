"""Reasons for a visit that the plan, the log and the calendar give."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from inspections.models import VisitNeed
from inspections.needs import open_needs
from permits.models import Permit
from tests.inspections import factory
from tests.inspections.test_needs import day, is_wanted, needs

pytestmark = pytest.mark.django_db

Reason = VisitNeed.Reason


# Timetable --------------------------------------------------------------------------------


def plan_activity(permit: Permit, starts: int, ends: int) -> None:
    permit.grant.revision.activities.create(
        activity="Dig the basin",
        starts_on=day(starts),
        ends_on=day(ends),
        temporary="Silt fence.",
        permanent="Seed.",
    )


@pytest.mark.parametrize(
    ("after", "wanted"), [(27, False), (28, True), (30, True), (35, True), (36, False)]
)
def test_an_activity_is_seen_from_two_days_before_until_it_ends(after: int, wanted: bool) -> None:
    permit = factory.active_permit()
    factory.finished_visit(permit.site, on=day(2))
    plan_activity(permit, 30, 35)
    found = [need for need in needs(day(after), Reason.ACTIVITY) if "basin" in need.because]
    assert bool(found) is wanted


def test_a_visit_as_the_activity_begins_meets_it() -> None:
    permit = factory.active_permit()
    plan_activity(permit, 30, 35)
    factory.finished_visit(permit.site, on=day(28))
    assert not is_wanted(day(30), Reason.ACTIVITY)


def test_only_the_granted_revision_has_a_timetable() -> None:
    permit = factory.active_permit()
    factory.finished_visit(permit.site, on=day(2))
    permit.grant.revision.copy_for_revision()
    plan_activity(permit, 90, 95)
    assert not is_wanted(day(30), Reason.ACTIVITY)


# Stockpile --------------------------------------------------------------------------------


@pytest.mark.parametrize(("after", "wanted"), [(7, False), (8, True)])
def test_a_stockpile_older_than_seven_days(after: int, wanted: bool) -> None:
    permit = factory.active_permit()
    factory.finished_visit(permit.site, on=day(2), stockpile_since=day(0))
    assert is_wanted(day(after), Reason.STOCKPILE) is wanted


def test_a_stockpile_that_is_gone_at_the_next_visit_asks_for_nothing() -> None:
    permit = factory.active_permit()
    factory.finished_visit(permit.site, on=day(2), stockpile_since=day(0))
    factory.finished_visit(permit.site, on=day(5))
    assert not is_wanted(day(8), Reason.STOCKPILE)


# Log --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("after", "wanted"), [(7, False), (8, True)])
def test_a_log_without_entry_for_more_than_seven_days(after: int, wanted: bool) -> None:
    factory.active_permit()
    assert is_wanted(day(after), Reason.LOG_GAP) is wanted


def test_an_entry_closes_the_gap_and_a_visit_does_not() -> None:
    permit = factory.active_permit()
    open_needs(day(9))
    factory.finished_visit(permit.site, on=day(9))
    assert is_wanted(day(9), Reason.LOG_GAP)
    factory.log_entry(permit, on=day(9))
    assert not is_wanted(day(10), Reason.LOG_GAP)


@pytest.mark.parametrize(("after", "wanted"), [(4, False), (5, True)])
def test_rain_asks_for_an_entry_by_the_next_day(after: int, wanted: bool) -> None:
    permit = factory.active_permit()
    factory.log_entry(permit, on=day(2))
    factory.rain(day(3), "0.5")
    assert is_wanted(day(after), Reason.LOG_GAP) is wanted


def test_an_entry_after_the_rain_meets_the_duty() -> None:
    permit = factory.active_permit()
    factory.rain(day(3), "0.5")
    factory.log_entry(permit, on=day(4), kind="rain")
    assert not is_wanted(day(8), Reason.LOG_GAP)


# Ends -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("end", "name"),
    [
        (date(2027, 4, 15), "April 15"),
        (date(2027, 7, 15), "July 15"),
        (date(2027, 10, 15), "October 15"),
    ],
)
def test_two_weeks_before_the_end_of_a_season(end: date, name: str) -> None:
    factory.active_permit(ends_on=date(2028, 1, 20))
    assert not is_wanted(end - timedelta(days=15), Reason.SEASON)
    (need,) = needs(end - timedelta(days=14), Reason.SEASON)
    assert need.due_on == end
    assert name in need.because
    assert is_wanted(end, Reason.SEASON)
    assert not is_wanted(end + timedelta(days=1), Reason.SEASON)


def test_two_weeks_before_the_end_of_the_work() -> None:
    permit = factory.active_permit(ends_on=day(60))
    (need,) = needs(day(46), Reason.SEASON)
    assert need.due_on == day(60)
    factory.finished_visit(permit.site, on=day(47))
    assert not is_wanted(day(50), Reason.SEASON)
