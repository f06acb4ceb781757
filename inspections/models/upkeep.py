"""Upkeep under a recorded maintenance agreement: what its party reports, what the city sees.

Former § 17.19(4)(f)(2), (4) and (5)
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from permits.models import (
    Acting,
    AgreementPractice,
    AgreementTask,
    Application,
    CasePaper,
    MaintenanceAgreement,
    Site,
)
from portal import clock
from portal.models import Upload, current_operation

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager


class UpkeepInspectionStatus(models.TextChoices):
    OPEN = "open", "Being written"
    FINISHED = "finished", "Finished"


class UpkeepInspection(Acting):
    """The city's look at every practice of an agreement. Former § 17.19(4)(f)(5)"""

    Status = UpkeepInspectionStatus
    NEXT: ClassVar[dict[UpkeepInspectionStatus, frozenset[UpkeepInspectionStatus]]] = {
        Status.OPEN: frozenset({Status.FINISHED}),
        Status.FINISHED: frozenset(),
    }

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    number = models.CharField(max_length=20, unique=True, null=True, blank=True)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="upkeep_inspections")
    agreement = models.ForeignKey(
        MaintenanceAgreement, on_delete=models.PROTECT, related_name="inspections"
    )
    inspected_on = models.DateField()
    inspector = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    begun_at = models.DateTimeField(default=clock.now)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    note = models.TextField(blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    report = models.OneToOneField(
        CasePaper, null=True, blank=True, on_delete=models.PROTECT, related_name="upkeep_inspection"
    )

    if TYPE_CHECKING:
        looks: RelatedManager[PracticeLook]

    class Meta:
        ordering = ["-inspected_on", "-pk"]
        indexes = [models.Index(fields=["agreement", "status", "inspected_on"])]
        constraints = [
            models.UniqueConstraint(
                fields=["agreement"],
                condition=Q(status="open"),
                name="one_open_inspection_of_an_agreement",
            ),
            models.CheckConstraint(
                condition=Q(status="open", number__isnull=True, finished_at__isnull=True)
                | Q(status="finished", number__isnull=False, finished_at__isnull=False),
                name="finished_inspection_of_practices_has_its_number",
            ),
        ]

    def __str__(self) -> str:
        return self.number or f"Inspection of {self.agreement}, being written"

    def get_absolute_url(self) -> str:
        return reverse("upkeep_inspection", args=[self.key])

    @property
    def application(self) -> Application | None:
        """The application in whose case it lies; None where nobody applied."""
        permit = self.agreement.permit
        if permit is not None:
            return permit.application
        return self.site.applications.filter(number__isnull=False).order_by("-pk").first()

    def newest_looks(self) -> dict[int, PracticeLook]:
        """Return what was written last of each practice, by the practice's key."""
        looks = self.looks.select_related("practice", "by").prefetch_related("photos__previews")
        return {look.practice_id: look for look in looks.order_by("pk")}

    def problems(self) -> list[PracticeLook]:
        """Return the practices with a problem, in the order of the agreement."""
        found = [look for look in self.newest_looks().values() if look.is_problem]
        return sorted(found, key=lambda look: look.practice.number)


class PracticeLook(models.Model):
    """How a practice was at an inspection; never changed, the last one written counts."""

    class Result(models.TextChoices):
        FINE = "fine", "In order"
        PROBLEM = "problem", "A problem"

    inspection = models.ForeignKey(UpkeepInspection, on_delete=models.PROTECT, related_name="looks")
    practice = models.ForeignKey(AgreementPractice, on_delete=models.PROTECT, related_name="looks")
    result = models.CharField(max_length=10, choices=Result.choices)
    words = models.TextField(blank=True)
    # What would correct it, as the inspector saw it on the spot; the notice begins with it.
    correction = models.TextField(blank=True)
    photos = models.ManyToManyField(Upload, related_name="practice_looks", blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=clock.now)
    operation = models.UUIDField(null=True, default=current_operation, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(result="fine") | ~Q(words=""), name="problem_of_a_practice_says_what"
            )
        ]

    def __str__(self) -> str:
        return f"{self.practice}: {self.get_result_display().lower()}"

    @property
    def is_problem(self) -> bool:
        """Whether something must be corrected."""
        return self.result == self.Result.PROBLEM


class UpkeepReport(models.Model):
    """That a task of the schedule was done, as the party says; never changed. (4)(f)(4)"""

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="upkeep_reports")
    task = models.ForeignKey(AgreementTask, on_delete=models.PROTECT, related_name="reports")
    done_on = models.DateField()
    what = models.TextField()
    done_by = models.CharField(max_length=200, blank=True)
    files = models.ManyToManyField(Upload, related_name="upkeep_reports", blank=True)
    on = models.DateField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=clock.now)
    operation = models.UUIDField(null=True, default=current_operation, editable=False)

    class Meta:
        ordering = ["-done_on", "-pk"]
        indexes = [models.Index(fields=["task", "done_on"])]
        constraints = [
            models.CheckConstraint(condition=~Q(what=""), name="upkeep_report_says_what"),
            models.CheckConstraint(
                condition=Q(done_on__lte=F("on")), name="upkeep_was_done_before_its_report"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.task}: done on {self.done_on}"
