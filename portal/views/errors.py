"""The pages for what went wrong: in plain words, with a way on, and nothing lost."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.csrf import requires_csrf_token

from portal import drafts

__all__ = ["bad_request", "csrf_failure", "forbidden", "not_found", "server_error"]


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """400: the request itself cannot be read; the page needs no session and no database."""
    return HttpResponse(render_to_string("errors/400.html", {"city": settings.CITY}), status=400)


@requires_csrf_token
def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """403: the person may see the page but not do this."""
    reason = str(exception) if exception and exception.args else ""
    return render(request, "errors/403.html", {"reason": reason}, status=403)


@requires_csrf_token
def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """404: no such page, or not for this person; which of the two is not told."""
    return render(request, "errors/404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """500: our fault; the page is plain, so that it can be shown whatever is broken."""
    return HttpResponse(render_to_string("errors/500.html", {"city": settings.CITY}), status=500)


@requires_csrf_token
def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403: the form is not surely from this person; what was typed is kept for sending again.

    Only a form that came from one of our own pages is offered again: another site must not
    be able to put words into somebody's mouth and have them confirmed with a click.
    """
    ours = is_from_our_page(request)
    offered = ours and not drafts.has_secrets(request)
    fields = drafts.typed_fields(request) if offered else []
    context = {
        "fields": fields,
        "shown": readable(fields),
        "has_files": bool(request.FILES) if ours else False,
        "from_our_page": ours,
    }
    return render(request, "errors/csrf.html", context, status=403)


def is_from_our_page(request: HttpRequest) -> bool:
    """Whether the browser says that the form was on a page of this portal."""
    source = request.headers.get("Origin") or request.headers.get("Referer", "")
    place = urlsplit(source)
    return (place.scheme, place.netloc) == (request.scheme, request.get_host())


def readable(fields: list[tuple[str, list[str]]]) -> list[tuple[str, str]]:
    """Return what a person typed, with field names as words; machine fields left out."""
    return [
        (name.replace("_", " ").replace("-", " ").capitalize(), ", ".join(filter(None, values)))
        for name, values in fields
        if any(values) and name not in {"operation", "next"}
    ]
