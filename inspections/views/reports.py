"""The report of a visit, and the figures of a year as page and as file."""

from __future__ import annotations

import csv
import uuid
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from inspections import access, annual
from inspections.acts import season
from permits.models import Permit
from permits.views.doors import act_once, only, step_of, token_of, who
from portal import clock

from .visits import find_visit

__all__ = ["annual_csv", "annual_report", "season_letters", "visit_report"]

MOST_LETTERS = 25
TALLEST = 120
WIDTH, GAP = 34, 10
FORMULA = ("=", "+", "-", "@", "\t", "\r")
COLUMNS = (
    ("Active sites", "active"),
    ("Visits", "visits"),
    ("Findings", "findings"),
    ("Violations", "violations"),
    ("Findings corrected", "corrected"),
    ("Mean days to correction", "mean_days"),
    ("Days of 0.5 inch of rain or more", "rain_days"),
    ("Rain visits asked for", "rain_visits"),
    ("Rain visits within 24 hours", "rain_in_time"),
    ("Share within 24 hours, percent", "in_time_percent"),
)
CHARTS = (
    ("visits", "Visits"),
    ("findings", "Findings"),
    ("in_time_percent", "Rain visits within 24 hours, percent"),
)


@dataclass(frozen=True)
class Bar:
    """One bar of a chart, in the units of its drawing."""

    label: str
    text: str
    x: int
    y: int
    height: int
    middle: int


@dataclass(frozen=True)
class Chart:
    """A bar for each month; the table below says the same in figures."""

    name: str
    title: str
    bars: list[Bar]
    width: int
    most: str


@login_required
@require_safe
def visit_report(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Lead to the report of a visit, for whoever may read the visit."""
    paper = find_visit(request, key).report
    if paper is None:
        raise Http404
    return redirect(paper)


@only(access.may_inspect)
@require_POST
def season_letters(request: HttpRequest) -> HttpResponse:
    """Show to whom the season letter goes, then have it written. Former § 17.19(4)(d)"""
    asked = [key for key in request.POST.getlist("permit") if key.isascii() and key.isdecimal()]
    rows = Permit.objects.filter(pk__in=[int(key) for key in asked[:MOST_LETTERS] if len(key) < 19])
    permits = list(rows.filter(status=Permit.Status.ISSUED).select_related("site").order_by("pk"))

    def run() -> str:
        number = season.order(permits, by=who(request), on=clock.today())
        messages.success(request, f"{number} season letters are being written and sent.")
        return reverse("season")

    if permits and step_of(request) == "send":
        return act_once(request, "season.letters", run)
    context = {"permits": permits, "operation": token_of(request)}
    return render(request, "annual/season_letters.html", context)


def _year(request: HttpRequest) -> tuple[annual.Year, list[int]]:
    """Return the year that is asked for, else this one, and all that have figures."""
    today = clock.today()
    years = list(range(today.year, annual.first_year(today) - 1, -1)) or [today.year]
    asked = request.GET.get("year", "")
    year = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) == 4 else 0
    return annual.year_of(year if year in years else today.year, today=today), years


@only(access.may_see_visits)
@require_safe
def annual_report(request: HttpRequest) -> HttpResponse:
    """Show the figures of a year, as a city reports them to the state."""
    figures, years = _year(request)
    context = {
        "figures": figures,
        "years": years,
        "charts": [_chart(figures, name, title) for name, title in CHARTS],
        "today": clock.today(),
        "so_far": figures.year == clock.today().year,
    }
    return render(request, "annual/annual.html", context)


def _chart(figures: annual.Year, name: str, title: str) -> Chart:
    values: list[Any] = [getattr(month, name) for month in figures.months]
    most = max((value for value in values if value), default=0)
    if name.endswith("percent"):
        most = 100
    bars = []
    for place, (month, value) in enumerate(zip(figures.months, values, strict=True)):
        height = int(TALLEST * value / most) if value else 0
        x = place * (WIDTH + GAP)
        text = "" if value is None else _plain(value)
        bars.append(Bar(month.name[:3], text, x, TALLEST - height + 16, height, x + WIDTH // 2))
    return Chart(name, title, bars, 12 * (WIDTH + GAP), _plain(most))


def _plain(value: int | Decimal) -> str:
    return f"{value:,}"


@only(access.may_see_visits)
@require_safe
def annual_csv(request: HttpRequest) -> HttpResponse:
    """The same figures as a file for a spreadsheet; no cell of it can be a formula."""
    figures, _ = _year(request)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    name = f"inspections-{figures.year}.csv"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    writer = csv.writer(response)
    city = str(settings.CITY["name"])
    writer.writerow([harmless(f"{city}, erosion control inspections {figures.year}")])
    writer.writerow(["Month", *(title for title, _ in COLUMNS)])
    for row in (*figures.months, figures.total):
        cells = [getattr(row, name) for _, name in COLUMNS]
        writer.writerow([harmless(row.name), *("" if each is None else each for each in cells)])
    return response


def harmless(text: str) -> str:
    """Return text that a spreadsheet takes as text and never as a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text
