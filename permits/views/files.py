"""The files of a case: for whoever may see the case, and nobody else."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from permits.files_of_cases import visible_to
from portal import files
from portal.models import Preview

__all__ = ["preview", "upload"]


@login_required
@require_safe
def upload(request: HttpRequest, key: UUID) -> HttpResponseBase:
    """Hand out a file of a case as it was sent, always to be saved."""
    return files.serve(request, get_object_or_404(visible_to(request.user), key=key))


@login_required
@require_safe
def preview(request: HttpRequest, key: UUID, page: int) -> HttpResponseBase:
    """Show the picture of a page of a file."""
    upload = get_object_or_404(visible_to(request.user), key=key)
    return files.serve(request, get_object_or_404(Preview, upload=upload, page=page))
