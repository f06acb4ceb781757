"""What is known of a parcel beside its number, and how a bill is divided over several."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from permits.models import Parcel
from portal.models import Upload

from .base import MoneyRow
from .bill import Bill


class ParcelNote(MoneyRow):
    """A fact about a parcel, as the clerk learned it; the newest row of a kind counts."""

    class Kind(models.TextChoices):
        CONFIRMED = "confirmed", "Checked with the county: number and owner are right"
        OWNER = "owner", "Owner"
        SPLIT = "split", "Split into other parcels"
        RETIRED = "retired", "Retired by the county"

    parcel = models.ForeignKey(Parcel, on_delete=models.PROTECT, related_name="notes")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    owner_name = models.CharField(max_length=400, blank=True)
    owner_address = models.TextField(blank=True)
    note = models.TextField(blank=True)
    scan = models.ForeignKey(
        Upload, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ["on", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(kind="owner") | ~Q(owner_name=""), name="owner_note_names_the_owner"
            )
        ]

    def __str__(self) -> str:
        return f"{self.parcel}: {self.get_kind_display()}"


class Division(MoneyRow):
    """How one bill is divided over the parcels of its site; the newest row counts."""

    class Basis(models.TextChoices):
        AREA = "area", "By area"
        SHARE = "share", "By share"
        EQUAL = "equal", "Equally"

    bill = models.ForeignKey(Bill, on_delete=models.PROTECT, related_name="divisions")
    basis = models.CharField(max_length=10, choices=Basis.choices)
    why = models.TextField()

    class Meta:
        ordering = ["pk"]
        constraints = [models.CheckConstraint(condition=~Q(why=""), name="division_says_why")]

    def __str__(self) -> str:
        return f"{self.bill}: {self.get_basis_display().lower()}"


class DivisionShare(models.Model):
    """The weight of one parcel in a division: square feet, shares, or one."""

    division = models.ForeignKey(Division, on_delete=models.PROTECT, related_name="shares")
    parcel = models.ForeignKey(Parcel, on_delete=models.PROTECT, related_name="shares")
    weight = models.DecimalField(max_digits=14, decimal_places=3)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(weight__gte=0), name="share_is_not_negative"),
            models.UniqueConstraint(fields=["division", "parcel"], name="one_share_per_parcel"),
        ]

    def __str__(self) -> str:
        return f"{self.parcel}: {self.weight}"
