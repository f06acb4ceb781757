"""Letters in the mail room, as acts of other parts of the house leave them."""

from __future__ import annotations

import itertools
from datetime import date
from typing import Any

from permits import mailroom
from permits.models import Application
from portal import papers
from portal.models import Document, Mailing
from tests import factory

MONDAY = factory.MONDAY
ADDRESS = "1 Mill Street\nExample, WI 54999"
_serial = itertools.count(1)


def letter(case: Application | None = None, **fields: Any) -> Mailing:
    """A letter that waits in the mail room."""
    case = case or factory.submitted()
    n = next(_serial)
    made = {
        "reference": case.site.number,
        "cause": f"test_notice:{n}",
        "means": "us_mail",
        "addressee": f"Owner {n}",
        "address": ADDRESS,
        "subject": "Ten days' notice of work",
        "text": "The city will complete the work.",
    }
    return Mailing.objects.create(**{**made, **fields})


def handed_in(on: date = MONDAY, **fields: Any) -> Mailing:
    """A letter that was handed to the post."""
    return mailroom.deposit([letter(**fields)], on=on, by=factory.clerk(), today=on)[0]


def accepted(on: date = MONDAY, **fields: Any) -> Mailing:
    """A letter that the post accepted."""
    found = handed_in(on, **fields)
    return mailroom.accept([found], on=on, by=factory.clerk(), today=on)[0]


def returned(on: date = MONDAY, **fields: Any) -> Mailing:
    """A letter that came back."""
    found = accepted(on, **fields)
    clerk = factory.clerk()
    return mailroom.bring_back(found, on=on, reason="Vacant", by=clerk, today=on)


def paper(addressee: str, address: str = ADDRESS, title: str = "Notice") -> Document:
    """A paper as the portal makes them, with an address in its window."""
    context = {"addressee": {"name": addressee, "address": address}, "reference": "S-1"}
    return papers.render("papers/base.html", context, kind="notice", title=title)
