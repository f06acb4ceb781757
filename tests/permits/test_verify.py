"""`manage.py verify` proves record, docket and dates, or names the first bad row."""

from __future__ import annotations

from datetime import date
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from permits.models import Application, CaseEvent, DocketEntry
from permits.verify import faults
from portal import guards
from tests import factory

pytestmark = pytest.mark.django_db


def verify() -> str:
    out = StringIO()
    call_command("verify", stdout=out)
    return out.getvalue()


def test_every_state_of_a_case_holds() -> None:
    for make in factory.STATES.values():
        make()
    assert "In order" in verify()
    assert not list(faults())


def test_every_guard_is_up() -> None:
    assert not list(guards.missing())


def tampered(sql: str) -> None:
    guards.take_down()
    with connection.cursor() as cursor:
        cursor.execute(sql)
    guards.put_up()


def test_a_changed_event_is_named_first() -> None:
    site = factory.received().site
    tampered(
        f"UPDATE permits_caseevent SET reason = 'x' WHERE site_id = {site.pk} AND sequence = 2"
    )
    with pytest.raises(CommandError, match=f"{site.number} 2: .*changed") as failure:
        verify()
    assert failure.value.returncode == 1


def test_an_event_cut_out_of_the_middle_is_noticed() -> None:
    site = factory.received().site
    tampered(f"DELETE FROM permits_caseevent WHERE site_id = {site.pk} AND sequence = 2")
    with pytest.raises(CommandError, match=f"{site.number} 3: .*missing"):
        verify()


def test_a_chain_written_anew_without_the_key_is_noticed(settings) -> None:
    site = factory.received().site
    event = site.events.latest("sequence")
    settings.RECORD_KEY = "a guess"
    event.reason = "forged"
    forged = event.compute_hash()
    settings.RECORD_KEY = "demo-only-record-key"
    tampered(
        f"UPDATE permits_caseevent SET reason = 'forged', hash = '{forged}' WHERE id = {event.pk}"
    )
    assert any("changed" in fault for fault in faults())


def test_a_docket_date_that_is_not_the_rules_is_named() -> None:
    application = factory.received()
    DocketEntry.objects.filter(rule="decision").update(on=date(2026, 12, 15))
    with pytest.raises(CommandError, match=f"{application.site.number} decision"):
        verify()


def test_a_clock_missing_from_the_docket_is_named() -> None:
    application = factory.received()
    DocketEntry.objects.filter(rule="decision").delete()
    with pytest.raises(CommandError, match=f"{application.number}: its clock decision"):
        verify()


def test_a_clock_that_no_act_keeps_running_is_named() -> None:
    application = factory.received()
    Application.objects.filter(pk=application.pk).update(status="withdrawn")
    with pytest.raises(CommandError, match="no act keeps it running"):
        verify()


def test_a_received_date_that_does_not_follow_from_its_parts_is_named() -> None:
    application = factory.received()
    Application.objects.filter(pk=application.pk).update(received_on=date(2026, 11, 20))
    with pytest.raises(CommandError, match=f"{application.number}: received on 2026-11-20"):
        verify()


def test_events_of_one_case_are_numbered_without_gap() -> None:
    site = factory.issued().site
    numbers = list(CaseEvent.objects.filter(site=site).values_list("sequence", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))
