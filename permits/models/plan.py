"""The erosion control plan and its revisions. § 40-939"""

from __future__ import annotations

from django.db import models, transaction
from django.db.models import F, Q

from portal.models import Upload
from portal.ordinance.devices import DEVICES

from .application import Application
from .plan_clocks import PlanClocks

DEVICE_CHOICES = [(device.key, device.name) for device in DEVICES]


class PlanRevision(PlanClocks):
    """One submission of the plan: revision 1, 2, 3; never changed once it is filed."""

    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="revisions")
    number = models.PositiveSmallIntegerField()
    filed_on = models.DateField(null=True, blank=True)
    drawing_scale = models.CharField(max_length=60, blank=True)
    factors_on_site = models.TextField(blank=True)
    factors_adjacent = models.TextField(blank=True)
    summary_of_changes = models.TextField(blank=True)
    soil_loss_rate = models.DecimalField(max_digits=7, decimal_places=2, null=True, blank=True)
    soil_loss_from = models.DateField(null=True, blank=True)
    soil_loss_until = models.DateField(null=True, blank=True)

    class Meta:
        ordering = ["application", "number"]
        constraints = [
            models.UniqueConstraint(fields=["application", "number"], name="one_plan_per_revision"),
            models.UniqueConstraint(
                fields=["application"],
                condition=Q(filed_on__isnull=True),
                name="one_unfiled_revision_per_application",
            ),
            models.CheckConstraint(
                condition=Q(soil_loss_until__isnull=True)
                | Q(soil_loss_from__isnull=True)
                | Q(soil_loss_until__gte=F("soil_loss_from")),
                name="soil_loss_period_ends_after_it_begins",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.application}, plan revision {self.number}"

    def get_absolute_url(self) -> str:
        return self.application.get_absolute_url()

    @transaction.atomic
    def copy_for_revision(self) -> PlanRevision:
        """Begin the next revision with everything this one has."""
        new = PlanRevision.objects.create(
            application=self.application,
            number=self.number + 1,
            drawing_scale=self.drawing_scale,
            factors_on_site=self.factors_on_site,
            factors_adjacent=self.factors_adjacent,
            soil_loss_rate=self.soil_loss_rate,
            soil_loss_from=self.soil_loss_from,
            soil_loss_until=self.soil_loss_until,
        )
        lines: list[PlanSheet | PlannedDevice | PlannedActivity] = [
            *self.sheets.all(),
            *self.devices.all(),
            *self.activities.all(),
        ]
        for line in lines:
            line.pk, line.revision = None, new
            line.save(force_insert=True)
        return new


class PlanSheet(models.Model):
    """A file of the plan: a drawing, the narrative, the soil-loss spreadsheet."""

    class Purpose(models.TextChoices):
        DRAWING = "drawing", "Drawing to scale"
        NARRATIVE = "narrative", "Written description"
        SOIL_LOSS = "soil_loss", "Soil-loss spreadsheet"
        AUTHORITY = "authority", "Written authorization of an agent"
        OTHER = "other", "Something else"

    revision = models.ForeignKey(PlanRevision, on_delete=models.PROTECT, related_name="sheets")
    upload = models.ForeignKey(Upload, on_delete=models.PROTECT, related_name="sheets")
    purpose = models.CharField(max_length=10, choices=Purpose.choices, default=Purpose.DRAWING)
    title = models.CharField(max_length=120, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["revision", "upload"], name="file_once_per_revision")
        ]

    def __str__(self) -> str:
        return self.title or self.upload.original_name


class PlannedDevice(models.Model):
    """A control device of the plan: what, where, how many. Former § 17.19(4)(b)"""

    revision = models.ForeignKey(PlanRevision, on_delete=models.PROTECT, related_name="devices")
    device = models.CharField(max_length=40, choices=DEVICE_CHOICES)
    place = models.CharField(max_length=200)
    quantity = models.CharField(max_length=60, blank=True)
    standard = models.CharField(max_length=20, blank=True)
    permanent = models.BooleanField(default=False)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.get_device_display()}, {self.place}"


class PlannedActivity(models.Model):
    """A line of the timetable: activity, dates, area, temporary and permanent procedures."""

    revision = models.ForeignKey(PlanRevision, on_delete=models.PROTECT, related_name="activities")
    activity = models.CharField(max_length=200)
    starts_on = models.DateField()
    ends_on = models.DateField()
    area_sq_ft = models.DecimalField(max_digits=12, decimal_places=1, null=True, blank=True)
    temporary = models.TextField("temporary procedures")
    permanent = models.TextField("permanent procedures")

    class Meta:
        ordering = ["starts_on", "pk"]
        verbose_name_plural = "planned activities"
        constraints = [
            models.CheckConstraint(
                condition=Q(ends_on__gte=F("starts_on")), name="activity_ends_after_it_starts"
            )
        ]

    def __str__(self) -> str:
        return self.activity
