"""A visit to a site: its checklist, the answers as they were given, and its photos."""

from __future__ import annotations

import uuid
from datetime import date
from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from permits.models import Acting, CasePaper, Permit, PlannedDevice, Site
from portal import clock
from portal.models import Upload

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager

    from .finding import Finding


class VisitStatus(models.TextChoices):
    OPEN = "open", "Being written"
    FINISHED = "finished", "Finished"


class Visit(Acting):
    """One inspection of a site, by one or more inspectors. Former § 17.19(6)

    `key` may be made on the inspector's device: the same visit sent twice is one visit.
    """

    Status = VisitStatus
    NEXT: ClassVar[dict[VisitStatus, frozenset[VisitStatus]]] = {
        Status.OPEN: frozenset({Status.FINISHED}),
        Status.FINISHED: frozenset(),
    }

    class Reason(models.TextChoices):
        NEW_PERMIT = "new_permit", "New permit, before the first disturbance"
        ROUTINE = "routine", "Routine visit"
        RAIN = "rain", "After rain of half an inch or more"
        CORRECTION = "correction", "A correction is due"
        ACTIVITY = "activity", "An activity of the timetable begins"
        COMPLAINT = "complaint", "A complaint"
        FINAL = "final", "Final inspection"
        SEASON = "season", "End of the work or of the season"
        NO_PERMIT = "no_permit", "Work without a permit"

    class Weather(models.TextChoices):
        DRY = "dry", "Dry"
        RAIN = "rain", "Rain"
        AFTER_RAIN = "after_rain", "After rain"
        SNOW = "snow", "Snow or frozen ground"
        THAW = "thaw", "Thaw"

    class Phase(models.TextChoices):
        NOT_BEGUN = "not_begun", "Not begun"
        CLEARING = "clearing", "Clearing and grading"
        UTILITIES = "utilities", "Utilities and roads"
        BUILDING = "building", "Building"
        RESTORATION = "restoration", "Final grading and seeding"
        COMPLETE = "complete", "Complete"

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    number = models.CharField(max_length=20, unique=True, null=True, blank=True)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="visits")
    permit = models.ForeignKey(
        Permit, null=True, blank=True, on_delete=models.PROTECT, related_name="visits"
    )
    inspector = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    reason = models.CharField(max_length=12, choices=Reason.choices, default=Reason.ROUTINE)
    visited_on = models.DateField()
    began_at = models.DateTimeField(default=clock.now)
    ended_at = models.DateTimeField(null=True, blank=True)
    weather = models.CharField(max_length=12, choices=Weather.choices, blank=True)
    phase = models.CharField(max_length=12, choices=Phase.choices, blank=True)
    note = models.TextField(blank=True)
    # Since when the oldest stockpile of soil lies bare, as seen at this visit.
    stockpile_since = models.DateField(null=True, blank=True)
    # Made once, in the act that finishes the visit.
    report = models.OneToOneField(
        CasePaper, null=True, blank=True, on_delete=models.PROTECT, related_name="visit"
    )

    if TYPE_CHECKING:
        lines: RelatedManager[ChecklistLine]
        descriptions: RelatedManager[VisitDescription]
        photos: RelatedManager[VisitPhoto]
        findings: RelatedManager[Finding]

    class Meta:
        ordering = ["-visited_on", "-pk"]
        indexes = [
            models.Index(fields=["site", "-visited_on"]),
            models.Index(fields=["visited_on"]),
            models.Index(
                fields=["visited_on"], condition=Q(status="finished"), name="visits_of_a_year"
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(status="open") | Q(number__isnull=False, ended_at__isnull=False),
                name="finished_visit_has_number_and_end",
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True) | Q(ended_at__gte=F("began_at")),
                name="visit_ends_after_it_begins",
            ),
        ]

    def __str__(self) -> str:
        return self.number or f"Visit of {self.visited_on}"

    def get_absolute_url(self) -> str:
        return reverse("visit", args=[self.key])


class VisitDescription(models.Model):
    """What one inspector said of the whole visit; a later word is a new row.

    The visit itself tells the newest weather, phase and stockpile, and everybody's note.
    """

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    visit = models.ForeignKey(Visit, on_delete=models.PROTECT, related_name="descriptions")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    weather = models.CharField(max_length=12, choices=Visit.Weather.choices, blank=True)
    phase = models.CharField(max_length=12, choices=Visit.Phase.choices, blank=True)
    note = models.TextField(blank=True)
    stockpile_since = models.DateField(null=True, blank=True)
    written_at = models.DateTimeField(default=clock.now)
    received_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["visit", "written_at", "pk"]

    def __str__(self) -> str:
        return f"{self.visit}, described by {self.by}"


class ChecklistLine(models.Model):
    """One thing to look at: a control device of the permit's plan, or a site standard."""

    class Kind(models.TextChoices):
        DEVICE = "device", "Control device of the plan"
        STANDARD = "standard", "Site standard"
        EXTRA = "extra", "Something else"

    visit = models.ForeignKey(Visit, on_delete=models.PROTECT, related_name="lines")
    # Made on the device for "something else", which is in no plan; the others need none.
    key = models.UUIDField(unique=True, null=True, blank=True, editable=False)
    position = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=10, choices=Kind.choices)
    device = models.ForeignKey(
        PlannedDevice, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    label = models.CharField(max_length=300)
    place = models.CharField(max_length=200, blank=True)
    section = models.CharField(max_length=30)

    if TYPE_CHECKING:
        answers: RelatedManager[LineAnswer]
        photos: RelatedManager[VisitPhoto]

    class Meta:
        ordering = ["visit", "position"]
        constraints = [
            models.UniqueConstraint(fields=["visit", "position"], name="one_line_per_position")
        ]

    def __str__(self) -> str:
        return f"{self.label}, {self.place}" if self.place else self.label

    @property
    def ref(self) -> str:
        """How pages and devices name the line."""
        return str(self.key or self.pk)


class LineAnswer(models.Model):
    """What one inspector answered on a line; a later answer is a new row.

    Two inspectors on one visit: both texts are kept and shown.
    """

    class Outcome(models.TextChoices):
        IN_PLACE = "in_place", "In place"
        NEEDS_CORRECTION = "needs_correction", "Needs correction"
        MISSING = "missing", "Missing"
        NOT_APPLICABLE = "not_applicable", "Not applicable"

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    line = models.ForeignKey(ChecklistLine, on_delete=models.PROTECT, related_name="answers")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    outcome = models.CharField(max_length=16, choices=Outcome.choices)
    note = models.TextField(blank=True)
    answered_at = models.DateTimeField(default=clock.now)
    received_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["line", "answered_at", "pk"]

    def __str__(self) -> str:
        return f"{self.line}: {self.get_outcome_display()}"

    @property
    def is_bad(self) -> bool:
        """Whether this answer asks for a finding."""
        return self.outcome in {self.Outcome.NEEDS_CORRECTION, self.Outcome.MISSING}


class VisitPhoto(models.Model):
    """A photo of a visit, bound to its line where it shows one; the same key is one photo."""

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    visit = models.ForeignKey(Visit, on_delete=models.PROTECT, related_name="photos")
    line = models.ForeignKey(
        ChecklistLine, null=True, blank=True, on_delete=models.PROTECT, related_name="photos"
    )
    upload = models.ForeignKey(Upload, on_delete=models.PROTECT, related_name="visit_photos")
    sent_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    received_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.upload.original_name


def first_lawful_day(site: Site) -> date | None:
    """Return the first day on which the record knows of the site."""
    first = site.events.order_by("sequence").first()  # type: ignore[attr-defined]
    return first.occurred_on if first else None
