"""Sites are found by every word, at a bounded cost, however common the words are."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from permits import finding
from permits.finding import find_site_keys
from permits.models import Site
from portal import numbers
from tests import factory

pytestmark = pytest.mark.django_db

STREETS = ("Prairie Road", "Prairie View Lane", "Mill Street")
TYPED = (
    "prairie",
    "prairie example",
    "example 54999",
    "101 prairie road",
    "102 mill st",
    "view example wi",
    "0240-0003-001",
    "02400003001",
    "mill prairie",
    "road",
    "nowhere",
    "10",
    "",
    "...",
)


@pytest.fixture
def sites() -> list[Site]:
    made = []
    for n, (house, street) in enumerate(product(range(101, 107), STREETS), start=1):
        site = Site.objects.create(
            number=numbers.next_number("S", on=factory.MONDAY),
            address=f"{house} {street}, Example, WI 54999",
        )
        site.parcels.create(number=f"0240-{n:04d}-001")
        site.index_words()
        made.append(site)
    return made


def expected(text: str) -> set[int]:
    return set(Site.objects.found_by(text).values_list("pk", flat=True))


@pytest.mark.parametrize("text", TYPED)
def test_the_same_sites_are_found_as_by_every_word(sites: list[Site], text: str) -> None:
    found = find_site_keys(text, Site.objects.all())
    assert set(found.keys) == expected(text)
    assert found.keys == sorted(found.keys, reverse=True)
    assert not found.more


@pytest.mark.parametrize("text", TYPED)
def test_of_very_many_only_some_are_given(
    sites: list[Site], monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr(finding, "MOST_OF_A_WORD", 4)
    monkeypatch.setattr(finding, "MOST_SITES", 3)
    found = find_site_keys(text, Site.objects.all())
    every = expected(text)
    assert set(found.keys) <= every
    assert len(found.keys) == min(3, len(every))
    assert found.more == (len(every) > 3)


def test_a_whole_number_finds_its_own_site(sites: list[Site]) -> None:
    site = sites[4]
    assert find_site_keys(site.number, Site.objects.all()).keys == [site.pk]
    assert find_site_keys(site.number.lower(), Site.objects.all()).keys == [site.pk]


def test_a_search_asks_little(sites: list[Site], django_assert_max_num_queries: Any) -> None:
    for text in TYPED:
        with django_assert_max_num_queries(8):
            find_site_keys(text, Site.objects.all())
