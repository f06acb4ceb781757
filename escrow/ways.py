"""The tabs on the pages of the money: the same for one person on each of them, in one order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from portal.context import NavItem

from . import access

__all__ = ["money_tabs", "tabs_for"]

MONEY = "/money/"
"""Where every page of the money lies, but for the posting of an escrow."""


@dataclass(frozen=True)
class Tab:
    """One tab: its first page, who may read that, and what else lies on it."""

    label: str
    name: str
    may: Callable[[Any], bool]
    places: tuple[str, ...] = ()

    def item(self, path: str) -> NavItem:
        """Return the tab as it is on a page."""
        url = reverse(self.name)
        here = any(path.startswith(place) for place in self.places)
        return NavItem(self.label, url, path == url or (here and path not in FIRST_PAGES))


TABS = (
    Tab("Fees & escrow", "money", access.may_read_books, ("/money/fees/", "/money/escrow/")),
    Tab("Approvals & renewals", "escrow_waiting", access.may_read_money),
    Tab(
        "Bills",
        "bills",
        access.may_read_money,
        ("/money/bills/", "/money/work/", "/money/entries/"),
    ),
    Tab("Tax roll", "roll", access.may_read_roll, ("/money/roll/", "/money/parcels/")),
    Tab(
        "Cash book",
        "cash_book",
        access.may_read_books,
        ("/money/cash/", "/money/deposits/", "/money/close/", "/money/online/"),
    ),
    Tab("Trial balance", "trial_balance", access.may_read_books, ("/money/balance/",)),
)


FIRST_PAGES = {"/money/escrow/"}
"""A first page that begins like the addresses of another tab."""


def tabs_for(request: HttpRequest) -> list[NavItem]:
    """Return the tabs of a page of the money, for one person; none on other pages."""
    user = getattr(request, "user", None)
    if user is None or not request.path.startswith(MONEY):
        return []
    return [tab.item(request.path) for tab in TABS if tab.may(user)]


def money_tabs(request: HttpRequest) -> dict[str, Any]:
    """Return the tabs to every template; they are worked out when used."""
    return {"money_tabs": SimpleLazyObject(lambda: tabs_for(request))}
