"""An application for an erosion control permit. § 40-886(b)"""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from portal import clock
from portal.ordinance import Building
from portal.ordinance.permit_needed import AreaUnit, VolumeUnit

from .application_acts import ApplicationActs
from .application_clocks import ApplicationClocks
from .site import Site

BUILDING_CHOICES = [
    (Building.NONE.value, "No building"),
    (Building.DWELLING.value, "A one-family or two-family dwelling"),
    (Building.PUBLIC.value, "A public building or place of employment"),
]
AREA_UNITS = [(AreaUnit.ACRES.value, "acres"), (AreaUnit.SQUARE_FEET.value, "square feet")]
VOLUME_UNITS = [
    (VolumeUnit.CUBIC_YARDS.value, "cubic yards"),
    (VolumeUnit.CUBIC_FEET.value, "cubic feet"),
]


class ApplicationStatus(models.TextChoices):
    """Where an application stands; it moves only as `Application.NEXT` allows."""

    DRAFT = "draft", "Being written"
    SUBMITTED = "submitted", "Filed, waiting for the fee"
    UNDER_REVIEW = "under_review", "Under review"
    DENIED = "denied", "Denied, changes required"
    GRANTED = "granted", "Granted"
    WITHDRAWN = "withdrawn", "Withdrawn"


class Application(ApplicationActs, ApplicationClocks):
    """Form, plan and fee for one permit, from the first answer to the decision."""

    Status = ApplicationStatus
    NEXT: ClassVar[dict[ApplicationStatus, frozenset[ApplicationStatus]]] = {
        Status.DRAFT: frozenset({Status.SUBMITTED, Status.WITHDRAWN}),
        Status.SUBMITTED: frozenset({Status.UNDER_REVIEW, Status.WITHDRAWN}),
        Status.UNDER_REVIEW: frozenset({Status.GRANTED, Status.DENIED, Status.WITHDRAWN}),
        Status.DENIED: frozenset({Status.UNDER_REVIEW, Status.WITHDRAWN}),
        Status.GRANTED: frozenset({Status.WITHDRAWN}),
        Status.WITHDRAWN: frozenset(),
    }

    class Activity(models.TextChoices):
        GRADING = "grading", "Grading or removing ground cover"
        EXCAVATION = "excavation", "Excavation"
        FILLING = "filling", "Filling"
        BUILDING = "building", "Putting up a building"
        STREET = "street", "Street, highway, road or bridge work"
        PIPE = "pipe", "Laying or repairing underground pipe"
        DEWATERING = "dewatering", "Pumping water off the site"
        DEMOLITION = "demolition", "Demolition"
        OTHER = "other", "Something else"

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="applications")
    number = models.CharField(max_length=20, unique=True, null=True, blank=True)
    status = models.CharField(max_length=14, choices=Status.choices, default=Status.DRAFT)
    applicant = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="applications"
    )
    begun_at = models.DateTimeField(default=clock.now)
    steps_done = models.JSONField(default=list)

    # The work -----------------------------------------------------------------------------
    project_name = models.CharField(max_length=200, blank=True)
    description = models.TextField(blank=True)
    activities = models.JSONField(default=list)
    building = models.CharField(max_length=30, blank=True, choices=BUILDING_CHOICES)
    area_amount = models.DecimalField(max_digits=12, decimal_places=3, null=True, blank=True)
    area_unit = models.CharField(max_length=10, default=AreaUnit.ACRES, choices=AREA_UNITS)
    volume_amount = models.DecimalField(max_digits=12, decimal_places=3, null=True, blank=True)
    volume_unit = models.CharField(
        max_length=10, default=VolumeUnit.CUBIC_YARDS, choices=VOLUME_UNITS
    )
    pipe_ft = models.DecimalField(max_digits=10, decimal_places=1, null=True, blank=True)
    street_work = models.BooleanField(null=True)
    dewatering = models.BooleanField(null=True)
    larger_plan_acres = models.DecimalField(max_digits=10, decimal_places=3, null=True, blank=True)
    starts_on = models.DateField(null=True, blank=True)
    ends_on = models.DateField(null=True, blank=True)
    existing_land_use = models.CharField(max_length=200, blank=True)
    zoning = models.CharField(max_length=100, blank=True)
    fill_source = models.TextField(blank=True)
    haul_routes = models.TextField(blank=True)
    utilities = models.TextField(blank=True)
    other_permits = models.TextField(blank=True)
    controls_cost = models.DecimalField(max_digits=12, decimal_places=2, null=True, blank=True)

    # Acknowledgements and signature -------------------------------------------------------
    wetlands_acknowledged = models.BooleanField(default=False)
    entry_allowed = models.BooleanField(default=False)
    records_agreed = models.BooleanField(default=False)
    signed_name = models.CharField(max_length=200, blank=True)
    signed_capacity = models.CharField(max_length=200, blank=True)
    signed_at = models.DateTimeField(null=True, blank=True)

    # Dated facts, each set once by an act -------------------------------------------------
    form_received_on = models.DateField(null=True, blank=True)
    plan_received_on = models.DateField(null=True, blank=True)
    fee_received_on = models.DateField(null=True, blank=True)
    received_on = models.DateField(null=True, blank=True)
    withdrawn_on = models.DateField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["status", "-id"]),
            models.Index(fields=["applicant", "-id"]),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=["draft", "withdrawn"])
                | Q(number__isnull=False, form_received_on__isnull=False),
                name="filed_application_has_number_and_date",
            ),
            models.CheckConstraint(
                condition=~Q(status__in=["under_review", "denied", "granted"])
                | Q(received_on__isnull=False, fee_received_on__isnull=False),
                name="application_under_review_was_received",
            ),
            models.CheckConstraint(
                condition=Q(received_on__isnull=True)
                | Q(
                    received_on__gte=F("form_received_on"),
                    plan_received_on__isnull=False,
                    fee_received_on__isnull=False,
                ),
                name="received_when_form_plan_and_fee_are_in",
            ),
            models.CheckConstraint(
                condition=Q(ends_on__isnull=True)
                | Q(starts_on__isnull=True)
                | Q(ends_on__gte=F("starts_on")),
                name="work_ends_after_it_starts",
            ),
        ]

    def __str__(self) -> str:
        return self.number or "Application being written"

    def get_absolute_url(self) -> str:
        return self.site.get_absolute_url()

    def get_step_url(self, step: str) -> str:
        return reverse("application_step", args=[self.key, step])


class HandOver(models.Model):
    """An offer to hand the case to another person, who accepts it by signing in."""

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="handovers")
    email = models.EmailField(db_index=True)
    offered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    offered_at = models.DateTimeField(default=clock.now)
    accepted_at = models.DateTimeField(null=True, blank=True)
    recalled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["application"],
                condition=Q(accepted_at__isnull=True, recalled_at__isnull=True),
                name="one_open_handover_per_application",
            )
        ]

    def __str__(self) -> str:
        return f"{self.application} to {self.email}"
