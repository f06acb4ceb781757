"""Reports as the city reads them: linked to a site, visited, answered."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from inspections.acts import complaints
from inspections.models import Complaint, VisitNeed
from inspections.nearby import Position, sites_near
from permits.models import CaseEvent, NotNow, Site
from portal.models import OutboxMessage, Role
from portal.uploads.store import store
from tests.floor.sample_files import MADISON, jpeg, sent
from tests.inspections import factory

pytestmark = pytest.mark.django_db

TODAY = date(2026, 11, 23)
LATITUDE, LONGITUDE = Decimal("43.073052"), Decimal("-89.401230")


@pytest.fixture(autouse=True)
def _today(at: Callable[..., object]) -> None:
    at(TODAY)


@pytest.fixture
def inspector(client: Client) -> Client:
    client.force_login(factory.inspector())
    return client


def complaint(**fields: Any) -> Complaint:
    given = {"what": "mud", "place": "105 Prairie Road", "text": "Mud on the road.", **fields}
    return complaints.take(on=TODAY, **given)


def text_of(response: Any) -> str:
    body = re.sub(r"<[^>]+>", " ", response.content.decode())
    return html.unescape(re.sub(r"\s+", " ", body))


def page_of(client: Client, found: Complaint, **query: str) -> str:
    return text_of(client.get(reverse("report_case", args=[found.key]), query))


def open_needs(site: Site) -> int:
    return VisitNeed.objects.open().filter(site=site, reason="complaint").count()


def answer(client: Client, found: Complaint, **fields: str) -> Any:
    data = {"text": "We look at it today.", "step": "confirm", **fields}
    return client.post(reverse("report_answer", args=[found.key]), data, follow=True)


# Read -------------------------------------------------------------------------------------


def test_open_reports_stand_on_the_list_and_answered_ones_apart(inspector: Client) -> None:
    waiting, done = complaint(place="Here"), complaint(place="There")
    complaints.answer(done, by=factory.inspector(), on=TODAY, text="Done.")
    page = text_of(inspector.get(reverse("reports")))
    assert waiting.number in page
    assert done.number not in page
    answered = text_of(inspector.get(reverse("reports"), {"list": "answered"}))
    assert done.number in answered
    assert waiting.number not in answered


def test_lists_have_25_a_page_and_an_empty_state(inspector: Client) -> None:
    assert "No report waits for an answer" in text_of(inspector.get(reverse("reports")))
    for _ in range(27):
        complaint()
    assert text_of(inspector.get(reverse("reports"))).count("Look into it") == 25
    assert text_of(inspector.get(reverse("reports"), {"page": 2})).count("Look into it") == 2


def test_a_report_shows_what_was_sent_with_photos_and_their_position(inspector: Client) -> None:
    photo = store(sent("mud.jpg", jpeg(at=MADISON)), by=None)
    found = complaint(name="Mai Vang", contact="mai@people.test", photos=[photo])
    page = page_of(inspector, found)
    for text in ["Mud on the road.", "Mai Vang", "mai@people.test", "mud.jpg", "43.073052"]:
        assert text in page
    picture = inspector.get(reverse("report_photo", args=[found.key, photo.key]))
    assert picture.headers["Content-Type"] == "image/jpeg"
    original = inspector.get(reverse("report_photo_file", args=[found.key, photo.key]))
    assert "attachment" in original.headers["Content-Disposition"]


def test_a_photo_of_another_report_is_not_found_under_this_one(inspector: Client) -> None:
    photo = store(sent("mud.jpg", jpeg()), by=None)
    complaint(photos=[photo])
    other = complaint()
    for name in ("report_photo", "report_photo_file"):
        assert inspector.get(reverse(name, args=[other.key, photo.key])).status_code == 404


PAGES = ["report_case", "report_photo", "report_photo_file"]
ACTS = ["report_link", "report_site", "report_answer"]


def address(name: str, found: Complaint) -> str:
    photo = found.photos.get()
    return reverse(name, args=[found.key, photo.key] if "photo" in name else [found.key])


@pytest.mark.parametrize("role", [None, *Role])
def test_who_reads_and_who_acts(client: Client, role: str | None) -> None:
    found = complaint(photos=[store(sent("mud.jpg", jpeg()), by=None)])
    if role:
        client.force_login(factory.user(role))
    reads = {None: 302, Role.APPLICANT: 404}.get(role, 200)
    acts = {None: 302, Role.INSPECTOR: 200}.get(role, 404)
    assert client.get(reverse("reports")).status_code == reads
    for name in PAGES:
        assert client.get(address(name, found)).status_code == reads
    answered = client.post(address("report_answer", found), {"text": "Seen.", "step": "check"})
    assert answered.status_code == acts
    if acts != 200:
        for name in ("report_link", "report_site"):
            assert client.post(address(name, found), {"address": "x"}).status_code == acts


@pytest.mark.parametrize("name", ["report_link", "report_site"])
def test_acts_are_not_done_by_following_a_link(inspector: Client, name: str) -> None:
    assert inspector.get(reverse(name, args=[complaint().key])).status_code == 405


# Sites nearby -----------------------------------------------------------------------------


def placed(address: str, latitude: Decimal, longitude: Decimal) -> Site:
    return factory.site_without_permit(address, latitude=latitude, longitude=longitude)


@pytest.mark.parametrize(
    ("place", "found"),
    [
        ("105 Prairie Road", True),
        ("105 prairie", True),
        ("in front of 105 Prairie Road, beside the school", True),
        ("Prairie Road somewhere", True),
        ("Mill Street", False),
        ("", False),
    ],
)
def test_sites_are_found_by_the_words_of_the_place(place: str, found: bool) -> None:
    site = factory.active_permit(address="105 Prairie Road, Example, WI 54999").site
    near = [each.site for each in sites_near(complaint(place=place))]
    assert (site in near) is found


def test_sites_are_found_by_position_the_nearest_first() -> None:
    close = placed("1 A Street", LATITUDE + Decimal("0.0005"), LONGITUDE)
    closer = placed("2 B Street", LATITUDE, LONGITUDE + Decimal("0.0003"))
    placed("3 C Street", LATITUDE + Decimal("0.004"), LONGITUDE)
    near = sites_near(complaint(place="Somewhere", latitude=LATITUDE, longitude=LONGITUDE))
    assert [(each.site, each.metres) for each in near] == [(closer, 24), (close, 56)]


def test_the_position_of_a_photo_finds_sites_too() -> None:
    site = placed("2 B Street", LATITUDE, LONGITUDE)
    photo = store(sent("mud.jpg", jpeg(at=MADISON)), by=None)
    assert [each.site for each in sites_near(complaint(place="x", photos=[photo]))] == [site]


def test_three_hundred_metres_are_the_bound() -> None:
    here = Position(LATITUDE, LONGITUDE)
    assert 295 <= here.metres_to(Position(LATITUDE + Decimal("0.00269"), LONGITUDE)) <= 305
    placed("1 A Street", LATITUDE + Decimal("0.00268"), LONGITUDE)
    placed("2 B Street", LATITUDE + Decimal("0.00272"), LONGITUDE)
    near = sites_near(complaint(place="x", latitude=LATITUDE, longitude=LONGITUDE))
    assert [each.site.address for each in near] == ["1 A Street"]


def test_another_site_is_searched_for(inspector: Client) -> None:
    factory.active_permit(address="9 Mill Street")
    page = page_of(inspector, complaint(), q="mill")
    assert "9 Mill Street" in page
    assert "No site has these words" in page_of(inspector, complaint(), q="nowhere")


# Linked -----------------------------------------------------------------------------------


def link(client: Client, found: Complaint, site: Site) -> Any:
    data = {"site": site.number}
    return client.post(reverse("report_link", args=[found.key]), data, follow=True)


def test_a_linked_report_puts_the_site_on_the_round(inspector: Client) -> None:
    site, found = factory.active_permit().site, complaint()
    assert "which is on the round now" in text_of(link(inspector, found, site))
    found.refresh_from_db()
    assert found.site == site
    need = VisitNeed.objects.open().get(site=site, reason="complaint")
    assert (need.due_on, need.because) == (TODAY, f"{found.number}: Mud on the road.")
    assert CaseEvent.objects.filter(site=site, kind="complaint.linked").count() == 1


def test_linked_again_to_the_same_site_nothing_happens_twice(inspector: Client) -> None:
    site, found = factory.active_permit().site, complaint()
    for _ in range(2):
        link(inspector, found, site)
    assert CaseEvent.objects.filter(kind="complaint.linked").count() == 1
    assert open_needs(site) == 1


def test_linked_to_another_site_the_first_is_left_alone(inspector: Client) -> None:
    one, other, found = factory.active_permit().site, factory.active_permit().site, complaint()
    link(inspector, found, one)
    link(inspector, found, other)
    assert (open_needs(one), open_needs(other)) == (0, 1)


def test_a_second_report_keeps_the_first_site_on_the_round(inspector: Client) -> None:
    one, other = factory.active_permit().site, factory.active_permit().site
    found, neighbour = complaint(), complaint()
    link(inspector, found, one)
    link(inspector, neighbour, one)
    link(inspector, found, other)
    assert open_needs(one) == 1


def test_a_visit_meets_the_report(inspector: Client) -> None:
    site, found = factory.active_permit().site, complaint()
    link(inspector, found, site)
    visit = factory.finished_visit(site, on=TODAY, reason="complaint")
    assert VisitNeed.objects.get(reason="complaint").met_by == visit


def test_a_site_that_is_not_there_cannot_be_linked(inspector: Client) -> None:
    data = {"site": "S-1999-0001"}
    url = reverse("report_link", args=[complaint().key])
    assert inspector.post(url, data).status_code == 404


def test_a_site_is_opened_where_the_city_knows_none(inspector: Client) -> None:
    found = complaint(latitude=LATITUDE, longitude=LONGITUDE)
    url = reverse("report_site", args=[found.key])
    page = text_of(inspector.post(url, {"address": "105 Prairie Rd"}, follow=True))
    site = Site.objects.get()
    assert "A site is opened at 105 Prairie Rd" in page
    assert (site.address, site.latitude) == ("105 Prairie Rd", LATITUDE)
    assert open_needs(site) == 1
    assert Site.objects.found_by("105 prairie").get() == site


def test_no_second_site_is_opened_for_a_report(inspector: Client) -> None:
    found = complaint()
    url = reverse("report_site", args=[found.key])
    inspector.post(url, {"address": "105 Prairie Rd"})
    response = inspector.post(url, {"address": "106 Prairie Rd"})
    assert response.status_code == 409
    assert "is linked to site" in text_of(response)
    assert Site.objects.count() == 1


def test_a_site_needs_an_address(inspector: Client) -> None:
    url = reverse("report_site", args=[complaint().key])
    response = inspector.post(url, {"address": " "})
    assert "Write the address" in text_of(response)
    assert not Site.objects.exists()


# Answered ---------------------------------------------------------------------------------


def test_an_answer_is_shown_before_it_goes_out(inspector: Client) -> None:
    found = complaint(contact="mai@people.test")
    page = text_of(answer(inspector, found, step="check"))
    assert "It goes to mai@people.test by e-mail" in page
    assert "We look at it today." in page
    found.refresh_from_db()
    assert found.answered_on is None


def answers_sent():
    return OutboxMessage.objects.filter(cause="report-answer")


def test_an_answer_goes_by_e_mail_once(inspector: Client) -> None:
    found = complaint(contact=" mai@people.test ", name="Mai Vang")
    assert "The answer goes to mai@people.test" in text_of(answer(inspector, found))
    message = answers_sent().get()
    assert (message.recipient, message.subject) == (
        "mai@people.test",
        f"Your report {found.number}",
    )
    assert "We look at it today." in message.body
    assert answer(inspector, found, text="Another.").status_code == 409
    assert answers_sent().count() == 1


@pytest.mark.parametrize("contact", ["", "(555) 010-0123", "mai at people"])
def test_without_an_address_the_answer_is_kept_for_the_file(
    inspector: Client, contact: str
) -> None:
    found = complaint(contact=contact)
    assert "The answer is on record" in text_of(answer(inspector, found))
    found.refresh_from_db()
    assert (found.answer, found.answered_on) == ("We look at it today.", TODAY)
    assert not answers_sent().exists()


@pytest.mark.parametrize(("no_visit", "left"), [("", 1), ("on", 0)])
def test_the_visit_stays_due_unless_none_is_needed(
    inspector: Client, no_visit: str, left: int
) -> None:
    site, found = factory.active_permit().site, complaint()
    link(inspector, found, site)
    answer(inspector, found, no_visit=no_visit)
    assert open_needs(site) == left


def test_an_empty_answer_is_asked_again(inspector: Client) -> None:
    found = complaint()
    assert "Write what the city does about it" in text_of(answer(inspector, found, text=" "))
    found.refresh_from_db()
    assert found.answered_on is None


def test_an_answered_report_cannot_be_answered_again() -> None:
    found, by = complaint(), factory.inspector()
    complaints.answer(found, by=by, on=TODAY, text="Done.")
    with pytest.raises(NotNow):
        complaints.answer(found, by=by, on=TODAY, text="Again.")


# However many -----------------------------------------------------------------------------


def test_the_number_of_queries_is_bounded(inspector: Client) -> None:
    def count(url: str) -> int:
        inspector.get(url)
        with CaptureQueriesContext(connection) as made:
            assert inspector.get(url).status_code == 200
        return len(made)

    found = complaint(latitude=LATITUDE, longitude=LONGITUDE)
    placed("105 Prairie Road", LATITUDE, LONGITUDE)
    urls = [reverse("reports"), reverse("report_case", args=[found.key])]
    few = [count(url) for url in urls]
    for n in range(20):
        complaint()
        placed(f"{n} Prairie Road", LATITUDE, LONGITUDE)
    many = [count(url) for url in urls]
    assert many == few
    assert max(many) <= 25
