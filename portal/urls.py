"""The roof: every address of the portal, gathered from the parts of the house."""

from __future__ import annotations

from importlib.util import find_spec

from django.urls import include, path

from portal.views.health import healthz

urlpatterns = [
    path("accounts/", include("allauth.urls")),
    path("healthz", healthz, name="healthz"),
]
for part in (
    "portal.front_urls",
    "permits.urls",
    "permits.review_urls",
    "inspections.urls",
    "escrow.urls",
    "portal.desk.urls",
):
    if find_spec(part):
        urlpatterns.append(path("", include(part)))

handler400 = "portal.views.errors.bad_request"
handler403 = "portal.views.errors.forbidden"
handler404 = "portal.views.errors.not_found"
handler500 = "portal.views.errors.server_error"
