"""Addresses of online payment: for whoever pays, for the clerk, for the provider."""

from django.urls import path

from escrow.online import callback, desk_views, payer_views, views

BY_CODE = "pay/<uuid:key>"

urlpatterns = [
    path("pay/", payer_views.door, name="pay"),
    path(f"{BY_CODE}/", payer_views.bill, name="pay_by_code"),
    path(f"{BY_CODE}/payments/<uuid:payment>/", payer_views.payment, name="paid_by_code"),
    path(f"{BY_CODE}/receipts/<str:number>/", payer_views.receipt, name="receipt_by_code"),
    path(f"{BY_CODE}/close/", payer_views.close, name="pay_close"),
    path("money/pay/fee/<uuid:key>/", views.pay_fee, name="pay_fee"),
    path("money/pay/bill/<uuid:key>/", views.pay_bill, name="pay_bill"),
    path("money/online/<uuid:key>/", views.payment_page, name="online_payment"),
    path("money/online/", desk_views.aside, name="online_aside"),
    path("money/online/<int:pk>/settle/", desk_views.settle, name="online_settle"),
    path("callbacks/stripe/", callback.callback, name="online_callback"),
]
