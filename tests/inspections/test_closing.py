"""Closing a permit: what stands in the way, who may, and who is told."""

from __future__ import annotations

import pytest
from django.urls import reverse

from inspections.acts import closing
from inspections.acts import findings as finding_acts
from permits.models import CaseEvent, DocketEntry, NotNow
from portal.models import OutboxMessage
from tests.inspections import factory
from tests.inspections.cover_case import (  # noqa: F401 (fixtures)
    TODAY,
    inspector_fixture,
    permit_fixture,
    record,
    send,
    visit_fixture,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _today(at) -> None:
    at(TODAY)


# Closing ----------------------------------------------------------------------------------


@pytest.fixture
def complete(permit, visit):
    record(visit)
    permit.refresh_from_db()
    return permit


def test_a_permit_is_not_closed_before_the_final_inspection(inspector, permit) -> None:
    address = reverse("permit_close", args=[permit.site.number])
    page = inspector.get(address).content.decode()
    assert "The final inspection has not passed." in page
    assert send(inspector, address).status_code == 409
    permit.refresh_from_db()
    assert permit.status == "issued"


def test_open_findings_stand_in_the_way_and_lead_to_their_pages(inspector, complete) -> None:
    finding = factory.finding(complete.site, on=TODAY)
    address = reverse("permit_close", args=[complete.site.number])
    page = inspector.get(address).content.decode()
    assert "Finding 1 is open" in page
    assert finding.get_absolute_url() in page
    with pytest.raises(NotNow) as refused:
        closing.close_permit(complete, by=factory.inspector(), on=TODAY)
    assert [each.key for each in refused.value.obstacles] == ["finding-1"]
    finding_acts.drop(finding, by=factory.inspector(), on=TODAY, reason="In error.")
    assert send(inspector, address).status_code == 303


def test_closing_tells_the_parties_and_the_public(client, inspector, complete) -> None:
    address = reverse("permit_close", args=[complete.site.number])
    assert send(inspector, address).status_code == 303
    complete.refresh_from_db()
    assert (complete.status, complete.closed_on) == ("closed", TODAY)
    assert OutboxMessage.objects.filter(cause="closed").count() == 3
    assert CaseEvent.objects.filter(kind="permit.closed").count() == 1
    running = DocketEntry.objects.running().filter(site=complete.site)
    assert not running.exclude(rule="appeal").exists()
    case = inspector.get(complete.get_absolute_url()).content.decode()
    assert f"Permit {complete} was closed on" in case
    assert "The final inspection passed" in case
    client.logout()
    public = client.get(complete.site.get_public_url()).content.decode()
    assert "No longer." in public
    assert f"permit {complete} was closed on" in public
    assert "Closed" in public


@pytest.mark.parametrize("role", ["clerk", "administrator", "attorney", "board", "applicant"])
def test_only_the_inspector_closes_and_judges(client, complete, visit, role) -> None:
    pages = [
        reverse("permit_close", args=[complete.site.number]),
        reverse("final", args=[visit.key]),
    ]
    assert {client.get(page).status_code for page in pages} == {302}
    client.force_login(factory.user(role))
    assert {client.get(page).status_code for page in pages} == {404}
    assert send(client, pages[0]).status_code == 404
    complete.refresh_from_db()
    assert complete.status == "issued"


def test_only_the_holder_reports_complete(client, permit) -> None:
    address = reverse("complete", args=[permit.site.number])
    for role in ("inspector", "clerk", "applicant"):
        client.force_login(factory.user(role))
        assert client.get(address).status_code == 404
        assert send(client, address, step="confirm").status_code == 404
