"""A report by anybody: mud on the road, dust, a failed fence."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from permits.models import Site
from portal import clock
from portal.models import Upload


class Complaint(models.Model):
    """What somebody reported; read by staff only, answered by the inspector."""

    class What(models.TextChoices):
        MUD = "mud", "Mud on the road"
        RUNOFF = "runoff", "Muddy water leaving a site"
        FENCE = "fence", "A silt fence or other control that failed"
        DUST = "dust", "Dust"
        NO_PERMIT = "no_permit", "Digging that may have no permit"
        OTHER = "other", "Something else"

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    number = models.CharField(max_length=20, unique=True)
    what = models.CharField(max_length=10, choices=What.choices)
    place = models.CharField(max_length=300)
    latitude = models.DecimalField(max_digits=9, decimal_places=6, null=True, blank=True)
    longitude = models.DecimalField(max_digits=9, decimal_places=6, null=True, blank=True)
    text = models.TextField(blank=True)
    name = models.CharField(max_length=200, blank=True)
    contact = models.CharField(max_length=200, blank=True)
    received_on = models.DateField()
    received_at = models.DateTimeField(default=clock.now)
    photos = models.ManyToManyField(Upload, related_name="complaints", blank=True)
    site = models.ForeignKey(
        Site, null=True, blank=True, on_delete=models.PROTECT, related_name="complaints"
    )
    answer = models.TextField(blank=True)
    answered_on = models.DateField(null=True, blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["-id"], condition=Q(answered_on__isnull=True), name="open_reports")
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.get_what_display()}, {self.place}"
