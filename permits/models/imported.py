"""What was taken over from spreadsheets of earlier permits: batches, rows as they were."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse

from portal import clock
from portal.models import Upload

from .site import Site


class ImportSource(models.Model):
    """A register that the city kept elsewhere, and how its columns and words are read.

    Its name is what makes a row the same row: the same number of the same source comes in once.
    """

    name = models.CharField(max_length=120, unique=True)
    columns = models.JSONField(default=dict)
    words = models.JSONField(default=dict)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="import_source_has_a_name")
        ]

    def __str__(self) -> str:
        return self.name


class ImportBatch(models.Model):
    """One spreadsheet on its way in: read, looked at, taken over whole or not at all."""

    class Status(models.TextChoices):
        OPEN = "open", "Columns to be named"
        READING = "reading", "Being read"
        READ = "read", "Read, not imported"
        IMPORTING = "importing", "Being imported"
        IMPORTED = "imported", "Imported"
        DROPPED = "dropped", "Not imported"

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    source = models.ForeignKey(ImportSource, on_delete=models.PROTECT, related_name="batches")
    upload = models.ForeignKey(Upload, on_delete=models.PROTECT, related_name="+")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    columns = models.JSONField(default=dict)
    words = models.JSONField(default=dict)
    # What the table is, and what became or would become of each row (imports.reading.Report).
    headings = models.JSONField(default=list)
    where = models.CharField(max_length=200, blank=True)
    trouble = models.CharField(max_length=300, blank=True)
    report = models.JSONField(default=dict)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    made_at = models.DateTimeField(default=clock.now)
    imported_on = models.DateField(null=True, blank=True)
    taken = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "import batches"
        constraints = [
            models.CheckConstraint(
                condition=~Q(status="imported") | Q(imported_on__isnull=False),
                name="imported_batch_has_its_day",
            )
        ]

    def __str__(self) -> str:
        return f"{self.upload.original_name} ({self.source})"

    def get_absolute_url(self) -> str:
        return reverse("import", args=[self.key])


class ImportedRow(models.Model):
    """One row of a spreadsheet, word for word as it stood there; never changed."""

    batch = models.ForeignKey(ImportBatch, on_delete=models.PROTECT, related_name="rows")
    source = models.ForeignKey(ImportSource, on_delete=models.PROTECT, related_name="rows")
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="imported_rows")
    number = models.PositiveIntegerField("row of the table")
    key = models.CharField(max_length=60)
    content = models.JSONField()
    sha256 = models.CharField(max_length=64)

    class Meta:
        ordering = ["batch", "number"]
        constraints = [
            models.UniqueConstraint(fields=["source", "key"], name="a_row_comes_in_once"),
            models.UniqueConstraint(fields=["batch", "number"], name="row_of_a_batch_once"),
        ]

    def __str__(self) -> str:
        return f"Row {self.number} of {self.batch}"
