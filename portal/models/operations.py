"""Numbers that are never reused, and acts that are safe to submit twice."""

from __future__ import annotations

import uuid
from contextvars import ContextVar

from django.conf import settings
from django.db import models

from portal import clock

# The operation being done, so that each row of money carries the token of its form.
CURRENT: ContextVar[uuid.UUID | None] = ContextVar("operation", default=None)


def current_operation() -> uuid.UUID | None:
    """Return the token of the form that is being acted on; None outside a form."""
    return CURRENT.get()


class NumberCounter(models.Model):
    """The last number given in a series and year; a gap is allowed, a repeat is not."""

    series = models.CharField(max_length=4)
    year = models.PositiveSmallIntegerField()
    last = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["series", "year"]
        constraints = [
            models.UniqueConstraint(fields=["series", "year"], name="one_counter_per_series_year")
        ]

    def __str__(self) -> str:
        return f"{self.series}-{self.year}-{self.last:04d}"


class Operation(models.Model):
    """One submit of one form: the second submit shows the result of the first."""

    token = models.UUIDField(primary_key=True, default=uuid.uuid4)
    act = models.CharField(max_length=60)
    digest = models.CharField(max_length=64)
    result_url = models.CharField(max_length=500)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["-at"]

    def __str__(self) -> str:
        return f"{self.act} {self.token}"
