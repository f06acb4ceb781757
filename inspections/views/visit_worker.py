"""The service worker of the visits: with it the page of a visit opens without signal."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

__all__ = ["service_worker"]

NAMED = (
    "mark.svg",
    "bootstrap/css/bootstrap.min.css",
    "bootstrap/js/bootstrap.bundle.min.js",
    "django_htmx/htmx-2.min.js",
    "siltfence.css",
    "parts.css",
    "siltfence.js",
    "visit.css",
    "visit.js",
    "visit-waiting.js",
)
"""What the page of a visit asks for by its address in the storage."""
IMPORTED = (
    "visit-store.js",
    "visit-send.js",
    "visit-show.js",
    "visit-photos.js",
    "visit-page.js",
    "visit-words.js",
)
"""Modules that other modules import by their plain name."""


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Hand out the worker; it tells nothing about anybody, so everybody may have it."""
    response = HttpResponse(worker_source(), content_type="text/javascript; charset=utf-8")
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Service-Worker-Allowed"] = "/visits/"
    return response


def worker_source() -> str:
    """Return the worker with the files that it keeps; new files make a new worker."""
    addresses = [static(name) for name in NAMED]
    addresses += [f"{settings.STATIC_URL}{name}" for name in IMPORTED]
    config = {
        "files": addresses,
        "version": version(tuple(addresses)),
        "signIn": resolve_url(settings.LOGIN_URL),
        "styles": [address for address in addresses if address.endswith(".css")],
        "city": settings.CITY["name"],
    }
    text = json.dumps(config).replace("<", "\\u003c")
    return render_to_string("visits/worker.js", {"config": SafeString(text)})


@cache
def version(addresses: tuple[str, ...]) -> str:
    """Return a mark of the files' addresses and contents."""
    digest = hashlib.sha256("\n".join(addresses).encode())
    for name in [*NAMED, *IMPORTED]:
        found = finders.find(name)
        if isinstance(found, str):
            digest.update(Path(found).read_bytes())
    return digest.hexdigest()[:16]
