"""The parcel numbers of a site are corrected; a parcel that the money names stays on record.

A part above this one registers which parcels it names when it starts, so that this one need
not know it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.db.models import QuerySet

from permits.models import NotNow, Parcel, Site
from portal.city import say

__all__ = ["in_order", "put_right", "register", "why_not_removed"]

Named = Callable[[Site], QuerySet[Any]]

_named: dict[str, Named] = {}


def register(what: str, named: Named) -> None:
    """Add a function from a site to the keys of its parcels that `what` names."""
    if _named.get(what, named) != named:
        raise ValueError(f"{what!r} is registered already by another.")
    _named[what] = named


def in_order(site: Site, numbers: Sequence[str]) -> list[str]:
    """Return numbers as the site will list them: those on record first, as they stand there."""
    wanted = dict.fromkeys(numbers)
    kept = [number for number in _on_record(site) if number in wanted]
    return [*kept, *(number for number in wanted if number not in kept)]


def why_not_removed(site: Site, numbers: Sequence[str]) -> str:
    """Return why the parcels that are missing among these cannot go, or nothing if they can."""
    missing = dict(site.parcels.exclude(number__in=numbers).values_list("pk", "number"))
    if not missing:
        return ""
    for what, named in _named.items():
        keys = set(named(site))
        if held := [number for key, number in missing.items() if key in keys]:
            return (
                f"This must stay in the list: {' and '.join(held)}. Because {what} names it, it "
                "stays on record. Write the right number on a line of its own; "
                + say("the {clerk} notes at the old one what became of it.")
            )
    return ""


def put_right(site: Site, numbers: Sequence[str]) -> None:
    """Add and remove what differs; every other parcel keeps its row. Raises NotNow."""
    if why := why_not_removed(site, numbers):
        raise NotNow(why)
    site.parcels.exclude(number__in=numbers).delete()
    known = set(_on_record(site))
    Parcel.objects.bulk_create(
        Parcel(site=site, number=number) for number in numbers if number not in known
    )


def _on_record(site: Site) -> list[str]:
    return list(site.parcels.order_by("pk").values_list("number", flat=True))
