"""The demo's letter box: a newcomer can read every e-mail that the portal has sent."""

from __future__ import annotations

import email
import email.policy
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

__all__ = ["demo_mail"]

MOST_SHOWN = 50
BETWEEN_MAILS = b"-" * 79


@dataclass(frozen=True)
class Letter:
    """One e-mail as it was sent."""

    to: str
    sent: str
    subject: str
    body: str
    attachments: tuple[str, ...]


@require_safe
def demo_mail(request: HttpRequest) -> HttpResponse:
    """Show the newest e-mails of the demo; outside the demo there is no such page."""
    if not settings.DEMO:
        raise Http404
    folder = Path(getattr(settings, "EMAIL_FILE_PATH", settings.VAR_DIR / "mail"))
    return render(request, "demo_mail.html", {"letters": letters(folder)})


def letters(folder: Path) -> list[Letter]:
    """Return the mails in a folder of the file mail backend, newest first."""
    files = sorted(folder.glob("*.log"), key=lambda file: file.stat().st_mtime, reverse=True)
    found: list[Letter] = []
    for file in files[:MOST_SHOWN]:
        parts = [part.strip() for part in file.read_bytes().split(BETWEEN_MAILS) if part.strip()]
        found.extend(read_letter(part) for part in reversed(parts))
    return found[:MOST_SHOWN]


def read_letter(raw: bytes) -> Letter:
    """Read one mail."""
    message = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    text = message.get_body(preferencelist=("plain", "html"))
    names = tuple(part.get_filename() or "file" for part in message.iter_attachments())
    return Letter(
        to=str(message.get("To", "")),
        sent=str(message.get("Date", "")),
        subject=str(message.get("Subject", "")),
        body=str(text.get_content()) if text else "",
        attachments=names,
    )
