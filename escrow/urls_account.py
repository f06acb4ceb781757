"""Addresses of the escrow account of a permit, by the key of its application."""

from django.urls import path

from escrow.account.draw_views import DrawOnEscrow, ReverseDraw
from escrow.account.forfeit_views import DecideForfeiture, ProposeForfeiture
from escrow.account.issuer_views import IssuerPaid, ReverseIssuerPaid
from escrow.account.keep_views import NameOwner, Renew, Replace
from escrow.account.refusal_views import IssuerRefused, ReverseRefusal
from escrow.account.release_views import DecideRelease, GiveBack, ProposeRelease
from escrow.account.views import account_page, waiting_page

ACCOUNT = "money/escrow/<uuid:key>"

urlpatterns = [
    path(f"{ACCOUNT}/", account_page, name="escrow_account"),
    path(f"{ACCOUNT}/draw/", DrawOnEscrow.as_view(), name="escrow_draw"),
    path(
        f"{ACCOUNT}/draws/<str:number>/take-back/",
        ReverseDraw.as_view(),
        name="escrow_draw_reverse",
    ),
    path(f"{ACCOUNT}/demands/<int:number>/paid/", IssuerPaid.as_view(), name="escrow_issuer_paid"),
    path(
        f"{ACCOUNT}/demand-payments/<int:number>/take-back/",
        ReverseIssuerPaid.as_view(),
        name="escrow_issuer_reverse",
    ),
    path(
        f"{ACCOUNT}/demands/<int:number>/refused/",
        IssuerRefused.as_view(),
        name="escrow_issuer_refused",
    ),
    path(
        f"{ACCOUNT}/refusals/<int:number>/take-back/",
        ReverseRefusal.as_view(),
        name="escrow_refusal_reverse",
    ),
    path(f"{ACCOUNT}/release/", ProposeRelease.as_view(), name="escrow_release"),
    path(f"{ACCOUNT}/release/decide/", DecideRelease.as_view(), name="escrow_release_decide"),
    path(f"{ACCOUNT}/return/", GiveBack.as_view(), name="escrow_give_back"),
    path(f"{ACCOUNT}/forfeit/", ProposeForfeiture.as_view(), name="escrow_forfeit"),
    path(f"{ACCOUNT}/forfeit/decide/", DecideForfeiture.as_view(), name="escrow_forfeit_decide"),
    path(f"{ACCOUNT}/renew/", Renew.as_view(), name="escrow_renew"),
    path(f"{ACCOUNT}/replace/", Replace.as_view(), name="escrow_replace"),
    path(f"{ACCOUNT}/owner/", NameOwner.as_view(), name="escrow_owner"),
    path("money/escrow/", waiting_page, name="escrow_waiting"),
]
