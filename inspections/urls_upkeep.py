"""The addresses of upkeep under recorded agreements: schedules, reports, inspections."""

from __future__ import annotations

from django.urls import path

from inspections.views import upkeep

INSPECTION = "upkeep/<uuid:key>"

urlpatterns = [
    path("upkeep/", upkeep.year, name="upkeep_year"),
    path("agreements/<uuid:key>/upkeep/", upkeep.schedule, name="upkeep"),
    path(
        "agreements/<uuid:key>/tasks/<int:pk>/done/",
        upkeep.Report.as_view(),
        name="upkeep_report",
    ),
    path("agreements/<uuid:key>/inspect/", upkeep.begin, name="upkeep_begin"),
    path(f"{INSPECTION}/", upkeep.inspection, name="upkeep_inspection"),
    path(
        f"{INSPECTION}/practices/<int:number>/",
        upkeep.Look.as_view(),
        name="upkeep_look",
    ),
    path(f"{INSPECTION}/finish/", upkeep.Finish.as_view(), name="upkeep_finish"),
    path(f"{INSPECTION}/discard/", upkeep.Discard.as_view(), name="upkeep_discard"),
]
