"""What every template knows: the city, today, the law's edition, and the way around."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.functional import SimpleLazyObject

from portal import clock
from portal.city import edition_on
from portal.models import Role, User

__all__ = ["NavItem", "city", "nav_for"]

CHECK = ("Do I need a permit?", "check")
LOOKUP = ("Look up a site", "lookup")
LAW = ("Law & calendar", "law")
DESK = ("Desk", "desk")
ROUND = ("Round", "round")
RAIN = ("Rain", "rain")
CASES = ("Cases", "cases")
CALENDAR = ("Calendar", "calendar")
MONEY = ("Money", "money")
ORDERS = ("Orders", "orders")
APPEALS = ("Appeals", "appeals")
MAIL = ("Mail", "mailroom")
ROLL = ("Tax roll", "roll")
PEOPLE = ("Staff", "people")
LAW_ALONE = ("Law", "law")
REQUESTS = ("Requests", "requests")
RECORDS = ("Records", "records_requests")

PUBLIC = [CHECK, LOOKUP, LAW]
WAYS: dict[str, list[tuple[str, str]]] = {
    Role.APPLICANT: [("My permits", "home"), *PUBLIC],
    Role.INSPECTOR: [DESK, ROUND, ORDERS, CASES, LOOKUP, LAW],
    Role.CLERK: [DESK, MONEY, MAIL, RAIN, CASES, RECORDS, CALENDAR, LAW_ALONE],
    Role.ADMINISTRATOR: [DESK, CASES, MONEY, MAIL, RECORDS, PEOPLE, CALENDAR, LAW_ALONE],
    Role.ATTORNEY: [DESK, REQUESTS, APPEALS, ROLL, CASES, RECORDS, LAW],
    Role.BOARD: [DESK, APPEALS, CASES, LAW],
}


@dataclass(frozen=True)
class NavItem:
    """One way in the masthead."""

    label: str
    url: str
    current: bool = False


def city(request: HttpRequest) -> dict[str, Any]:
    """Return the context of every page; what costs something is worked out when used."""
    today = clock.today()
    return {
        "city": settings.CITY,
        "today": today,
        "edition": SimpleLazyObject(lambda: edition_on(today)),
        "nav": SimpleLazyObject(lambda: nav_for(request)),
        "demo": settings.DEMO,
    }


def nav_for(request: HttpRequest) -> list[NavItem]:
    """Return the ways a person's role uses, in the same order on every page."""
    user = getattr(request, "user", None)
    if isinstance(user, User):
        ways = [*WAYS[user.role], (str(user), "account")]
    else:
        ways = [*PUBLIC, ("Sign in", "account_login")]
    items = list(_reachable(ways))
    here = _current(items, request.path)
    return [NavItem(item.label, item.url, item is here) for item in items]


def _reachable(ways: list[tuple[str, str]]) -> Iterator[NavItem]:
    for label, name in ways:
        try:
            yield NavItem(label, reverse(name))
        except NoReverseMatch:
            continue  # a room that is not built yet


def _current(items: list[NavItem], path: str) -> NavItem | None:
    """Return the way on which a page lies: the longest that its address begins with."""
    on_way = [item for item in items if path.startswith(item.url) and item.url != "/"]
    return max(on_way, key=lambda item: len(item.url), default=None)
