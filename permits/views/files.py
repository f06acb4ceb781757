"""The files of a case: for whoever may see the case, and nobody else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from permits.models import PlanSheet, Site
from portal import files
from portal.models import Preview, Upload

__all__ = ["preview", "register_place", "upload"]

Place = Callable[[Upload], QuerySet[Any]]
"""From a file to the sites that it belongs to, as values of a query."""


def of_plans(upload: Upload) -> QuerySet[Any]:
    """Return the sites whose plans have a file."""
    return PlanSheet.objects.filter(upload=upload).values("revision__application__site")


_places: list[Place] = [of_plans]


def register_place(place: Place) -> None:
    """Add a way by which a file belongs to a site; for the parts above, when they are ready."""
    if place not in _places:
        _places.append(place)


@login_required
@require_safe
def upload(request: HttpRequest, key: UUID) -> HttpResponseBase:
    """Hand out a file of a case as it was sent, always to be saved."""
    found = get_object_or_404(Upload, key=key)
    _only_if_seen(request, found)
    return files.serve(request, found)


@login_required
@require_safe
def preview(request: HttpRequest, key: UUID, page: int) -> HttpResponseBase:
    """Show the picture of a page of a file."""
    rows = Preview.objects.select_related("upload")
    found = get_object_or_404(rows, upload__key=key, page=page)
    _only_if_seen(request, found.upload)
    return files.serve(request, found)


def _only_if_seen(request: HttpRequest, upload: Upload) -> None:
    """Answer 404 for a file of no case that the person may see."""
    visible = Site.objects.visible_to(request.user)
    if not any(visible.filter(pk__in=place(upload)).exists() for place in _places):
        raise Http404
