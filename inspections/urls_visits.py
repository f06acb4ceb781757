"""The addresses of visits: begun, written on a phone, finished, read."""

from __future__ import annotations

from django.urls import path

from inspections.views import visit_findings, visit_photos, visit_sync, visit_worker, visits

VISIT = "visits/<uuid:key>"

urlpatterns = [
    path("visit-worker.js", visit_worker.service_worker, name="service_worker"),
    path("visits/begin/", visits.unpermitted_visit, name="unpermitted_visit"),
    path("cases/<str:number>/visit/", visits.visit_begin, name="visit_begin"),
    path("cases/<str:number>/visits/", visits.visits_of_site, name="visits"),
    path(f"{VISIT}/", visits.visit, name="visit"),
    path(f"{VISIT}/save/", visit_sync.visit_save, name="visit_save"),
    path(f"{VISIT}/photos/", visit_photos.visit_photo, name="visit_photo"),
    path(f"{VISIT}/findings/add/", visit_findings.visit_finding, name="visit_finding"),
    path(f"{VISIT}/findings/seen/", visit_findings.visit_seen, name="visit_seen"),
    path(f"{VISIT}/finish/", visits.visit_finish, name="visit_finish"),
    path(f"{VISIT}/discard/", visits.visit_discard, name="visit_discard"),
]
