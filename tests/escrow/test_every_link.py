"""No page of the money leads anybody to a page that is not theirs."""

from __future__ import annotations

import re

import pytest
import time_machine
from django.test import Client

from portal import papers
from portal.models import Role
from tests import factory
from tests.browser.city import City
from tests.browser.conftest import NOON
from tests.browser.rooms import addresses, names_of_addresses
from tests.scene import quick_paper

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.once]

LINK = re.compile(r'href="(/[^"#?]*)')
ELSEWHERE = ("/static/", "/papers/", "/uploads/")


def test_every_link_opens_for_whoever_is_shown_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(papers, "render", quick_paper)
    with time_machine.travel(NOON):
        city = City(on=factory.MONDAY)
        city.settle()
        city.build()
        names = {*names_of_addresses(part="money"), "money", "case", "home", "desk"}
        places = {address for _, _, address in addresses(city, names, bare=False)}
        broken = []
        for role in Role.values:
            client = Client()
            client.force_login(city.people[role])
            asked = find_links(client, places)
            for url, page in asked.items():
                if client.get(url).status_code >= 400:
                    broken.append((role, page, url))
        assert broken == []


def find_links(client: Client, places: set[str]) -> dict[str, str]:
    """Return each link on the pages that a person may open, with a page that has it."""
    found: dict[str, str] = {}
    for place in sorted(places):
        page = client.get(place)
        if page.status_code == 200 and "text/html" in page.headers["Content-Type"]:
            for url in LINK.findall(page.content.decode()):
                if not url.startswith(ELSEWHERE):
                    found.setdefault(url, place)
    return found
