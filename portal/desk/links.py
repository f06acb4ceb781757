"""Addresses of other rooms; a room that is not there has none, and its link is left out."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.urls import NoReverseMatch, reverse

__all__ = ["find_url"]


def find_url(name: str, *args: Any, **query: str) -> str:
    """Return the address of a page by its name, or nothing where there is no such page."""
    try:
        url = reverse(name, args=args)
    except NoReverseMatch:
        return ""
    return f"{url}?{urlencode(query)}" if query else url
