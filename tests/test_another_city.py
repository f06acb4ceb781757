"""Another city needs a folder of editions and no code: no page, paper or mail of it speaks
of the first one's officers, periods, amounts or sections.
"""

from __future__ import annotations

from datetime import datetime, time
from html import unescape
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.conf import settings
from django.template.loader import render_to_string
from django.test import Client, override_settings

from portal import ordinance, papers
from portal.models import OutboxMessage
from tests import factory
from tests.browser.city import City
from tests.browser.rooms import PEOPLE, addresses, names_of_addresses
from tests.first_citys_words import first_citys_words
from tests.scene import quick_paper

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.once]

NOON = datetime.combine(factory.MONDAY, time(12), ZoneInfo("America/Chicago"))


@pytest.fixture(scope="module")
def said(lasting_database, tmp_path_factory) -> dict[str, str]:
    """All that the other city's portal says: each page as everybody, each paper, each mail."""
    found: dict[str, str] = {}

    def told(template: str, context: dict[str, object], **kwargs: object) -> object:
        known = {
            "city": settings.CITY,
            "today": factory.MONDAY,
            "edition": ordinance.all_editions()[-1],
        }
        known |= {"title": kwargs["title"], **context}
        found[f"paper {template} {len(found)}"] = render_to_string(template, known)
        return quick_paper(template, context, **kwargs)

    before = ordinance.use("neighbor")
    files = override_settings(MEDIA_ROOT=tmp_path_factory.mktemp("files"))
    with pytest.MonkeyPatch.context() as patch, time_machine.travel(NOON), files:
        patch.setattr(papers, "render", told)
        city = City(on=factory.MONDAY)
        city.settle()
        city.build()
        for who in PEOPLE:
            found |= seen_by(who, city)
        for mail in OutboxMessage.objects.all():
            found[f"mail {mail.pk} {mail.subject}"] = f"{mail.subject}\n{mail.body}"
    ordinance.use(before)
    return found


def seen_by(who: str, city: City) -> dict[str, str]:
    client = Client()
    if user := city.people.get(who):
        client.force_login(user)
    pages = {}
    for name, state, address in addresses(city, set(names_of_addresses()), bare=False):
        answer = client.get(address)
        if answer.status_code == 200 and "text/html" in answer.get("content-type", ""):
            pages[f"{name} {state} as {who or 'anybody'}"] = unescape(answer.content.decode())
    return pages


def test_pages_papers_and_mails_were_looked_at(said):
    kinds = [each.split()[0] for each in said]
    assert kinds.count("paper") > 20
    assert kinds.count("mail") > 40
    assert len(said) > 500
    assert sum("director of public works" in text for text in said.values()) > 20
    assert sum("24 hours" in text for text in said.values()) > 5


def test_nothing_says_what_only_the_first_city_says(said):
    found: dict[str, str] = {}
    for where, text in said.items():
        for words in first_citys_words(text):
            found.setdefault(words, where)
    assert found == {}, "\n".join(f"{where}: {words}" for words, where in found.items())
