"""What a large city has told people: a mailing and an e-mail sent for each thing that happened."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from permits.models import Application, Site

from .seals import Sealed

__all__ = ["letters"]

TOLD = {
    "application.submitted": ("submitted", "is filed"),
    "application.received": ("received", "is received"),
    "application.denied": ("denied:1", "needs changes to its plan"),
    "application.granted": ("granted:2", "is granted"),
    "escrow.posted": ("escrow_posted:1", "has its escrow"),
    "permit.issued": ("issued", "has its permit"),
    "application.withdrawn": ("withdrawn", "is withdrawn"),
}
BODY = "Hello,\n\nyour application has gone a step further. The case page tells the whole story.\n"


def letters(
    event: Sealed, site: Site, application: Application
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield the mailing and the e-mail of an event, if people are told of it."""
    kind, day, moment = event.told
    if kind not in TOLD:
        return
    cause, what = TOLD[kind]
    person = application.applicant
    told = {"reference": site.number, "cause": cause, "created_at": moment}
    mailing = {"means": "email", "addressee": person.name, "address": person.email}
    message = {
        "key": f"{site.number}:{cause}:{day.isoformat()}:{person.email}",
        "recipient": person.email,
        "subject": f"Application {application.number} {what} [{site.number}]",
        "body": BODY,
        "sent_at": moment,
        "attempts": 1,
    }
    yield told | mailing, told | message
