"""Land without an application: staff find its visits, and the desk can hold its findings."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client
from django.urls import reverse

from inspections.acts import findings, visits
from permits.models import Site
from portal import numbers
from tests import factory

pytestmark = pytest.mark.django_db
ON = date(2026, 11, 16)


@pytest.fixture
def land() -> Site:
    site = Site.objects.create(number=numbers.next_number("S", on=ON), address="Mill Road")
    visit = visits.begin(site, by=factory.inspector(), on=ON, today=ON)
    findings.record(visit, by=factory.inspector(), what="Digging", section="permit", correct_by=ON)
    return site


def test_staff_come_to_its_visits_and_a_stranger_finds_nothing(land: Site) -> None:
    staff, stranger = Client(), Client()
    staff.force_login(factory.inspector())
    stranger.force_login(factory.applicant())
    url = reverse("case", args=[land.number])
    assert staff.get(url)["Location"] == reverse("visits", args=[land.number])
    assert stranger.get(url).status_code == 404


def test_the_desk_shows_its_finding(land: Site) -> None:
    staff = Client()
    staff.force_login(factory.inspector())
    assert staff.get(reverse("desk"), {"who": "holder"}).status_code == 200


def test_the_desk_shows_a_finding_where_a_site_has_two_applications() -> None:
    case = factory.issued()
    other = factory.received(case.applicant)
    other.site = case.site
    other.save(update_fields=["site"])
    visit = visits.begin(case.site, by=factory.inspector(), on=ON, today=ON)
    findings.record(visit, by=factory.inspector(), what="Fence down", section="plan", correct_by=ON)
    staff = Client()
    staff.force_login(factory.inspector())
    assert b"Fence down" in staff.get(reverse("desk"), {"who": "holder"}).content
