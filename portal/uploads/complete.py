"""Tells a form that arrived whole from one that was cut off on its way.

A body that ends in the middle of a file gives no error: the fields before it are there and
the file is silently absent. So every form with files ends with a field of its own
(`partials/end_of_form.html`), and a form without its end is not acted upon.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse, HttpResponseBase, UnreadablePostError
from django.shortcuts import render

END_OF_FORM = "end_of_form"

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]

logger = logging.getLogger(__name__)


def is_whole(request: HttpRequest) -> bool:
    """Whether a submitted form arrived with its last field."""
    if request.method != "POST" or not is_multipart(request):
        return True
    try:
        return END_OF_FORM in request.POST
    except UnreadablePostError:
        return False


def is_multipart(request: HttpRequest) -> bool:
    """Whether the request is a form that may carry files."""
    return (request.content_type or "").lower() == "multipart/form-data"


def cut_off(request: HttpRequest) -> HttpResponse:
    """Return the page that says so."""
    logger.warning("A form was cut off on its way: %s", request.path)
    return render(request, "uploads/cut_off.html", {"back": request.path}, status=400)


def whole_form_required(view: View[P]) -> View[P]:
    """Act on a form with files only when all of it arrived.

    The files that did arrive are not stored either: nobody could tell which are missing.
    """

    @functools.wraps(view)
    def wrapper(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not is_whole(request):
            return cut_off(request)
        return view(request, *args, **kwargs)

    return wrapper
