"""Reminding the payer: before the last day of a bill, and once when it has passed.

A round that runs twice, late or on two machines tells once: each reminder has a cause of its
own in the case. A bill that an appeal holds still is not reminded of.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from escrow.models import Bill
from portal.models import Mailing, OutboxMessage

from . import papers, telling
from .account import standing

__all__ = ["remind"]

AHEAD = timedelta(days=14)
BACK = timedelta(days=31)
"""So long after its last day a bill that nobody told of is still told of; then it is old."""


def remind(on: date) -> int:
    """Tell each payer whose last day is near or has passed; returns how many were told."""
    return sum(_remind(bill, on) for bill in _near(on).iterator(chunk_size=500))


def _near(on: date) -> QuerySet[Any]:
    rows = Bill.objects.standing().with_balance().with_last_day()
    near = rows.filter(  # type: ignore[misc]
        owed__gt=0,
        stayed_since__isnull=True,
        counted_on__range=(on - BACK, on + AHEAD),
    )
    return near.select_related("site", "permit__application", "work").order_by("pk")


def _remind(bill: Any, on: date) -> int:
    late = on > bill.last_day
    kind = "bill_late" if late else "bill_soon"
    cause = f"{kind}:{bill.number}:{bill.last_day.isoformat()}"
    with transaction.atomic():
        site = bill.site.lock()
        told = Mailing.objects.filter(reference=site.number, cause=cause)
        mailed = OutboxMessage.objects.filter(reference=site.number, cause=cause)
        if told.exists() or mailed.exists():
            return 0
        now = standing(bill, on=on)
        if not now.owed:
            return 0
        by_post = late or not telling.email_of(bill)
        telling.tell_payer(
            bill,
            cause,
            subject=f"Bill {bill} is delinquent" if late else f"Bill {bill} is due soon",
            on=on,
            paper=papers.statement_paper(bill, now, on=on) if by_post else None,
            by_post=by_post,
            now=now,
        )
    return 1
