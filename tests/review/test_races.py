"""Two at once: one decision, one number, one mail; the other is told. On PostgreSQL."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Any

import pytest
from django.db import connection, transaction
from django.http import HttpResponse

from escrow.models import EscrowEntry
from permits import acts
from permits.models import Application, CaseEvent, NotNow, Permit, find_broken_links
from portal import numbers
from portal.models import OutboxMessage
from tests import factory
from tests.factory import MONDAY

from .pages import FEE, TERMS, fields_of, fill, signed_in, text_of, url

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("monday"),
]


def at_once(jobs: list[Callable[[], Any]]) -> list[Any]:
    """Run all jobs in the same moment, each with a database connection of its own."""
    ready = threading.Barrier(len(jobs))

    def run(job: Callable[[], Any]) -> Any:
        try:
            ready.wait(timeout=30)
            return job()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return [each.result() for each in [pool.submit(run, job) for job in jobs]]


def sender(address: str, fields: dict[str, str], user: Any) -> Callable[[], HttpResponse]:
    """A browser about to press the button."""
    client = signed_in(user)
    return lambda: client.post(address, {**fields, "step": "confirm", "end_of_form": ""})


def prepared(name: str, application: Application, user: Any, **answers: str) -> dict[str, str]:
    """The fields of the page that shows what will happen."""
    return fields_of(fill(signed_in(user), url(name, application), **answers))


@pytest.mark.parametrize("attempt", range(3))
def test_grant_and_deny_in_the_same_moment_make_one_decision(attempt: int) -> None:
    application = factory.received()
    inspectors = [
        factory.user("inspector", f"i{n}@example.test", f"Inspector {n}") for n in "123456"
    ]
    jobs = []
    for n, user in enumerate(inspectors):
        name, answers = ("grant", TERMS) if n % 2 else ("deny", {"change-0-text": f"Mine, {n}."})
        fields = prepared(name, application, user, **answers)
        jobs.append(sender(url(name, application), fields, user))
    sent = OutboxMessage.objects.count()
    answers_ = at_once(jobs)
    assert sorted(response.status_code for response in answers_) == [302, 409, 409, 409, 409, 409]
    decision = application.decisions.get()
    assert OutboxMessage.objects.count() == sent + 3
    assert application.site.events.filter(kind__startswith="application.").count() == 4
    verb = "granted" if decision.kind == "grant" else "denied"
    for response in answers_:
        if response.status_code == 409:
            told = f"{decision.decided_by.signature} {verb} this application on Monday"
            assert told in text_of(response)
    assert Permit.objects.filter(application=application).count() == (decision.kind == "grant")
    assert not list(find_broken_links())


def _once(name: str, application: Application, user: Any, **answers: str) -> set[str]:
    address = url(name, application)
    fields = prepared(name, application, user, **answers)
    responses = at_once([sender(address, fields, user) for _ in range(20)])
    assert {response.status_code for response in responses} == {302}
    return {response.headers["Location"] for response in responses}


def test_twenty_clicks_on_grant_are_one_grant() -> None:
    application = factory.received()
    assert len(_once("grant", application, factory.inspector(), **TERMS)) == 1
    assert application.decisions.count() == 1
    assert OutboxMessage.objects.filter(cause="granted:1").count() == 3
    assert application.papers.filter(kind="grant").count() == 1


def test_twenty_clicks_on_the_fee_are_one_fee() -> None:
    application = factory.submitted()
    assert _once("fee", application, factory.clerk(), **FEE) == {url("receipt", application)}
    assert application.fee_entries.count() == 1
    assert OutboxMessage.objects.filter(cause__startswith="received:").count() == 3


def test_twenty_clicks_on_the_escrow_are_one_posting() -> None:
    application = factory.granted()
    cash = {"escrow-0-amount": "2500.00", "escrow-0-receipt_number": "E-1"}
    assert len(_once("escrow_post", application, factory.clerk(), **cash)) == 1
    assert EscrowEntry.objects.count() == 1


def test_two_clerks_post_the_same_escrow_and_one_is_told() -> None:
    application = factory.granted()
    clerks = [factory.user("clerk", f"c{n}@example.test") for n in range(4)]
    jobs = []
    for n, user in enumerate(clerks):
        cash = {"escrow-0-amount": "2500.00", "escrow-0-receipt_number": f"E-{n}"}
        fields = prepared("escrow_post", application, user, **cash)
        jobs.append(sender(url("escrow_post", application), fields, user))
    statuses = sorted(response.status_code for response in at_once(jobs))
    assert statuses == [302, 409, 409, 409]
    assert EscrowEntry.objects.balance() == application.permit.escrow_amount


def test_issue_and_reversal_in_the_same_moment_never_leave_a_permit_without_escrow() -> None:
    clerk, inspector = factory.clerk(), factory.inspector()
    for _ in range(3):
        application = factory.posted()
        reverse = prepared("escrow_reverse", application, clerk, reason="Wrong case.")
        issue = fields_of(signed_in(inspector).get(url("issue", application)))
        responses = at_once(
            [
                sender(url("escrow_reverse", application), reverse, clerk),
                sender(url("issue", application), issue, inspector),
            ]
        )
        assert sorted(response.status_code for response in responses) == [302, 409]
        permit = Permit.objects.get(application=application)
        covered = permit.escrow_entries.balance() == permit.escrow_amount
        assert covered is (permit.status == Permit.Status.ISSUED)


def test_withdrawal_and_grant_in_the_same_moment_keep_the_order() -> None:
    for _ in range(3):
        application = factory.received()
        holder, inspector = application.applicant, factory.inspector()
        fields = prepared("grant", application, inspector, **TERMS)

        def withdraw(application: Application = application, holder: Any = holder) -> str:
            try:
                fresh = Application.objects.get(pk=application.pk)
                acts.withdraw(fresh, by=holder, on=MONDAY)
            except NotNow:
                return "refused"
            return "withdrawn"

        _, outcome = at_once([sender(url("grant", application), fields, inspector), withdraw])
        application.refresh_from_db()
        assert outcome == "withdrawn"
        assert application.status == Application.Status.WITHDRAWN
        permit = Permit.objects.filter(application=application).first()
        assert permit is None or permit.status == Permit.Status.WITHDRAWN
    assert not list(find_broken_links())


def test_sixteen_threads_get_numbers_without_a_repeat() -> None:
    def fail() -> None:
        with transaction.atomic():
            numbers.next_number("EC", on=date(2026, 12, 31))
            raise ValueError("an act that fails may leave a gap, never a repeat")

    def take(count: int = 25) -> list[str]:
        given = []
        for n in range(count):
            with transaction.atomic():
                given.append(numbers.next_number("EC", on=date(2026, 12, 31)))
            if n % 5 == 0:
                with pytest.raises(ValueError, match="a gap"):
                    fail()
        return given

    found = [number for part in at_once([take] * 16) for number in part]
    assert len(found) == 400
    assert len(set(found)) == 400
    assert all(number.startswith("EC-2026-") for number in found)


def test_fifty_events_of_one_case_are_one_chain() -> None:
    site = factory.submitted().site
    clerk = factory.clerk()

    def record() -> None:
        with transaction.atomic():
            site.lock()
            site.record("date.moved", by=clerk, on=MONDAY, reason="A test.")

    at_once([record] * 25)
    sequences = CaseEvent.objects.filter(site=site).values_list("sequence", flat=True)
    assert list(sequences.order_by("sequence")) == list(range(1, 28))
    assert not list(find_broken_links())
