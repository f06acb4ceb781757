"""The facts of an application: what was answered, and the dates set by its acts."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models

from portal import clock
from portal.ordinance import Building
from portal.ordinance.permit_needed import AreaUnit, VolumeUnit

from .acting import Acting
from .site import Site

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager

    from .decision import Decision
    from .fee import FeeEntry
    from .party import Party
    from .plan import PlanRevision

AGENT = "Agent"
"""The capacity of somebody who signs for an owner, land user or contractor."""
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


class ApplicationFacts(Acting):
    """Everything that is stored of an application."""

    Status = ApplicationStatus

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
    # Asked where the first day lies before the filing: such work is a violation. § 40-886(a)
    work_begun = models.BooleanField(null=True)
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
    signed_capacity = models.CharField(max_length=400, blank=True)  # with title and company
    signed_at = models.DateTimeField(null=True, blank=True)

    # Dated facts, each set once by an act -------------------------------------------------
    form_received_on = models.DateField(null=True, blank=True)
    plan_received_on = models.DateField(null=True, blank=True)
    fee_received_on = models.DateField(null=True, blank=True)
    received_on = models.DateField(null=True, blank=True)
    withdrawn_on = models.DateField(null=True, blank=True)

    if TYPE_CHECKING:
        decisions: RelatedManager[Decision]
        fee_entries: RelatedManager[FeeEntry]
        parties: RelatedManager[Party]
        revisions: RelatedManager[PlanRevision]

    class Meta:
        abstract = True
