"""The seal over the whole record: shows what was cut off the end of a chain."""

from __future__ import annotations

import hashlib
import hmac
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models

from portal import clock

from .record import CaseEvent

SETTLED = timedelta(minutes=5)  # by then every act that had begun is committed or undone


class RecordSeal(models.Model):
    """One seal over the last event of every chain, made once a day; never changed.

    It is also mailed to clerk and attorney, so that one copy lies outside the database.
    """

    until = models.DateTimeField(unique=True)
    events = models.PositiveBigIntegerField()
    digest = models.CharField(max_length=64)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.events} events: {self.digest}"

    @classmethod
    def prepare(cls) -> RecordSeal:
        """Return the seal over all that was recorded until a few minutes ago, not saved."""
        until = clock.now() - SETTLED
        events, digest = digest_of(until)
        return cls(until=until, events=events, digest=digest)

    def fault(self) -> str:
        """Say how the record differs from what was sealed, or nothing."""
        events, digest = digest_of(self.until)
        if (events, digest) == (self.events, self.digest):
            return ""
        return (
            f"The record is not what was sealed until {self.until:%Y-%m-%d %H:%M} UTC: "
            f"{events} events instead of {self.events}, or another end of a chain."
        )


def digest_of(until: datetime) -> tuple[int, str]:
    """Return how many events were recorded until a moment, and the seal over their hashes."""
    seal = hmac.new(settings.RECORD_KEY.encode(), digestmod=hashlib.sha256)
    count = 0
    events = CaseEvent.objects.filter(recorded_at__lte=until).order_by("site_id", "sequence")
    for row in events.values_list("site_id", "sequence", "hash").iterator(chunk_size=5000):
        seal.update(f"{row[0]}:{row[1]}:{row[2]}\n".encode())
        count += 1
    return count, seal.hexdigest()
