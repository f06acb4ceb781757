"""What somebody typed is kept when their session ended before the form was sent, or we failed.

A form that arrives without a session cannot be taken, but its answers are not lost: they
wait on the server, tied to the person who typed them, until that person signs in again
in the same browser. So do the answers of a form at which the server failed: no page that
concerns somebody is kept by the browser, so its back button alone would show an empty form.
A view shows them with one line:

    form = WorkForm(drafts.data_for(request), instance=application)

Files that came with it are stored as always; `kept_uploads(request)` gives their rows, for
the view to attach. `keep(request)` puts the answers by (the middleware does it),
`kept(request, path)` gives them back to their owner, `forget(request, path)` drops them (the
middleware does that too, as soon as the owner sends the form). Passwords and codes are
never kept.
"""

from __future__ import annotations

import logging
import re
from typing import Any

from django.contrib import messages
from django.contrib.sessions.backends.base import UpdateError
from django.core.exceptions import ValidationError
from django.db import DatabaseError
from django.http import HttpRequest, QueryDict

from portal import clock
from portal.models import Operation, Upload, User
from portal.uploads.collect import collect
from portal.uploads.complete import is_whole

__all__ = [
    "KEPT",
    "data_for",
    "forget",
    "has_secrets",
    "keep",
    "keep_after_fault",
    "kept",
    "kept_uploads",
    "typed_fields",
]

KEPT = "kept_forms"
SIGNED_OUT, FAILED = "signed out", "failed"
"""Why a form was kept; the page on which it is shown again says so."""
TOKEN, UUID_LENGTH = "operation", 36
MOST_FORMS = 3
logger = logging.getLogger(__name__)
LONGEST = 24 * 60 * 60  # seconds; afterwards the answers are dropped unseen
SECRET = re.compile(r"passw|csrfmiddlewaretoken|secret|^code$|^oldpassword$", re.IGNORECASE)


def typed_fields(request: HttpRequest) -> list[tuple[str, list[str]]]:
    """Return what was typed, field by field, without passwords, codes and tokens."""
    return [
        (name, [str(value) for value in values])
        for name, values in request.POST.lists()
        if not SECRET.search(name)
    ]


def has_secrets(request: HttpRequest) -> bool:
    """Whether a form holds a password or a code, which is then kept nowhere."""
    return any(SECRET.search(name) for name in request.POST if name != "csrfmiddlewaretoken")


def keep(request: HttpRequest, *, owner: int, why: str = SIGNED_OUT) -> bool:
    """Put the answers of a form by for their owner; return whether there were any.

    Where we failed, its files are not stored here: what failed may be their storage.
    """
    fields = typed_fields(request)
    if not fields and not request.FILES:
        return False
    forms: dict[str, Any] = request.session.get(KEPT, {})
    forms.pop(request.path, None)  # the latest goes to the end
    forms[request.path] = {
        "owner": owner,
        "at": clock.now().timestamp(),
        "why": why,
        "fields": fields,
        "uploads": _store_files(request, owner) if why == SIGNED_OUT else {},
        "files_lost": why == FAILED and bool(request.FILES),
    }
    while len(forms) > MOST_FORMS:
        del forms[next(iter(forms))]
    request.session[KEPT] = forms
    return True


def keep_after_fault(request: HttpRequest, *, owner: int) -> None:
    """Keep what was sent when the server failed, as far as the database takes it."""
    try:
        if has_secrets(request) or _was_done(request):
            return
        if keep(request, owner=owner, why=FAILED):
            request.session.save()  # with a fault the session is not saved by itself
    except (DatabaseError, UpdateError, OSError, ValidationError):
        # A form that could not be read is an OSError, a token that is none a ValidationError.
        logger.exception("What was typed could not be kept.")


def _was_done(request: HttpRequest) -> bool:
    """Whether the act itself is committed and only its answer failed: it is not offered again."""
    token = request.POST.get(TOKEN, "")
    return len(token) == UUID_LENGTH and Operation.objects.filter(token=token).exists()


def _store_files(request: HttpRequest, owner: int) -> dict[str, list[int]]:
    """Store the good files that came with a form, and say which were not taken."""
    by = User.objects.filter(pk=owner, is_active=True).first()
    if by is None or not is_whole(request):
        return {}
    stored: dict[str, list[int]] = {}
    for name in request.FILES:
        collected = collect(request, name, by=by)
        stored[name] = [upload.pk for upload in collected.stored]
        for refusal in collected.refused:
            messages.warning(request, str(refusal))
    return stored


def _entry(request: HttpRequest, path: str | None) -> dict[str, Any] | None:
    """Return what is kept for the form of a path, to its owner only and for a day."""
    entry: dict[str, Any] | None = request.session.get(KEPT, {}).get(path or request.path)
    if not entry or not request.user.is_authenticated:
        return None
    if entry["owner"] != request.user.pk or clock.now().timestamp() - entry["at"] > LONGEST:
        forget(request, path)
        return None
    return entry


def kept(request: HttpRequest, path: str | None = None) -> QueryDict | None:
    """Return what the signed-in person typed into the form of a path before, if anything."""
    entry = _entry(request, path)
    if entry is None:
        return None
    data = QueryDict(mutable=True)
    for name, values in entry["fields"]:
        data.setlist(name, values)
    # The page says what happened.
    request.kept_shown = entry.get("why", SIGNED_OUT)  # type: ignore[attr-defined]
    request.kept_without_files = entry.get("files_lost", False)  # type: ignore[attr-defined]
    return data


def kept_uploads(
    request: HttpRequest, name: str = "files", path: str | None = None
) -> list[Upload]:
    """Return the files that came with the kept form; attach them, they are given once."""
    entry = _entry(request, path)
    keys = entry["uploads"].pop(name, []) if entry else []
    if keys:
        request.session.modified = True
    return list(Upload.objects.filter(pk__in=keys, uploaded_by=request.user.pk))


def forget(request: HttpRequest, path: str | None = None) -> None:
    """Drop what was kept for the form of a path."""
    forms: dict[str, Any] = request.session.get(KEPT, {})
    if forms.pop(path or request.path, None) is not None:
        request.session[KEPT] = forms


def data_for(request: HttpRequest, path: str | None = None) -> QueryDict | None:
    """Return the data for a form: what is being sent, or else what was kept, or nothing."""
    if request.method == "POST":
        return request.POST
    return kept(request, path)
