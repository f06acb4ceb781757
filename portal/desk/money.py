"""The clerk's counter: fees and escrow that wait, and what came in lately."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from escrow.models import EscrowEntry
from permits import access
from permits.models import FeeEntry
from portal import clock, known

from .desk import counted
from .doors import only, who
from .waiting import WAITING, waiting_rows

__all__ = ["money"]

SHOWN = 25
LATELY = 25


@only(access.may_take_fee)
@require_safe
def money(request: HttpRequest) -> HttpResponse:
    """Show the clerk what to take, what to issue, and what was taken."""
    user, on = who(request), clock.today()
    with known.reading_once():
        lists = []
        for key in ("fee", "escrow", "issue"):
            waiting = WAITING[key]
            cases = list(waiting.found()[: SHOWN + 1])
            rows = waiting_rows(waiting, cases[:SHOWN], user=user, on=on)
            more = len(cases) > SHOWN
            count = counted(waiting.found()) if more else str(len(rows))
            lists.append({"list": waiting, "rows": rows, "count": count, "more": more})
        context: dict[str, Any] = {"lists": lists, "fees": fees(), "escrow": escrow(), "on": on}
        return render(request, "desk/money.html", context)


def fees() -> list[FeeEntry]:
    """Return the newest fee entries."""
    rows = FeeEntry.objects.select_related("application__site", "recorded_by")
    return list(rows.order_by("-pk")[:LATELY])


def escrow() -> list[EscrowEntry]:
    """Return the newest escrow entries."""
    rows = EscrowEntry.objects.select_related(
        "permit__site", "permit__application", "instrument", "by"
    )
    return list(rows.order_by("-pk")[:LATELY])
