"""What holds for every page, as everybody who may see it: no barriers, on a phone, one policy."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import Any, ClassVar

from tests.browser.doings import MISTAKES
from tests.browser.rooms import NO_PAGES, names_of_addresses
from tests.browser.visits import MISTAKEN, Visitor

__all__ = ["Everywhere"]


class Everywhere:
    """The tests ask the visitor of one part of the house (`conftest.py`) what was found there."""

    part: ClassVar[str]
    """Which part of the house it is: permits, works or money."""

    def test_every_address_was_visited_or_is_no_page(self, visitor: Visitor) -> None:
        visited = {visit.name for visit in visitor.found}
        names = set(names_of_addresses(part=self.part))
        assert names - visited == names & NO_PAGES.keys()
        assert NO_PAGES.keys() <= set(names_of_addresses())

    def test_every_form_could_be_filled_in(self, visitor: Visitor) -> None:
        assert visitor.undone == []

    def test_there_is_no_barrier(self, visitor: Visitor) -> None:
        found = {str(visit): visit.barriers for visit in visitor.found if visit.barriers}
        assert found == {}

    def test_everything_fits_on_a_phone(self, visitor: Visitor) -> None:
        too_wide = {str(visit): visit.width for visit in visitor.found if visit.width > 320}
        assert too_wide == {}
        clipped = {str(visit): visit.clipped for visit in visitor.found if visit.clipped}
        assert clipped == {}

    def test_no_name_is_given_twice(self, visitor: Visitor) -> None:
        found = {str(visit): visit.twice for visit in visitor.found if visit.twice}
        assert found == {}

    def test_no_page_breaks_the_content_policy(self, visitor: Visitor) -> None:
        assert visitor.wardrobe.complaints == []

    def test_every_page_has_one_main_heading_and_skips_no_level(self, visitor: Visitor) -> None:
        for visit in visitor.found:
            levels = [level for level, _ in visit.headings]
            assert levels.count(1) == 1, str(visit)
            deeper = [after - before for before, after in pairwise(levels)]
            assert max(deeper, default=0) <= 1, f"{visit}: {visit.headings}"

    def test_every_page_says_what_it_is_in_a_title_of_its_own(self, visitor: Visitor) -> None:
        rooms = defaultdict(set)
        for visit in visitor.found:
            assert visit.language == "en"
            rooms[visit.title].add(visit.name)
        for name, title in visitor.heard_of.items():
            rooms[title].add(name)
        assert {title: names for title, names in rooms.items() if len(names) > 1} == {}

    def test_a_page_of_errors_says_so_first_and_leads_to_each_field(self, visitor: Visitor) -> None:
        mistaken = [visit for visit in visitor.found if visit.state == MISTAKEN]
        names = set(names_of_addresses(part=self.part))
        assert len(mistaken) == sum(doing.name in names for doing in MISTAKES)
        for visit in mistaken:
            assert visit.title.startswith("Error: "), str(visit)
            assert visit.summary, str(visit)
            assert visit.summary["focused"], str(visit)
            assert visit.summary["announced"], str(visit)
            assert visit.summary["links"], str(visit)

    def test_each_field_in_error_is_marked_and_says_what_is_wrong(self, visitor: Visitor) -> None:
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
