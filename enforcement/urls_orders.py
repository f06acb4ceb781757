"""The addresses of enforcement: orders."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
