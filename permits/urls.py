"""Addresses of what applicants do: ask, apply, revise, withdraw, hand over, read files."""

from __future__ import annotations

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from permits.models import STEPS
from permits.views import apply, check, correcting, files, handing, revise, steps


class StepConverter(StringConverter):
    """One of the seven steps, so that no act beside them is taken for one."""

    regex = "|".join(STEPS)


register_converter(StepConverter, "step")

CASE = "applications/<uuid:key>"

urlpatterns = [
    path("check/", check.check, name="check"),
    path("check/answer/", check.check_result, name="check_result"),
    path("check/determination/", check.determination, name="determination"),
    path("apply/", apply.apply, name="apply"),
    path(f"{CASE}/<step:step>/", steps.step, name="application_step"),
    path(f"{CASE}/revise/", revise.revise, name="revise"),
    path(f"{CASE}/revise/file/", revise.revise_file, name="revise_file"),
    path(f"{CASE}/plan/<int:number>/", revise.plan_revision, name="plan_revision"),
    path(f"{CASE}/correct/", correcting.correct, name="correct"),
    *(
        path(
            f"{CASE}/correct/{part}/",
            correcting.Correct.as_view(part=part),
            name=f"correct_{part}",
        )
        for part in correcting.PARTS
    ),
    path(
        f"{CASE}/correct/{correcting.ChangeContacts.part}/",
        correcting.ChangeContacts.as_view(),
        name="correct_contacts",
    ),
    path(f"{CASE}/withdraw/", handing.withdraw, name="withdraw"),
    path(f"{CASE}/hand-over/", handing.hand_over, name="hand_over"),
    path("hand-over/<uuid:key>/recall/", handing.hand_over_recall, name="hand_over_recall"),
    path("hand-over/<uuid:key>/accept/", handing.hand_over_accept, name="hand_over_accept"),
    path("files/<uuid:key>/", files.upload, name="upload"),
    path("files/<uuid:key>/page/<int:page>/", files.preview, name="preview"),
]
