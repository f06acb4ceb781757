"""The daily seal: what was cut off the end of a chain shows, and a copy lies outside."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest
from django.db import connection

from permits.models import CaseEvent, RecordSeal
from permits.sealing import seal_record
from permits.verify import faults
from portal import guards
from portal.models import OutboxMessage
from tests import factory

pytestmark = pytest.mark.django_db


@pytest.fixture
def sealed(at: Callable[..., datetime]) -> CaseEvent:
    """The last event of a case, under yesterday's seal."""
    at("2026-11-16", "12:00")
    site = factory.received().site
    factory.clerk()
    at("2026-11-16", "18:00")
    assert seal_record(factory.MONDAY) == 1
    return site.events.latest("sequence")


def cut(event: CaseEvent) -> None:
    guards.take_down()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM permits_caseevent WHERE id = %s", [event.pk])
    guards.put_up()


def test_an_event_cut_off_the_end_of_a_chain_is_noticed(sealed: CaseEvent) -> None:
    assert not list(faults())
    cut(sealed)
    assert any("sealed" in fault for fault in faults())


def test_later_events_do_not_break_the_seal(sealed: CaseEvent) -> None:
    factory.issued()
    assert not list(faults())


def test_the_record_is_sealed_once_while_nothing_happens(sealed: CaseEvent) -> None:
    assert seal_record(factory.MONDAY) == 0
    assert RecordSeal.objects.count() == 1


def test_clerk_and_attorney_keep_the_seal(sealed: CaseEvent) -> None:
    mail = OutboxMessage.objects.get(cause="seal", recipient=factory.clerk().email)
    assert RecordSeal.objects.get().digest in mail.body
