"""When a machine fails, not a person: a plain page that says nothing was half-saved."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.conf import settings
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from portal.stored import NotStored

__all__ = ["TroubleMiddleware"]

logger = logging.getLogger(__name__)
BUSY, STORAGE, DATABASE = "busy", "storage", "database"
# What PostgreSQL and SQLite say when somebody else holds the case.
HELD = ("lock timeout", "database is locked", "deadlock detected", "could not serialize")


class TroubleMiddleware:
    """Answer a held case, a full storage or a database that is down with 503 or 507.

    Every act is one transaction, so nothing of it was saved.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, trouble: Exception) -> HttpResponse | None:
        """Turn the two kinds of trouble into their page; everything else is a fault."""
        if isinstance(trouble, NotStored):
            return self._page(request, STORAGE, trouble.status, trouble)
        if isinstance(trouble, OperationalError):
            held = any(words in str(trouble) for words in HELD)
            return self._page(request, BUSY if held else DATABASE, 503, trouble)
        return None

    def _page(self, request: HttpRequest, what: str, status: int, cause: Exception) -> HttpResponse:
        logger.error("%s %s was not done: %s", request.method, request.path, cause)
        body = render_to_string("errors/trouble.html", {"city": settings.CITY, "what": what})
        response = HttpResponse(body, status=status)
        response.headers["Retry-After"] = "60"
        return response
