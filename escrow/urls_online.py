"""Addresses of online payment: for whoever pays, for the clerk, for the provider."""

from django.urls import path

from escrow.online import callback, desk_views, views

urlpatterns = [
    path("money/pay/fee/<uuid:key>/", views.pay_fee, name="pay_fee"),
    path("money/pay/bill/<uuid:key>/", views.pay_bill, name="pay_bill"),
    path("money/online/<uuid:key>/", views.payment_page, name="online_payment"),
    path("money/online/", desk_views.aside, name="online_aside"),
    path("money/online/<int:pk>/settle/", desk_views.settle, name="online_settle"),
    path("callbacks/stripe/", callback.callback, name="online_callback"),
]
