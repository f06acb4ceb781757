"""The revocation of a permit, and the request to the city attorney. Former § 17.19(7)(c), (d)"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from permits.models import CasePaper, Permit, Site
from portal import city, city_calendar, clock, council
from portal.ordinance import Calendar, Deadline
from portal.ordinance.appeals import appeal_deadline

from .order import StopWorkOrder

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager


class Revocation(models.Model):
    """A permit revoked after its permittee did not comply in time; the board may reverse it."""

    APPLICATION_PATH: ClassVar[str] = "permit__application_id"

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="revocations")
    permit = models.ForeignKey(Permit, on_delete=models.PROTECT, related_name="revocations")
    order = models.OneToOneField(StopWorkOrder, on_delete=models.PROTECT, related_name="revocation")
    revoked_on = models.DateField()
    # As they stood on the day of the act: the database refuses an earlier one.
    opened_on = models.DateField()
    safe_on = models.DateField()
    before_safe_why = models.TextField(blank=True)
    facts = models.TextField()
    revoked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    revoked_at = models.DateTimeField(default=clock.now)
    reversed_on = models.DateField(null=True, blank=True)
    paper = models.OneToOneField(
        CasePaper, null=True, blank=True, on_delete=models.PROTECT, related_name="revocation"
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(revoked_on__gte=F("opened_on")), name="revoked_when_the_law_opened_it"
            ),
            models.CheckConstraint(
                condition=Q(revoked_on__gte=F("safe_on")) | ~Q(before_safe_why=""),
                name="revoked_before_the_safe_day_with_a_reason",
            ),
            models.CheckConstraint(condition=~Q(facts=""), name="revocation_says_why"),
        ]

    def __str__(self) -> str:
        return f"Revocation of {self.permit}"

    def get_absolute_url(self) -> str:
        return reverse("revocation", args=[self.key])

    def appeal_deadline(self, *, calendar: Calendar | None = None) -> Deadline:
        """Return the last day to appeal the revocation. Former § 17.19(8)"""
        return appeal_deadline(
            self.revoked_on,
            days=council.appeal_days(on=self.revoked_on),
            calendar=calendar or city_calendar.current_calendar(),
            edition=city.edition_on(self.revoked_on),
        )

    def clocks(self) -> list[Deadline]:
        """Return the appeal clock, as the docket must have it."""
        return [] if self.reversed_on else [self.appeal_deadline()]


class CeaseAndDesistRequest(models.Model):
    """The inspector's request to the city attorney for a cease and desist order."""

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="requests")
    order = models.OneToOneField(StopWorkOrder, on_delete=models.PROTECT, related_name="request")
    requested_on = models.DateField()
    opened_on = models.DateField()
    safe_on = models.DateField()
    before_safe_why = models.TextField(blank=True)
    facts = models.TextField()
    # An application filed in time is a reason to wait; why the city does not.
    despite_application = models.TextField(blank=True)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    requested_at = models.DateTimeField(default=clock.now)
    packet = models.OneToOneField(
        CasePaper, null=True, blank=True, on_delete=models.PROTECT, related_name="request"
    )

    if TYPE_CHECKING:
        steps: RelatedManager[RequestStep]

    class Meta:
        ordering = ["-requested_on", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(requested_on__gte=F("opened_on")),
                name="requested_when_the_law_opened_it",
            ),
            models.CheckConstraint(
                condition=Q(requested_on__gte=F("safe_on")) | ~Q(before_safe_why=""),
                name="requested_before_the_safe_day_with_a_reason",
            ),
            models.CheckConstraint(condition=~Q(facts=""), name="request_says_why"),
        ]

    def __str__(self) -> str:
        return f"Cease-and-desist request on {self.order}"

    def get_absolute_url(self) -> str:
        return reverse("request", args=[self.key])


class RequestStep(models.Model):
    """What the city attorney recorded of a request; never changed."""

    class Kind(models.TextChoices):
        RECEIVED = "received", "Received"
        FILED = "filed", "Filed with the court"
        OBTAINED = "obtained", "Order obtained"
        CLOSED = "closed", "Closed"

    request = models.ForeignKey(
        CeaseAndDesistRequest, on_delete=models.PROTECT, related_name="steps"
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)
    on = models.DateField()
    court_case = models.CharField(max_length=60, blank=True)
    note = models.TextField(blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    recorded_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["request", "kind"], name="request_step_taken_once")
        ]

    def __str__(self) -> str:
        return f"{self.request}: {self.get_kind_display().lower()}"
