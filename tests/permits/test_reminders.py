"""Reminders: before the day, on it and once when it has passed; never twice."""

from __future__ import annotations

from datetime import date

import pytest

from permits import acts
from permits.reminders import send_reminders
from portal.models import OutboxMessage
from tests import factory

pytestmark = pytest.mark.django_db

DUE = date(2026, 12, 1)


def stages() -> list[tuple[str, str]]:
    rows = OutboxMessage.objects.filter(cause__startswith="reminder").order_by("pk")
    return list(rows.values_list("cause", "recipient"))


def test_nothing_is_sent_while_the_day_is_far() -> None:
    factory.inspector()
    factory.received(on=factory.MONDAY)
    assert send_reminders(date(2026, 11, 27)) == 0


@pytest.mark.parametrize(
    ("on", "stage"),
    [(date(2026, 11, 28), "soon"), (date(2026, 11, 30), "soon"), (DUE, "today")],
)
def test_the_inspector_is_reminded_before_and_on_the_day(on: date, stage: str) -> None:
    inspector = factory.inspector()
    factory.received(on=factory.MONDAY)
    send_reminders(on)
    assert stages() == [(f"reminder-{stage}", inspector.email)]


def test_the_job_run_twice_sends_one_mail() -> None:
    factory.inspector()
    factory.received(on=factory.MONDAY)
    assert send_reminders(DUE) == 1
    assert send_reminders(DUE) == 0
    assert len(stages()) == 1


def test_a_job_that_skipped_days_still_sends_one() -> None:
    factory.inspector()
    factory.received(on=factory.MONDAY)
    send_reminders(date(2026, 11, 28))
    send_reminders(date(2026, 11, 30))
    assert len(stages()) == 1


def test_a_late_decision_is_told_to_inspector_administrator_and_applicant_once() -> None:
    inspector, administrator = factory.inspector(), factory.administrator()
    application = factory.received(on=factory.MONDAY)
    send_reminders(date(2026, 12, 2))
    send_reminders(date(2026, 12, 3))
    told = [recipient for _, recipient in stages()]
    assert len(told) == len(set(told))
    assert {inspector.email, administrator.email, application.applicant.email} <= set(told)
    body = OutboxMessage.objects.get(
        cause="reminder-late", recipient=application.applicant.email
    ).body
    assert "granted" in body  # says that nothing is deemed granted


def test_a_decided_application_is_not_reminded_of() -> None:
    factory.inspector()
    application = factory.received(on=factory.MONDAY)
    acts.withdraw(application, by=application.applicant, on=factory.MONDAY)
    assert send_reminders(DUE) == 0


def test_the_appeal_clock_is_a_right_and_reminds_nobody() -> None:
    factory.inspector()
    factory.denied(on=factory.MONDAY)
    assert send_reminders(date(2027, 1, 20)) == 0
