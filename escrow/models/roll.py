"""The tax roll: what is certified, exactly once, and what the roll did with it.

Wis. Stat. § 66.0627(4), former § 17.19(7)(e) and (4)(e). A batch holds one instrument only:
special charges or assessments, never both.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from permits.models import Parcel, Site
from portal import clock
from portal.models import Document, current_operation

from .base import MoneyQuerySet, MoneyRow, dollars
from .bill import Bill, BillEntry, Path
from .layout import RollLayout

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager


class BatchStatus(models.TextChoices):
    PROPOSED = "proposed", "Waiting for the second person"
    CERTIFIED = "certified", "Certified"
    WITHDRAWN = "withdrawn", "Withdrawn before it was certified"


class RollBatch(models.Model):
    """One list for the roll of a year: proposed, then certified by a second person.

    The totals and the hash of the lines are written when it is proposed and are what the
    second person certifies. A certified batch never changes (a guard in the database).
    """

    Status = BatchStatus
    NEXT: ClassVar[dict[BatchStatus, frozenset[BatchStatus]]] = {
        Status.PROPOSED: frozenset({Status.CERTIFIED, Status.WITHDRAWN}),
        Status.CERTIFIED: frozenset(),
        Status.WITHDRAWN: frozenset(),
    }

    class Purpose(models.TextChoices):
        CHARGES = "charges", "Charges"
        CORRECTION = "correction", "Correction of certified charges"

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    year = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    instrument = models.CharField(max_length=20, choices=Path.choices)
    purpose = models.CharField(max_length=10, choices=Purpose.choices, default=Purpose.CHARGES)
    cut_off_on = models.DateField()
    layout = models.ForeignKey(RollLayout, on_delete=models.PROTECT, related_name="batches")
    count = models.PositiveIntegerField()
    total = dollars()
    highest = dollars()
    lowest = dollars()
    sha256 = models.CharField(max_length=64)  # of the lines, in their order
    status = models.CharField(
        max_length=10, choices=BatchStatus.choices, default=BatchStatus.PROPOSED
    )
    proposed_on = models.DateField()
    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    proposed_at = models.DateTimeField(default=clock.now)
    decided_on = models.DateField(null=True, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_why = models.TextField(blank=True)
    certification = models.OneToOneField(
        Document, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    operation = models.UUIDField(null=True, default=current_operation, editable=False)

    if TYPE_CHECKING:
        lines: RelatedManager[RollLine]
        files: RelatedManager[RollFile]

    class Meta:
        ordering = ["-year", "-number"]
        verbose_name_plural = "roll batches"
        constraints = [
            models.UniqueConstraint(fields=["year", "number"], name="one_batch_per_number"),
            # Whoever exports while another export runs is refused by this.
            models.UniqueConstraint(
                fields=["instrument"],
                condition=Q(status="proposed"),
                name="one_proposed_batch_per_instrument",
            ),
            models.CheckConstraint(condition=Q(count__gt=0), name="batch_has_lines"),
            models.CheckConstraint(
                condition=Q(purpose="charges", total__gt=0, lowest__gt=0)
                | Q(purpose="correction", total__lt=0, highest__lt=0),
                name="batch_totals_fit_its_purpose",
            ),
            models.CheckConstraint(
                condition=Q(status="proposed", decided_by__isnull=True, decided_on__isnull=True)
                | Q(
                    status__in=["certified", "withdrawn"],
                    decided_by__isnull=False,
                    decided_on__gte=F("proposed_on"),
                ),
                name="decided_batch_has_day_and_person",
            ),
            models.CheckConstraint(
                condition=~Q(status="certified")
                | ~Q(decided_by=F("proposed_by")) & Q(certification__isnull=False),
                name="batch_certified_by_a_second_person",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.year}-{self.number}"

    def get_absolute_url(self) -> str:
        return reverse("roll_batch", args=[self.key])


class RollLine(models.Model):
    """One line of a batch as it was previewed and signed: a bill on a parcel. Never changed."""

    batch = models.ForeignKey(RollBatch, on_delete=models.PROTECT, related_name="lines")
    position = models.PositiveIntegerField()
    bill = models.ForeignKey(Bill, on_delete=models.PROTECT, related_name="roll_lines")
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="roll_lines")
    parcel = models.ForeignKey(Parcel, on_delete=models.PROTECT, related_name="roll_lines")
    parcel_number = models.CharField(max_length=60)
    owner_name = models.CharField(max_length=400, blank=True)
    owner_address = models.TextField(blank=True)
    site_address = models.CharField(max_length=300, blank=True)
    resolution = models.CharField(max_length=60, blank=True)
    delinquent_on = models.DateField()
    amount = dollars()
    # A correction: the certified charge it lowers, and the entry that took it off.
    corrects = models.ForeignKey(
        "escrow.RollCharge",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="corrections",
    )
    off_roll = models.ForeignKey(
        BillEntry, null=True, blank=True, on_delete=models.PROTECT, related_name="roll_lines"
    )

    class Meta:
        ordering = ["batch", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["batch", "position"], name="one_roll_line_per_position"
            ),
            models.UniqueConstraint(
                fields=["batch", "bill", "parcel"],
                condition=Q(corrects__isnull=True),
                name="bill_and_parcel_once_in_a_batch",
            ),
            models.UniqueConstraint(
                fields=["batch", "off_roll", "corrects"],
                condition=Q(corrects__isnull=False),
                name="correction_once_in_a_batch",
            ),
            models.CheckConstraint(
                condition=Q(amount__gt=0, corrects__isnull=True, off_roll__isnull=True)
                | Q(amount__lt=0, corrects__isnull=False, off_roll__isnull=False),
                name="roll_line_is_positive_unless_it_corrects",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.batch} {self.position}: {self.parcel_number} {self.amount}"


class RollCharge(models.Model):
    """A line that was certified: exported exactly once, under a number of its own `SC-`.

    Each certified line makes one; the entry of the bill that it belongs to has one for each
    parcel, and a correction one for each charge it lowers.
    """

    number = models.CharField(max_length=20, unique=True)
    line = models.OneToOneField(RollLine, on_delete=models.PROTECT, related_name="charge")
    batch = models.ForeignKey(RollBatch, on_delete=models.PROTECT, related_name="charges")
    bill = models.ForeignKey(Bill, on_delete=models.PROTECT, related_name="charges")
    entry = models.ForeignKey(BillEntry, on_delete=models.PROTECT, related_name="charges")
    parcel = models.ForeignKey(Parcel, on_delete=models.PROTECT, related_name="charges")
    amount = dollars()

    if TYPE_CHECKING:
        outcomes: RelatedManager[RollOutcome]

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["entry", "parcel"], name="charge_exported_exactly_once"
            ),
            models.CheckConstraint(condition=~Q(amount=0), name="charge_is_not_nothing"),
        ]

    def __str__(self) -> str:
        return self.number


class RollFile(models.Model):
    """A certified batch in one layout: frozen, hashed, given out again byte for byte."""

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    batch = models.ForeignKey(RollBatch, on_delete=models.PROTECT, related_name="files")
    layout = models.ForeignKey(RollLayout, on_delete=models.PROTECT, related_name="files")
    name = models.CharField(max_length=120)
    document = models.OneToOneField(Document, on_delete=models.PROTECT, related_name="+")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    made_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["batch", "layout"], name="one_file_per_layout")
        ]

    def __str__(self) -> str:
        return self.name


class RollOutcome(MoneyRow):
    """What the roll did with a charge; insert-only, a correction is a reversing row."""

    class Kind(models.TextChoices):
        ACCEPTED = "accepted", "Accepted by the roll"
        REJECTED = "rejected", "Rejected by the roll"
        COLLECTED = "collected", "Collected with the tax"
        DROPPED = "dropped", "Dropped by the treasurer"
        PAID_BACK = "paid_back", "Collected all the same, and paid back"
        REOPENED = "reopened", "Recorded in error: open again"

    SETTLED = (Kind.DROPPED, Kind.PAID_BACK)
    """What became of a part that no certified batch told the roll; the newest row counts."""

    charge = models.ForeignKey(RollCharge, on_delete=models.PROTECT, related_name="outcomes")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    amount = dollars(default=0)
    reason = models.TextField(blank=True)
    reference = models.CharField(max_length=60, blank=True)  # of the settlement
    # A rejected charge is owed again: the entry that took it off the roll.
    off_roll = models.OneToOneField(
        BillEntry, null=True, blank=True, on_delete=models.PROTECT, related_name="rejection"
    )
    # What was taken off after the certification, and told the treasurer by a letter.
    entry = models.ForeignKey(
        BillEntry, null=True, blank=True, on_delete=models.PROTECT, related_name="settled"
    )
    reverses = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="reversed_by"
    )

    objects = MoneyQuerySet["RollOutcome"].as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="accepted", amount=0)
                | Q(kind="rejected", amount=0, off_roll__isnull=False) & ~Q(reason="")
                | Q(kind="collected", amount__gt=0, reverses__isnull=True)
                | Q(kind="collected", amount__lt=0, reverses__isnull=False)
                | Q(kind__in=["dropped", "paid_back", "reopened"], amount=0, entry__isnull=False)
                & ~Q(reason=""),
                name="roll_outcome_fits_its_kind",
            ),
            models.UniqueConstraint(
                fields=["charge"],
                condition=Q(kind__in=["accepted", "rejected"]),
                name="charge_accepted_or_rejected_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.charge}: {self.get_kind_display()}"

    @property
    def can_be_taken_back(self) -> bool:
        """Whether this is an amount recorded as collected, and no row has taken it back."""
        return self.amount > 0 and getattr(self, "reversed_by", None) is None
