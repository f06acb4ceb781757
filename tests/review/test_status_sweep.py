"""Each act in each status: it succeeds and leaves its events, or refuses and leaves none."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from escrow import acts as escrow_acts
from permits import acts
from permits.models import Application, CaseEvent, NotNow, Permit
from portal.models import OutboxMessage
from tests import factory
from tests.factory import MONDAY

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_papers")]


def _permit(application: Application) -> Permit:
    permit = Permit.objects.filter(application=application).first()
    if permit is None:
        raise NotNow("There is no permit.")
    return permit


def _submit(application: Application) -> None:
    acts.submit(
        application,
        by=application.applicant,
        on=MONDAY,
        signed_name="Mai Vang",
        signed_capacity="Landowner",
    )


def _record_fee(application: Application) -> None:
    acts.record_fee(
        application,
        by=factory.clerk(),
        on=MONDAY,
        means="cash",
        amount=Decimal("25.00"),
        received_on=MONDAY,
        receipt_number="R-9",
    )


def _reverse_fee(application: Application) -> None:
    acts.reverse_fee(application, by=factory.clerk(), on=MONDAY, reason="The check came back.")


def _grant(application: Application) -> None:
    until = MONDAY + timedelta(days=240)
    acts.grant(
        application,
        by=factory.inspector(),
        on=MONDAY,
        permanent_controls_by=until,
        **factory.GRANT,
    )


def _deny(application: Application) -> None:
    change = {"section": "plan", "sheet": "", "text": "Show the inlet."}
    acts.deny(application, by=factory.inspector(), on=MONDAY, changes=[change])


def _file_revision(application: Application) -> None:
    if application.status == Application.Status.DENIED:
        revision = application.begin_revision()
        for change in revision.changes_to_answer():
            revision.answers.create(change=change, text="Done.")
    acts.file_revision(application, by=application.applicant, on=MONDAY)


def _withdraw(application: Application) -> None:
    acts.withdraw(application, by=application.applicant, on=MONDAY, reason="Sold.")


def _post_escrow(application: Application) -> None:
    factory.post_escrow(_permit(application))


def _reverse_escrow(application: Application) -> None:
    permit = _permit(application)
    escrow_acts.reverse(permit, by=factory.clerk(), on=MONDAY, reason="Wrong case.")


def _issue(application: Application) -> None:
    acts.issue(_permit(application), by=factory.clerk(), on=MONDAY)


ACTS: dict[str, Callable[[Application], None]] = {
    "submit": _submit,
    "record_fee": _record_fee,
    "reverse_fee": _reverse_fee,
    "grant": _grant,
    "deny": _deny,
    "file_revision": _file_revision,
    "withdraw": _withdraw,
    "post_escrow": _post_escrow,
    "reverse_escrow": _reverse_escrow,
    "issue": _issue,
}

ALLOWED: dict[str, dict[str, list[str]]] = {
    "complete_draft": {
        "submit": ["application.submitted"],
        "withdraw": ["application.withdrawn"],
    },
    "submitted": {
        "record_fee": ["fee.recorded", "application.received"],
        "withdraw": ["application.withdrawn"],
    },
    "received": {
        "grant": ["application.granted"],
        "deny": ["application.denied"],
        "reverse_fee": ["fee.reversed"],
        "withdraw": ["application.withdrawn"],
    },
    "denied": {
        "file_revision": ["revision.filed"],
        "withdraw": ["application.withdrawn"],
    },
    "revised": {
        "grant": ["application.granted"],
        "deny": ["application.denied"],
        "withdraw": ["application.withdrawn"],
    },
    "granted": {
        "post_escrow": ["escrow.posted"],
        "withdraw": ["application.withdrawn"],
    },
    "posted": {
        "issue": ["permit.issued"],
        "reverse_escrow": ["escrow.reversed"],
    },
    "issued": {},
    "withdrawn": {},
}
"""What may be done in each state, and the events that it leaves."""


def _trace(application: Application) -> tuple[Any, ...]:
    """Everything an act could leave behind."""
    return (
        list(CaseEvent.objects.filter(site=application.site).values_list("kind", flat=True)),
        OutboxMessage.objects.count(),
        application.papers.count(),
        application.decisions.count(),
        list(Application.objects.filter(pk=application.pk).values()),
        list(Permit.objects.filter(application=application).values()),
        list(application.site.docket.order_by("pk").values()),
    )


@pytest.mark.parametrize("state", ALLOWED)
def test_what_is_allowed_leaves_exactly_its_events(state: str) -> None:
    for name, kinds in ALLOWED[state].items():
        application = factory.STATES[state]()
        before = application.site.events.count()
        ACTS[name](application)
        left = application.site.events.order_by("sequence").values_list("kind", flat=True)
        assert list(left)[before:] == kinds, (state, name)


@pytest.mark.parametrize("state", ALLOWED)
def test_what_is_not_allowed_is_refused_and_leaves_nothing(state: str) -> None:
    application = factory.STATES[state]()
    before = _trace(application)
    for name in ACTS.keys() - ALLOWED[state].keys():
        with pytest.raises(NotNow) as refused:
            ACTS[name](Application.objects.get(pk=application.pk))
        assert refused.value.sentence, name
        assert _trace(application) == before, (state, name)


def test_every_status_says_what_may_follow() -> None:
    assert set(Application.NEXT) == set(Application.Status)
    assert set(Permit.NEXT) == set(Permit.Status)
    for table in (Application.NEXT, Permit.NEXT):
        assert {after for follow in table.values() for after in follow} <= set(table)


def test_nothing_follows_what_is_final() -> None:
    assert not Application.NEXT[Application.Status.WITHDRAWN]
    assert not Permit.NEXT[Permit.Status.WITHDRAWN]
    assert Permit.NEXT[Permit.Status.ISSUED] == {Permit.Status.CLOSED, Permit.Status.REVOKED}
    assert Permit.NEXT[Permit.Status.REVOKED] == {Permit.Status.ISSUED}, "by the board alone"
    assert not Permit.NEXT[Permit.Status.CLOSED]


def test_no_application_is_ever_stuck() -> None:
    """From every state that is not final some act of somebody leads on."""
    for state, allowed in ALLOWED.items():
        assert allowed or state in {"issued", "withdrawn"}, state


def test_a_fee_of_nothing_never_blocks() -> None:
    from portal.models import CouncilValue

    CouncilValue.objects.create(
        key="fee", value="0", effective_on=MONDAY, resolution="R-2026-1", entered_by=None
    )
    application = factory.submitted()
    application.refresh_from_db()
    assert application.status == Application.Status.UNDER_REVIEW
    assert application.received_on == MONDAY


def test_a_denial_without_a_required_change_is_impossible() -> None:
    application = factory.received()
    with pytest.raises(NotNow):
        acts.deny(application, by=factory.inspector(), on=MONDAY, changes=[])
    assert not application.decisions.exists()
