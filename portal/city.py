"""The city itself: its name and addresses, and the ordinance in its own labels."""

from __future__ import annotations

from datetime import date
from functools import cache

from django.conf import settings

from portal import ordinance
from portal.ordinance import Edition

__all__ = ["edition_on"]


def edition_on(day: date) -> Edition:
    """Return the edition in force on a day, with the city's own section labels."""
    return _renamed(ordinance.edition_on(day))


@cache
def _renamed(edition: Edition) -> Edition:
    labels = {k: v for k, v in settings.CITY["section_labels"].items() if k in edition.labels}
    return edition.renamed(labels=labels)
