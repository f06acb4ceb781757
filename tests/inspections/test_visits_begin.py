"""Beginning a visit: from a case, for a place without a permit, and on days that can be meant."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.urls import reverse

from inspections.acts import visits as acts
from inspections.models import Visit, VisitNeed
from permits.models import Site
from portal import clock
from portal.models import Role

from .factory import (
    MONDAY,
    active_permit,
    finished_visit,
    inspector,
    open_visit,
    site_without_permit,
    user,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _monday(at):
    at(MONDAY)


@pytest.fixture
def site() -> Site:
    return active_permit(issued_on=MONDAY - timedelta(days=30)).site


@pytest.fixture
def as_inspector(client):
    client.force_login(inspector())
    return client


def begin(client, site, **data):
    return client.post(reverse("visit_begin", args=[site.number]), {"reason": "routine", **data})


def test_the_checklist_is_that_of_the_permits_own_plan(as_inspector, site):
    answer = begin(as_inspector, site, operation=str(uuid.uuid4()))
    visit = Visit.objects.get()
    assert answer.status_code == 303
    assert answer["Location"] == reverse("visit", args=[visit.key])
    assert [(line.kind, line.label, line.place) for line in visit.lines.all()] == [
        ("device", "Silt fence (DNR 1056)", "North and east lines"),
        ("device", "Storm drain inlet protection", "Inlet at the drive"),
        ("standard", "Waste and materials", ""),
        ("standard", "Tracking", ""),
        ("standard", "Storm drain inlets", ""),
    ]
    page = as_inspector.get(answer["Location"])
    assert page.status_code == 200
    assert page["Keep-Offline"] == "yes"
    assert "North and east lines" in page.content.decode()


def test_the_same_visit_sent_twice_is_one_visit(as_inspector, site):
    token, key = str(uuid.uuid4()), str(uuid.uuid4())
    first = begin(as_inspector, site, operation=token, key=key)
    again = begin(as_inspector, site, operation=token, key=key)
    later = begin(as_inspector, site, operation=str(uuid.uuid4()), key=key)
    assert first["Location"] == again["Location"] == later["Location"]
    assert Visit.objects.count() == 1


def test_two_inspectors_at_one_site_write_one_visit(client, site):
    mine = open_visit(site, on=MONDAY)
    other = user(Role.INSPECTOR, "other@example.test", "Sam Reyes")
    client.force_login(other)
    answer = begin(client, site)
    assert answer["Location"] == mine.get_absolute_url()
    page = client.get(answer["Location"]).content.decode()
    assert "Dana Olson has begun this visit" in page


def test_a_finished_visit_of_the_day_is_not_joined(as_inspector, site):
    finished_visit(site, on=MONDAY)
    begin(as_inspector, site)
    assert Visit.objects.count() == 2


@pytest.mark.parametrize(
    ("day", "words"),
    [
        ("2026-11-17", "cannot be dated after today"),
        ("2026-09-01", "more than sixty days ago"),
        ("2026-09-20", "The city knows this site since September 27, 2026"),
        ("12/31/1999", "cannot be meant"),
        ("31/12/2026", "Write a day of the calendar"),
    ],
)
def test_a_day_that_cannot_be_meant_is_asked_again(as_inspector, site, day, words):
    answer = begin(as_inspector, site, visited_on=day, reason="rain")
    assert answer.status_code in {200, 409}
    page = answer.content.decode()
    assert words in page
    assert '<option value="rain" selected>' in page
    assert "<title>Error: " in page
    assert not Visit.objects.exists()


def test_the_page_of_beginning_says_why_and_offers_what_is_open(as_inspector, site):
    VisitNeed.objects.create(
        site=site, reason="rain", since=MONDAY, due_on=MONDAY, because="Rain of 0.7 inch."
    )
    open_visit(site, on=MONDAY - timedelta(days=1))
    page = as_inspector.get(reverse("visit_begin", args=[site.number])).content.decode()
    assert "Rain of 0.7 inch." in page
    assert "go on with it" in page
    assert '<option value="rain" selected>' in page


# A place without a permit -----------------------------------------------------------------


def test_a_place_the_city_does_not_know_becomes_a_site_with_its_visit(as_inspector):
    url, token = reverse("unpermitted_visit"), str(uuid.uuid4())
    page = as_inspector.get(url, {"q": "99 Mill Street"}).content.decode()
    assert "knows no site" in page
    data = {
        "place": "99 Mill Street, behind the church",
        "parcels": "0240-113-2204, 0240-113-2205",
        "reason": "no_permit",
        "operation": token,
    }
    first, again = as_inspector.post(url, data), as_inspector.post(url, data)
    visit = Visit.objects.get()
    assert first["Location"] == again["Location"] == visit.get_absolute_url()
    assert visit.permit is None
    assert visit.reason == "no_permit"
    assert [str(p) for p in visit.site.parcels.all()] == ["0240-113-2204", "0240-113-2205"]
    assert visit.site.filed_on is None  # nothing of it is public
    assert [line.kind for line in visit.lines.all()] == ["standard"] * 3
    assert Site.objects.found_by("0240-113-2204").get() == visit.site
    assert "No permit" in as_inspector.get(first["Location"]).content.decode()


def test_a_place_the_city_knows_is_found_by_its_parcel(as_inspector, site):
    parcel = site.parcels.get().number
    page = as_inspector.get(reverse("unpermitted_visit"), {"q": parcel}).content.decode()
    assert site.place in page
    assert reverse("visit_begin", args=[site.number]) in page


def test_a_place_is_asked_for_in_plain_words_and_nothing_is_half_saved(as_inspector):
    url = reverse("unpermitted_visit")
    answer = as_inspector.post(url, {"place": "", "reason": "no_permit"})
    assert "Please answer this." in answer.content.decode()
    tomorrow = {"place": "9 Elm Road", "reason": "no_permit", "visited_on": "2026-11-17"}
    answer = as_inspector.post(url, tomorrow)
    assert answer.status_code == 409
    assert "cannot be dated after today" in answer.content.decode()
    assert "9 Elm Road" in answer.content.decode()
    assert not Site.objects.exists()


# Taking back, and who may come ------------------------------------------------------------


def test_a_visit_begun_by_mistake_is_taken_back_while_nothing_is_in_it(as_inspector, site):
    visit = open_visit(site, on=MONDAY)
    url = reverse("visit_discard", args=[visit.key])
    assert "Take it back" in as_inspector.get(url).content.decode()
    assert as_inspector.post(url).status_code == 303
    assert not Visit.objects.exists()


def test_a_visit_with_an_answer_is_not_taken_back(as_inspector, site):
    visit = open_visit(site, on=MONDAY)
    acts.answer(visit.lines.first(), by=inspector(), outcome="in_place")
    answer = as_inspector.post(reverse("visit_discard", args=[visit.key]))
    assert answer.status_code == 409
    assert Visit.objects.exists()


def test_only_inspectors_begin_visits(client, site):
    urls = [reverse("visit_begin", args=[site.number]), reverse("unpermitted_visit")]
    for url in urls:
        assert client.get(url).status_code == 302
    for role in (Role.APPLICANT, Role.CLERK, Role.ADMINISTRATOR, Role.ATTORNEY, Role.BOARD):
        client.force_login(user(role))
        for url in urls:
            assert client.get(url).status_code == 404
            assert client.post(url, {"reason": "routine"}).status_code == 404
    assert not Visit.objects.exists()


def test_a_site_without_a_case_page_is_led_to_its_visits(as_inspector):
    site = site_without_permit()
    visit = finished_visit(site, on=clock.today())
    page = as_inspector.get(visit.get_absolute_url()).content.decode()
    assert reverse("visits", args=[site.number]) in page
    assert reverse("case", args=[site.number]) + '"' not in page
