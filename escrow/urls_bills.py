"""Addresses of the bills for city work."""

from django.urls import path

from escrow.bills import act_views as acts
from escrow.bills import off_roll_views, views

BILL = "money/bills/<uuid:key>"

urlpatterns = [
    path("money/bills/", views.bills, name="bills"),
    path("money/work/<uuid:key>/bill/", acts.BillWork.as_view(), name="bill_work"),
    path("money/entries/<int:pk>/reverse/", acts.Reverse.as_view(), name="bill_reverse"),
    path(f"{BILL}/", views.bill_page, name="bill"),
    path(f"{BILL}/pay/", acts.Pay.as_view(), name="bill_pay"),
    path(f"{BILL}/credit/", acts.Credit.as_view(), name="bill_credit"),
    path(f"{BILL}/withdraw/", acts.Withdraw.as_view(), name="bill_withdraw"),
    path(f"{BILL}/off-roll/", off_roll_views.TakeOffRoll.as_view(), name="bill_off_roll"),
    path(f"{BILL}/levy/", acts.Levy.as_view(), name="bill_levy"),
    path(f"{BILL}/divide/", acts.Divide.as_view(), name="bill_divide"),
    path(f"{BILL}/statement/", acts.MakeStatement.as_view(), name="bill_statement"),
]
