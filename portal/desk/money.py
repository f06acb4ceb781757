"""The clerk's counter: fees and escrow that wait, and what came in lately."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from escrow import access as money_access
from escrow.models import EscrowEntry
from permits.models import FeeEntry
from permits.views.doors import only, who
from portal import clock, known

from .desk import uncounted, waiting_section
from .docket import Docket, Question
from .lengths import lengths
from .rows import works_at
from .waiting import WAITING

__all__ = ["money"]

SITE = ("number", "address", "survey_description")
SHOWN = 10
LATELY = 20


@only(money_access.may_read_books)
@require_safe
def money(request: HttpRequest) -> HttpResponse:
    """Show the clerk what to take, what to issue, and what was taken."""
    user, on = who(request), clock.today()
    with known.reading_once():
        cases = {key: list(WAITING[key].found()[: SHOWN + 1]) for key in ("fee", "escrow", "issue")}
        works = works_at(case.site_id for found in cases.values() for case in found)
        counted = lengths(Docket(Question(), on=on), list(uncounted({}, cases, SHOWN)))
        lists = [
            waiting_section(key, found, works, counted, shown=SHOWN, user=user, on=on)
            for key, found in cases.items()
        ]
        context: dict[str, Any] = {"lists": lists, "fees": fees(), "escrow": escrow(), "on": on}
        return render(request, "desk/money.html", context)


def fees() -> list[FeeEntry]:
    """Return the newest fee entries."""
    rows = FeeEntry.objects.select_related("application__site").only(
        *("means", "amount", "received_on", "receipt_number", "check_number", "resolution"),
        *("note", "application__number", *(f"application__site__{name}" for name in SITE)),
    )
    return list(rows.order_by("-received_on", "-pk")[:LATELY])


def escrow() -> list[EscrowEntry]:
    """Return the newest escrow entries."""
    rows = EscrowEntry.objects.select_related("permit__application__site", "instrument", "by").only(
        *("kind", "amount", "on", "reason", "instrument__form", "by__name", "by__role"),
        *("by__email", "permit__site_id", "permit__application__number"),
        *(f"permit__application__site__{name}" for name in SITE),
    )
    return list(rows.order_by("-on", "-pk")[:LATELY])
