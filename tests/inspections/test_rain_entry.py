"""Rain entered: what a figure opens, whom it tells, and what a correction takes back."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from inspections.acts import rain
from inspections.models import RainReading, VisitNeed
from inspections.rain_duties import tell_of_recent_rain
from inspections.rain_file import read_file
from portal import rounds
from portal.models import OutboxMessage
from tests.inspections import factory
from tests.inspections.factory import MONDAY

pytestmark = pytest.mark.django_db

RAINED = MONDAY + timedelta(days=5)  # a Saturday
SUNDAY = RAINED + timedelta(days=1)


def enter(inches: str, *, rained_on: date = RAINED, on: date = SUNDAY, station: str = "City gauge"):
    return rain.enter(
        station=station,
        rained_on=rained_on,
        inches=Decimal(inches),
        by=factory.clerk(),
        on=on,
    )


def open_rain() -> int:
    return VisitNeed.objects.open().filter(reason=VisitNeed.Reason.RAIN).count()


# Figures ----------------------------------------------------------------------------------


def test_a_corrected_figure_is_a_new_row_and_the_latest_counts() -> None:
    enter("0.52")
    saved = enter("0.47")
    assert [row.inches for row in RainReading.objects.order_by("pk")] == [
        Decimal("0.52"),
        Decimal("0.47"),
    ]
    (current,) = RainReading.objects.current()
    assert current.inches == Decimal("0.47")
    (change,) = saved.corrections
    assert (change.before, change.ceases_trigger) == (Decimal("0.52"), True)


def test_the_same_figure_again_changes_nothing() -> None:
    enter("0.52")
    saved = enter("0.5200")
    assert (saved.changes, saved.same) == ([], 1)
    assert RainReading.objects.count() == 1


def test_a_figure_is_cut_and_never_rounded_up_to_the_trigger() -> None:
    saved = enter("0.49999")
    assert RainReading.objects.get().inches == Decimal("0.4999")
    assert not saved.changes[0].is_trigger


def test_a_day_stays_a_rain_day_while_another_station_has_half_an_inch() -> None:
    enter("0.6", station="North gauge")
    enter("0.6", station="South gauge")
    (change,) = enter("0.1", station="South gauge").changes
    assert change.is_trigger
    assert not change.ceases_trigger


def test_the_database_refuses_to_change_a_reading() -> None:
    enter("0.52")
    with pytest.raises(DatabaseError), transaction.atomic():
        RainReading.objects.update(inches=Decimal("0.1"))


# Visits -----------------------------------------------------------------------------------


def test_trigger_rain_opens_a_visit_for_every_site_with_bare_soil() -> None:
    for _ in range(3):
        factory.active_permit()
    factory.active_permit(starts_on=SUNDAY + timedelta(days=3))
    saved = enter("0.5")
    assert (saved.duties.opened, saved.duties.closed, open_rain()) == (3, 0, 3)


def test_a_figure_below_opens_nothing() -> None:
    factory.active_permit()
    assert enter("0.4999").duties == rain.Duties()
    assert not VisitNeed.objects.exists()


def test_a_correction_closes_the_visits_that_nobody_made() -> None:
    seen, unseen = factory.active_permit(), factory.active_permit()
    enter("0.5")
    visit = factory.finished_visit(seen.site, on=SUNDAY)
    saved = enter("0.4")
    assert (saved.duties.opened, saved.duties.closed, open_rain()) == (0, 1, 0)
    assert VisitNeed.objects.get(site=seen.site, reason="rain").met_by == visit
    assert VisitNeed.objects.get(site=unseen.site, reason="rain").met_by is None


def test_a_correction_upward_opens_them_again() -> None:
    factory.active_permit()
    enter("0.5")
    enter("0.4")
    assert enter("0.55").duties.opened == 1
    assert open_rain() == 1


# Files ------------------------------------------------------------------------------------


def test_a_file_is_saved_whole_and_says_what_it_changed() -> None:
    factory.active_permit()
    enter("0.2")
    text = "date,prcp_in\n2026-11-20,0\n2026-11-21,0.61\n2026-11-22,0.02\n"
    file = read_file(text, today=SUNDAY)
    saved = rain.save_file(file, station="City gauge", by=factory.clerk(), on=SUNDAY)
    assert (saved.new, len(saved.corrections), saved.duties.opened) == (2, 1, 1)
    assert set(RainReading.objects.values_list("source", flat=True)) == {"typed", "file"}


def test_a_file_with_a_refused_row_saves_nothing() -> None:
    file = read_file("date,prcp_in\n2026-11-20,0.7\n2026-11-21,-1\n", today=SUNDAY)
    with pytest.raises(ValueError, match="Nothing was saved"):
        rain.save_file(file, station="City gauge", by=factory.clerk(), on=SUNDAY)
    assert not RainReading.objects.exists()


def test_a_file_of_a_year_is_saved_in_a_handful_of_queries() -> None:
    rows = [f"{RAINED - timedelta(days=back)},0.{back % 10}" for back in range(365)]
    file = read_file("\n".join(["date,prcp_in", *rows]), today=SUNDAY)
    with CaptureQueriesContext(connection) as made:
        rain.save_file(file, station="A", by=None, on=SUNDAY)
    assert len(made) <= 20


def test_the_station_entered_last_is_offered_next() -> None:
    assert rain.default_station() == "City gauge"
    enter("0.1", station="Water works")
    assert rain.default_station() == "Water works"


# Whom it tells ----------------------------------------------------------------------------


def told(cause: str = f"rain:{RAINED}") -> list[str]:
    rows = OutboxMessage.objects.filter(cause=cause).order_by("pk")
    return list(rows.values_list("recipient", flat=True))


def test_the_permittee_is_told_once_per_day_of_rain() -> None:
    permit = factory.active_permit()
    enter("0.62")
    assert tell_of_recent_rain(SUNDAY) == 3
    assert tell_of_recent_rain(SUNDAY) == 0
    assert tell_of_recent_rain(SUNDAY + timedelta(days=2)) == 0
    assert told() == [
        permit.application.applicant.email,
        "landowner@example.test",
        "contractor@example.test",
    ]
    body = OutboxMessage.objects.first().body
    assert "0.62 inch of rain fell on Saturday, November 21, 2026" in body
    assert "by Sunday, November 22, 2026" in body
    assert "§ NR 216.48(4)" in body


def test_each_day_of_rain_and_each_site_has_its_own_mail() -> None:
    one, other = factory.active_permit(), factory.active_permit()
    enter("0.62")
    enter("0.9", rained_on=SUNDAY)
    tell_of_recent_rain(SUNDAY)
    keys = OutboxMessage.objects.filter(recipient="landowner@example.test")
    assert sorted(keys.values_list("reference", "cause")) == sorted(
        (permit.site.number, f"rain:{day}") for permit in (one, other) for day in (RAINED, SUNDAY)
    )


def test_nobody_is_told_whose_ground_was_not_bare_or_who_has_written_already() -> None:
    factory.active_permit(starts_on=SUNDAY)
    logged = factory.active_permit()
    factory.log_entry(logged, on=RAINED, kind="rain")
    enter("0.62")
    assert tell_of_recent_rain(SUNDAY) == 0


def test_rain_of_long_ago_is_told_to_nobody() -> None:
    factory.active_permit()
    enter("0.62")
    assert tell_of_recent_rain(RAINED + timedelta(days=8)) == 0


def test_those_who_were_told_learn_of_a_correction_once() -> None:
    factory.active_permit()
    enter("0.62")
    tell_of_recent_rain(SUNDAY)
    enter("0.4")
    assert tell_of_recent_rain(SUNDAY) == 3
    assert tell_of_recent_rain(SUNDAY) == 0
    assert told(f"rain-corrected:{RAINED}") == told()
    body = OutboxMessage.objects.filter(cause__startswith="rain-corrected").first().body
    assert "is no longer due" in body


def test_the_worker_tells_after_the_entry_and_the_round_makes_up_for_it(
    django_capture_on_commit_callbacks,
) -> None:
    factory.active_permit()
    with django_capture_on_commit_callbacks() as callbacks:
        enter("0.62")
    assert len(callbacks) == 1
    assert rounds.run_all(SUNDAY)["rain letters"] == 3


def test_nothing_is_asked_of_the_worker_for_a_dry_day(django_capture_on_commit_callbacks) -> None:
    with django_capture_on_commit_callbacks() as callbacks:
        enter("0.1")
    assert callbacks == []
