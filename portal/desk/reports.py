"""What the public reported and nobody has answered yet, for the inspector's desk."""

from __future__ import annotations

from dataclasses import dataclass

from inspections.models import Complaint

__all__ = ["OpenReports", "open_reports"]

SHOWN = 3


@dataclass(frozen=True)
class OpenReports:
    """The newest open reports, and how many there are as far as anybody counts."""

    newest: list[Complaint]
    found: int
    many: int

    @property
    def count(self) -> str:
        """How many there are: 12, or 100+."""
        return f"{self.many}+" if self.found > self.many else str(self.found)


def open_reports(many: int) -> OpenReports:
    """Return the reports that wait for an answer, the newest first, in one query."""
    waiting = Complaint.objects.filter(answered_on__isnull=True).order_by("-pk")
    found = list(waiting.only("key", "number", "what", "place", "received_on")[: many + 1])
    return OpenReports(found[:SHOWN], len(found), many)
