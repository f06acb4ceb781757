"""The plan step: files are kept whatever else is amiss, rows come and go without a script."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest
from django.utils.http import urlencode

from permits.forms.plan import PlanForms
from permits.models import Application, NotNow, PlanSheet
from permits.views.openings import open_for
from portal import drafts
from portal.models import Upload
from portal.uploads.collect import Collected, collect

__all__ = ["TABLES", "attach_kept", "build", "files_of", "spare_rows", "take_files", "url_with_row"]

TABLES = ("devices", "activities")
MOST_SPARE = 20


def build(
    application: Application, data: Mapping[str, Any] | None = None, **options: Any
) -> PlanForms:
    """Return the forms of the plan that is being written."""
    return PlanForms(application, data, **options)


def files_of(application: Application) -> list[Upload]:
    """Return the files of an application, of all its plan revisions."""
    uploads = Upload.objects.filter(sheets__revision__application=application)
    return list(uploads.distinct())


def take_files(request: HttpRequest, application: Application) -> Collected:
    """Store the good files and add them to the plan, whatever becomes of the other answers."""
    collected = collect(
        request,
        "files",
        by=application.applicant,
        existing=files_of(application),
        spreadsheets=True,
    )
    known = [repeat.upload for repeat in collected.repeated]
    if collected.stored or known:
        purpose = request.POST.get("files_purpose", "")
        _attach(application, [*collected.stored, *known], purpose)
    for upload in collected.stored:
        messages.success(request, f"{upload.original_name} is saved.")
    for repeat in collected.repeated:
        messages.info(request, str(repeat))
    return collected


def attach_kept(request: HttpRequest, application: Application) -> None:
    """Add the files that came when the session had ended, once their sender is back."""
    if uploads := drafts.kept_uploads(request):
        _attach(application, uploads, "")


def _attach(application: Application, uploads: list[Upload], purpose: str) -> None:
    if purpose not in PlanSheet.Purpose.values:
        purpose = PlanSheet.Purpose.DRAWING
    with application.acting():
        if why := open_for(application, "plan"):
            raise NotNow(why)
        revision = application.latest_revision()
        assert revision is not None
        for upload in uploads:
            sheet = upload.family == Upload.Family.SHEET
            kept_as = PlanSheet.Purpose.SOIL_LOSS if sheet else purpose
            revision.sheets.get_or_create(upload=upload, defaults={"purpose": kept_as})


def spare_rows(request: HttpRequest) -> dict[str, int]:
    """Return how many empty rows the address asks for."""
    asked = {name: request.GET.get(name, "") for name in TABLES}
    return {
        name: min(int(text), MOST_SPARE)
        for name, text in asked.items()
        if text.isascii() and text.isdigit() and len(text) < 3
    }


def url_with_row(application: Application, answers: PlanForms, table: str) -> str:
    """Return the plan step with one more empty row in a table."""
    if table not in TABLES:
        return application.get_step_url("plan")
    rows = answers.devices if table == "devices" else answers.activities
    blank = sum(form.is_blank() for form in rows.bound())
    return f"{application.get_step_url('plan')}?{urlencode({table: blank + 1})}#{table}"
