"""A permit whose plan asks for permanent controls, and the acts that end its dates."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from inspections.acts import cover as acts
from inspections.models import Certificate, FinalInspection, Visit
from permits.models import DocketEntry, Permit
from portal import operations
from tests.inspections import factory

MONDAY = factory.MONDAY
TODAY = MONDAY + timedelta(days=30)


@pytest.fixture(name="permit")
def permit_fixture() -> Permit:
    """An issued permit with its clocks on the docket; the permit's date lies far off."""
    permit = factory.active_permit(issued_on=MONDAY, controls_by=date(2027, 9, 30))
    permit.grant.revision.devices.create(
        device="inlet-protection", place="Rain garden outlet", permanent=True
    )
    for subject in (permit, permit.grant):
        for count in subject.clocks():
            DocketEntry.objects.start(subject, count, title=f"{count.title}, {permit}")
    return permit


@pytest.fixture(name="visit")
def visit_fixture(permit: Permit) -> Visit:
    """A visit of today, being written."""
    return factory.open_visit(permit.site, on=TODAY)


@pytest.fixture(name="inspector")
def inspector_fixture(client):
    """The browser of the building inspector."""
    client.force_login(factory.inspector())
    return client


@pytest.fixture(name="holder")
def holder_fixture(client, permit: Permit):
    """The browser of the person who holds the case."""
    client.force_login(permit.application.applicant)
    return client


def send(client, address: str, **fields):
    """Send a form with a token of its own."""
    return client.post(address, {operations.FIELD: operations.new_token(), **fields})


def record(visit: Visit, **changes) -> FinalInspection:
    """Record a final inspection that passes unless said otherwise."""
    given = {
        "controls_complete": True,
        "perennial": True,
        "density_percent": 70,
        "method": "estimate",
        **changes,
    }
    return acts.record_final(visit, by=factory.inspector(), **given)


def certificate(permit: Permit, building: str = "Unit 1") -> Certificate:
    """Record a certificate of today, in winter."""
    return acts.record_certificate(
        permit, by=factory.clerk(), on=TODAY, building=building, issued_on=TODAY
    )
