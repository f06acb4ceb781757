"""The files of a case: for whoever may see the case, and nobody else."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from permits.models import PlanSheet, Site
from portal import files
from portal.models import Preview, Upload, User

__all__ = ["preview", "upload"]


@login_required
@require_safe
def upload(request: HttpRequest, key: UUID) -> HttpResponseBase:
    """Hand out a file of a plan as it was sent, always to be saved."""
    found = get_object_or_404(Upload, key=key, pk__in=_seen_by(request))
    return files.serve(request, found)


@login_required
@require_safe
def preview(request: HttpRequest, key: UUID, page: int) -> HttpResponseBase:
    """Show the picture of a page of a file."""
    found = get_object_or_404(Preview, upload__key=key, page=page, upload__in=_seen_by(request))
    return files.serve(request, found)


def _seen_by(request: HttpRequest) -> object:
    """Return the files on the plans of the cases that a person may see."""
    assert isinstance(request.user, User)
    sites = Site.objects.visible_to(request.user)
    sheets = PlanSheet.objects.filter(revision__application__site__in=sites)
    return sheets.values("upload")
