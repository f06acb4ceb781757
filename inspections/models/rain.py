"""Daily rain, in exact decimal inches; a corrected figure is a new row."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from django.conf import settings
from django.db import models
from django.db.models import Max, Q

from portal import city, clock
from portal.ordinance.inspection import is_rain_trigger


class RainQuerySet(models.QuerySet["RainReading"]):
    def current(self) -> RainQuerySet:
        """The latest row of each station and day: what counts."""
        latest = RainReading.objects.values("station", "on").annotate(last=Max("pk"))
        return self.filter(pk__in=latest.values("last"))

    def trigger_days(self, first: date, last: date) -> Iterator[RainReading]:
        """Readings of half an inch or more, by the current figures."""
        rows = self.current().filter(on__range=(first, last), inches__gt=0).order_by("on")
        for row in rows:
            if row.is_trigger:
                yield row


class RainReading(models.Model):
    """The rain of one day at one station; never changed."""

    class Source(models.TextChoices):
        TYPED = "typed", "Entered by hand"
        FILE = "file", "Daily file"

    station = models.CharField(max_length=80)
    on = models.DateField()
    inches = models.DecimalField(max_digits=7, decimal_places=4)
    source = models.CharField(max_length=8, choices=Source.choices)
    note = models.CharField(max_length=200, blank=True)
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    entered_at = models.DateTimeField(default=clock.now)

    objects = RainQuerySet.as_manager()

    class Meta:
        ordering = ["-on", "-pk"]
        indexes = [models.Index(fields=["station", "on", "-id"]), models.Index(fields=["on"])]
        constraints = [
            models.CheckConstraint(
                condition=Q(inches__gte=0) & Q(inches__lte=Decimal("30")),
                name="rain_of_a_day_is_plausible",
            )
        ]

    def __str__(self) -> str:
        return f"{self.station}, {self.on}: {self.inches} in"

    @property
    def is_trigger(self) -> bool:
        """Whether this day's rain asks for visits and log entries within 24 hours."""
        return is_rain_trigger(self.inches, city.edition_on(self.on))
