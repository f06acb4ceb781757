"""Why a site is worth a visit: each reason opens, falls away and is met, once per site."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from inspections.acts import findings as finding_acts
from inspections.models import VisitNeed
from inspections.needs import open_needs
from permits.models import Permit
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
