"""The public's look-up: what anybody may know of a site, and nothing more."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from inspections.acts import complaints
from permits.models import Application, Permit, Site
from portal.desk import lookup
from portal.desk.lookup import PublicSite
from tests import factory
from tests.enforcement import factory as enforced

pytestmark = pytest.mark.django_db

APPROVED = json.loads((Path(__file__).parent / "public_fields.json").read_text())
"""What the public may see: changed only with the city's consent."""


@pytest.fixture
def anybody(enter: Callable[..., Client]) -> Client:
    return enter(None)


def answer(client: Client, site: Site) -> str:
    return client.get(site.get_public_url()).context["shown"].answer


# The answer -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "may_dig", "words"),
    [
        ("submitted", False, "the fee is still out"),
        ("received", False, "the city has not decided yet"),
        ("denied", False, "asked for changes of the plan"),
        ("revised", False, "the city has not decided yet"),
        ("granted", False, "the escrow comes first"),
        ("posted", False, "the escrow comes first"),
        ("issued", True, "since Monday, November 16, 2026"),
        ("withdrawn", False, "was withdrawn"),
    ],
)
def test_the_page_says_whether_digging_is_allowed(
    anybody: Client, state: str, may_dig: bool, words: str
) -> None:
    site = factory.STATES[state]().site
    shown = anybody.get(site.get_public_url()).context["shown"]
    assert shown.may_dig is may_dig
    assert words in shown.answer
    assert shown.answer.startswith("Yes" if may_dig else "No")
    listed = anybody.get("/look-up/", {"q": site.number}).context["found"]
    assert [(each.may_dig, each.answer) for each in listed] == [(may_dig, shown.answer)]


def test_an_issued_permit_has_its_number_and_dates(anybody: Client) -> None:
    application = factory.issued()
    page = anybody.get(application.site.get_public_url()).content.decode()
    assert application.permit.number in page
    assert "Grading or removing ground cover" in page
    assert "17,424 sq ft (0.4 acre)" in page
    assert "(555) 010-0100" in page
    assert '<details class="date">' in page


def test_a_draft_is_not_found(anybody: Client) -> None:
    application = factory.complete_draft()
    application.site.index_words()
    assert anybody.get(application.site.get_public_url()).status_code == 404
    for typed in (application.site.address, application.site.number):
        assert anybody.get("/look-up/", {"q": typed}).context["found"] == []


def test_nothing_found_says_what_to_try(anybody: Client) -> None:
    page = anybody.get("/look-up/", {"q": "nowhere"}).content.decode()
    assert "No site has these words." in page
    assert "Error: " in anybody.get("/look-up/", {"q": ""}).content.decode()


def test_many_sites_come_in_pages(anybody: Client, django_assert_max_num_queries: Any) -> None:
    for _ in range(26):
        factory.submitted()
    with django_assert_max_num_queries(25):
        first = anybody.get("/look-up/", {"q": "prairie"})
    assert len(first.context["found"]) == 25
    assert len(anybody.get("/look-up/", {"q": "prairie", "page": "2"}).context["found"]) == 1


# Nothing more -----------------------------------------------------------------------------


def test_the_fields_are_those_that_were_approved() -> None:
    assert sorted(PublicSite.__dataclass_fields__) == APPROVED["shown"]
    assert sorted(lookup.READ_OF_APPLICATION) == APPROVED["read of the application"]
    assert sorted(lookup.READ_OF_PERMIT) == APPROVED["read of the permit"]
    assert sorted(lookup.READ_OF_EARLIER) == APPROVED["read of the earlier permit"]


@pytest.mark.parametrize("state", ["submitted", "received", "denied", "granted", "issued"])
def test_what_stands_beside_what_is_approved(anybody: Client, state: str) -> None:
    page = anybody.get(factory.STATES[state]().site.get_public_url()).content.decode()
    labels = set(re.findall(r"<dt>([^<]+)</dt>", page))
    assert labels <= set(APPROVED["labels"]), labels


def test_nothing_else_of_a_case_is_even_read(
    anybody: Client, django_assert_num_queries: Any
) -> None:
    application = factory.issued()
    with django_assert_num_queries(7) as captured:
        anybody.get(application.site.get_public_url())
    asked = " ".join(query["sql"] for query in captured.captured_queries)
    for table in ("party", "planrevision", "upload", "caseevent", "user", "mailing", "document"):
        assert f"_{table}" not in asked, table
    for column in ("signed_name", "description", "project_name", "haul_routes"):
        read = f'"permits_application"."{column}"'
        assert read not in asked, column


def test_a_site_without_an_address_is_called_by_its_parcel(anybody: Client) -> None:
    application = factory.submitted()
    site = application.site
    site.address, site.survey_description = "", "The land of Mai Vang at the creek"
    site.save()
    page = anybody.get(site.get_public_url()).content.decode()
    assert "Mai Vang" not in page
    assert f"Parcel {site.parcels.get().number}" in page


def test_the_models_have_no_field_that_nobody_thought_of() -> None:
    """A new field of a permit or application is public only when somebody says so."""
    known = {*APPROVED["read of the application"], *APPROVED["kept of the application"]}
    found = {field.attname for field in Application._meta.concrete_fields}
    assert found <= known, found - known
    known = {*APPROVED["read of the permit"], *APPROVED["kept of the permit"]}
    found = {field.attname for field in Permit._meta.concrete_fields}
    assert found <= known, found - known


# Land where nobody applied ----------------------------------------------------------------


def test_land_where_work_was_stopped_is_found_by_its_address(anybody: Client, at: Any) -> None:
    at(enforced.MONDAY)
    site = enforced.site_without_permit()
    order = enforced.order_without_permit(site)
    (found,) = anybody.get("/look-up/", {"q": site.address}).context["found"]
    assert (found.place, found.may_dig) == (site.address, False)
    assert f"by order {order}" in found.answer
    page = anybody.get(site.get_public_url()).content.decode()
    assert "Nobody applied for a permit here." in page
    assert order.number in page
    assert "Pat Lund" not in page
    assert "Elm Court" not in page


def test_land_of_a_report_is_found_and_nothing_that_was_reported_is_shown(
    anybody: Client, at: Any
) -> None:
    at(enforced.MONDAY)
    place = "88 Weir Lane, beside the Canarys"
    report = complaints.take(on=enforced.MONDAY, what="mud", place=place, name="Vera Canary")
    site = complaints.open_site(report, by=enforced.inspector(), on=enforced.MONDAY)
    (found,) = anybody.get("/look-up/", {"q": "88 Weir Lane"}).context["found"]
    assert (found.place, found.may_dig) == (f"Site {site.number}", False)
    assert found.answer == "No. No permit was applied for here."
    page = anybody.get(site.get_public_url()).content.decode()
    assert "Canary" not in page
    assert report.number not in page
    assert "/appeal/" not in page


def test_a_draft_is_found_only_once_work_is_stopped_there(anybody: Client, at: Any) -> None:
    at(factory.MONDAY)
    application = factory.complete_draft()
    site = application.site
    site.index_words()
    assert anybody.get(site.get_public_url()).status_code == 404
    order = enforced.order_without_permit(site, told=[(enforced.owner(), "us_mail")])
    page = anybody.get(site.get_public_url()).content.decode()
    assert order.number in page
    assert "Mai Vang" not in page
    assert "Applied for" not in page
