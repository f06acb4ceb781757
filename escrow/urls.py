"""Addresses of the money."""

from django.urls import include, path

from escrow.views import PostEscrow, ReverseEscrow, how

CASE = "applications/<uuid:key>/escrow"

urlpatterns = [
    path(f"{CASE}/", PostEscrow.as_view(), name="escrow_post"),
    path(f"{CASE}/how/", how, name="escrow_how"),
    path(f"{CASE}/reverse/", ReverseEscrow.as_view(), name="escrow_reverse"),
    path("", include("escrow.urls_account")),
    path("", include("escrow.urls_bills")),
    path("", include("escrow.urls_roll")),
    path("", include("escrow.urls_books")),
    path("", include("escrow.urls_online")),
]
