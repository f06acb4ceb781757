"""The addresses of enforcement, gathered from its parts."""

from __future__ import annotations

from django.urls import include, path

urlpatterns = [
    path("", include("enforcement.urls_orders")),
    path("", include("enforcement.urls_appeals")),
    path("", include("enforcement.urls_works")),
    path("", include("enforcement.urls_upkeep")),
]
