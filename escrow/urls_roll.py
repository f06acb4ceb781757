"""Addresses of the tax roll."""

from django.urls import path

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
    path(f"{BATCH}/", views.batch_page, name="roll_batch"),
    path(f"{BATCH}/certify/", views.Certify.as_view(), name="roll_certify"),
    path(f"{BATCH}/withdraw/", views.WithdrawBatch.as_view(), name="roll_withdraw"),
    path(f"{BATCH}/file/", views.MakeFile.as_view(), name="roll_file_new"),
    path(f"{BATCH}/accepted/", views.AcceptRest.as_view(), name="roll_accept"),
    path(f"{BATCH}/certification.pdf", views.certification, name="roll_certification"),
    path(f"{BATCH}/control.txt", views.control_sheet, name="roll_control"),
    path("money/roll/files/<uuid:key>/", views.download, name="roll_file"),
    path(f"{CHARGE}/reject/", views.Reject.as_view(), name="roll_reject"),
    path(f"{CHARGE}/collect/", views.Collect.as_view(), name="roll_collect"),
    path("money/roll/layouts/", views.layouts, name="roll_layouts"),
    path("money/roll/layouts/<int:pk>/", views.ChangeLayout.as_view(), name="roll_layout"),
    path("money/parcels/<int:pk>/", views.NoteParcel.as_view(), name="parcel_note"),
]
