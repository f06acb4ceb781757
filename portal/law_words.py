"""The ordinance's own words where a page, a mail or a message speaks of them.

Officers, periods, amounts and places come from the edition in force, so that another
city's pages say what its ordinance says.
"""

from __future__ import annotations

from typing import Any

from django.template import Context

from portal import clock
from portal.city import edition_on
from portal.ordinance import Edition
from portal.ordinance.edition_words import words
from portal.ordinance.wording import capital

__all__ = ["called", "law", "officer", "place"]


def officer(context: Context, role: str) -> str:
    """Write what the city calls an officer: {% officer "inspector" %}; "Inspector" begins big."""
    return _cased(role, _edition(context).officer(role.lower()))


def called(context: Context, role: str) -> str:
    """Write the same for short, once the text has named them: {% called "inspector" %}."""
    return _cased(role, _edition(context).called(role.lower()))


def law(context: Context, name: str) -> str:
    """Write a number of the ordinance in words: {% law "decision_working_days" %}."""
    return _cased(name, words(_edition(context))[name.lower()])


def place(context: Context, section: str, paragraph: str = "") -> str:
    """Write where something stands, without a link: {% place "enforcement" "(e)" %}."""
    return str(_edition(context).citation(section, paragraph))


def _edition(context: Context) -> Edition:
    found: Any = context.get("edition")
    return found or edition_on(clock.today())


def _cased(name: str, text: str) -> str:
    return capital(text) if name[:1].isupper() else text
