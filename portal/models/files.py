"""Files that people sent and papers that the portal made; both are kept for good."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models

from portal import clock


class Upload(models.Model):
    """A file as somebody sent it, byte for byte, under a name of our own."""

    class Family(models.TextChoices):
        PDF = "pdf", "PDF"
        IMAGE = "image", "Photo or picture"
        DRAWING = "drawing", "CAD drawing"
        SHEET = "sheet", "Spreadsheet"

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    original_name = models.CharField(max_length=255)
    family = models.CharField(max_length=10, choices=Family.choices)
    content_type = models.CharField(max_length=100)
    size = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64, db_index=True)
    file = models.FileField(max_length=200)
    pages = models.PositiveIntegerField(null=True, blank=True)
    # Where the camera stood: for staff, never public.
    latitude = models.DecimalField(max_digits=9, decimal_places=6, null=True, blank=True)
    longitude = models.DecimalField(max_digits=9, decimal_places=6, null=True, blank=True)
    taken_at = models.CharField(max_length=40, blank=True)
    uploaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    uploaded_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.original_name


class Preview(models.Model):
    """A JPEG to look at, made from one page of an upload; without its position."""

    upload = models.ForeignKey(Upload, on_delete=models.PROTECT, related_name="previews")
    page = models.PositiveIntegerField(default=1)
    file = models.FileField(max_length=200)
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()

    class Meta:
        ordering = ["upload", "page"]
        constraints = [
            models.UniqueConstraint(fields=["upload", "page"], name="one_preview_per_page")
        ]

    def __str__(self) -> str:
        return f"{self.upload}, page {self.page}"


class Document(models.Model):
    """A paper that the portal made: rendered once, stored with its hash, never again."""

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=40)
    title = models.CharField(max_length=200)
    file = models.FileField(max_length=200)
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField()
    pages = models.PositiveIntegerField()
    rendered_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.title
