"""Acts of the roof: asked on a page, shown before they are done, done once."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render

from portal import operations

__all__ = ["CONFIRM", "act_once", "step_of", "token_of"]

CONFIRM = "confirm"


def step_of(request: HttpRequest) -> str:
    """Return what a sent form wants: to be checked, changed, or confirmed."""
    return str(request.POST.get("step", "check"))


def token_of(request: HttpRequest) -> str:
    """Return the form's operation token; the same when the form is shown again."""
    return request.POST.get(operations.FIELD) or operations.new_token()


def act_once(request: HttpRequest, act: str, run: Callable[[], str]) -> HttpResponse:
    """Do an act once and lead to its result; a second submit leads there too."""
    try:
        return HttpResponseRedirect(operations.perform(request, act, run))
    except operations.TokenReused as reused:
        return render(request, "desk/sent_before.html", {"result_url": str(reused)}, status=409)
