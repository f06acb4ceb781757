"""A violation: what was found against the ordinance, and each day it was documented."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from inspections.models import Complaint, DocumentedDay, Finding, Visit
from permits.models import Acting, Permit, Site
from portal import clock
from portal.models import Upload

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager


class ViolationStatus(models.TextChoices):
    OPEN = "open", "Open"
    ENDED = "ended", "Ended"
    DROPPED = "dropped", "Dropped, recorded in error"


class Violation(Acting):
    """A breach of the ordinance at a site, with or without a permit. Former § 17.19(7), (9)"""

    Status = ViolationStatus
    NEXT: ClassVar[dict[ViolationStatus, frozenset[ViolationStatus]]] = {
        Status.OPEN: frozenset({Status.ENDED, Status.DROPPED}),
        Status.ENDED: frozenset(),
        Status.DROPPED: frozenset(),
    }

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="violations")
    permit = models.ForeignKey(
        Permit, null=True, blank=True, on_delete=models.PROTECT, related_name="violations"
    )
    number = models.PositiveSmallIntegerField()
    # Where it came from; neither for what was seen without a visit or a report.
    finding = models.OneToOneField(
        Finding, null=True, blank=True, on_delete=models.PROTECT, related_name="violation"
    )
    complaint = models.ForeignKey(
        Complaint, null=True, blank=True, on_delete=models.PROTECT, related_name="violations"
    )
    section = models.CharField(max_length=30)
    facts = models.TextField()
    found_on = models.DateField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    ended_on = models.DateField(null=True, blank=True)
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    recorded_at = models.DateTimeField(default=clock.now)

    if TYPE_CHECKING:
        days: RelatedManager[ViolationDay]

    class Meta:
        ordering = ["site", "number"]
        indexes = [models.Index(fields=["site", "status"])]
        constraints = [
            models.UniqueConstraint(fields=["site", "number"], name="violation_numbered_per_site"),
            models.CheckConstraint(condition=~Q(facts=""), name="violation_says_what_was_found"),
            models.CheckConstraint(
                condition=Q(ended_on__isnull=True) | Q(ended_on__gte=F("found_on")),
                name="violation_ends_after_it_was_found",
            ),
            models.CheckConstraint(
                condition=~Q(status="ended") | Q(ended_on__isnull=False),
                name="ended_violation_has_its_day",
            ),
        ]

    def __str__(self) -> str:
        return f"Violation {self.number} at {self.site.number}"

    def get_absolute_url(self) -> str:
        return reverse("violation", args=[self.key])

    def documented_days(self) -> list[date]:
        """Return each calendar day on which it was seen and recorded, once. Former § 17.19(9)"""
        [(_, days)] = documented_days_of([self])
        return days


class ViolationDay(models.Model):
    """A calendar day on which a violation was seen, with what shows it."""

    violation = models.ForeignKey(Violation, on_delete=models.PROTECT, related_name="days")
    on = models.DateField()
    seen = models.TextField()
    visit = models.ForeignKey(
        Visit, null=True, blank=True, on_delete=models.PROTECT, related_name="violation_days"
    )
    photos = models.ManyToManyField(Upload, related_name="violation_days", blank=True)
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    recorded_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["on"]
        constraints = [
            models.UniqueConstraint(fields=["violation", "on"], name="documented_day_counts_once"),
            models.CheckConstraint(condition=~Q(seen=""), name="documented_day_says_what_was_seen"),
        ]

    def __str__(self) -> str:
        return f"{self.violation}: {self.on}"


def documented_days_of(violations: Iterable[Violation]) -> list[tuple[Violation, list[date]]]:
    """Return each violation with the days on which it was documented, in two queries.

    Days of the finding it came from count with its own, each calendar day once.
    """
    rows = list(violations)
    days: dict[int, set[date]] = defaultdict(set)
    own = ViolationDay.objects.filter(violation__in=rows).values_list("violation", "on")
    of_findings = DocumentedDay.objects.filter(finding__violation__in=rows)
    for violation, day in [*own, *of_findings.values_list("finding__violation", "on")]:
        days[violation].add(day)
    return [(each, sorted(days[each.pk])) for each in rows]
