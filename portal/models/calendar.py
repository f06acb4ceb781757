"""The city's calendar of closures and the council's resolutions, as dated rows."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from portal import clock


class Closure(models.Model):
    """An act of the council that closes (or reopens) city hall for a whole day.

    Rows are never changed: the latest row of a day says whether city hall is closed.
    """

    day = models.DateField(db_index=True)
    name = models.CharField(max_length=120)
    closed = models.BooleanField(default=True)
    resolution = models.CharField(max_length=60)
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    entered_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["day", "pk"]

    def __str__(self) -> str:
        return f"{self.day}: {self.name} ({'closed' if self.closed else 'open again'})"


class CouncilValue(models.Model):
    """A value that the common council set by resolution, from a day on."""

    class Key(models.TextChoices):
        FEE = "fee", "Application fee, dollars"
        REVISION_REVIEW_DAYS = "revision_review_days", "Working days to review a plan revision"
        APPEAL_DAYS = "appeal_days", "Days to appeal to the board of zoning appeals"
        APPEAL_FEE = "appeal_fee", "Fee for an appeal to the board, dollars"
        INTEREST_RATE = "interest_rate", "Interest on assessments, percent a year"
        ADMINISTRATIVE_FEE = "administrative_fee", "Administrative fee on assessments, dollars"
        BILL_DAYS = "bill_days", "Days to pay a bill for city work"
        ESCROW_INTEREST = "escrow_interest", "Interest on cash escrow, percent a year"
        ROLL_CUTOFF = "roll_cutoff", "Tax-roll cut-off, month and day (MM-DD)"
        ROLL_DELIVERY = "roll_delivery", "Tax roll to the treasurer, month and day (MM-DD)"
        RECORDS_PAGE = "records_page", "Copy of a record, dollars a page"
        RECORDS_HOUR = "records_hour", "Locating a record, dollars an hour"
        OPEN_HOLIDAYS = "open_holidays", "Legal holidays on which city hall is open"

    key = models.CharField(max_length=40, choices=Key.choices)
    value = models.CharField(max_length=200)
    effective_on = models.DateField()
    resolution = models.CharField(max_length=60)
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    entered_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["key", "-effective_on", "-pk"]
        indexes = [models.Index(fields=["key", "-effective_on", "-id"])]

    def __str__(self) -> str:
        return f"{self.get_key_display()}: {self.value} from {self.effective_on}"
