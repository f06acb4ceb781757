"""Dates of permanent cover: the season list, the reminders, and what verify proves."""

from __future__ import annotations

from datetime import date, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from inspections.acts import cover as acts
from permits.models import DocketEntry
from permits.reminders import send_reminders
from portal.models import OutboxMessage
from tests.inspections import factory
from tests.inspections.cover_case import (  # noqa: F401 (fixtures)
    MONDAY,
    TODAY,
    certificate,
    holder_fixture,
    inspector_fixture,
    permit_fixture,
    record,
    visit_fixture,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _today(at) -> None:
    at(TODAY)


# The season list --------------------------------------------------------------------------


def test_the_season_list_has_every_open_clock_by_date_or_place(inspector, permit) -> None:
    certificate(permit)
    other = factory.active_permit(
        issued_on=MONDAY, ends_on=date(2027, 8, 1), address="1 Ash Lane, Example, WI 54999"
    )
    certificate(other, "The barn")
    rows = inspector.get(reverse("season")).context["rows"]
    dates = [row["entry"].on for row in rows]
    assert len(rows) == 3
    assert dates == sorted(dates)
    by_place = inspector.get(reverse("season"), {"sort": "place"})
    assert by_place.context["rows"][0]["building"] == "The barn"
    assert "1 Ash Lane" in by_place.content.decode()


def test_an_empty_season_list_says_what_fills_it(inspector) -> None:
    assert "No permanent cover is due." in inspector.get(reverse("season")).content.decode()


def test_the_season_list_is_for_the_city(client, holder) -> None:
    assert holder.get(reverse("season")).status_code == 404
    client.logout()
    assert client.get(reverse("season")).status_code == 302


def test_the_season_list_has_pages_of_25_at_the_same_cost(inspector, permit) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as made:
            assert inspector.get(reverse("season")).status_code == 200
        return len(made)

    certificate(permit)
    queries()  # fills the caches of the process
    before = queries()
    for number in range(30):
        certificate(permit, f"House {number}")
    assert queries() <= before <= 20
    assert len(inspector.get(reverse("season")).context["rows"]) == 25
    assert len(inspector.get(reverse("season"), {"page": 2}).context["rows"]) == 7


# Reminders of permanent cover ---------------------------------------------------------------


def reminded(on: date) -> int:
    before = OutboxMessage.objects.count()
    send_reminders(on)
    return OutboxMessage.objects.count() - before


def test_the_permittee_is_reminded_60_30_7_days_before_and_on_the_day(permit) -> None:
    DocketEntry.objects.filter(rule="permanent-cover").delete()
    made = certificate(permit)
    due = date(2027, 7, 15)
    sent = {}
    for days in (61, 60, 59, 31, 30, 29, 8, 7, 6, 1, 0):
        sent[days] = reminded(due - timedelta(days=days))
    people = 3  # applicant, landowner, contractor
    assert {days: count for days, count in sent.items() if count} == {
        60: people,
        30: people,
        7: people,
        0: people,
    }
    causes = OutboxMessage.objects.filter(cause__startswith="reminder")
    assert set(causes.values_list("cause", flat=True)) == {"reminder-soon", "reminder-today"}
    first = causes.order_by("pk").first()
    assert first.body.count("60 days are left") == 1
    assert made.building in first.subject


def test_a_round_that_was_missed_is_made_up_for_once(permit) -> None:
    DocketEntry.objects.filter(rule="permanent-cover").delete()
    certificate(permit)
    assert reminded(date(2027, 7, 15) - timedelta(days=45)) == 3
    assert reminded(date(2027, 7, 15) - timedelta(days=44)) == 0


def test_a_correction_is_reminded_of_the_day_before(permit) -> None:
    factory.finding(permit.site, on=TODAY, correct_by=TODAY + timedelta(days=5))
    sent = {days: reminded(TODAY + timedelta(days=5 - days)) for days in (3, 2, 1, 0)}
    assert sent == {3: 0, 2: 0, 1: 3, 0: 3}


# Verify -----------------------------------------------------------------------------------


def verify() -> str:
    out = StringIO()
    call_command("verify", stdout=out)
    return out.getvalue()


def test_verify_holds_with_findings_and_certificates(permit, visit) -> None:
    factory.finding(permit.site, on=TODAY)
    certificate(permit)
    acts.record_certificate(
        permit,
        by=factory.clerk(),
        on=date(2027, 5, 4),
        building="Unit 2",
        issued_on=date(2027, 5, 3),
        irregular_reason="No notice.",
    )
    assert "In order" in verify()
    record(visit)
    assert "In order" in verify()


def test_verify_names_a_finding_whose_date_is_not_the_inspectors(permit) -> None:
    factory.finding(permit.site, on=TODAY)
    DocketEntry.objects.filter(rule="correction").update(on=TODAY + timedelta(days=9))
    with pytest.raises(CommandError, match=f"{permit.site.number} correction: .*the rule"):
        verify()


def test_verify_names_a_certificate_without_its_clock(permit) -> None:
    made = certificate(permit)
    DocketEntry.objects.of(made).delete()
    with pytest.raises(CommandError, match=r"Unit 1.*permanent-cover is not on the docket"):
        verify()


def test_verify_names_a_clock_of_a_finding_that_is_closed(permit) -> None:
    finding = factory.finding(permit.site, on=TODAY)
    type(finding).objects.filter(pk=finding.pk).update(status="dropped")
    with pytest.raises(CommandError, match="no act keeps it running"):
        verify()
