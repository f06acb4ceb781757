"""The addresses of enforcement: notices, city work, requests to the city attorney."""

from __future__ import annotations

from django.urls import path

from enforcement.views import noticing, requesting, working

urlpatterns = [
    path("orders/<uuid:key>/notice/", noticing.NewIntent.as_view(), name="notice_new"),
    path("notices/<uuid:key>/", noticing.notice, name="notice"),
    path("notices/<uuid:key>/withdraw/", noticing.WithdrawIntent.as_view(), name="notice_withdraw"),
    path(
        "cases/<str:number>/owner-notice/",
        noticing.NewOwnerNotice.as_view(),
        name="owner_notice_new",
    ),
    path("owner-notices/<uuid:key>/", noticing.owner_notice, name="owner_notice"),
    path(
        "owner-notices/<uuid:key>/withdraw/",
        noticing.WithdrawOwnerNotice.as_view(),
        name="owner_notice_withdraw",
    ),
    path("notices/<uuid:key>/city-work/", working.Begin.as_view(), name="city_work_new"),
    path("city-work/", working.all_work, name="city_works"),
    path("city-work/<uuid:key>/", working.city_work, name="city_work"),
    path("city-work/<uuid:key>/cost/", working.AddCost.as_view(), name="work_cost"),
    path(
        "city-work/<uuid:key>/costs/<int:pk>/reverse/",
        working.ReverseCost.as_view(),
        name="work_cost_reverse",
    ),
    path("city-work/<uuid:key>/photos/", working.AddPhotos.as_view(), name="work_photos"),
    path("city-work/<uuid:key>/close/", working.Close.as_view(), name="work_close"),
    path("orders/<uuid:key>/request/", requesting.New.as_view(), name="request_new"),
    path("requests/", requesting.all_requests, name="requests"),
    path("requests/<uuid:key>/", requesting.request_page, name="request"),
    path("requests/<uuid:key>/step/", requesting.TakeStep.as_view(), name="request_step"),
]
