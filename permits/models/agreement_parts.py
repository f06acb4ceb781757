"""What an agreement is about: its practices, their upkeep, and its entries at the register."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q

from portal import clock
from portal.models import Upload, User, current_operation

from .agreement import MaintenanceAgreement
from .plan import DEVICE_CHOICES

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager


def interval(months: int) -> str:
    """Return a number of months in words: 6 months, 1 year, 5 years."""
    count, word = (months // 12, "year") if months % 12 == 0 else (months, "month")
    return f"{count} {word}{'' if count == 1 else 's'}"


class AgreementPractice(models.Model):
    """A practice that stays, and the area that drains to it. Former § 17.19(4)(f)(1)"""

    agreement = models.ForeignKey(
        MaintenanceAgreement, on_delete=models.PROTECT, related_name="practices"
    )
    number = models.PositiveSmallIntegerField()
    device = models.CharField(max_length=40, choices=DEVICE_CHOICES, blank=True)
    name = models.CharField(max_length=200)
    standard = models.CharField(max_length=20, blank=True)
    place = models.CharField(max_length=200, blank=True)
    drainage_area = models.TextField()
    drainage_acres = models.DecimalField(max_digits=9, decimal_places=2, null=True, blank=True)

    if TYPE_CHECKING:
        tasks: RelatedManager[AgreementTask]

    class Meta:
        ordering = ["agreement", "number"]
        constraints = [
            models.UniqueConstraint(fields=["agreement", "number"], name="practice_numbered_once"),
            models.CheckConstraint(condition=~Q(name=""), name="practice_has_a_name"),
        ]

    def __str__(self) -> str:
        return f"{self.name}, {self.place}" if self.place else self.name


class AgreementTask(models.Model):
    """What is done at a practice, how often and by whom. Former § 17.19(4)(f)(2)"""

    practice = models.ForeignKey(AgreementPractice, on_delete=models.PROTECT, related_name="tasks")
    number = models.PositiveSmallIntegerField()
    what = models.CharField(max_length=300)
    every_months = models.PositiveSmallIntegerField()
    by_whom = models.CharField(max_length=200)
    # The first day by which it is due; empty: so many months after the recording.
    first_due_on = models.DateField(null=True, blank=True)

    class Meta:
        ordering = ["practice", "number"]
        constraints = [
            models.UniqueConstraint(fields=["practice", "number"], name="task_numbered_once"),
            models.CheckConstraint(
                condition=Q(every_months__gte=1, every_months__lte=600),
                name="task_recurs_within_fifty_years",
            ),
            models.CheckConstraint(condition=~Q(what=""), name="task_says_what"),
        ]

    def __str__(self) -> str:
        return self.what

    @property
    def interval(self) -> str:
        """Two years, six months: what lies between one time and the next."""
        return interval(self.every_months)

    @property
    def how_often(self) -> str:
        """Every year, every 6 months."""
        words = self.interval
        return f"every {words.removeprefix('1 ')}"


class AgreementRecording(models.Model):
    """What the register of deeds says about the recorded instrument; never changed.

    A correction of a wrong entry is another row with its reason; the last one stands, and
    the agreement states the same.
    """

    agreement = models.ForeignKey(
        MaintenanceAgreement, on_delete=models.PROTECT, related_name="recordings"
    )
    recorded_on = models.DateField()
    document_number = models.CharField(max_length=40)
    county = models.CharField(max_length=80)
    scan = models.ForeignKey(
        Upload, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    reason = models.TextField(blank=True)  # of a correction
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    on = models.DateField()  # the day of the entry
    at = models.DateTimeField(default=clock.now)
    operation = models.UUIDField(null=True, default=current_operation, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(document_number="") & ~Q(county=""),
                name="recording_has_number_and_county",
            )
        ]

    def __str__(self) -> str:
        return f"Document {self.document_number}, {self.county}"

    def stated(self) -> tuple[date, str, str]:
        """The facts that the agreement states as well."""
        return (self.recorded_on, self.document_number, self.county)
