"""The addresses of notices of maintenance under recorded agreements."""

from __future__ import annotations

from django.urls import path

from enforcement.views import upkeep

NOTICE = "maintenance-notices/<uuid:key>"

urlpatterns = [
    path("upkeep/<uuid:key>/notice/", upkeep.New.as_view(), name="upkeep_notice_new"),
    path("maintenance-notices/", upkeep.all_notices, name="upkeep_notices"),
    path(f"{NOTICE}/", upkeep.notice, name="upkeep_notice"),
    path(f"{NOTICE}/more-time/", upkeep.Extend.as_view(), name="upkeep_extend"),
    path(f"{NOTICE}/corrected/", upkeep.Corrected.as_view(), name="upkeep_corrected"),
    path(f"{NOTICE}/confirm/", upkeep.Confirm.as_view(), name="upkeep_confirm"),
    path(f"{NOTICE}/refuse/", upkeep.Refuse.as_view(), name="upkeep_refuse"),
    path(f"{NOTICE}/withdraw/", upkeep.Withdraw.as_view(), name="upkeep_withdraw"),
]
