"""What the pages of agreements cost: the same for one row as for many."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests import factory, upkeep
from tests.permits import agreements
from tests.review.pages import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _quick_papers(monkeypatch: pytest.MonkeyPatch, at: Any) -> None:
    agreements.quickly(monkeypatch)
    at("2026-11-24")


@pytest.fixture
def inspector() -> Client:
    return signed_in(factory.inspector())


def cost(client: Client, address: str) -> int:
    client.get(address)
    with CaptureQueriesContext(connection) as asked:
        assert client.get(address).status_code == 200
    return len(asked)


def test_lists_of_agreements_ask_nobody_for_each_row(inspector: Client) -> None:
    site = factory.submitted().site
    upkeep.agreement(site, party_kind="owner")
    pages = [
        f"{reverse('agreements')}?list=in-force",
        reverse("agreements_of_case", args=[site.number]),
        site.get_absolute_url(),
    ]
    one = [cost(inspector, each) for each in pages]
    for place in (site, site, *(factory.submitted().site for _ in range(4))):
        upkeep.agreement(place, party_kind="owner")
    assert [cost(inspector, each) for each in pages] == one
