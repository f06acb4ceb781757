"""The city's calendar: legal holidays and closures, read by all, kept by the clerk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from permits import access, recount
from permits.forms.fields import DayField, Line
from permits.recount import Move
from permits.views.doors import only, who
from portal import city_calendar, clock, drafts, known
from portal.formats import long_date
from portal.models import Closure, User
from portal.ordinance import Calendar, Holiday, legal_holidays, parse_day
from portal.ordinance.wording import capital

from .acting import CONFIRM, act_once, step_of, token_of

__all__ = ["calendar", "closure_add", "closure_remove"]

MOST_MOVES_SHOWN = 50
MOST_CLOSURES_SHOWN = 100
LONGEST_PAST = timedelta(days=366)


@dataclass(frozen=True)
class HolidayRow:
    """A legal holiday, and whether city hall is open on it."""

    holiday: Holiday
    day: date
    city_hall_open: bool

    @property
    def name(self) -> str:
        """Its name, to begin a line."""
        return capital(str(self.holiday))


@require_safe
def calendar(request: HttpRequest) -> HttpResponse:
    """Show the legal holidays of this year and the next, and the closures. Public."""
    on = clock.today()
    with known.reading_once():
        current = city_calendar.current_calendar()
    years = [(year, holidays_of(year, current)) for year in (on.year, on.year + 1)]
    ahead = [(day, name) for day, name in sorted(current.closures.items()) if day >= on]
    acts = list(Closure.objects.order_by("-pk")[:MOST_CLOSURES_SHOWN])
    context = {
        "years": years,
        "closures": ahead,
        "acts": acts,
        "may_edit": access.may_keep_calendar(request.user),
        "may_see_council": access.may_see_desk(request.user),
        "on": on,
    }
    return render(request, "calendar/calendar.html", context)


def holidays_of(year: int, current: Calendar) -> list[HolidayRow]:
    """Return the legal holidays kept in a year, in their order."""
    return [
        HolidayRow(holiday, day, current.is_office_day(day))
        for day, holiday in sorted(legal_holidays(year).items())
    ]


# A closure is added -----------------------------------------------------------------------


class ClosureForm(forms.Form):
    """The day on which city hall is closed, why, and by which resolution."""

    day = DayField(label="Day")
    name = Line(label="What for", max_length=120, help_text="Such as: Day after Thanksgiving.")
    resolution = Line(
        label="Number of the resolution", max_length=60, help_text="Such as 2026-118."
    )

    def clean_day(self) -> date:
        """Refuse a day that is no working day anyway, or too far back."""
        day: date = self.cleaned_data["day"]
        current = city_calendar.current_calendar()
        if day in current.closures:
            if self.data.get("step") == CONFIRM:
                return day  # a second click is led to what the first one did
            raise forms.ValidationError(f"City hall is closed that day already: {closed_as(day)}.")
        if why := current.why_not_working(day):
            raise forms.ValidationError(f"This is no working day anyway: {why}.")
        if day < clock.today() - LONGEST_PAST:
            raise forms.ValidationError("This day lies more than a year back.")
        return day


def closed_as(day: date) -> str:
    """Return what city hall is closed for on a day, or nothing."""
    return city_calendar.closures().get(day, "")


class ReopeningForm(forms.Form):
    """The resolution by which city hall is open again."""

    resolution = Line(
        label="Number of the resolution", max_length=60, help_text="Such as 2026-121."
    )


@only(access.may_keep_calendar)
@require_http_methods(["GET", "HEAD", "POST"])
def closure_add(request: HttpRequest) -> HttpResponse:
    """Close city hall for a day: first shown with the dates that move, then done."""
    form = ClosureForm(drafts.data_for(request))
    if request.method != "POST" or step_of(request) == "change" or not form.is_valid():
        return _show(request, "calendar/closure.html", form)
    answers = form.cleaned_data
    return _preview_or_do(
        request, form, answers["day"], answers["name"], answers["resolution"], closed=True
    )


@only(access.may_keep_calendar)
@require_http_methods(["GET", "HEAD", "POST"])
def closure_remove(request: HttpRequest, day: str) -> HttpResponse:
    """Take a closure back: first shown with the dates that move, then done."""
    try:
        closed_day = parse_day(day)
    except ValueError:
        raise Http404 from None
    name = closed_as(closed_day)
    if not name and step_of(request) != CONFIRM:  # a repeated confirmation still finds its result
        raise Http404
    form = ReopeningForm(drafts.data_for(request))
    if request.method != "POST" or step_of(request) == "change" or not form.is_valid():
        return _show(request, "calendar/reopening.html", form, day=closed_day, name=name)
    resolution = form.cleaned_data["resolution"]
    return _preview_or_do(request, form, closed_day, name, resolution, closed=False)


def _preview_or_do(
    request: HttpRequest, form: forms.Form, day: date, name: str, resolution: str, *, closed: bool
) -> HttpResponse:
    if step_of(request) == CONFIRM:
        return act_once(
            request,
            "closure.add" if closed else "closure.remove",
            lambda: change(
                request, day, name, resolution, closed=closed, by=who(request), on=clock.today()
            ),
        )
    with known.reading_once():
        moves = recount.moves_if(day, name=name, closed=closed)
    template = "calendar/moves.html"
    return _show(request, template, form, day=day, name=name, closed=closed, **shown_moves(moves))


def shown_moves(moves: Sequence[Move]) -> dict[str, Any]:
    """Return the first of the dates that move, and how many there are."""
    return {"moves": moves[:MOST_MOVES_SHOWN], "moves_count": len(moves)}


def change(
    request: HttpRequest,
    day: date,
    name: str,
    resolution: str,
    *,
    closed: bool,
    by: User,
    on: date,
) -> str:
    """Enter the act of the council and return to the calendar."""
    if closed == (day in city_calendar.closures()):
        messages.info(request, f"Somebody else entered this for {long_date(day)} already.")
        return reverse("calendar")
    moves = recount.change_closure(
        day, name=name, closed=closed, resolution=resolution, by=by, on=on
    )
    told = f"{len(moves)} open date{'' if len(moves) == 1 else 's'} moved; the parties are told."
    state = "closed" if closed else "open again"
    messages.success(request, f"City hall is {state} on {long_date(day)}. {told}")
    return reverse("calendar")


def _show(request: HttpRequest, template: str, form: forms.Form, **context: Any) -> HttpResponse:
    shared = {"form": form, "operation": token_of(request), "on": clock.today()}
    return render(request, template, shared | context)
