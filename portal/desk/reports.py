"""What the public reported and nobody has answered yet, and e-mails that could not be sent."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet

from inspections.models import Complaint
from portal.counting import written
from portal.models import OutboxMessage

__all__ = ["REPORTS", "OpenReports", "open_reports", "unsent_mails", "waiting_reports"]

REPORTS = "reports"
"""The key of this list among the desk's."""
SHOWN = 3


@dataclass(frozen=True)
class OpenReports:
    """The newest open reports, and how many there are as far as anybody counts."""

    newest: list[Complaint]
    found: int

    @property
    def count(self) -> str:
        """How many there are: 12, or 100+."""
        return written(self.found)


def waiting_reports() -> QuerySet[Complaint]:
    """Return the reports that wait for an answer, the newest first."""
    return Complaint.objects.filter(answered_on__isnull=True).order_by("-pk")


def unsent_mails() -> QuerySet[OutboxMessage]:
    """Return e-mails that were tried and could not be sent yet, the oldest first."""
    return OutboxMessage.objects.filter(sent_at__isnull=True, attempts__gt=0).order_by("pk")


def open_reports(found: int) -> OpenReports:
    """Return the newest of the reports, of which so many were found."""
    newest = waiting_reports().only("key", "number", "what", "place", "received_on")[:SHOWN]
    return OpenReports(list(newest) if found else [], found)
