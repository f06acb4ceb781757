"""How every mail of the city reads, whatever it tells."""

from __future__ import annotations

import re

from portal.models import OutboxMessage

OPENINGS = "Hello "


def check_reading(mail: OutboxMessage) -> None:
    """Fail where a mail shows a gap, a mark of its template, or no way to the city."""
    assert mail.body.startswith(OPENINGS), mail.cause
    assert not re.search(r"&(amp|#x?\d|lt|gt|quot)", mail.body), mail.cause
    assert "{{" not in mail.body, mail.cause
    assert "{%" not in mail.body, mail.cause
    assert "None" not in mail.body, mail.cause
    assert "  " not in mail.body, mail.cause
    assert "\n\n\n" not in mail.body, (mail.cause, mail.body)
    assert "(555) 010-0100" in mail.body, ("how to reach the city", mail.cause)
    assert "http://127.0.0.1:8000" in mail.body, ("a way to the case", mail.cause)
    assert mail.reference in mail.subject or mail.cause == "handover", mail.subject
