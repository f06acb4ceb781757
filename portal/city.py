"""The city itself: its name and addresses, and the ordinance in its own labels."""

from __future__ import annotations

from datetime import date
from functools import cache

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from portal import ordinance
from portal.ordinance import Edition

__all__ = ["choose", "edition_on"]


def choose(name: str) -> None:
    """Judge by the editions of this city; a city without any stops the start."""
    try:
        ordinance.use(name)
    except (OSError, ValueError, KeyError) as error:
        raise ImproperlyConfigured(
            f"CITY_ORDINANCE is {name!r}; it must be one of {', '.join(ordinance.cities())}, or "
            f"the path of a folder of editions, with a / in it: {error}. "
            "`manage.py check_edition FILE` says what is wrong with a file."
        ) from None


def edition_on(day: date) -> Edition:
    """Return the edition in force on a day, with the city's own section labels."""
    return _renamed(ordinance.edition_on(day))


@cache
def _renamed(edition: Edition) -> Edition:
    labels = {k: v for k, v in settings.CITY["section_labels"].items() if k in edition.labels}
    return edition.renamed(labels=labels)
