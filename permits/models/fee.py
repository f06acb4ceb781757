"""The application fee: insert-only rows of what came in. § 40-886(b)"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from portal import clock
from portal.models import current_operation

from .application import Application


class FeeEntry(models.Model):
    """One payment, waiver or reversal of an application fee; never changed."""

    class Means(models.TextChoices):
        CASH = "cash", "Cash at the counter"
        CHECK = "check", "Check"
        ONLINE = "online", "Paid online"
        WAIVER = "waiver", "Waived by resolution"
        REVERSAL = "reversal", "Reversal of an entry"

    application = models.ForeignKey(
        Application, on_delete=models.PROTECT, related_name="fee_entries"
    )
    means = models.CharField(max_length=10, choices=Means.choices)
    amount = models.DecimalField(max_digits=12, decimal_places=2)
    received_on = models.DateField()
    receipt_number = models.CharField(max_length=60, blank=True)
    check_number = models.CharField(max_length=60, blank=True)
    resolution = models.CharField(max_length=60, blank=True)
    reverses = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="reversed_by"
    )
    note = models.CharField(max_length=300, blank=True)
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    recorded_at = models.DateTimeField(default=clock.now)
    operation = models.UUIDField(null=True, default=current_operation, editable=False)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "fee entries"
        indexes = [models.Index(fields=["-received_on", "-id"])]
        constraints = [
            models.CheckConstraint(
                condition=Q(means__in=["cash", "check", "online"], amount__gt=0)
                & ~Q(receipt_number="")
                | Q(means="waiver", amount=0) & ~Q(resolution="")
                | Q(means="reversal", reverses__isnull=False, amount__lte=0),
                name="fee_entry_has_its_proof",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.application}: {self.get_means_display()} {self.amount}"
