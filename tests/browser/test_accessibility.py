"""Every page, as everybody who may see it: without barriers, on a phone, under one policy."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, time
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.test import override_settings

from portal import papers
from tests import factory
from tests.browser.city import City
from tests.browser.doings import CONFIRMATIONS, MISTAKES, OTHER_PAGES, careful_person
from tests.browser.person import Wardrobe
from tests.browser.rooms import NO_PAGES, names_of_addresses
from tests.browser.visits import Visitor
from tests.scene import quick_paper

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MISTAKEN = "with a mistake"
BEFORE_ANY_CASE = {"home", "desk", "cases", "money", "calendar", "council", "people", "lookup"}
"""Pages that are looked at twice: with nothing in them, and filled."""


NOON = datetime.combine(factory.MONDAY, time(12), ZoneInfo("America/Chicago"))


@pytest.fixture(scope="module")
def visitor(browser, live_server, lasting_database, tmp_path_factory) -> Visitor:
    """Somebody who has been everywhere; the tests below ask what was found there."""
    files = override_settings(MEDIA_ROOT=tmp_path_factory.mktemp("files"))
    wardrobe = Wardrobe(browser, live_server.url)
    with pytest.MonkeyPatch.context() as patch, time_machine.travel(NOON), files:
        patch.setattr(papers, "render", quick_paper)
        try:
            visitor = been_everywhere(wardrobe)
        finally:
            wardrobe.close()
    return visitor


def been_everywhere(wardrobe: Wardrobe) -> Visitor:
    city = City(on=factory.MONDAY)
    city.settle()
    somebody = Visitor(wardrobe, city)
    somebody.go_round(BEFORE_ANY_CASE, bare=True)
    city.build()
    somebody.go_round(set(names_of_addresses()))
    for doing in MISTAKES:
        somebody.do(doing, MISTAKEN)
    for doing in CONFIRMATIONS:
        somebody.do(doing, "what will happen")
    somebody.sign_in_with_care(careful_person())
    for name, state, who, appears in OTHER_PAGES:
        appears(somebody.people[who], city)
        somebody.look(name, state, who)
    with override_settings(DEMO=True):
        somebody.go_round({"demo_mail", "account_login"})
    return somebody


def test_every_address_was_visited_or_is_no_page(visitor: Visitor):
    visited = {visit.name for visit in visitor.found}
    assert set(names_of_addresses()) - visited == NO_PAGES.keys()


def test_every_form_could_be_filled_in(visitor: Visitor):
    assert visitor.undone == []


def test_there_is_no_barrier(visitor: Visitor):
    found = {str(visit): visit.barriers for visit in visitor.found if visit.barriers}
    assert found == {}


def test_everything_fits_on_a_phone(visitor: Visitor):
    too_wide = {str(visit): visit.width for visit in visitor.found if visit.width > 320}
    assert too_wide == {}
    clipped = {str(visit): visit.clipped for visit in visitor.found if visit.clipped}
    assert clipped == {}


def test_no_name_is_given_twice(visitor: Visitor):
    found = {str(visit): visit.twice for visit in visitor.found if visit.twice}
    assert found == {}


def test_no_page_breaks_the_content_policy(visitor: Visitor):
    assert visitor.wardrobe.complaints == []


def test_every_page_has_one_main_heading_and_skips_no_level(visitor: Visitor):
    for visit in visitor.found:
        levels = [level for level, _ in visit.headings]
        assert levels.count(1) == 1, str(visit)
        deeper = [after - before for before, after in pairwise(levels)]
        assert max(deeper, default=0) <= 1, f"{visit}: {visit.headings}"


def test_every_page_says_what_it_is_in_a_title_of_its_own(visitor: Visitor):
    rooms = defaultdict(set)
    for visit in visitor.found:
        assert visit.language == "en"
        rooms[visit.title].add(visit.name)
    assert {title: names for title, names in rooms.items() if len(names) > 1} == {}


def test_a_page_of_errors_says_so_first_and_leads_to_each_field(visitor: Visitor):
    mistaken = [visit for visit in visitor.found if visit.state == MISTAKEN]
    assert len(mistaken) == len(MISTAKES)
    for visit in mistaken:
        assert visit.title.startswith("Error: "), str(visit)
        assert visit.summary, str(visit)
        assert visit.summary["focused"], str(visit)
        assert visit.summary["announced"], str(visit)
        assert visit.summary["links"], str(visit)


def test_each_field_in_error_is_marked_and_says_what_is_wrong(visitor: Visitor):
    links = [
        (str(visit), link)
        for visit in visitor.found
        if visit.state == MISTAKEN
        for link in visit.summary["links"]
    ]
    assert [found for found in links if not found[1]["leads"]] == []
    assert [found for found in links if not found[1]["invalid"]] == []
    silent = [found for found in links if not says_the_same(found[1])]
    assert silent == []


def says_the_same(link: dict[str, Any]) -> bool:
    """Whether a field says about itself what its link in the summary says."""
    return any(str(link["text"]).endswith(sentence) for sentence in link["described"])
