"""The addresses of the inspections, gathered from its parts."""

from __future__ import annotations

from importlib.util import find_spec

from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = []
for part in ("visits", "round", "findings", "reports", "upkeep"):
    if find_spec(f"inspections.urls_{part}"):
        urlpatterns.append(path("", include(f"inspections.urls_{part}")))
