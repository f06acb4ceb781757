"""Do I need a permit? Asked by anybody, answered with reasons. § 40-886 and § 40-887"""

from __future__ import annotations

from threading import BoundedSemaphore
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from permits.forms.check import CheckForm
from portal import clock, operations, papers
from portal.city import edition_on
from portal.ordinance import Determination, determine
from portal.ordinance.permit_needed import TRIGGERS

__all__ = ["check", "check_result", "determination"]

ONE_AT_A_TIME = BoundedSemaphore()
"""Papers are dear to make, and this one is made for anybody."""
PATIENCE = 8
"""Seconds that somebody waits for another's paper."""
CHANGE = "change"
"""In the address of the questions: show them with these answers, to be changed."""


def _bound(request: HttpRequest) -> CheckForm | None:
    """Return the form with the answers in the address, or None while there are none."""
    answers = request.GET.copy()
    for name in (CHANGE, "paper"):
        answers.pop(name, None)
    return CheckForm(edition_on(clock.today()), answers) if answers else None


@require_safe
def check(request: HttpRequest) -> HttpResponse:
    """Ask the questions. The answers stand in the address, so that Back works."""
    form = _bound(request)
    if form is not None and CHANGE not in request.GET and form.is_valid():
        return redirect(f"{reverse('check_result')}?{form.query()}")
    return render(request, "check/questions.html", {"form": form or CheckForm(_edition())})


def _edition() -> Any:
    return edition_on(clock.today())


def _reached(found: Determination) -> bool:
    return any(reason.met for reason in found.reasons)


def _telling(found: Determination) -> list[str]:
    """The questions still open whose answer could change the outcome. § 40-886(d), § 40-887"""
    if found.needed is not None:
        return []
    idle = {test.key for test in TRIGGERS} if _reached(found) else set()
    return [key for key in found.unanswered if key not in idle]


def _answer(request: HttpRequest) -> dict[str, Any] | None:
    """Return what the pages of the answer show, or None where the answers must be asked again."""
    form = _bound(request)
    if form is None or not form.is_valid():
        return None
    found = determine(form.proposal(), edition=_edition())
    questions = {name: str(form.fields[name].label) for name in form.fields}
    fields = {"area_sq_ft": "area", "volume_cu_yd": "volume"}
    return {
        "determination": found,
        "reached": _reached(found),
        "answered": form.answered(),
        "open_questions": [
            (questions[name], f"div_id_{name}")
            for name in (fields.get(key, key) for key in _telling(found))
        ],
        "query": form.query(),
        "fields": [(name, value) for name, value in form.data.items() if value],
        "operation": operations.new_token(),
    }


@require_safe
def check_result(request: HttpRequest) -> HttpResponse:
    """Answer, with the reasons met and not met, their sections and the state's rules."""
    answer = _answer(request)
    if answer is None:
        return redirect(_back(request))
    return render(request, "check/answer.html", answer)


@require_safe
def determination(request: HttpRequest) -> HttpResponseBase:
    """The same answer as one printed page, to keep or to show."""
    answer = _answer(request)
    if answer is None:
        return redirect(_back(request))
    if request.GET.get("paper") == "pdf":
        return _pdf(request, answer)
    return render(request, "check/determination.html", answer)


def _pdf(request: HttpRequest, answer: dict[str, Any]) -> HttpResponse:
    """Make the paper for whoever asked; it is no record of the city and is not kept."""
    if not ONE_AT_A_TIME.acquire(timeout=PATIENCE):
        return render(request, "check/determination.html", {**answer, "busy": True}, status=503)
    try:
        title = "Is an erosion control permit needed?"
        context = {**answer, "title": title, "on": clock.today()}
        made = papers.make("papers/determination.html", context)
    finally:
        ONE_AT_A_TIME.release()
    response = HttpResponse(made.content, content_type="application/pdf")
    response["Content-Disposition"] = 'attachment; filename="determination.pdf"'
    return response


def _back(request: HttpRequest) -> str:
    query = request.GET.urlencode()
    return f"{reverse('check')}?{query}" if query else reverse("check")
