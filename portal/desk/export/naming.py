"""Finding a case by any number that stands on one of its papers."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import FieldDoesNotExist
from django.db import models

from permits.models import Parcel, Site
from permits.models.site import whole_number

from .tables import tables

__all__ = ["NotOne", "find_case"]


class NotOne(LookupError):
    """No case, or more than one, has the number."""


def find_case(number: str) -> Site:
    """Return the case of a number as somebody typed it; raises NotOne with the reason."""
    number = " ".join(number.split())
    found = _exactly(number) or _exactly(_written_out(number))
    if not found:
        raise NotOne(
            f"No case has the number {number!r}. Give the number of a site (S-2026-0001), "
            "application, permit, order, notice, appeal, bill, receipt or parcel."
        )
    if len(found) > 1:
        sites = Site.objects.filter(pk__in=found).order_by("pk")
        named = "; ".join(f"{site.number} ({site.place})" for site in sites[:10])
        raise NotOne(f"{number!r} fits {len(found)} cases: {named}. Give the number of the site.")
    return Site.objects.get(pk=found.pop())


def _exactly(number: str) -> set[int]:
    """Return the sites of every row whose number this is."""
    found: set[int] = set()
    for table in tables():
        if _has_number(table.model) and table.ways:
            way = table.ways[0]
            rows = table.model._base_manager.filter(number=number)
            found |= set(rows.order_by().values_list(way, flat=True)[:20])
    return found


def _has_number(model: type[models.Model]) -> bool:
    """Whether rows of a table are known by a number that people read on paper."""
    try:
        field: Any = model._meta.get_field("number")
    except FieldDoesNotExist:
        return False
    return isinstance(field, models.CharField) and (field.unique or model is Parcel)


def _written_out(number: str) -> str:
    """Return a number of the city's as it is written: ec 2026 11 is EC-2026-0011."""
    word = whole_number(number).upper()
    letters = "".join(sign for sign in word if sign.isalpha())
    digits = word.removeprefix(letters)
    if letters and digits.isdecimal() and len(digits) > 4:
        return f"{letters}-{digits[:4]}-{digits[4:]}"
    return number
