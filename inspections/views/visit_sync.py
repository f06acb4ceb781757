"""What a visit's page sends: the whole form without scripts, or one answer at a time.

A device that had no signal sends what it kept, each thing under the key it made then. Answers
are JSON: 422 and 409 say what is amiss with one thing, anything else may be sent again.
"""

from __future__ import annotations

import json
import uuid
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.urls import reverse

from inspections import access
from inspections.acts import visits as acts
from inspections.forms.visit import DescriptionForm, LineForm
from inspections.models import Visit
from permits.models import NotNow
from permits.views.doors import only, who
from permits.views.ways import see_other
from portal.models import User
from portal.uploads.complete import cut_off, is_whole

from .visit_page import VisitPage, find_line
from .visit_replies import (
    NO_LINE,
    Amiss,
    answered,
    first_error,
    key_of,
    moment_of,
    said,
    show_again,
    wants_json,
)
from .visit_saving import save_page, take_photos
from .visits import find_visit

__all__ = ["visit_save"]

FINISH = "finish"
"""What the button says that keeps the page and goes on to the last look."""


@only(access.may_inspect)
def visit_save(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Keep the page, or one answer; asked with GET, say who is signed in and what stands."""
    visit, user = find_visit(request, key, to_write=True), who(request)
    if request.method != "POST":
        if not wants_json(request):
            return see_other(visit.get_absolute_url())
        status = {"status": visit.status, "number": visit.number or ""}
        return said(person=str(user.pk), csrf=get_token(request), **status)
    if request.content_type == "application/json":
        return answered(lambda: _save_one(request, visit, user))
    if not is_whole(request):
        return cut_off(request)
    return _save_all(request, visit, user)


def _save_one(request: HttpRequest, visit: Visit, user: User) -> dict[str, Any]:
    try:
        sent = json.loads(request.body)
    except (ValueError, RecursionError):
        sent = None
    if not isinstance(sent, dict):
        raise Amiss("This arrived in a form that cannot be read. Enter it again.")
    texts = {name: "" if value is None else str(value) for name, value in sent.items()}
    key, at = key_of(texts.get("key")), moment_of(texts.get("at"))
    if texts.get("kind") == "description":
        return _keep_description(visit, user, texts, key, at)
    return _keep_answer(visit, user, texts, key, at)


def _keep_description(
    visit: Visit, user: User, texts: dict[str, str], key: uuid.UUID, at: datetime | None
) -> dict[str, Any]:
    form = DescriptionForm(visit, texts)
    if not form.is_valid():
        raise Amiss(first_error(form))
    acts.describe(visit, by=user, key=key, written_at=at, **form.cleaned_data)
    return {"key": str(key)}


def _keep_answer(
    visit: Visit, user: User, texts: dict[str, str], key: uuid.UUID, at: datetime | None
) -> dict[str, Any]:
    form = LineForm(texts)
    if not form.is_valid() or not form.cleaned_data["outcome"]:
        raise Amiss(first_error(form) or "Choose how it is.")
    line = find_line(visit, texts.get("line", ""), at=at)
    if line is None:
        raise Amiss(NO_LINE)
    outcome, note = form.given
    acts.answer(line, by=user, outcome=outcome, note=note, key=key, answered_at=at)
    return {"key": str(key), "line": line.ref}


def _save_all(request: HttpRequest, visit: Visit, user: User) -> HttpResponse:
    """Keep everything of the page that is valid; show it again where something is amiss."""
    refusals: list[tuple[str, str]] = []
    try:
        refusals = take_photos(request, visit, user)
        page = VisitPage(visit, user, request.POST)
        page.refusals = refusals
        good = save_page(page)
    except NotNow as refused:
        return show_again(request, visit, user, refusals, refused)
    if not good or refusals:
        return show_again(request, visit, user, refusals)
    messages.success(request, "Saved.")
    return see_other(_place(visit, request.POST.get("then", "")))


def _place(visit: Visit, ref: str) -> str:
    """Return where on the page to go on."""
    url = visit.get_absolute_url()
    if ref == FINISH:
        return reverse("visit_finish", args=[visit.key])
    return f"{url}#line-{ref}" if ref.replace("-", "").isalnum() else url
