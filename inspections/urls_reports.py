"""The addresses of the papers and figures of the inspections."""

from __future__ import annotations

from django.urls import path

from inspections.views import reports

urlpatterns = [
    path("visits/<uuid:key>/report/", reports.visit_report, name="visit_report"),
    path("annual-report/", reports.annual_report, name="annual"),
    path("annual-report.csv", reports.annual_csv, name="annual_csv"),
    path("season/letters/", reports.season_letters, name="season_letters"),
]
