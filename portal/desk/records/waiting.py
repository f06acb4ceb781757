"""What waits about records, for the desk: requests, the overdue of them, lists, open letters."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.db.models import Count, Q
from django.urls import reverse

from portal.city_calendar import current_calendar
from portal.desk.records import access
from portal.desk.records.models import DestructionList, RecordsRequest
from portal.ordinance.records import answer_deadline

__all__ = ["last_overdue", "tallies"]

Tally = tuple[str, str, int]


def tallies(user: Any, *, on: date) -> list[Tally]:
    """Return what waits, each with its page; two queries."""
    if not access.may_read_records(user):
        return []
    late = Q(received_on__lte=last_overdue(on))
    waiting = RecordsRequest.objects.still_open().order_by().values("received_on")
    counts = waiting.aggregate(all=Count("pk"), late=Count("pk", filter=late))
    requests, lists = reverse("records_requests"), reverse("destruction_lists")
    statuses = DestructionList.objects.aggregate(
        proposed=Count("pk", filter=Q(status="proposed")),
        approved=Count("pk", filter=Q(status="approved")),
    )
    return [
        (requests, "Requests for records that wait", counts["all"]),
        (requests, "Overdue", counts["late"]),
        (lists, "Destruction lists to approve", statuses["proposed"]),
        (lists, "Approved lists not carried out", statuses["approved"]),
    ]


def last_overdue(on: date) -> date:
    """The last day of receipt of which the rule of thumb has passed."""
    calendar = current_calendar()
    day = on
    while not answer_deadline(day, calendar=calendar).is_late(on):
        day -= timedelta(1)
    return day
