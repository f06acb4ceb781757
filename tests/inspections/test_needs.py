"""Why a site is worth a visit: each reason opens, falls away and is met, once per site."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from inspections.acts import findings as finding_acts
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


# New permit -------------------------------------------------------------------------------


def test_a_new_permit_is_due_the_day_before_the_first_disturbance() -> None:
    factory.active_permit(starts_on=day(20))
    (need,) = needs(day(0), Reason.NEW_PERMIT)
    assert need.due_on == day(19)
    assert need.since == day(0)


def test_a_visit_meets_the_need_of_a_new_permit() -> None:
    permit = factory.active_permit(starts_on=day(20))
    open_needs(day(1))
    visit = factory.finished_visit(permit.site, on=day(2))
    assert not is_wanted(day(3), Reason.NEW_PERMIT)
    assert VisitNeed.objects.get(reason=Reason.NEW_PERMIT).met_by == visit


def test_a_visit_before_the_permit_does_not_count() -> None:
    permit = factory.active_permit(starts_on=day(20))
    factory.finished_visit(permit.site, on=day(-5))
    assert is_wanted(day(0), Reason.NEW_PERMIT)


def test_once_work_begins_unseen_the_week_takes_over_from_the_new_permit() -> None:
    factory.active_permit(starts_on=day(5))
    assert is_wanted(day(4), Reason.NEW_PERMIT)
    assert not is_wanted(day(5), Reason.NEW_PERMIT)
    (need,) = needs(day(5), Reason.WEEK)
    assert need.due_on == day(5)


@pytest.mark.parametrize("status", ["awaiting_escrow", "withdrawn", "closed"])
def test_only_an_issued_permit_asks_for_visits(status: str) -> None:
    permit = factory.active_permit(starts_on=day(5))
    Permit.objects.filter(pk=permit.pk).update(
        status=status, final_inspection_passed_on=day(0), closed_on=day(0)
    )
    open_needs(day(30))
    assert not VisitNeed.objects.exists()


def test_everything_falls_away_when_the_final_inspection_has_passed() -> None:
    permit = factory.active_permit()
    factory.rain(day(1), "0.7")
    open_needs(day(10))
    assert VisitNeed.objects.open().count() >= 3
    Permit.objects.filter(pk=permit.pk).update(final_inspection_passed_on=day(11))
    open_needs(day(11))
    assert not VisitNeed.objects.open().exists()
    assert set(VisitNeed.objects.values_list("closed_on", flat=True)) == {day(11)}


# Seven days -------------------------------------------------------------------------------


@pytest.mark.parametrize(("after", "wanted"), [(6, False), (7, True), (8, True)])
def test_seven_days_since_the_last_visit(after: int, wanted: bool) -> None:
    permit = factory.active_permit()
    factory.finished_visit(permit.site, on=day(0))
    assert is_wanted(day(after), Reason.WEEK) is wanted


def test_a_visit_that_is_still_being_written_is_no_visit_yet() -> None:
    permit = factory.active_permit()
    factory.finished_visit(permit.site, on=day(0))
    factory.open_visit(permit.site, on=day(7))
    assert is_wanted(day(7), Reason.WEEK)


def test_a_visit_closes_the_week_and_the_next_one_opens_anew() -> None:
    permit = factory.active_permit()
    factory.finished_visit(permit.site, on=day(0))
    open_needs(day(7))
    factory.finished_visit(permit.site, on=day(8))
    assert not is_wanted(day(8), Reason.WEEK)
    (need,) = needs(day(15), Reason.WEEK)
    assert need.due_on == day(15)


def test_before_the_work_begins_no_week_is_counted() -> None:
    permit = factory.active_permit(starts_on=day(30))
    factory.finished_visit(permit.site, on=day(0))
    assert not is_wanted(day(29), Reason.WEEK)
    assert is_wanted(day(30), Reason.WEEK)


# Rain -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("inches", "wanted"), [("0.4999", False), ("0.5", True), ("0.5000", True), ("2.31", True)]
)
def test_half_an_inch_opens_a_visit_and_less_does_not(inches: str, wanted: bool) -> None:
    factory.active_permit()
    factory.rain(day(3), inches)
    assert is_wanted(day(3), Reason.RAIN) is wanted


@pytest.mark.parametrize("rained_on", [date(2026, 11, 21), date(2026, 11, 26)])
def test_the_visit_is_due_the_next_day_on_weekends_and_holidays_too(rained_on: date) -> None:
    factory.active_permit()
    factory.rain(rained_on, "0.62")
    (need,) = needs(rained_on, Reason.RAIN)
    assert need.due_on == rained_on + timedelta(days=1)
    assert "0.62 inch" in need.because


def test_rain_before_the_ground_was_disturbed_asks_for_nothing() -> None:
    factory.active_permit(starts_on=day(5))
    factory.rain(day(4), "1.2")
    assert not is_wanted(day(6), Reason.RAIN)


def test_the_first_unseen_day_of_rain_counts_and_the_others_are_told() -> None:
    factory.active_permit()
    factory.rain(day(3), "0.9")
    factory.rain(day(5), "0.6", station="North gauge")
    (need,) = needs(day(6), Reason.RAIN)
    assert need.due_on == day(4)
    assert "and 1 more such day since" in need.because


@pytest.mark.parametrize(
    ("visited", "fields", "wanted"),
    [
        (4, {}, False),
        (3, {}, True),
        (3, {"reason": "rain"}, False),
        (3, {"weather": "after_rain"}, False),
        (3, {"weather": "rain"}, False),
        (3, {"weather": "dry"}, True),
        (2, {"reason": "rain"}, True),
    ],
)
def test_a_visit_on_the_day_of_the_rain_counts_only_when_it_saw_the_rain(
    visited: int, fields: dict[str, str], wanted: bool
) -> None:
    permit = factory.active_permit()
    factory.finished_visit(permit.site, on=day(visited), **fields)
    factory.rain(day(3), "0.8")  # entered after the visit
    assert is_wanted(day(5), Reason.RAIN) is wanted


def test_a_visit_that_met_the_need_is_not_asked_for_again() -> None:
    permit = factory.active_permit()
    factory.rain(day(3), "0.8")
    open_needs(day(3))
    factory.finished_visit(permit.site, on=day(3), weather="dry")
    assert not is_wanted(day(4), Reason.RAIN)
    assert VisitNeed.objects.filter(reason=Reason.RAIN).count() == 1


def test_a_corrected_figure_closes_the_need_that_no_visit_has_met() -> None:
    factory.active_permit()
    factory.rain(day(3), "0.52")
    assert is_wanted(day(3), Reason.RAIN)
    factory.rain(day(3), "0.47")
    assert not is_wanted(day(4), Reason.RAIN)
    need = VisitNeed.objects.get(reason=Reason.RAIN)
    assert (need.closed_on, need.met_by) == (day(4), None)


def test_a_corrected_figure_moves_the_need_to_the_day_that_is_left() -> None:
    factory.active_permit()
    factory.rain(day(3), "0.52")
    factory.rain(day(5), "0.7")
    open_needs(day(5))
    factory.rain(day(3), "0.47")
    (need,) = needs(day(5), Reason.RAIN)
    assert need.due_on == day(6)
    assert VisitNeed.objects.filter(reason=Reason.RAIN).count() == 1


def test_one_station_below_does_not_take_away_what_another_measured() -> None:
    factory.active_permit()
    factory.rain(day(3), "0.6", station="North gauge")
    factory.rain(day(3), "0.1", station="South gauge")
    assert is_wanted(day(3), Reason.RAIN)


# Corrections ------------------------------------------------------------------------------


@pytest.mark.parametrize(("after", "wanted"), [(5, False), (6, True), (7, True), (9, True)])
def test_a_correction_is_worth_a_visit_from_the_day_before_it_is_due(
    after: int, wanted: bool
) -> None:
    permit = factory.active_permit()
    factory.finding(permit.site, on=day(1), correct_by=day(7))
    assert is_wanted(day(after), Reason.CORRECTION) is wanted


def test_an_answered_finding_still_has_to_be_seen() -> None:
    permit = factory.active_permit()
    finding = factory.finding(permit.site, on=day(1), correct_by=day(2))
    by = permit.application.applicant
    finding_acts.answer(finding, by=by, on=day(2), text="Put up again.", photos=[])
    assert is_wanted(day(2), Reason.CORRECTION)


def test_a_confirmed_or_dropped_finding_asks_for_nothing() -> None:
    permit = factory.active_permit()
    one = factory.finding(permit.site, on=day(1), correct_by=day(2))
    other = factory.finding(permit.site, on=day(1), correct_by=day(2))
    assert is_wanted(day(2), Reason.CORRECTION)
    by = factory.inspector()
    finding_acts.confirm(one, by=by, on=day(2), how="From the photos", corrected_on=day(2))
    finding_acts.drop(other, by=by, on=day(2), reason="Recorded twice.")
    assert not is_wanted(day(2), Reason.CORRECTION)


def test_what_a_visit_did_not_see_corrected_is_due_again_the_next_day() -> None:
    permit = factory.active_permit()
    factory.finding(permit.site, on=day(1), correct_by=day(2))
    open_needs(day(2))
    factory.finished_visit(permit.site, on=day(2))
    assert not is_wanted(day(2), Reason.CORRECTION)
    assert is_wanted(day(3), Reason.CORRECTION)


def test_several_findings_are_one_need_for_the_first_of_their_days() -> None:
    permit = factory.active_permit()
    factory.finding(permit.site, on=day(1), correct_by=day(5))
    factory.finding(permit.site, on=day(1), correct_by=day(4))
    (need,) = needs(day(4), Reason.CORRECTION)
    assert need.due_on == day(4)


def test_a_site_without_a_permit_has_its_corrections_too() -> None:
    site = factory.site_without_permit()
    factory.finding(site, on=day(1), correct_by=day(2))
    (need,) = needs(day(2), Reason.CORRECTION)
    assert need.site == site


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
    last = Reason.UPKEEP  # whatever the order does not name comes after it
    assert sorted([*VisitNeed.URGENCY, last]) == sorted(Reason.values)


def test_a_met_need_can_open_again() -> None:
    site: Site = factory.active_permit().site
    for _ in range(2):
        VisitNeed.objects.raise_once(site, Reason.WEEK, due_on=day(1), because="x", since=day(0))
        assert VisitNeed.objects.open().count() == 1
        VisitNeed.objects.open().update(closed_on=day(2))
