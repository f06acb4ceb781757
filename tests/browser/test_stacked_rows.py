"""Lists on a phone: each row a card, each value beside its name, and a table for those who hear."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from portal import papers
from tests import factory
from tests.browser.barriers import barriers
from tests.browser.person import Person, Wardrobe
from tests.escrow import money, online
from tests.scene import quick_paper

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

LISTS = {"/money/bills/": 6, "/cases/": 4, "/orders/": 5}
"""The lists that are tables, and how many columns each has."""

MEASURE = """() => [...document.querySelectorAll('td[data-label]')].map(cell => {
  const words = document.createRange();
  words.selectNodeContents(cell);
  const label = parseFloat(getComputedStyle(cell, '::before').width);
  return [cell.dataset.label, label,
    words.getBoundingClientRect().left - cell.getBoundingClientRect().left];
})"""
"""Of each value: its name, how wide the name is, and where the value begins."""


@pytest.fixture
def wardrobe(browser, live_server, at, monkeypatch: pytest.MonkeyPatch) -> Iterator[Wardrobe]:
    at(online.TODAY)
    monkeypatch.setattr(papers, "render", quick_paper)
    made = Wardrobe(browser, live_server.url)
    yield made
    made.close()
    assert made.complaints == []


def of_staff(wardrobe: Wardrobe, *, width: int) -> dict[str, Person]:
    """The clerk, who reads bills and cases, and the inspector, who reads orders."""
    money.order(online.a_bill().site, on=online.TODAY)
    clerk, inspector = wardrobe.somebody(width=width), wardrobe.somebody(width=width)
    clerk.enter_as(factory.clerk())
    inspector.enter_as(factory.inspector())
    return {"/money/bills/": clerk, "/cases/": clerk, "/orders/": inspector}


@pytest.mark.parametrize("width", [360, 320])
def test_a_row_is_a_card_with_each_value_beside_its_name(wardrobe: Wardrobe, width: int) -> None:
    for address, person in of_staff(wardrobe, width=width).items():
        person.go(address)
        found = person.page.evaluate(MEASURE)
        assert {label for label, _, _ in found if label}
        assert [each for each in found if each[2] < each[1]] == [], address
        wrap = person.page.locator(".table-wrap")
        assert wrap.evaluate("one => one.scrollWidth <= one.clientWidth"), address
        table = person.page.get_by_role("table")
        assert table.get_by_role("columnheader").count() == LISTS[address]
        assert table.get_by_role("row").count() >= 2
        assert barriers(person.page) == []


def test_on_a_wide_screen_it_is_a_table(wardrobe: Wardrobe) -> None:
    for address, person in of_staff(wardrobe, width=1280).items():
        person.go(address)
        shown = person.page.locator("table.stacks tbody tr").first
        assert shown.evaluate("one => getComputedStyle(one).display") == "table-row"
