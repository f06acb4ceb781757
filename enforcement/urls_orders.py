"""The addresses of enforcement: violations, stop-work orders, revocation."""

from __future__ import annotations

from django.urls import path

from enforcement.views import order_acts, orders, posting_acts, revocations, violations

urlpatterns = [
    path("cases/<str:number>/orders/", orders.orders_of_case, name="orders_of_case"),
    path("cases/<str:number>/orders/new/", order_acts.Issue.as_view(), name="order_new"),
    path("cases/<str:number>/violations/new/", violations.Record.as_view(), name="violation_new"),
    path(
        "findings/<uuid:key>/violation/",
        violations.OfFinding.as_view(),
        name="violation_of_finding",
    ),
    path("violations/<uuid:key>/", violations.violation, name="violation"),
    path("violations/<uuid:key>/seen/", violations.Seen.as_view(), name="violation_seen"),
    path("violations/<uuid:key>/end/", violations.End.as_view(), name="violation_end"),
    path("violations/<uuid:key>/drop/", violations.Drop.as_view(), name="violation_drop"),
    path("orders/", orders.orders, name="orders"),
    path("orders/<uuid:key>/", orders.order, name="order"),
    path("orders/<uuid:key>/next/", orders.order_next, name="order_next"),
    path("orders/<uuid:key>/post/", order_acts.Post.as_view(), name="order_post"),
    path(
        "postings/<int:pk>/correct/", posting_acts.CorrectPosting.as_view(), name="posting_correct"
    ),
    path("orders/<uuid:key>/lift/", order_acts.Lift.as_view(), name="order_lift"),
    path("orders/<uuid:key>/withdraw/", order_acts.Withdraw.as_view(), name="order_withdraw"),
    path("orders/<uuid:key>/revoke/", revocations.Revoke.as_view(), name="revoke"),
    path("served/<int:pk>/", order_acts.Serve.as_view(), name="order_serve"),
    path("revocations/<uuid:key>/", revocations.revocation, name="revocation"),
    path("stop-work/<uuid:key>/", orders.order_public, name="order_public"),
]
