"""The visitor who has been on every page of one part of the house."""

from __future__ import annotations

from datetime import datetime, time
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.test import override_settings

from portal import papers
from tests import factory
from tests.browser.city import City
from tests.browser.doings import CONFIRMATIONS, MISTAKES, OTHER_PAGES, careful_person
from tests.browser.person import Wardrobe
from tests.browser.rooms import names_of_addresses
from tests.browser.visits import MISTAKEN, Visitor
from tests.scene import quick_paper

pytest.register_assert_rewrite("tests.browser.everywhere")

BEFORE_ANY_CASE = {
    *("home", "desk", "cases", "money", "calendar", "council", "people", "lookup"),
    *("bills", "roll", "escrow_waiting", "cash_book", "trial_balance", "deposits", "fee_report"),
}
"""Pages that are looked at twice: with nothing in them, and filled."""

NOON = datetime.combine(factory.MONDAY, time(12), ZoneInfo("America/Chicago"))


@pytest.fixture(scope="class")
def visitor(request, browser, live_server, lasting_database, tmp_path_factory) -> Visitor:
    """Somebody who has been everywhere in this part; the tests ask what was found there."""
    files = override_settings(MEDIA_ROOT=tmp_path_factory.mktemp("files"))
    wardrobe = Wardrobe(browser, live_server.url)
    with pytest.MonkeyPatch.context() as patch, time_machine.travel(NOON), files:
        patch.setattr(papers, "render", quick_paper)
        try:
            return been_everywhere(wardrobe, part=request.cls.part)
        finally:
            wardrobe.close()


def been_everywhere(wardrobe: Wardrobe, *, part: str) -> Visitor:
    names = set(names_of_addresses(part=part))
    city = City(on=factory.MONDAY)
    city.settle()
    somebody = Visitor(wardrobe, city)
    somebody.go_round(BEFORE_ANY_CASE & names, bare=True)
    city.build()
    somebody.go_round(names)
    for state, doings in ((MISTAKEN, MISTAKES), ("what will happen", CONFIRMATIONS)):
        for doing in doings:
            if doing.name in names:
                somebody.do(doing, state)
    if part == "permits":
        see_what_no_address_leads_to(somebody)
    somebody.hear_of(set(names_of_addresses()) - names)
    return somebody


def see_what_no_address_leads_to(somebody: Visitor) -> None:
    somebody.sign_in_with_care(careful_person())
    for name, state, who, appears in OTHER_PAGES:
        appears(somebody.people[who], somebody.city)
        somebody.look(name, state, who)
    with override_settings(DEMO=True):
        somebody.go_round({"demo_mail", "account_login"})
