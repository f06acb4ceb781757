"""Addresses of maintenance agreements, and of the change of owner."""

from django.urls import path

from . import act_views, draft_views, views

ONE = "agreements/<uuid:key>"

urlpatterns = [
    path("agreements/", views.agreements, name="agreements"),
    path(f"{ONE}/", views.agreement, name="agreement"),
    path(f"{ONE}/draft.pdf", views.agreement_proof, name="agreement_proof"),
    path(f"{ONE}/land/", draft_views.Land.as_view(), name="agreement_land"),
    path(f"{ONE}/party/", draft_views.Party.as_view(), name="agreement_party"),
    path(f"{ONE}/practices/", draft_views.Practices.as_view(), name="agreement_practices"),
    path(f"{ONE}/change/", draft_views.Change.as_view(), name="agreement_change"),
    path(f"{ONE}/send/", act_views.Send.as_view(), name="agreement_send"),
    path(f"{ONE}/sign/", act_views.Sign.as_view(), name="agreement_sign"),
    path(f"{ONE}/register/", act_views.Register.as_view(), name="agreement_register"),
    path(f"{ONE}/record/", act_views.Record.as_view(), name="agreement_record"),
    path(f"{ONE}/correct/", act_views.Correct.as_view(), name="agreement_correct"),
    path(f"{ONE}/withdraw/", act_views.Withdraw.as_view(), name="agreement_withdraw"),
    path("cases/<str:number>/agreements/", views.agreements_of_case, name="agreements_of_case"),
    path(
        "cases/<str:number>/agreements/draft/",
        draft_views.Draft.as_view(),
        name="agreement_draft",
    ),
    path("cases/<str:number>/agreements/enter/", act_views.Enter.as_view(), name="agreement_enter"),
    path("cases/<str:number>/owner/", act_views.ChangeOwner.as_view(), name="owner_change"),
]
