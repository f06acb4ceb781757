"""Addresses of requests for records, holds, the schedule and destruction."""

from __future__ import annotations

from django.urls import path

from .views import keeping, lists, requests

urlpatterns = [
    path("records/", requests.records_requests, name="records_requests"),
    path("records/requests/add/", requests.Log.as_view(), name="records_request_add"),
    path("records/requests/<uuid:key>/", requests.records_request, name="records_request"),
    path(
        "records/requests/<uuid:key>/acknowledge/",
        requests.Acknowledge.as_view(),
        name="records_acknowledge",
    ),
    path("records/requests/<uuid:key>/answer/", requests.AnswerIt.as_view(), name="records_answer"),
    path(
        "records/requests/<uuid:key>/withdraw/",
        requests.Withdraw.as_view(),
        name="records_withdraw",
    ),
    path(
        "records/requests/<uuid:key>/answer.pdf",
        requests.answer_paper,
        name="records_answer_paper",
    ),
    path("records/schedule/", keeping.retention_schedule, name="retention_schedule"),
    path("records/holds/", keeping.all_holds, name="holds"),
    path("records/holds/add/", keeping.PlaceHold.as_view(), name="hold_add"),
    path("records/holds/<int:pk>/end/", keeping.EndHold.as_view(), name="hold_end"),
    path("records/destruction/", lists.destruction_lists, name="destruction_lists"),
    path("records/destruction/propose/", lists.Propose.as_view(), name="destruction_propose"),
    path("records/destruction/<uuid:key>/", lists.destruction_list, name="destruction_list"),
    path(
        "records/destruction/<uuid:key>/approve/",
        lists.Approve.as_view(),
        name="destruction_approve",
    ),
    path("records/destruction/<uuid:key>/notice/", lists.Notice.as_view(), name="society_notice"),
    path("records/destruction/<uuid:key>/letter.pdf", lists.society_letter, name="society_letter"),
    path(
        "records/destruction/<uuid:key>/destroy/", lists.CarryOut.as_view(), name="destruction_do"
    ),
    path(
        "records/destruction/<uuid:key>/withdraw/",
        lists.WithdrawList.as_view(),
        name="destruction_withdraw",
    ),
    path("records/destroyed/<str:number>/", lists.destroyed_case, name="destroyed_case"),
    path(
        "records/destroyed/<str:number>/certificate.pdf",
        lists.certificate,
        name="destruction_certificate",
    ),
]
