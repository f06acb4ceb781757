"""The report of a visit, and the figures of a year."""

from __future__ import annotations

import uuid

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from .visits import find_visit

__all__ = ["visit_report"]


@login_required
@require_safe
def visit_report(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Lead to the report of a visit, for whoever may read the visit."""
    paper = find_visit(request, key).report
    if paper is None:
        raise Http404
    return redirect(paper)
