"""The day plan: sites worth a visit today, the most urgent first, and the round on paper."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_safe

from inspections import access
from inspections.models import VisitNeed
from inspections.stops import (
    MOST_BY_PLACE,
    Stop,
    by_place,
    listed,
    stops_of,
    with_contacts,
)
from permits.views.doors import only
from permits.views.pages import page_of
from portal import clock
from portal.formats import short_date
from portal.ordinance.days import ONE_DAY

__all__ = ["round_of_the_day", "round_print"]

MOST_PRINTED = 60
PLACE = "place"
REASONS = [(reason.value, reason.label) for reason in (*VisitNeed.URGENCY, VisitNeed.Reason.UPKEEP)]


@dataclass(frozen=True)
class Asked:
    """What the address asks for, after what is not offered was left out."""

    reason: str = ""
    sort: str = ""

    @classmethod
    def of(cls, query: QueryDict) -> Asked:
        """Read reason and order from an address."""
        reason, sort = query.get("reason", ""), query.get("sort", "")
        return cls(reason if reason in dict(REASONS) else "", PLACE if sort == PLACE else "")

    def needs(self) -> Any:
        """Return one need of each site that is asked for, in order."""
        found = listed(self.reason)
        return by_place(found) if self.sort == PLACE else found


@only(access.may_see_visits)
@require_safe
def round_of_the_day(request: HttpRequest) -> HttpResponse:
    """Show every site worth a visit with all its reasons. Former § 17.19(6)"""
    asked, on = Asked.of(request.GET), clock.today()
    page = page_of(request, asked.needs())
    stops = stops_of([need.site_id for need in page.object_list])
    context = {
        "asked": asked,
        "page": page,
        "rows": [(stop, *standing(stop, on)) for stop in stops],
        "reasons": REASONS,
        "may_inspect": access.may_inspect(request.user),
        "may_enter_rain": access.may_enter_rain(request.user),
        "most_by_place": MOST_BY_PLACE,
        "on": on,
    }
    return render(request, "round/round.html", context)


def standing(stop: Stop, on: date) -> tuple[str, str]:
    """Return how a stop stands on a day, in a word or two, and the tone of it."""
    due = stop.due_on
    if due < on:
        return f"due since {short_date(due)}", "late"
    if due == on:
        return "due today", "soon"
    if due == on + ONE_DAY:
        return "due tomorrow", ""
    return f"due {short_date(due)}", ""


@only(access.may_see_visits)
@require_safe
def round_print(request: HttpRequest) -> HttpResponse:
    """Lay the chosen sites, or the page that was open, out for the clipboard."""
    asked, on = Asked.of(request.GET), clock.today()
    chosen = [int(key) for key in request.GET.getlist("site") if key.isdecimal() and len(key) < 19]
    if chosen:
        stops = stops_of(list(dict.fromkeys(chosen))[:MOST_PRINTED])
    else:
        stops = stops_of([need.site_id for need in page_of(request, asked.needs()).object_list])
    rows = [(stop, *standing(stop, on)) for stop in with_contacts(stops)]
    return render(request, "round/print.html", {"rows": rows, "on": on, "chosen": bool(chosen)})
