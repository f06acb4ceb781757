"""The outbox: an e-mail is a row, written with its cause and sent after both are committed."""

from __future__ import annotations

import hashlib
import re

from django.db import transaction

from portal import tasks
from portal.models import Document, OutboxMessage

__all__ = ["queue"]

_KEY_LENGTH = 300
_SUBJECT_LENGTH = 200
_CONTROL = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]+")
_AFTER_ADDRESS = re.compile(r"[\s,;\x00-\x1f\x7f\x85\u2028\u2029]")


def queue(
    *,
    key: str,
    recipient: str,
    subject: str,
    body: str,
    reference: str = "",
    cause: str,
    attachment: Document | None = None,
) -> OutboxMessage:
    """Put one e-mail in the outbox, once per key, and return its row.

    `key` names case, rule, date and recipient. Asked again, whether late, twice or by two
    processes at once, the same row is returned and no second mail is made. Nothing is sent
    if the surrounding transaction is undone; a mail server that is down disturbs nobody.
    """
    address = _one_address(recipient)
    if not address:
        raise ValueError("An e-mail needs an address to go to.")
    message, created = OutboxMessage.objects.get_or_create(
        key=_bounded(key),
        defaults={
            "recipient": address,
            "subject": _one_line(subject)[:_SUBJECT_LENGTH],
            "body": body.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", ""),
            "reference": reference,
            "cause": cause,
            "attachment": attachment,
        },
    )
    if created:
        transaction.on_commit(tasks.wake_outbox, robust=True)
    return message


def _one_line(text: str) -> str:
    """Return the text without line ends, so that it cannot start another header."""
    return _CONTROL.sub(" ", text).strip()


def _one_address(text: str) -> str:
    """Return what stands before any separator: there is never a second recipient."""
    return _AFTER_ADDRESS.split(text.strip(), maxsplit=1)[0]


def _bounded(key: str) -> str:
    """Return the key, its tail replaced by a digest where it is too long for the column."""
    if len(key) <= _KEY_LENGTH:
        return key
    digest = hashlib.sha256(key.encode()).hexdigest()
    return f"{key[: _KEY_LENGTH - len(digest) - 1]}#{digest}"
