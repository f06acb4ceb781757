"""The escrow: instruments posted for a permit, and the insert-only ledger. Former § 17.19(4)(c)"""

from __future__ import annotations

from decimal import Decimal

from django.conf import settings
from django.db import models
from django.db.models import Q, Sum

from permits.models import Permit
from portal import clock
from portal.models import Upload, current_operation

CENT = Decimal("0.01")


class Instrument(models.Model):
    """One guarantee as it was handed in: cash, bond or letter of credit; never changed."""

    class Form(models.TextChoices):
        CASH = "cash", "Cash"
        BOND = "bond", "Bond"
        LETTER_OF_CREDIT = "letter_of_credit", "Letter of credit"

    permit = models.ForeignKey(Permit, on_delete=models.PROTECT, related_name="instruments")
    form = models.CharField(max_length=16, choices=Form.choices)
    amount = models.DecimalField(max_digits=12, decimal_places=2)
    received_on = models.DateField()
    receipt_number = models.CharField(max_length=60, blank=True)
    remitter = models.CharField(max_length=200, blank=True)
    issuer = models.CharField(max_length=200, blank=True)
    instrument_number = models.CharField(max_length=100, blank=True)
    expires_on = models.DateField(null=True, blank=True)
    renews_itself = models.BooleanField(default=False)
    original_kept_at = models.CharField(max_length=200, blank=True)
    scan = models.ForeignKey(
        Upload, null=True, blank=True, on_delete=models.PROTECT, related_name="instruments"
    )
    posted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    posted_at = models.DateTimeField(default=clock.now)
    operation = models.UUIDField(null=True, default=current_operation, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="instrument_amount_is_positive"),
            models.CheckConstraint(
                condition=Q(form="cash") & ~Q(receipt_number="")
                | Q(form__in=["bond", "letter_of_credit"])
                & ~Q(issuer="")
                & ~Q(instrument_number=""),
                name="instrument_has_its_proof",
            ),
            models.CheckConstraint(
                condition=Q(expires_on__isnull=True) | Q(expires_on__gte=models.F("received_on")),
                name="instrument_expires_after_it_was_received",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_form_display()} of ${self.amount:,.2f}"


class EscrowEntryQuerySet(models.QuerySet["EscrowEntry"]):
    def balance(self) -> Decimal:
        """Return the sum of the entries in dollars."""
        total: Decimal | None = self.aggregate(total=Sum("amount"))["total"]
        return (total or Decimal(0)).quantize(CENT)  # SQLite drops the zeros


class EscrowEntry(models.Model):
    """One movement of escrow money; insert-only, a correction is a reversing row."""

    class Kind(models.TextChoices):
        POSTED = "posted", "Posted"
        REVERSED = "reversed", "Reversed"

    permit = models.ForeignKey(Permit, on_delete=models.PROTECT, related_name="escrow_entries")
    instrument = models.ForeignKey(Instrument, on_delete=models.PROTECT, related_name="entries")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    amount = models.DecimalField(max_digits=12, decimal_places=2)
    on = models.DateField()
    reason = models.TextField(blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=clock.now)
    operation = models.UUIDField(null=True, default=current_operation, editable=False)

    objects = EscrowEntryQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "escrow entries"
        indexes = [models.Index(fields=["-on", "-id"])]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="posted", amount__gt=0) | Q(kind="reversed", amount__lt=0),
                name="escrow_entry_sign_fits_its_kind",
            ),
            models.UniqueConstraint(
                fields=["instrument", "kind"], name="instrument_posted_and_reversed_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.amount}"
