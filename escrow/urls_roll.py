"""Addresses of the tax roll."""

from django.urls import path

from escrow.roll import batch_views as batches
from escrow.roll import charge_views as charges
from escrow.roll import views

BATCH = "money/roll/batches/<uuid:key>"
CHARGE = "money/roll/charges/<str:number>"

urlpatterns = [
    path("money/roll/", views.roll, name="roll"),
    path("money/roll/propose/<slug:instrument>/", views.Propose.as_view(), name="roll_propose"),
    path(
        "money/roll/correct/<slug:instrument>/",
        views.ProposeCorrection.as_view(),
        name="roll_correct",
    ),
    path(f"{BATCH}/", batches.batch_page, name="roll_batch"),
    path(f"{BATCH}/certify/", batches.Certify.as_view(), name="roll_certify"),
    path(f"{BATCH}/withdraw/", batches.WithdrawBatch.as_view(), name="roll_withdraw"),
    path(f"{BATCH}/file/", batches.MakeFile.as_view(), name="roll_file_new"),
    path(f"{BATCH}/accepted/", batches.AcceptRest.as_view(), name="roll_accept"),
    path(f"{BATCH}/certification.pdf", batches.certification, name="roll_certification"),
    path(f"{BATCH}/control.txt", batches.control_sheet, name="roll_control"),
    path("money/roll/files/<uuid:key>/", batches.download, name="roll_file"),
    path(f"{CHARGE}/reject/", charges.Reject.as_view(), name="roll_reject"),
    path(f"{CHARGE}/collect/", charges.Collect.as_view(), name="roll_collect"),
    path(f"{CHARGE}/treasurer/", charges.Settle.as_view(), name="roll_settle"),
    path(
        "money/roll/outcomes/<int:pk>/take-back/",
        charges.TakeBack.as_view(),
        name="roll_uncollect",
    ),
    path("money/roll/layouts/", charges.layouts, name="roll_layouts"),
    path("money/roll/layouts/<int:pk>/", charges.ChangeLayout.as_view(), name="roll_layout"),
    path("money/parcels/add/<str:number>/", charges.AddParcel.as_view(), name="parcel_add"),
    path("money/parcels/<int:pk>/", charges.NoteParcel.as_view(), name="parcel_note"),
]
