"""Acts that are safe to submit twice: each form carries an operation token.

The second submit of the same form shows the result of the first; the same token with
other contents is refused.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Callable

from django.db import transaction
from django.http import HttpRequest

from portal.models import Operation
from portal.models.operations import CURRENT

__all__ = ["FIELD", "TokenReused", "new_token", "perform"]

FIELD = "operation"


class TokenReused(Exception):
    """The token of a finished act came back with other contents; nothing was changed."""


def new_token() -> str:
    """Return a fresh operation token for a form."""
    return str(uuid.uuid4())


def perform(request: HttpRequest, act: str, run: Callable[[], str]) -> str:
    """Run an act once for the token in the request and return the URL of its result.

    `run` does the act and returns that URL; whatever it raises undoes everything and
    leaves the token free for another try. Raises TokenReused (answer it with 409).
    """
    token = _token(request)
    digest = _digest(request)
    by = request.user if request.user.is_authenticated else None
    with transaction.atomic():
        operation, created = Operation.objects.get_or_create(
            token=token, defaults={"act": act, "digest": digest, "by": by, "result_url": ""}
        )
        if not created:
            if operation.act != act or operation.digest != digest or operation.by != by:
                raise TokenReused(operation.result_url)
            return operation.result_url
        doing = CURRENT.set(token)
        try:
            operation.result_url = run()
        finally:
            CURRENT.reset(doing)
        operation.save(update_fields=["result_url"])
    return operation.result_url


def _token(request: HttpRequest) -> uuid.UUID:
    try:
        return uuid.UUID(request.POST.get(FIELD, ""))
    except ValueError:
        return uuid.uuid4()  # no token was sent, so nothing can be recognised as a repeat


def _digest(request: HttpRequest) -> str:
    fields = [
        [key, request.POST.getlist(key)]
        for key in sorted(request.POST)
        if key not in {"csrfmiddlewaretoken", FIELD}
    ]
    files = [
        [key, f.name, f.size] for key in sorted(request.FILES) for f in request.FILES.getlist(key)
    ]
    return hashlib.sha256(json.dumps([fields, files]).encode()).hexdigest()
