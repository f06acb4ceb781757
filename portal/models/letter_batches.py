"""Batches of letters that the worker makes into one PDF for the printer."""

from __future__ import annotations

import uuid
from datetime import date

from django.conf import settings
from django.db import models
from django.urls import reverse

from portal import clock

from .files import Document
from .mailings import Mailing

__all__ = ["LetterBatch", "LetterBatchLine"]


class LetterBatch(models.Model):
    """Letters that were asked for as one PDF. It says nothing of mailing.

    The columns of the try (`task`, `tries`, `trouble`) are the worker's own, like those of the
    outbox; what was asked for never changes, and the PDF is kept once.
    """

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(default=clock.now)
    asked_on = models.DateField(default=clock.today)
    two_sided = models.BooleanField(default=False)
    document = models.OneToOneField(
        Document, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    task = models.UUIDField(null=True, blank=True)  # of the newest try
    tries = models.PositiveIntegerField(default=0)
    trouble = models.TextField(blank=True)  # why the newest try failed, in words

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(
                fields=["-id"],
                condition=models.Q(document__isnull=True),
                name="letter_batch_unmade",
            )
        ]

    def __str__(self) -> str:
        return f"Letters of {self.day:%B} {self.day.day}, {self.day.year}"

    def get_absolute_url(self) -> str:
        return reverse("mail_batch", args=[self.key])

    @property
    def day(self) -> date:
        """The day that stands on the list and on each cover letter."""
        return self.asked_on


class LetterBatchLine(models.Model):
    """One letter of a batch, and how far the worker came with it."""

    batch = models.ForeignKey(LetterBatch, on_delete=models.PROTECT, related_name="lines")
    position = models.PositiveIntegerField()
    mailing = models.ForeignKey(Mailing, on_delete=models.PROTECT, related_name="+")
    ready_at = models.DateTimeField(null=True, blank=True)
    trouble = models.TextField(blank=True)  # why it is left out of the PDF
    by_hand = models.BooleanField(default=False)

    class Meta:
        ordering = ["batch", "position"]
        constraints = [
            models.UniqueConstraint(fields=["batch", "position"], name="letter_batch_place_once"),
            models.UniqueConstraint(fields=["batch", "mailing"], name="letter_batch_letter_once"),
        ]

    def __str__(self) -> str:
        return f"{self.batch} {self.position}: {self.mailing}"
