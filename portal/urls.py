"""The roof: every address of the portal, gathered from the parts of the house."""

from __future__ import annotations

from django.urls import include, path

from portal.views.health import healthz

urlpatterns = [
    path("accounts/", include("allauth.urls")),
    path("healthz", healthz, name="healthz"),
    path("", include("portal.front_urls")),
    path("", include("permits.urls")),
    path("", include("permits.review_urls")),
    path("", include("permits.agreements.urls")),
    path("", include("inspections.urls")),
    path("", include("enforcement.urls")),
    path("", include("escrow.urls")),
    path("", include("portal.desk.records.urls")),
    path("", include("portal.desk.urls")),
]

handler400 = "portal.views.errors.bad_request"
handler403 = "portal.views.errors.forbidden"
handler404 = "portal.views.errors.not_found"
handler500 = "portal.views.errors.server_error"
