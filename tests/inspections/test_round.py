"""The day plan: every site worth a visit once, with all its reasons, in the order asked for."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from inspections.models import VisitNeed
from inspections.stops import by_place, listed, stops_of
from permits.models import Site
from portal.models import Role
from tests.inspections import factory
from tests.inspections.factory import MONDAY

pytestmark = pytest.mark.django_db

Reason = VisitNeed.Reason
TODAY = MONDAY + timedelta(days=10)


@pytest.fixture(autouse=True)
def _today(at: Callable[..., object]) -> None:
    at(TODAY)


@pytest.fixture
def inspector(client: Client) -> Client:
    client.force_login(factory.inspector())
    return client


def need(site: Site, reason: str, *, due: date = TODAY, because: str = "Because.") -> None:
    VisitNeed.objects.raise_once(site, reason, due_on=due, because=because, since=due)


def places(page: str) -> list[str]:
    return re.findall(r'<div class="what">(?:<a [^>]*>)?([^<]+?)(?:</a>)? <span', page)


# What stands on it ------------------------------------------------------------------------


def test_a_site_stands_once_with_all_its_reasons(inspector: Client) -> None:
    site = factory.active_permit(address="105 Prairie Road").site
    need(site, Reason.WEEK, because="Last visit Mon, Nov 16.")
    need(site, Reason.RAIN, because="0.62 inch of rain on Wed, Nov 25.")
    page = inspector.get(reverse("round")).content.decode()
    assert places(page) == ["105 Prairie Road"]
    assert page.index("0.62 inch of rain") < page.index("Last visit Mon")
    assert "1 site is worth a visit" in page


def test_met_needs_are_not_shown(inspector: Client) -> None:
    site = factory.active_permit().site
    need(site, Reason.WEEK)
    factory.finished_visit(site, on=TODAY)
    page = inspector.get(reverse("round")).content.decode()
    assert "No site needs a visit" in page


def test_the_most_urgent_come_first_and_then_the_earliest(inspector: Client) -> None:
    sites = {name: factory.active_permit(address=name).site for name in "ABCD"}
    need(sites["A"], Reason.WEEK, due=TODAY - timedelta(days=9))
    need(sites["B"], Reason.CORRECTION, due=TODAY + timedelta(days=1))
    need(sites["C"], Reason.CORRECTION, due=TODAY)
    need(sites["D"], Reason.LOG_GAP)
    need(sites["D"], Reason.RAIN, due=TODAY + timedelta(days=1))
    page = inspector.get(reverse("round")).content.decode()
    assert places(page) == ["D", "C", "B", "A"]


def test_one_reason_at_a_time(inspector: Client) -> None:
    wet, old = factory.active_permit(address="Wet").site, factory.active_permit(address="Old").site
    need(wet, Reason.RAIN)
    need(wet, Reason.WEEK, because="Seven days.")
    need(old, Reason.WEEK)
    page = inspector.get(reverse("round"), {"reason": "rain"}).content.decode()
    assert places(page) == ["Wet"]
    assert "Seven days." in page
    assert "No site needs a visit for this reason" in (
        inspector.get(reverse("round"), {"reason": "season"}).content.decode()
    )


@pytest.mark.parametrize("query", ["reason=none", "sort=-pk", "page=x", "page=-1", "page=99999"])
def test_what_is_not_offered_is_ignored(inspector: Client, query: str) -> None:
    need(factory.active_permit(address="Here").site, Reason.RAIN)
    response = inspector.get(f"{reverse('round')}?{query}")
    assert places(response.content.decode()) == ["Here"]


def test_by_place_means_street_by_street_and_by_number(inspector: Client) -> None:
    for address in ["9 Mill Street", "101 Prairie Road", "12 Mill Street", "20 Prairie Road"]:
        need(factory.active_permit(address=address).site, Reason.RAIN)
    page = inspector.get(reverse("round"), {"sort": "place"}).content.decode()
    assert places(page) == [
        "9 Mill Street",
        "12 Mill Street",
        "20 Prairie Road",
        "101 Prairie Road",
    ]


def test_grid_numbers_and_places_without_number_can_be_sorted() -> None:
    for address in ["N170W20019 County Line", "Lot behind the mill", "N170 W200 County Line"]:
        need(factory.active_permit(address=address).site, Reason.RAIN)
    assert len(by_place(listed())) == 3


def test_pages_of_25(inspector: Client) -> None:
    for _ in range(27):
        need(factory.active_permit().site, Reason.RAIN)
    first = inspector.get(reverse("round")).content.decode()
    second = inspector.get(reverse("round"), {"page": 2}).content.decode()
    assert (len(places(first)), len(places(second))) == (25, 2)
    assert not set(places(first)) & set(places(second))


@pytest.mark.parametrize(
    ("after", "word"),
    [(-1, "due since Wed, Nov 25"), (0, "due today"), (1, "due tomorrow"), (2, "due Sat, Nov 28")],
)
def test_each_site_says_how_urgent_it_is(inspector: Client, after: int, word: str) -> None:
    need(factory.active_permit().site, Reason.RAIN, due=TODAY + timedelta(days=after))
    assert word in inspector.get(reverse("round")).content.decode()


def test_a_visit_that_is_being_written_is_gone_on_with() -> None:
    site = factory.active_permit().site
    need(site, Reason.RAIN)
    visit = factory.open_visit(site, on=TODAY)
    (stop,) = stops_of([site.pk])
    assert stop.open_visit == visit


def test_a_site_without_a_permit_has_no_case_page() -> None:
    site = factory.site_without_permit()
    need(site, Reason.COMPLAINT)
    (stop,) = stops_of([site.pk])
    assert stop.case_url == ""
    assert stop.visit_reason == "complaint"


@pytest.mark.parametrize(
    ("reason", "visit"), [("rain", "rain"), ("week", "routine"), ("stockpile", "routine")]
)
def test_the_visit_bears_the_most_urgent_reason(reason: str, visit: str) -> None:
    site = factory.active_permit().site
    need(site, reason)
    assert stops_of([site.pk])[0].visit_reason == visit


# Whom it is for ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["round", "round_print"])
@pytest.mark.parametrize("role", [Role.CLERK, Role.ADMINISTRATOR, Role.ATTORNEY, Role.BOARD])
def test_everybody_who_works_for_the_city_reads_it(client: Client, name: str, role: str) -> None:
    need(factory.active_permit().site, Reason.RAIN)
    client.force_login(factory.user(role))
    response = client.get(reverse(name))
    assert response.status_code == 200
    assert "Begin visit" not in response.content.decode()


@pytest.mark.parametrize("name", ["round", "round_print"])
def test_nobody_else_does(client: Client, name: str) -> None:
    assert client.get(reverse(name)).status_code == 302
    client.force_login(factory.user())
    assert client.get(reverse(name)).status_code == 404


# On paper ---------------------------------------------------------------------------------


def test_the_printed_round_has_what_the_road_needs(inspector: Client) -> None:
    permit = factory.active_permit(address="105 Prairie Road")
    need(permit.site, Reason.RAIN, because="0.62 inch of rain on Wed, Nov 25.")
    page = inspector.get(reverse("round_print")).content.decode()
    for text in [
        "105 Prairie Road",
        permit.number,
        permit.site.parcels.get().number,
        "0.62 inch of rain",
        "Berg Excavating Inc (Jon Berg)",
        "(555) 010-0199",
    ]:
        assert text in page


def test_the_ticked_sites_are_printed_in_the_order_of_the_round(inspector: Client) -> None:
    sites = [factory.active_permit(address=f"{n} Mill Street").site for n in range(1, 4)]
    for site in sites:
        need(site, Reason.RAIN)
    query = {"site": [sites[2].pk, sites[0].pk, "x", "9" * 30]}
    page = inspector.get(reverse("round_print"), query).content.decode()
    assert re.findall(r"<h2>([^<]+)</h2>", page) == ["3 Mill Street", "1 Mill Street"]


def test_an_empty_round_says_so_on_paper(inspector: Client) -> None:
    assert "There is nothing to print" in inspector.get(reverse("round_print")).content.decode()


# However large the city -------------------------------------------------------------------


@pytest.mark.parametrize("query", [{}, {"reason": "rain"}, {"sort": "place"}])
@pytest.mark.parametrize("name", ["round", "round_print"])
def test_the_number_of_queries_is_bounded(inspector: Client, name: str, query: dict) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as made:
            assert inspector.get(reverse(name), query).status_code == 200
        return len(made)

    def more(sites: int) -> None:
        for _ in range(sites):
            site = factory.active_permit().site
            need(site, Reason.RAIN)
            need(site, Reason.WEEK)

    more(2)
    count()
    few = count()
    more(20)
    assert count() == few <= 25


def test_the_button_begins_a_visit_for_the_most_urgent_reason(inspector: Client) -> None:
    site = factory.active_permit().site
    need(site, Reason.WEEK)
    need(site, Reason.RAIN)
    page = inspector.get(reverse("round")).content.decode()
    action = reverse("visit_begin", args=[site.number])
    form = page[page.index(f'action="{action}"') :]
    reason = re.search(r'name="reason" value="(\w+)"', form)
    assert reason
    assert reason[1] == "rain"
    inspector.post(action, {"reason": reason[1]})
    visit = site.visits.get()
    assert (visit.reason, visit.visited_on) == ("rain", TODAY)
    assert "Go on with the visit" in inspector.get(reverse("round")).content.decode()


@pytest.mark.usefixtures("unmeasured")
def test_the_order_of_urgency_is_read_from_an_index() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL plans by its statistics, of which a test has none")
    plan = listed()[:25].explain()
    assert "visit_needs_open" in plan
    assert "visit_needs_of_a_site" in plan
    assert "TEMP B-TREE" not in plan
