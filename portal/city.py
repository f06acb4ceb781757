"""The city itself: its name and addresses, and the ordinance in its own labels."""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from typing import cast

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import lazystr

from portal import clock, ordinance
from portal.ordinance import Edition
from portal.ordinance.edition_words import words
from portal.ordinance.editions import FIRST_CITY, OFFICER_ROLES
from portal.ordinance.wording import capital

__all__ = ["choose", "edition_on", "in_words_of", "say", "worded"]


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


# Words ------------------------------------------------------------------------------------


def say(text: str) -> str:
    """Fill {inspector}, {Clerk}, {inspector_short}, {decision_working_days} and the like in."""
    return text.format(**_words(edition_on(clock.today())))


def worded(text: str) -> str:
    """Return a text of a class or a form whose words are filled in when it is shown."""
    return cast(str, lazystr(_Said(text)))


class _Said:
    """A text that says itself anew each time, in the words of the day."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return say(self.text)


@cache
def _words(edition: Edition) -> dict[str, str]:
    found = dict(words(edition))
    return found | {name[0].upper() + name[1:]: capital(text) for name, text in found.items()}


def in_words_of(text: str) -> str:
    """Say a policy, written in the first city's titles and sections, in those of this one."""
    edition = edition_on(clock.today())
    first = ordinance.all_editions(FIRST_CITY)[-1]
    for role in OFFICER_ROLES:
        text = text.replace(first.officer(role), edition.officer(role))
        text = text.replace(capital(first.officer(role)), capital(edition.officer(role)))
    for section, label in first.labels.items():
        parts = re.split(f"(?i:{re.escape(label)})((?:\\([a-z0-9]+\\))*)(?![0-9(])", text)
        places = [str(edition.citation(section, paragraph)) for paragraph in parts[1::2]]
        text = "".join(a + b for a, b in zip(parts[::2], [*places, ""], strict=True))
    return text
