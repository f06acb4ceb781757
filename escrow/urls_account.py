"""Addresses of the escrow account of a permit, by the key of its application."""

from django.urls import path

from escrow.account.draw_views import DrawOnEscrow, ReverseDraw
from escrow.account.views import account_page

ACCOUNT = "money/escrow/<uuid:key>"

urlpatterns = [
    path(f"{ACCOUNT}/", account_page, name="escrow_account"),
    path(f"{ACCOUNT}/draw/", DrawOnEscrow.as_view(), name="escrow_draw"),
    path(
        f"{ACCOUNT}/draws/<str:number>/take-back/",
        ReverseDraw.as_view(),
        name="escrow_draw_reverse",
    ),
]
