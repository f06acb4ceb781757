"""Addresses of what the city does with a filed application."""

from django.urls import path

from permits.views import deciding, fees, issuing, papers, review

CASE = "applications/<uuid:key>"

urlpatterns = [
    path(f"{CASE}/review/", review.review, name="review"),
    path(f"{CASE}/compare/", review.compare, name="compare"),
    path(f"{CASE}/grant/", deciding.Grant.as_view(), name="grant"),
    path(f"{CASE}/deny/", deciding.Deny.as_view(), name="deny"),
    path(f"{CASE}/take-fee/", fees.TakeFee.as_view(), name="fee"),
    path(f"{CASE}/take-fee/reverse/", fees.ReverseFee.as_view(), name="fee_reverse"),
    path(f"{CASE}/issue/", issuing.Issue.as_view(), name="issue"),
    path(f"{CASE}/controls-date/", issuing.ControlsDate.as_view(), name="controls_date"),
    path(f"{CASE}/receipt/", papers.receipt, name="receipt"),
    path(f"{CASE}/decision.ics", papers.receipt_calendar, name="receipt_calendar"),
    path("papers/<uuid:key>/", papers.paper, name="paper"),
]
