"""The addresses of the day plan, of the rain, and of reports by the public."""

from __future__ import annotations

from django.urls import path

from inspections.views import rain, reports_by_public
from inspections.views import round as day_plan

urlpatterns = [
    path("round/", day_plan.round_of_the_day, name="round"),
    path("round/print/", day_plan.round_print, name="round_print"),
    path("rain/", rain.rain, name="rain"),
    path("rain/file/", rain.rain_file, name="rain_file"),
    path("report/", reports_by_public.report, name="report"),
    path("report/<uuid:key>/received/", reports_by_public.report_received, name="report_received"),
    path("reports/", reports_by_public.reports, name="reports"),
    path("reports/<uuid:key>/", reports_by_public.report_case, name="report_case"),
    path("reports/<uuid:key>/link/", reports_by_public.report_link, name="report_link"),
    path("reports/<uuid:key>/site/", reports_by_public.report_site, name="report_site"),
    path("reports/<uuid:key>/answer/", reports_by_public.report_answer, name="report_answer"),
    path(
        "reports/<uuid:key>/photos/<uuid:photo>/",
        reports_by_public.report_photo,
        name="report_photo",
    ),
    path(
        "reports/<uuid:key>/photos/<uuid:photo>/file/",
        reports_by_public.report_photo_file,
        name="report_photo_file",
    ),
]
