"""Findings at a visit: recorded on a line, and those of earlier visits looked at again."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_POST

from inspections import access
from inspections.acts import answers as answer_acts
from inspections.acts import findings as finding_acts
from inspections.forms.visit import FindingForm, SeenForm
from inspections.models import Finding, Visit
from permits.models import NotNow
from permits.views.doors import only, who
from permits.views.ways import see_other
from portal import clock, operations
from portal.formats import short_date
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
    show_again,
    wants_json,
)
from .visit_saving import save_page, take_photos
from .visits import find_visit

__all__ = ["visit_finding", "visit_seen"]


@only(access.may_inspect)
@require_POST
def visit_finding(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Record what is wrong on a line, and by when it must be right. Former § 17.19(7)(a)"""
    visit, user = find_visit(request, key, to_write=True), who(request)
    if wants_json(request):
        return answered(lambda: _record_one(request, visit, user))
    if not is_whole(request):
        return cut_off(request)
    ref = request.POST.get("finding", "")
    return _with_the_page(
        request, visit, f"finding-{ref}", lambda: _record_from_page(request, visit, ref)
    )


def _record_one(request: HttpRequest, visit: Visit, user: User) -> dict[str, Any]:
    at = moment_of(request.POST.get("at"))

    def run() -> str:
        line = find_line(visit, request.POST.get("line", ""), at=at)
        form = FindingForm(visit, line, request.POST, note=request.POST.get("note", ""))
        return _record(visit, user, form, at)

    url = operations.perform(request, f"finding.record {visit.key}", run)
    finding = visit.findings.get(number=int(url.rpartition("-")[2]))
    return {"url": url, "text": in_words(finding)}


def in_words(finding: Finding) -> str:
    """Say in a sentence what was recorded."""
    what = f"Finding {finding.number}, to be corrected by {short_date(finding.correct_by)}"
    return f"{what}: {finding.what}"


def _record(visit: Visit, user: User, form: FindingForm, at: datetime | None) -> str:
    if form.line is None:
        raise Amiss(NO_LINE)
    if not form.is_valid():
        raise Amiss(first_error(form))
    answer_acts.check_open(visit, at)
    finding = finding_acts.record(visit, by=user, line=form.line, **form.cleaned_data)
    return finding.visit.get_absolute_url() + f"#finding-{finding.number}"


def _record_from_page(request: HttpRequest, visit: Visit, ref: str) -> str:
    user = who(request)
    note = request.POST.get(f"line-{ref}-note", "")
    line = find_line(visit, ref)
    form = FindingForm(visit, line, request.POST, prefix=f"finding-{ref}", note=note)
    return _record(visit, user, form, None)


def _with_the_page(
    request: HttpRequest, visit: Visit, part: str, run: Callable[[], str]
) -> HttpResponse:
    """Keep the page first, so that nothing typed is lost, then do one part of it once."""
    user = who(request)
    refusals: list[tuple[str, str]] = []
    try:
        refusals = take_photos(request, visit, user)
        if not save_page(VisitPage(visit, user, request.POST)) or refusals:
            return show_again(request, visit, user, refusals)
        _choose_token(request, part)
        url = operations.perform(request, f"visit {visit.key}", run)
    except Amiss:
        return show_again(request, visit, user, refusals)
    except NotNow as refused:
        return show_again(request, visit, user, refusals, refused)
    except operations.TokenReused as reused:
        context = {"result_url": str(reused)}
        return render(request, "desk/sent_before.html", context, status=409)
    messages.success(request, "Saved.")
    return see_other(url)


def _choose_token(request: HttpRequest, part: str) -> None:
    """Let the token of the part that was sent stand for the whole form."""
    post = request.POST.copy()
    post[operations.FIELD] = post.get(f"{part}-{operations.FIELD}", "")
    request.POST = post  # type: ignore[assignment]


@only(access.may_inspect)
@require_POST
def visit_seen(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Say of an earlier finding that it still stands, or that it is corrected."""
    visit, user = find_visit(request, key, to_write=True), who(request)
    if wants_json(request):
        finding, what = request.POST.get("finding"), request.POST.get("seen", "")
        how, at = request.POST.get("how", ""), moment_of(request.POST.get("at"))

        def run() -> str:
            return _see(visit, user, finding, what, how, at)

        return answered(
            lambda: {
                "url": operations.perform(request, f"finding.seen {visit.key}", run),
                "text": "",
            }
        )
    if not is_whole(request):
        return cut_off(request)
    what, _, finding = request.POST.get("seen", "").partition(":")
    how = request.POST.get(f"seen-{finding}-how", "")
    return _with_the_page(
        request,
        visit,
        f"seen-{finding}",
        lambda: _see(visit, who(request), finding, what, how, None),
    )


def _see(visit: Visit, user: User, key: Any, what: str, how: str, at: datetime | None) -> str:
    form = SeenForm({"how": how})
    if not form.is_valid():
        raise Amiss(first_error(form))
    finding = get_object_or_404(Finding, key=key_of(key), site=visit.site)
    answer_acts.check_open(visit, at)
    if what == "corrected":
        finding_acts.confirm(
            finding,
            by=user,
            on=clock.today(),
            how=form.cleaned_data["how"] or f"Seen at the visit of {short_date(visit.visited_on)}",
            corrected_on=visit.visited_on,
        )
    elif what == "again":
        finding_acts.see_again(finding, visit, by=user)
    else:
        raise Amiss("Say whether it still stands or is corrected.")
    return visit.get_absolute_url() + "#earlier"
