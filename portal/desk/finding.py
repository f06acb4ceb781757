"""Finding sites by what people type, at a bounded cost however common the words are."""

from __future__ import annotations

from typing import NamedTuple

from permits.models import SearchWord, Site, search_words
from permits.models.site import COMMON_WORDS, SiteQuerySet, compact

__all__ = ["Found", "find_site_keys"]

MOST_SITES = 200
"""More sites than this nobody reads through; the page asks for another word."""

MOST = MOST_SITES + 1

MOST_OF_A_WORD = 500
"""A word that more sites have tells little; the others are asked first."""


class Found(NamedTuple):
    """The keys of the sites found, and whether there are more than are given."""

    keys: list[int]
    more: bool


def find_site_keys(text: str, among: SiteQuerySet) -> Found:
    """Return the sites that have every word of a text, the newest first."""
    words = search_words(text)[:8]
    telling = [word for word in words if word not in COMMON_WORDS] or words
    if not telling:
        return Found([], False)
    keys = _with_all(telling)
    if keys is None:  # every word is common: leave it to the database
        found = list(among.found_by(text).order_by("-pk").values_list("pk", flat=True)[:MOST])
        return Found(found[:MOST_SITES], len(found) > MOST_SITES)
    if len(words) > 1:
        keys |= _having(compact(text)) or set()
    wanted = sorted(keys, reverse=True)[:MOST_OF_A_WORD]
    allowed = list(among.filter(pk__in=wanted).order_by("-pk").values_list("pk", flat=True)[:MOST])
    return Found(allowed[:MOST_SITES], len(allowed) > MOST_SITES)


def _having(word: str) -> set[int] | None:
    """Return the sites that have a word, or None where too many do."""
    rows = SearchWord.objects.starting(word[:60]).order_by().values_list("site_id", flat=True)
    found = list(rows[: MOST_OF_A_WORD + 1])
    return None if len(found) > MOST_OF_A_WORD else set(found)


def _with_all(words: list[str]) -> set[int] | None:
    """Return the sites that have every word; None where no word narrows them down."""
    sets = {word: _having(word) for word in words}
    telling = [found for found in sets.values() if found is not None]
    if not telling:
        return None
    keys = set.intersection(*telling)
    for common in (word for word, found in sets.items() if found is None):
        having = SearchWord.objects.starting(common).filter(site_id__in=keys)
        keys &= set(having.order_by().values_list("site_id", flat=True))
    return keys


def sites_of(keys: list[int]) -> SiteQuerySet:
    """Return the sites of some keys, the newest first."""
    return Site.objects.filter(pk__in=keys).order_by("-pk")
