"""A finding: what is wrong, by when it must be corrected, and how it was."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from permits.models import Acting, Application, Permit, Site
from portal import city, city_calendar, clock
from portal.models import Upload
from portal.ordinance import Calendar, Deadline
from portal.ordinance.inspection import correction_deadline

from .visit import ChecklistLine, Visit

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager


class FindingStatus(models.TextChoices):
    OPEN = "open", "Open"
    ANSWERED = "answered", "Answered, to be confirmed"
    CORRECTED = "corrected", "Corrected"
    DROPPED = "dropped", "Dropped, recorded in error"


class Finding(Acting):
    """Something that must be corrected; it follows the site until it is. Former § 17.19(6)"""

    Status = FindingStatus
    NEXT: ClassVar[dict[FindingStatus, frozenset[FindingStatus]]] = {
        Status.OPEN: frozenset({Status.ANSWERED, Status.CORRECTED, Status.DROPPED}),
        Status.ANSWERED: frozenset({Status.OPEN, Status.CORRECTED, Status.DROPPED}),
        Status.CORRECTED: frozenset(),
        Status.DROPPED: frozenset(),
    }

    APPLICATION_PATH: ClassVar[str] = "permit__application_id"

    class Who(models.TextChoices):
        PERMITTEE = "permittee", "The permittee"
        LANDOWNER = "landowner", "The landowner"
        LAND_USER = "land_user", "The land user"
        CONTRACTOR = "contractor", "The contractor"

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="findings")
    permit = models.ForeignKey(
        Permit, null=True, blank=True, on_delete=models.PROTECT, related_name="findings"
    )
    visit = models.ForeignKey(Visit, on_delete=models.PROTECT, related_name="findings")
    line = models.ForeignKey(
        ChecklistLine, null=True, blank=True, on_delete=models.PROTECT, related_name="findings"
    )
    number = models.PositiveSmallIntegerField()
    what = models.TextField()
    section = models.CharField(max_length=30)
    who = models.CharField(max_length=12, choices=Who.choices, default=Who.PERMITTEE)
    found_on = models.DateField()
    correct_by = models.DateField()
    is_violation = models.BooleanField(default=False)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    recorded_at = models.DateTimeField(default=clock.now)
    corrected_on = models.DateField(null=True, blank=True)
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    confirmed_how = models.CharField(max_length=200, blank=True)

    if TYPE_CHECKING:
        days: RelatedManager[DocumentedDay]
        answers: RelatedManager[FindingAnswer]

    class Meta:
        ordering = ["site", "number"]
        indexes = [
            models.Index(fields=["site", "status"]),
            models.Index(fields=["found_on"], name="findings_of_a_year"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["site", "number"], name="finding_numbered_per_site"),
            models.CheckConstraint(
                condition=Q(correct_by__gte=F("found_on")), name="correction_due_after_finding"
            ),
            models.CheckConstraint(
                condition=~Q(status="corrected")
                | Q(corrected_on__isnull=False, confirmed_by__isnull=False),
                name="corrected_finding_was_confirmed",
            ),
            models.CheckConstraint(condition=~Q(what=""), name="finding_says_what_is_wrong"),
        ]

    def __str__(self) -> str:
        return f"Finding {self.number} at {self.site.number}"

    def get_absolute_url(self) -> str:
        return reverse("finding", args=[self.key])

    @property
    def is_open(self) -> bool:
        """Whether it still has to be corrected, or its correction to be confirmed."""
        return self.status in (FindingStatus.OPEN, FindingStatus.ANSWERED)

    @property
    def application(self) -> Application | None:
        """The application whose parties are told; None for a site where nobody applied."""
        if self.permit is not None:
            return self.permit.application
        return self.site.applications.filter(number__isnull=False).order_by("-pk").first()

    def correction_deadline(self, *, calendar: Calendar | None = None) -> Deadline:
        """Return the day by which it must be corrected, as the inspector set it."""
        return correction_deadline(
            self.found_on,
            self.correct_by,
            calendar=calendar or city_calendar.current_calendar(),
            edition=city.edition_on(self.found_on),
        )

    def clocks(self) -> list[Deadline]:
        """Return the running clock, as the docket must have it."""
        return [self.correction_deadline()] if self.is_open else []


class DocumentedDay(models.Model):
    """A calendar day on which a violation was seen and recorded. Former § 17.19(9)"""

    finding = models.ForeignKey(Finding, on_delete=models.PROTECT, related_name="days")
    on = models.DateField()
    visit = models.ForeignKey(Visit, on_delete=models.PROTECT, related_name="documented_days")
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ["on"]
        constraints = [
            models.UniqueConstraint(fields=["finding", "on"], name="violation_day_counts_once")
        ]

    def __str__(self) -> str:
        return f"{self.finding}: {self.on}"


class FindingAnswer(models.Model):
    """What the permittee says was done, with photos; the inspector confirms or does not."""

    finding = models.ForeignKey(Finding, on_delete=models.PROTECT, related_name="answers")
    text = models.TextField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=clock.now)
    photos = models.ManyToManyField(Upload, related_name="finding_answers", blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"Answer to {self.finding}"
