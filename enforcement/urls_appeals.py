"""The addresses of enforcement: appeals, revision orders, forfeiture exposure."""

from __future__ import annotations

from django.urls import path

from enforcement.views import appeal_acts, appeals, exposures, filing, revision_orders

urlpatterns = [
    path("appeal/", filing.appeal_begin, name="appeal_begin"),
    path("appeal/filed/<uuid:key>/", filing.appeal_filed, name="appeal_filed"),
    path("appeal/<str:number>/", filing.appeal_new, name="appeal_new"),
    path("cases/<str:number>/appeals/paper/", filing.appeal_paper, name="appeal_paper"),
    path("appeals/", appeals.appeals, name="appeals"),
    path("appeals/<uuid:key>/", appeals.appeal, name="appeal"),
    path("appeals/<uuid:key>/fee/", appeal_acts.Pay.as_view(), name="appeal_fee"),
    path("appeals/<uuid:key>/peril/", appeal_acts.CertifyPeril.as_view(), name="appeal_peril"),
    path("appeals/<uuid:key>/record/", appeal_acts.Transmit.as_view(), name="appeal_transmit"),
    path("appeals/<uuid:key>/hearing/", appeal_acts.SetHearing.as_view(), name="appeal_hearing"),
    path("appeals/<uuid:key>/decision/", appeal_acts.Decide.as_view(), name="appeal_decide"),
    path("appeals/<uuid:key>/withdraw/", appeal_acts.Withdraw.as_view(), name="appeal_withdraw"),
    path("appeals/<uuid:key>/done/", appeal_acts.CarryOut.as_view(), name="appeal_carry_out"),
    path(
        "cases/<str:number>/revision-orders/new/",
        revision_orders.Issue.as_view(),
        name="revision_order_new",
    ),
    path("revision-orders/<uuid:key>/", revision_orders.revision_order, name="revision_order"),
    path(
        "revision-orders/<uuid:key>/lines/<int:number>/report/",
        revision_orders.Report.as_view(),
        name="revision_line_report",
    ),
    path(
        "revision-orders/<uuid:key>/lines/<int:number>/confirm/",
        revision_orders.Confirm.as_view(),
        name="revision_line_confirm",
    ),
    path(
        "revision-orders/<uuid:key>/plan/",
        revision_orders.FilePlan.as_view(),
        name="revision_plan",
    ),
    path(
        "revision-orders/<uuid:key>/withdraw/",
        revision_orders.Withdraw.as_view(),
        name="revision_order_withdraw",
    ),
    path("cases/<str:number>/exposure/", exposures.exposure, name="exposure"),
    path("violations/<uuid:key>/citation/", exposures.MakeSheet.as_view(), name="citation_sheet"),
]
