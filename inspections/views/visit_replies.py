"""How the sender of a visit's parts is answered: a device in JSON, a person with a page."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse

from inspections.models import Visit
from permits.models import NotNow
from portal import clock, operations
from portal.models import User

from .visit_page import VisitPage
from .visits import show_writing

__all__ = [
    "NO_LINE",
    "Amiss",
    "answered",
    "first_error",
    "key_of",
    "moment_of",
    "problem",
    "said",
    "show_again",
    "wants_json",
]

NO_LINE = "This visit has no such line."


class Amiss(Exception):
    """One thing that was sent cannot be kept as it is; says why."""


def wants_json(request: HttpRequest) -> bool:
    """Whether a script asks, and not a person's browser by itself."""
    return "application/json" in request.headers.get("Accept", "")


def said(**facts: Any) -> JsonResponse:
    """Tell the device that something is kept, and when."""
    return JsonResponse({"at": round(clock.now().timestamp() * 1000), **facts})


def problem(sentence: str, *, status: int = 422, again: bool = False) -> JsonResponse:
    """Tell the device what is amiss; with `again` it sends the same thing once more."""
    return JsonResponse({"problem": sentence, "again": again}, status=status)


def first_error(form: Any) -> str:
    """Return the first thing that is amiss, with the question it belongs to."""
    for name, errors in form.errors.items():
        label = form.fields[name].label if name in form.fields else ""
        return f"{label}: {errors[0]}" if label else str(errors[0])
    return ""


def moment_of(text: Any) -> datetime | None:
    """Read the moment that a device noted; an unreadable one is none."""
    try:
        moment = datetime.fromisoformat(str(text or ""))
    except ValueError:
        return None
    return moment if moment.tzinfo else None


def key_of(text: Any) -> uuid.UUID:
    """Read the key of a thing."""
    try:
        return uuid.UUID(str(text))
    except ValueError:
        raise Amiss("This came without its key. Enter it again.") from None


def answered(run: Callable[[], dict[str, Any]]) -> JsonResponse:
    """Do one thing for a device, and tell it how that went."""
    try:
        return said(**run())
    except Amiss as amiss:
        return problem(str(amiss))
    except NotNow as refused:
        return problem(refused.sentence, status=409)
    except operations.TokenReused:
        return problem("This was sent before with other contents.", status=409)


def show_again(
    request: HttpRequest,
    visit: Visit,
    user: User,
    refusals: list[tuple[str, str]],
    refused: NotNow | None = None,
) -> HttpResponse:
    """Show the page again with everything that was typed."""
    page = VisitPage(visit, user, request.POST)
    page.refusals = refusals
    return show_writing(request, page, refused=refused, status=409 if refused else 200)
