"""Addresses of the bills for city work."""

from django.urls import path

from escrow.bills import views

BILL = "money/bills/<uuid:key>"

urlpatterns = [
    path("money/bills/", views.bills, name="bills"),
    path("money/work/<uuid:key>/bill/", views.BillWork.as_view(), name="bill_work"),
    path(
        "money/maintenance/<str:number>/bill/",
        views.BillMaintenance.as_view(),
        name="bill_maintenance",
    ),
    path("money/entries/<int:pk>/reverse/", views.Reverse.as_view(), name="bill_reverse"),
    path(f"{BILL}/", views.bill_page, name="bill"),
    path(f"{BILL}/pay/", views.Pay.as_view(), name="bill_pay"),
    path(f"{BILL}/credit/", views.Credit.as_view(), name="bill_credit"),
    path(f"{BILL}/withdraw/", views.Withdraw.as_view(), name="bill_withdraw"),
    path(f"{BILL}/levy/", views.Levy.as_view(), name="bill_levy"),
    path(f"{BILL}/divide/", views.Divide.as_view(), name="bill_divide"),
    path(f"{BILL}/statement/", views.MakeStatement.as_view(), name="bill_statement"),
]
