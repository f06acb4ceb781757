"""Finding sites by what people type, at a bounded cost however common the words are."""

from __future__ import annotations

from typing import NamedTuple

from django.db import connection

from permits.models import SearchWord, Site, search_words
from permits.models.site import COMMON_WORDS, SiteQuerySet, whole_number

__all__ = ["Found", "find_site_keys", "sites_of"]

MOST_SITES = 100
"""More sites than this nobody reads through; the page asks for another word."""

MOST_OF_A_WORD = 150
"""A word that more sites have tells little; the others are asked first."""


NEWEST = {"sqlite": ("-word", "-pk")}
"""SQLite reads its index backwards and so finds the newest; elsewhere it would have to sort."""


class Found(NamedTuple):
    """The keys of the sites found, the newest first, and whether there are more."""

    keys: list[int]
    more: bool


def find_site_keys(text: str, among: SiteQuerySet) -> Found:
    """Return the sites that have every word of a text; a whole number finds its own site."""
    words = search_words(text)[:8]
    telling = [word for word in words if word not in COMMON_WORDS] or words
    if not telling:
        return Found([], False)
    if len(words) > 1 and (whole := _having(whole_number(text))).keys:
        return _allowed(whole, among)
    found = _with_all(telling)
    if found.more and len(found.keys) < MOST_SITES:  # common words that few sites have together
        rare = among.found_by(text).order_by("-pk").values_list("pk", flat=True)
        found = Found(list(rare[:MOST_OF_A_WORD]), False)
    return _allowed(found, among)


def _allowed(found: Found, among: SiteQuerySet) -> Found:
    """Return those that may be shown here."""
    keys = among.filter(pk__in=found.keys).order_by("-pk").values_list("pk", flat=True)
    allowed = list(keys[: MOST_SITES + 1])
    return Found(allowed[:MOST_SITES], found.more or len(allowed) > MOST_SITES)


def _having(word: str) -> Found:
    """Return sites that have a word, by its index; only some where very many do."""
    rows = SearchWord.objects.starting(word[:60]).order_by(*NEWEST.get(connection.vendor, ()))
    keys = list(rows.values_list("site_id", flat=True)[: MOST_OF_A_WORD + 1])
    return Found(keys[:MOST_OF_A_WORD], len(keys) > MOST_OF_A_WORD)


def _with_all(words: list[str]) -> Found:
    """Return the sites that have every word; of very common ones only some.

    The first word that few sites have is enough: the others are asked of those sites only.
    """
    having: dict[str, Found] = {}
    for word in sorted(words, key=_promise, reverse=True):
        having[word] = _having(word)
        if not having[word].more:
            break
    first = word if not having[word].more else max(having, key=lambda w: _spread(having[w].keys))
    keys = set(having[first].keys)
    for other in words:
        if other != first and keys:
            same = SearchWord.objects.starting(other).filter(site_id__in=keys).order_by()
            keys &= set(same.values_list("site_id", flat=True))
    return Found(list(keys), having[first].more)


def _promise(word: str) -> tuple[bool, int]:
    """Return how likely few sites have a word: house and parcel numbers first, then long words."""
    return any(sign.isdigit() for sign in word), len(word)


def _spread(keys: list[int]) -> int:
    """Return how far apart as many sites lie: the farther, the rarer is their word."""
    return max(keys) - min(keys)


def sites_of(keys: list[int]) -> SiteQuerySet:
    """Return the sites of some keys, the newest first."""
    return Site.objects.filter(pk__in=keys).order_by("-pk")
