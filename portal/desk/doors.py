"""Who comes in where: anonymous people sign in first, strangers find no such page."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponseBase

from portal.models import User

__all__ = ["only"]

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
