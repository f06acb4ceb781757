"""Appeals to the board of zoning appeals, and the stays they bring. Former § 17.19(8)"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.contrib.contenttypes.fields import GenericForeignKey
from django.contrib.contenttypes.models import ContentType
from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from permits.models import Acting, CasePaper, Decision, Site
from portal import city, city_calendar, clock
from portal.models import Upload
from portal.ordinance import Deadline, Stay
from portal.ordinance.appeals import further_review_deadline

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager


class AppealStatus(models.TextChoices):
    FILED = "filed", "Before the board"
    DECIDED = "decided", "Decided"
    WITHDRAWN = "withdrawn", "Withdrawn"


class Appeal(Acting):
    """An appeal of a grant, a denial or an order, by anybody aggrieved.

    Its stay runs from the day it is filed until the day the board's decision is filed,
    it is withdrawn, or the inspector certifies imminent peril. Wis. Stat. § 62.23(7)(e)5.
    """

    Status = AppealStatus
    NEXT: ClassVar[dict[AppealStatus, frozenset[AppealStatus]]] = {
        Status.FILED: frozenset({Status.DECIDED, Status.WITHDRAWN}),
        Status.DECIDED: frozenset(),
        Status.WITHDRAWN: frozenset(),
    }

    class Outcome(models.TextChoices):
        AFFIRMED = "affirmed", "Affirmed"
        REVERSED = "reversed", "Reversed"
        MODIFIED = "modified", "Modified"
        DISMISSED = "dismissed", "Dismissed"

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    number = models.CharField(max_length=20, unique=True)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="appeals")
    # A decision on an application, a stop-work order, a revision order, a revocation, a notice.
    subject_type = models.ForeignKey(ContentType, on_delete=models.PROTECT, related_name="+")
    subject_pk = models.PositiveBigIntegerField()
    subject = GenericForeignKey("subject_type", "subject_pk")
    subject_title = models.CharField(max_length=200)
    last_day = models.DateField()  # of the period, as it stood when the appeal was filed
    filed_on = models.DateField()
    filed_at = models.DateTimeField(default=clock.now)
    filed_on_paper = models.BooleanField(default=False)
    paper_reason = models.TextField(blank=True)
    appellant = models.CharField(max_length=410)
    capacity = models.CharField(max_length=200)
    mailing_address = models.TextField()
    email = models.EmailField("e-mail", blank=True)
    telephone = models.CharField(max_length=40, blank=True)
    grounds = models.TextField()
    relief = models.TextField(blank=True)
    attachments = models.ManyToManyField(Upload, related_name="appeals", blank=True)
    filed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    fee_due = models.DecimalField(max_digits=8, decimal_places=2, default=0)
    fee_paid_on = models.DateField(null=True, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.FILED)
    outcome = models.CharField(max_length=10, choices=Outcome.choices, blank=True)
    outcome_text = models.TextField(blank=True)
    ended_on = models.DateField(null=True, blank=True)  # decision filed, or withdrawn
    decision_files = models.ManyToManyField(Upload, related_name="decided_appeals", blank=True)
    # What the inspector did about a decision that orders something, once.
    carried_out_on = models.DateField(null=True, blank=True)
    carried_out_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    carried_out_how = models.TextField(blank=True)
    receipt = models.OneToOneField(
        CasePaper, null=True, blank=True, on_delete=models.PROTECT, related_name="receipt_of"
    )
    transmittal = models.OneToOneField(
        CasePaper, null=True, blank=True, on_delete=models.PROTECT, related_name="appeal"
    )

    if TYPE_CHECKING:
        hearings: RelatedManager[Hearing]

    class Meta:
        ordering = ["-filed_on", "-pk"]
        indexes = [
            models.Index(fields=["subject_type", "subject_pk"]),
            models.Index(fields=["status", "filed_on"]),
            models.Index(fields=["site", "status"]),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(status="filed", ended_on__isnull=True)
                | Q(~Q(status="filed"), ended_on__gte=F("filed_on")),
                name="appeal_ends_after_it_is_filed",
            ),
            models.CheckConstraint(
                condition=~Q(status="decided") | ~Q(outcome=""), name="decided_appeal_has_outcome"
            ),
            models.CheckConstraint(condition=~Q(grounds=""), name="appeal_says_why"),
            models.CheckConstraint(
                condition=Q(filed_on_paper=False) | ~Q(paper_reason=""),
                name="appeal_on_paper_says_why_it_is_entered",
            ),
            models.CheckConstraint(
                condition=Q(carried_out_on__isnull=True)
                | (Q(status="decided", carried_out_on__gte=F("ended_on")) & ~Q(carried_out_how="")),
                name="decision_is_carried_out_after_it_is_filed",
            ),
        ]

    def __str__(self) -> str:
        return self.number

    def get_absolute_url(self) -> str:
        return reverse("appeal", args=[self.key])

    @property
    def is_late(self) -> bool:
        """Whether it was filed after the last day."""
        return self.filed_on > self.last_day

    @property
    def is_open(self) -> bool:
        """Whether the board has still to decide it."""
        return self.status == AppealStatus.FILED

    @property
    def owes_fee(self) -> bool:
        """Whether the fee that the council set is still out."""
        return self.fee_due > 0 and self.fee_paid_on is None

    @property
    def is_a_task(self) -> bool:
        """Whether the board ordered something that the inspector has still to do."""
        return self.orders_something and self.carried_out_on is None

    @property
    def orders_something(self) -> bool:
        """Whether the decision leaves something to be done that the portal does not do.

        A reversed order falls by itself, and a reversed revocation reinstates the permit;
        a reversed grant or denial, and whatever was modified, is for the inspector.
        """
        if self.outcome == Appeal.Outcome.MODIFIED:
            return True
        return self.outcome == Appeal.Outcome.REVERSED and isinstance(self.subject, Decision)

    def further_review(self) -> Deadline | None:
        """Return the last day to ask a court to review the board's decision."""
        if self.status != AppealStatus.DECIDED or self.ended_on is None:
            return None
        return further_review_deadline(
            self.ended_on,
            calendar=city_calendar.current_calendar(),
            edition=city.edition_on(self.ended_on),
        )

    def next_hearing(self) -> Hearing | None:
        """Return the hearing as it was set last."""
        return self.hearings.order_by("-pk").first()

    def stay(self) -> Stay | None:
        """Return the stay of this appeal; None for one filed too late."""
        if self.is_late:
            return None
        ends = [self.ended_on] if self.ended_on else []
        peril = getattr(self, "peril", None)
        if peril is not None:
            ends.append(peril.certified_on)
        return Stay(self.filed_on, min(ends) if ends else None)


class PerilCertificate(models.Model):
    """That a stay would cause imminent peril, shown by facts. Wis. Stat. § 62.23(7)(e)5."""

    appeal = models.OneToOneField(Appeal, on_delete=models.PROTECT, related_name="peril")
    certified_on = models.DateField()
    facts = models.TextField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    recorded_at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(facts=""), name="peril_is_shown_by_facts")
        ]

    def __str__(self) -> str:
        return f"Imminent peril certified on {self.certified_on}"


class Hearing(models.Model):
    """The board's hearing; another date is another row."""

    appeal = models.ForeignKey(Appeal, on_delete=models.PROTECT, related_name="hearings")
    held_on = models.DateField()
    time = models.TimeField()
    place = models.CharField(max_length=300)
    set_on = models.DateField()
    set_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    recorded_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"Hearing on {self.held_on}"
