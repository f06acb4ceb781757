"""Rain: the readings, a day by hand, and a daily file that is shown before it is saved."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from inspections import access
from inspections.acts import rain as acts
from inspections.forms.rain import RainDayForm, RainFileForm, first_answers
from inspections.models import RainReading
from inspections.rain_file import RainFile, Unit, read_file
from inspections.rain_words import amount, said_of, said_of_day, said_of_file
from permits.views.doors import act_once, only, step_of, token_of, who
from permits.views.pages import page_of
from portal import clock, drafts
from portal.models import User
from portal.ordinance.inspection import rain_visit_due

__all__ = ["rain", "rain_file"]

MOST_SHOWN = 60


@only(access.may_enter_rain)
@require_http_methods(["GET", "HEAD", "POST"])
def rain(request: HttpRequest) -> HttpResponse:
    """Show the readings; a figure entered again for a day corrects it."""
    on = clock.today()
    form = RainDayForm(drafts.data_for(request), initial=first_answers(on))
    if request.method == "POST" and form.is_valid():
        return act_once(
            request, "rain.enter", lambda: enter(request, form.cleaned_data, by=who(request), on=on)
        )
    newer = RainReading.objects.filter(
        station=OuterRef("station"), on=OuterRef("on"), pk__gt=OuterRef("pk")
    )
    readings = RainReading.objects.select_related("entered_by").order_by("-on", "-pk")
    page = page_of(request, readings.annotate(corrected=Exists(newer)))
    context = {"form": form, "page": page, "rows": [row_of(each) for each in page.object_list]}
    return show(request, "rain/rain.html", context)


def row_of(reading: RainReading) -> dict[str, Any]:
    """Return a line of the table: the reading, and the day by which its rain is looked after."""
    return {
        "reading": reading,
        "amount": amount(reading.inches),
        "due": rain_visit_due(reading.on) if reading.is_trigger else None,
    }


def enter(request: HttpRequest, answers: dict[str, Any], *, by: User, on: date) -> str:
    """Enter a day, say what it changed, and return to the readings."""
    saved = acts.enter(
        station=answers["station"],
        rained_on=answers["rained_on"],
        inches=answers["inches"],
        note=answers["note"],
        by=by,
        on=on,
    )
    tell = messages.success if saved.changes else messages.info
    tell(request, said_of_day(saved))
    return reverse("rain")


# A daily file -----------------------------------------------------------------------------


@only(access.may_enter_rain)
@require_http_methods(["GET", "HEAD", "POST"])
def rain_file(request: HttpRequest) -> HttpResponse:
    """Read a daily file: shown row by row first, then saved whole or not at all."""
    if step_of(request) == "save":
        return save(request)
    form = RainFileForm(request.POST or None, request.FILES or None)
    found = None
    if request.method == "POST" and form.is_valid():
        found = read(form)
    if found is None:
        return show(request, "rain/file.html", {"form": form})
    station = form.cleaned_data["station"] or found.station[: acts.LONGEST_STATION]
    return show(request, "rain/preview.html", preview(found, station or acts.default_station()))


def read(form: RainFileForm) -> RainFile | None:
    """Return the file as it was read; what is wrong with it as a whole is the form's error."""
    answers = form.cleaned_data
    try:
        return read_file(
            answers["file"], today=clock.today(), unit=answers["unit"], station=answers["station"]
        )
    except ValueError as error:
        form.add_error("file", forms.ValidationError(str(error)))
        return None


def preview(found: RainFile, station: str) -> dict[str, Any]:
    """Return what the page shows before anything is saved."""
    days = {day.on: day.inches for day in found.days}
    comparison = acts.compare(days, station=station)
    triggers = found.trigger_days()[::-1]
    return {
        "found": found,
        "station": station,
        "triggers": [(day, acts.rounded_down(day.inches)) for day in triggers[:MOST_SHOWN]],
        "triggers_count": len(triggers),
        "refused": found.refused[:MOST_SHOWN],
        "comparison": comparison,
        "corrections": [said_of(change) for change in comparison.corrections[:MOST_SHOWN]],
        "table": table_of(days),
        "first": min(days, default=None),
        "last": max(days, default=None),
    }


def table_of(days: dict[date, Decimal]) -> str:
    """Return days as the table that is saved when it is confirmed."""
    rows = (f"{on.isoformat()},{acts.rounded_down(inches)}" for on, inches in sorted(days.items()))
    return "\n".join(["date,prcp_in", *rows])


def save(request: HttpRequest) -> HttpResponse:
    """Save what the page before has shown; it is read anew, for it came from outside."""
    station = request.POST.get("station", "").strip()[: acts.LONGEST_STATION]
    on, by = clock.today(), who(request)
    try:
        found = read_file(request.POST.get("table", ""), today=on, unit=Unit.INCHES)
    except ValueError:
        found = RainFile(Unit.INCHES, "")
    if found.refused or not found.days or not station or "\x00" in station:
        messages.error(request, "Nothing was saved. Choose the file again.")
        return show(request, "rain/file.html", {"form": RainFileForm()}, status=400)

    def run() -> str:
        for sentence in said_of_file(acts.save_file(found, station=station, by=by, on=on)):
            messages.success(request, sentence)
        return reverse("rain")

    return act_once(request, "rain.file", run)


def show(
    request: HttpRequest, template: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """Return a page with the operation token of its form."""
    shared = {"operation": token_of(request), "on": clock.today()}
    return render(request, template, shared | context, status=status)
