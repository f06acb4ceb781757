"""The permittee's own log: weekly and after rain. Wis. Admin. Code § NR 216.48(4)"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q

from permits.models import Permit
from portal import clock
from portal.models import Upload

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager


class LogEntry(models.Model):
    """One self-inspection, with the fields of the state's form 3400-187; never changed."""

    class Kind(models.TextChoices):
        WEEKLY = "weekly", "Weekly"
        RAIN = "rain", "After rain of half an inch or more"
        OTHER = "other", "Other"

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    permit = models.ForeignKey(Permit, on_delete=models.PROTECT, related_name="log_entries")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    kind_other = models.CharField(max_length=120, blank=True)
    inspected_on = models.DateField()
    began = models.TimeField(null=True, blank=True)
    ended = models.TimeField(null=True, blank=True)
    inspectors = models.CharField(max_length=200)
    field_office_telephone = models.CharField(max_length=40, blank=True)
    weather = models.CharField(max_length=120, blank=True)
    phase = models.CharField(max_length=120, blank=True)
    comments = models.TextField(blank=True)
    photos = models.ManyToManyField(Upload, related_name="log_entries", blank=True)
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    entered_at = models.DateTimeField(default=clock.now)

    if TYPE_CHECKING:
        lines: RelatedManager[LogLine]

    class Meta:
        ordering = ["-inspected_on", "-pk"]
        verbose_name_plural = "log entries"
        indexes = [models.Index(fields=["permit", "-inspected_on"])]
        constraints = [
            models.CheckConstraint(condition=~Q(inspectors=""), name="log_entry_names_inspector")
        ]

    def __str__(self) -> str:
        return f"{self.permit}: {self.get_kind_display()} {self.inspected_on}"


class LogLine(models.Model):
    """One practice in a self-inspection: does it need a modification?"""

    class Practice(models.TextChoices):
        DITCH_CHECKS = "ditch_checks", "Ditch checks"
        PLAN = "plan", "Erosion control plan"
        MAT = "mat", "Erosion mat"
        GRADING = "grading", "Grading practices"
        INLETS = "inlets", "Inlet protection"
        OFFSITE = "offsite", "Sediment off the site"
        SEEDING = "seeding", "Permanent seeding"
        SCHEDULE = "schedule", "Schedule and phasing"
        SILT_FENCE = "silt_fence", "Silt fence"
        SILT_SCREEN = "silt_screen", "Silt screen"
        OUTLET = "outlet", "Stabilized outlet"
        DIVERSION = "diversion", "Temporary diversion channel"
        BASIN = "basin", "Temporary settling basin"
        TEMPORARY_SEEDING = "temporary_seeding", "Temporary seeding"
        TRACKING = "tracking", "Tracking pads"
        TURBIDITY = "turbidity", "Turbidity barrier"
        OTHER = "other", "Other"

    class Needs(models.TextChoices):
        YES = "yes", "Yes"
        NO = "no", "No"
        NOT_APPLICABLE = "na", "Not applicable"

    entry = models.ForeignKey(LogEntry, on_delete=models.PROTECT, related_name="lines")
    practice = models.CharField(max_length=20, choices=Practice.choices)
    needs_modification = models.CharField(max_length=3, choices=Needs.choices)
    follow_up = models.TextField(blank=True)

    class Meta:
        ordering = ["entry", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["entry", "practice"], name="practice_once_per_entry"),
            models.CheckConstraint(
                condition=~Q(needs_modification="yes") | ~Q(follow_up=""),
                name="modification_has_its_follow_up",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_practice_display()}: {self.get_needs_modification_display()}"
