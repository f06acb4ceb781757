"""The e-mails of a case as they were sent, each as a file that any mail program opens.

Sender, recipient, subject, text, paper and Message-ID are those of the mail that went out;
its date is the moment at which the mail server had taken it. What servers on the way added
is not known here.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from email.message import Message
from email.utils import format_datetime

from portal.delivery import as_mail
from portal.models import Document, OutboxMessage

__all__ = ["eml"]


def eml(message: OutboxMessage, attachment: Document | None) -> bytes:
    """Return an e-mail as it was sent, or as it will be; the same row gives the same bytes."""
    message.attachment = attachment
    mail = as_mail(message)
    moment: datetime = message.sent_at or message.created_at
    mail.extra_headers["Date"] = format_datetime(moment)
    built: Message = mail.message()  # type: ignore[assignment]
    if built.is_multipart():
        mark = hashlib.sha256(message.key.encode()).hexdigest()[:24]
        built.set_boundary(f"=={mark}==")  # else drawn by chance
    return built.as_bytes()
