"""All cases, by status and by what is typed, in an order and in pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from portal.desk.cases import LISTS
from tests import factory

pytestmark = pytest.mark.django_db


@pytest.fixture
def inspector(enter: Callable[..., Client]) -> Client:
    return enter(factory.inspector())


def found(client: Client, **asked: str) -> list[Any]:
    return [row[0].pk for row in client.get("/cases/", asked).context["rows"]]


STATE_OF_LIST = {
    "submitted": "submitted",
    "under_review": "received",
    "denied": "denied",
    "escrow": "granted",
    "posted": "posted",
    "issued": "issued",
    "withdrawn": "withdrawn",
    "draft": "draft",
}


def test_each_status_lists_its_own_cases(inspector: Client) -> None:
    made = {key: factory.STATES[state]().pk for key, state in STATE_OF_LIST.items()}
    # Closing is tried with the inspections, stopping and revoking with enforcement.
    assert {*STATE_OF_LIST, "closed", "stopped", "revoked"} == set(LISTS)
    for key, pk in made.items():
        assert found(inspector, status=key) == [pk], key


def test_all_cases_come_newest_first_or_oldest_first(inspector: Client) -> None:
    first, second = factory.submitted(), factory.issued()
    assert found(inspector) == [second.pk, first.pk]
    assert found(inspector, sort="oldest") == [first.pk, second.pk]
    assert found(inspector, sort="applicant__password") == [second.pk, first.pk]


def test_a_case_is_found_by_address_parcel_and_number(inspector: Client) -> None:
    wanted, other = factory.issued(), factory.issued()
    site = wanted.site
    for typed in (
        site.address,
        site.number,
        wanted.number,
        wanted.permit.number,
        site.parcels.get().number,
        site.parcels.get().number.replace("-", ""),
    ):
        assert found(inspector, q=typed) == [wanted.pk], typed
    assert found(inspector, q="prairie") == [other.pk, wanted.pk]
    assert found(inspector, q="prairie", status="submitted") == []
    assert found(inspector, q="nowhere at all") == []


def test_an_empty_list_says_what_to_try(inspector: Client) -> None:
    assert "No case fits." in inspector.get("/cases/").content.decode()


def test_a_page_of_issued_permits_asks_no_more_than_one_of_them(inspector: Client) -> None:
    asked = []
    for _ in range(3):
        factory.issued()
        inspector.get("/cases/")
        with CaptureQueriesContext(connection) as caught:
            found(inspector)
        asked.append(len(caught))
    assert len(set(asked)) == 1


def test_cases_come_in_pages_of_25(inspector: Client, django_assert_max_num_queries: Any) -> None:
    for _ in range(27):
        factory.draft()
    inspector.get("/account/")
    with django_assert_max_num_queries(25):
        assert len(found(inspector)) == 25
    assert len(found(inspector, page="2")) == 2
