"""Who comes in where, and how an act is done once."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from permits.views.ways import see_other
from portal import operations
from portal.models import User

__all__ = ["act_once", "only", "step_of", "token_of", "who"]

View = Callable[..., HttpResponseBase]


def only(allowed: Callable[[Any], bool]) -> Callable[[View], View]:
    """Open a page to whom the policy names; for everybody else there is no such page."""

    def decorate(view: View) -> View:
        @wraps(view)
        def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not allowed(request.user):
                raise Http404
            return view(request, *args, **kwargs)

        return login_required(inner)

    return decorate


def who(request: HttpRequest) -> User:
    """Return the person who is signed in; only behind a door."""
    assert isinstance(request.user, User)
    return request.user


def step_of(request: HttpRequest) -> str:
    """Return what a sent form wants, as its button says."""
    return str(request.POST.get("step", ""))


def token_of(request: HttpRequest) -> str:
    """Return the form's operation token; the same when the form is shown again."""
    return request.POST.get(operations.FIELD) or operations.new_token()


def act_once(request: HttpRequest, act: str, run: Callable[[], str]) -> HttpResponse:
    """Do an act once and lead to its result; a second submit leads there too."""
    try:
        return see_other(operations.perform(request, act, run))
    except operations.TokenReused as reused:
        return render(request, "desk/sent_before.html", {"result_url": str(reused)}, status=409)
