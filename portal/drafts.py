"""What somebody typed is kept when their session ended before the form was sent.

A form that arrives without a session cannot be taken, but its answers are not lost: they
wait on the server, tied to the person who typed them, until that person signs in again
in the same browser. A view shows them with one line:

    form = WorkForm(drafts.data_for(request), instance=application)

`keep(request)` puts the answers by (the middleware does it), `kept(request, path)` gives
them back to their owner, `forget(request, path)` drops them (the middleware does that
too, as soon as the owner sends the form). Passwords and codes are never kept.
"""

from __future__ import annotations

import re
from typing import Any

from django.http import HttpRequest, QueryDict

from portal import clock

__all__ = ["KEPT", "data_for", "forget", "has_secrets", "keep", "kept", "typed_fields"]

KEPT = "kept_forms"
MOST_FORMS = 3
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


def keep(request: HttpRequest, *, owner: int) -> bool:
    """Put the answers of a form by for their owner; return whether there were any."""
    fields = typed_fields(request)
    if not fields:
        return False
    forms: dict[str, Any] = request.session.get(KEPT, {})
    forms.pop(request.path, None)  # the latest goes to the end
    forms[request.path] = {"owner": owner, "at": clock.now().timestamp(), "fields": fields}
    while len(forms) > MOST_FORMS:
        del forms[next(iter(forms))]
    request.session[KEPT] = forms
    return True


def kept(request: HttpRequest, path: str | None = None) -> QueryDict | None:
    """Return what the signed-in person typed into the form of a path before, if anything."""
    entry = request.session.get(KEPT, {}).get(path or request.path)
    if not entry or not request.user.is_authenticated:
        return None
    if entry["owner"] != request.user.pk or clock.now().timestamp() - entry["at"] > LONGEST:
        forget(request, path)
        return None
    data = QueryDict(mutable=True)
    for name, values in entry["fields"]:
        data.setlist(name, values)
    request.kept_shown = True  # type: ignore[attr-defined]  # the page says what happened
    return data


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
