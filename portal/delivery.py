"""Sending what waits in the outbox: each mail is claimed, sent and marked, one at a time.

A worker killed between sending and marking leaves a claim. When it lapses the mail goes out
again under the same Message-ID, so that mail programs show it once, and the row says so.
"""

from __future__ import annotations

import hashlib
import logging
from datetime import datetime, timedelta
from smtplib import SMTPRecipientsRefused
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import F
from django.utils.text import slugify

from portal import clock
from portal.models import OutboxMessage

__all__ = ["CUT_OFF", "REFUSED", "as_mail", "send_waiting"]

logger = logging.getLogger(__name__)

LONGEST_WAIT = timedelta(hours=1)
"""A mail server that came back is noticed within the hour."""

WAIT_AFTER_REFUSAL = timedelta(days=1)
"""An address that the server refuses is asked about once a day, not hammered."""

REFUSED = "The mail server refuses this address"
CUT_OFF = "An earlier attempt was cut off: this mail may have arrived twice."

Seen = tuple[int, datetime | None, int, str]


def send_waiting() -> int:
    """Send every mail that is due and return how many went out.

    Stops at the first sign that the mail server is down: the rest waits without having
    been tried, and no act that caused a mail is touched.
    """
    connection: BaseEmailBackend = get_connection()
    sent = 0
    try:
        for seen in _due(clock.now()):
            if not _claim(seen):
                continue  # another worker was faster
            message = OutboxMessage.objects.select_related("attachment").get(pk=seen[0])
            try:
                connection.open()  # once: it stays open for the mails that follow
                _send(message, connection)
            except SMTPRecipientsRefused as refusal:
                _note(message, f"{REFUSED}: {refusal.recipients}")
            except OSError as error:  # the network, or anything smtplib raises
                _note(message, str(error) or repr(error))
                break
            except Exception as error:
                logger.exception("Outbox message %s could not be sent", message.pk)
                _note(message, repr(error))
            else:
                sent += 1
    finally:
        connection.close()
    return sent


def _due(now: datetime) -> list[Seen]:
    """Return the unsent mails whose last attempt is long enough ago."""
    waiting = OutboxMessage.objects.filter(sent_at__isnull=True).values_list(
        "pk", "claimed_at", "attempts", "last_error"
    )
    return [
        seen
        for seen in waiting
        # The distance, so that a clock put back does not hold a mail for ever.
        if seen[1] is None or abs(now - seen[1]) >= _wait(seen[2], seen[3])
    ]


def _wait(attempts: int, last_error: str) -> timedelta:
    """Return how long to leave a mail alone after its last attempt."""
    if last_error.startswith(REFUSED):
        return WAIT_AFTER_REFUSAL
    first = timedelta(seconds=settings.OUTBOX_RETRY_SECONDS)
    doubled: timedelta = first * 2 ** min(max(attempts - 1, 0), 16)
    return min(doubled, max(LONGEST_WAIT, first))


def _claim(seen: Seen) -> bool:
    """Take the mail if it still is as it was seen; of two workers one succeeds."""
    pk, claimed_at, attempts, _ = seen
    return bool(
        OutboxMessage.objects.filter(
            pk=pk, claimed_at=claimed_at, attempts=attempts, sent_at__isnull=True
        ).update(claimed_at=clock.now(), attempts=F("attempts") + 1)
    )


def as_mail(message: OutboxMessage, connection: BaseEmailBackend | None = None) -> EmailMessage:
    """Return a row of the outbox as the mail that goes out, with its paper."""
    mail = EmailMessage(
        subject=message.subject,
        body=message.body,
        to=[message.recipient],
        connection=connection,
        headers={"Message-ID": _message_id(message.key), "Auto-Submitted": "auto-generated"},
    )
    if message.attachment is not None:
        with message.attachment.file.open("rb") as file:
            name = f"{slugify(message.attachment.title) or 'document'}.pdf"
            mail.attach(name, file.read(), "application/pdf")
    return mail


def _send(message: OutboxMessage, connection: BaseEmailBackend) -> None:
    """Send one claimed mail and mark it sent."""
    mail = as_mail(message, connection)
    # Claimed before, yet neither sent nor failed: somebody was killed in between.
    cut_off = message.attempts > 1 and message.last_error in {"", CUT_OFF}
    mail.send()
    OutboxMessage.objects.filter(pk=message.pk).update(
        sent_at=clock.now(), last_error=CUT_OFF if cut_off else ""
    )


def _note(message: OutboxMessage, error: str) -> None:
    """Keep the reason beside the mail, where the desk shows it."""
    logger.warning("Outbox message %s waits: %s", message.pk, error)
    OutboxMessage.objects.filter(pk=message.pk).update(last_error=error[:2000])


def _message_id(key: str) -> str:
    """Return a name for the mail that is the same at every attempt."""
    digest = hashlib.sha256(key.encode()).hexdigest()[:40]
    return f"<{digest}@{urlsplit(settings.PUBLIC_URL).hostname}>"
