"""A closure moves open dates, says why on each case, and tells the parties once."""

from __future__ import annotations

from datetime import date

import pytest

from permits import acts, recount
from permits.models import DocketEntry
from permits.verify import faults
from portal import city_calendar
from portal.models import Closure, OutboxMessage
from tests import factory

pytestmark = pytest.mark.django_db

RECEIVED = date(2026, 11, 16)
DUE = date(2026, 12, 1)
DUE_WITH_CLOSURE = date(2026, 12, 2)
FRIDAY_AFTER_THANKSGIVING = date(2026, 11, 27)


def close(day: date = FRIDAY_AFTER_THANKSGIVING, *, closed: bool = True) -> list[recount.Move]:
    return recount.change_closure(
        day,
        name="Friday after Thanksgiving",
        closed=closed,
        resolution="2026-14",
        by=factory.clerk(),
        on=RECEIVED,
    )


def test_a_closure_shows_first_which_dates_it_moves() -> None:
    application = factory.received(on=RECEIVED)
    assert application.decision_deadline().on == DUE
    moves = recount.moves_if(FRIDAY_AFTER_THANKSGIVING, name="Closed", closed=True)
    assert [(m.before, m.after.on) for m in moves] == [(DUE, DUE_WITH_CLOSURE)]
    assert DocketEntry.objects.get(rule="decision").on == DUE


def test_a_closure_moves_open_dates_and_records_why() -> None:
    application = factory.received(on=RECEIVED)
    close()
    assert application.decision_deadline().on == DUE_WITH_CLOSURE
    assert DocketEntry.objects.get(rule="decision").on == DUE_WITH_CLOSURE
    event = application.site.events.latest("sequence")
    assert event.kind == "date.moved"
    assert "2026-14" in event.reason
    assert event.facts["from"] == "2026-12-01"
    assert event.facts["to"] == "2026-12-02"
    assert not list(faults())


def test_a_closure_tells_each_party_once() -> None:
    factory.received(on=RECEIVED)
    close()
    told = OutboxMessage.objects.filter(cause__startswith="date_moved")
    recipients = list(told.values_list("recipient", flat=True))
    assert recipients
    assert len(recipients) == len(set(recipients))
    assert "Wednesday, December 2, 2026" in told[0].body


def test_a_decided_case_keeps_the_count_by_which_it_was_decided() -> None:
    application = factory.received(on=RECEIVED)
    acts.deny(
        application,
        by=factory.inspector(),
        on=date(2026, 11, 20),
        changes=[{"section": "plan", "sheet": "", "text": "Show the inlet."}],
    )
    assert not close()
    assert application.decision_deadline().on == DUE
    assert not list(faults())


def test_reopening_city_hall_moves_the_date_back_and_keeps_both_rows() -> None:
    application = factory.received(on=RECEIVED)
    close()
    close(closed=False)
    assert application.decision_deadline().on == DUE
    assert Closure.objects.count() == 2
    assert FRIDAY_AFTER_THANKSGIVING not in city_calendar.closures()


def test_a_case_is_judged_by_the_closures_known_when_it_was_decided() -> None:
    close()
    application = factory.received(on=RECEIVED)
    assert application.decision_deadline().on == DUE_WITH_CLOSURE
