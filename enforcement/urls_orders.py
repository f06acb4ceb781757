"""The addresses of enforcement: violations, stop-work orders, revocation."""

from __future__ import annotations

from django.urls import path

from enforcement.views import orders

urlpatterns = [
    path("orders/<uuid:key>/", orders.order_public, name="order_public"),
]
