"""The addresses of findings, of the permittee's log, of permanent cover and of the end."""

from __future__ import annotations

from django.urls import path

from inspections.views import certificates, cover, findings, log

urlpatterns = [
    path("cases/<str:number>/findings/", findings.of_case, name="findings"),
    path("findings/<uuid:key>/", findings.finding, name="finding"),
    path("findings/<uuid:key>/answer/", findings.Answer.as_view(), name="finding_answer"),
    path("findings/<uuid:key>/confirm/", findings.Confirm.as_view(), name="finding_confirm"),
    path("findings/<uuid:key>/refuse/", findings.Refuse.as_view(), name="finding_refuse"),
    path("findings/<uuid:key>/drop/", findings.Drop.as_view(), name="finding_drop"),
    path("cases/<str:number>/log/", log.log, name="log"),
    path("cases/<str:number>/log/add/", log.Add.as_view(), name="log_add"),
    path("log/<uuid:key>/", log.entry, name="log_entry"),
    path("cases/<str:number>/complete/", cover.Complete.as_view(), name="complete"),
    path("visits/<uuid:key>/final/", cover.Final.as_view(), name="final"),
    path("cases/<str:number>/close/", cover.Close.as_view(), name="permit_close"),
    path("season/", cover.season, name="season"),
    path(
        "cases/<str:number>/certificates/add/",
        certificates.Record.as_view(),
        name="certificate",
    ),
]
