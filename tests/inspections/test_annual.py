"""The figures of a year, counted by the database, as page and as file."""

from __future__ import annotations

import csv
from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from inspections import annual
from inspections.acts import findings as finding_acts
from inspections.models import VisitNeed
from inspections.views.reports import harmless
from portal.models import Role

from .factory import (
    MONDAY,
    active_permit,
    finding,
    finished_visit,
    inspector,
    open_visit,
    rain,
    user,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("monday")]
SEPTEMBER, OCTOBER, NOVEMBER = 8, 9, 10


def need(site, rained_on: date) -> VisitNeed:  # type: ignore[no-untyped-def]
    rain(rained_on, "0.5")
    VisitNeed.objects.raise_once(
        site, "rain", since=rained_on, due_on=rained_on + timedelta(1), because="Rain."
    )
    return VisitNeed.objects.open().get(site=site, reason="rain")


@pytest.fixture
def figures() -> annual.Year:
    permit = active_permit(issued_on=date(2026, 9, 1))
    site = permit.site
    closed = active_permit(issued_on=date(2025, 4, 1))
    closed.final_inspection_passed_on = closed.closed_on = date(2026, 9, 30)
    closed.status = "closed"
    closed.save()
    need(site, date(2026, 9, 11))
    finished_visit(site, on=date(2026, 9, 12))
    need(site, date(2026, 10, 2))
    found = finding(site, on=date(2026, 10, 5), is_violation=True)
    finding_acts.confirm(
        found, by=inspector(), on=MONDAY, how="Seen", corrected_on=date(2026, 10, 9)
    )
    error = finding(site, on=date(2026, 10, 6))
    finding_acts.drop(error, by=inspector(), on=MONDAY, reason="The neighbor's.")
    finding(site, on=date(2026, 11, 9))
    need(site, date(2026, 11, 12))
    open_visit(site, on=MONDAY)
    return annual.year_of(2026, today=MONDAY)


def test_each_month_has_its_figures(figures: annual.Year) -> None:
    assert len(figures.months) == 11
    assert [m.active for m in figures.months] == [1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1]
    assert [m.visits for m in figures.months[SEPTEMBER:]] == [1, 2, 1]
    october = figures.months[OCTOBER]
    assert (october.findings, october.violations, october.mean_days) == (1, 1, Decimal("4.0"))
    assert figures.months[NOVEMBER].mean_days is None
    shares = [m.in_time_percent for m in figures.months[SEPTEMBER:]]
    assert shares == [Decimal("100.0"), Decimal("0.0"), Decimal("0.0")]
    assert figures.total.active == 2
    assert (figures.total.rain_days, figures.total.rain_visits) == (3, 3)
    assert figures.total.in_time_percent == Decimal("33.3")


@pytest.mark.usefixtures("figures")
def test_a_year_before_and_one_to_come() -> None:
    assert annual.year_of(2025, today=MONDAY).total.active == 1
    assert annual.year_of(2027, today=MONDAY).months == []


@pytest.mark.usefixtures("figures")
def test_the_queries_do_not_grow(django_assert_max_num_queries) -> None:  # type: ignore[no-untyped-def]
    with django_assert_max_num_queries(6):
        annual.year_of(2026, today=MONDAY)


@pytest.mark.usefixtures("figures")
def test_page_and_file_say_the_same(client: Client) -> None:
    client.force_login(user(Role.ADMINISTRATOR))
    page = client.get(reverse("annual"), {"year": "2026"})
    assert page.status_code == 200
    text = page.content.decode()
    assert "1 of 3 within 24 hours" in text
    assert "style=" not in text.partition("<main")[2]
    file = client.get(reverse("annual_csv"), {"year": "2026"})
    rows = list(csv.reader(file.content.decode().splitlines()))
    assert rows[1][0] == "Month"
    assert rows[-1][:5] == ["2026", "2", "4", "2", "1"]
    assert all(not cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row)


@pytest.mark.parametrize("year", ["", "abcd", "1999", "99999", "٢٠٢٦", "2027"])
def test_another_year_is_this_year(client: Client, year: str) -> None:
    client.force_login(user(Role.CLERK))
    page = client.get(reverse("annual"), {"year": year})
    assert "Inspections in 2026" in page.content.decode()
    assert "Nothing happened" in page.content.decode()


def test_only_the_city_reads_it(client: Client) -> None:
    assert client.get(reverse("annual")).status_code == 302
    client.force_login(user())
    assert client.get(reverse("annual")).status_code == 404
    assert client.get(reverse("annual_csv")).status_code == 404


def test_no_cell_is_a_formula() -> None:
    assert harmless("=1+1") == "'=1+1"
    assert harmless("January") == "January"
