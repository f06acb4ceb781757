"""The tabs on the pages about records: the same on each of them, in one order."""

from __future__ import annotations

from django.urls import reverse

from portal.context import NavItem

__all__ = ["tabs"]

TABS = (
    ("Requests", "records_requests"),
    ("Holds", "holds"),
    ("Schedule", "retention_schedule"),
    ("Destruction", "destruction_lists"),
)


def tabs(path: str) -> list[NavItem]:
    """Return the tabs of a page about records."""
    items = [NavItem(label, reverse(name)) for label, name in TABS]
    here = max((each.url for each in items if path.startswith(each.url)), key=len, default="")
    return [NavItem(each.label, each.url, each.url == here) for each in items]
