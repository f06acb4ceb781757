"""The revision order: additional devices with a timetable. Former § 17.19(7)(b)"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from inspections.models import Visit
from permits.models import Acting, Application, CasePaper, Permit, PlanRevision, Site
from portal import city, city_calendar, clock, council
from portal.models import Upload
from portal.ordinance import Calendar, Deadline
from portal.ordinance.appeals import appeal_deadline
from portal.ordinance.devices import DEVICES_BY_KEY
from portal.ordinance.revision_order import line_deadline
from portal.ordinance.stays import with_stays

from .stays import stays_of

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager


class RevisionOrderStatus(models.TextChoices):
    STANDING = "standing", "Standing"
    DONE = "done", "Carried out"
    WITHDRAWN = "withdrawn", "Withdrawn, issued in error"
    REVERSED = "reversed", "Reversed on appeal"


class RevisionOrder(Acting):
    """An order to install additional devices, because rain or other abnormal conditions
    made the plan inadequate. Former § 17.19(7)(b)
    """

    Status = RevisionOrderStatus
    NEXT: ClassVar[dict[RevisionOrderStatus, frozenset[RevisionOrderStatus]]] = {
        Status.STANDING: frozenset({Status.DONE, Status.WITHDRAWN, Status.REVERSED}),
        Status.DONE: frozenset(),
        Status.WITHDRAWN: frozenset(),
        Status.REVERSED: frozenset(),
    }

    class Cause(models.TextChoices):
        RAIN = "rain", "Excessive rainfall"
        OTHER = "other", "Other abnormal conditions"

    APPLICATION_PATH: ClassVar[str] = "permit__application_id"

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    number = models.CharField(max_length=20, unique=True)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="revision_orders")
    permit = models.ForeignKey(Permit, on_delete=models.PROTECT, related_name="revision_orders")
    cause = models.CharField(max_length=10, choices=Cause.choices)
    facts = models.TextField()
    visit = models.ForeignKey(
        Visit, null=True, blank=True, on_delete=models.PROTECT, related_name="revision_orders"
    )
    issued_on = models.DateField()
    issued_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    issued_at = models.DateTimeField(default=clock.now)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.STANDING)
    ended_on = models.DateField(null=True, blank=True)
    ended_why = models.TextField(blank=True)
    # The plan's new revision that takes up the additional devices.
    revision = models.ForeignKey(
        PlanRevision, null=True, blank=True, on_delete=models.PROTECT, related_name="ordered_by"
    )
    paper = models.OneToOneField(
        CasePaper, null=True, blank=True, on_delete=models.PROTECT, related_name="revision_order"
    )

    if TYPE_CHECKING:
        lines: RelatedManager[RevisionOrderLine]

    class Meta:
        ordering = ["-issued_on", "-pk"]
        indexes = [models.Index(fields=["site", "status"])]
        constraints = [
            models.CheckConstraint(condition=~Q(facts=""), name="revision_order_says_why"),
            models.CheckConstraint(
                condition=Q(status="standing", ended_on__isnull=True)
                | Q(~Q(status="standing"), ended_on__gte=F("issued_on")),
                name="revision_order_ends_after_it_begins",
            ),
        ]

    def __str__(self) -> str:
        return self.number

    def get_absolute_url(self) -> str:
        return reverse("revision_order", args=[self.key])

    def appeal_deadline(self, *, calendar: Calendar | None = None) -> Deadline:
        """Return the last day to appeal the order. Former § 17.19(8)"""
        return appeal_deadline(
            self.issued_on,
            days=council.appeal_days(on=self.issued_on),
            calendar=calendar or city_calendar.current_calendar(),
            edition=city.edition_on(self.issued_on),
        )

    def clocks(self) -> list[Deadline]:
        """Return the appeal clock; each line has its own."""
        return [self.appeal_deadline()] if self.status == RevisionOrderStatus.STANDING else []


class RevisionOrderLine(models.Model):
    """One additional device, where, and the day by which it is installed."""

    APPLICATION_PATH: ClassVar[str] = "order__permit__application_id"

    order = models.ForeignKey(RevisionOrder, on_delete=models.PROTECT, related_name="lines")
    number = models.PositiveSmallIntegerField()
    device = models.CharField(max_length=60)  # a key of portal.ordinance.devices, or free text
    place = models.CharField(max_length=200)
    what = models.TextField(blank=True)
    due_on = models.DateField()
    done_on = models.DateField(null=True, blank=True)
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    confirmed_at_visit = models.ForeignKey(
        Visit, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ["order", "number"]
        constraints = [
            models.UniqueConstraint(fields=["order", "number"], name="order_line_numbered_once"),
            models.CheckConstraint(
                condition=~Q(device="") & ~Q(place=""), name="order_line_says_what_and_where"
            ),
            models.CheckConstraint(
                condition=Q(done_on__isnull=True, confirmed_by__isnull=True)
                | Q(done_on__isnull=False, confirmed_by__isnull=False),
                name="order_line_done_is_confirmed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.order}, line {self.number}"

    @property
    def site(self) -> Site:
        """The site of the order."""
        return self.order.site

    @property
    def application(self) -> Application:
        """The application whose parties are told, and reminded of the line."""
        return self.order.permit.application

    @property
    def device_name(self) -> str:
        """The device in words, with the number of its technical standard."""
        known = DEVICES_BY_KEY.get(self.device)
        return str(known) if known else self.device

    @property
    def is_open(self) -> bool:
        """Whether the device has still to be installed."""
        return self.done_on is None and self.order.status == RevisionOrderStatus.STANDING

    def deadline(self, *, calendar: Calendar | None = None) -> Deadline:
        """Return the day by which the device is installed; an appeal stays it. (7)(b)"""
        calendar = calendar or city_calendar.current_calendar()
        clock = line_deadline(
            self.order.issued_on,
            self.due_on,
            calendar=calendar,
            edition=city.edition_on(self.order.issued_on),
        )
        return with_stays(clock, stays_of(self.order), calendar)

    def clocks(self) -> list[Deadline]:
        """Return the running clock of the line, as the docket must have it."""
        return [self.deadline()] if self.is_open else []


class LineReport(models.Model):
    """What the permittee says was done about a line, with photos; a visit confirms it."""

    line = models.ForeignKey(RevisionOrderLine, on_delete=models.PROTECT, related_name="reports")
    on = models.DateField()
    text = models.TextField()
    photos = models.ManyToManyField(Upload, related_name="line_reports", blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(text=""), name="line_report_says_what_was_done")
        ]

    def __str__(self) -> str:
        return f"Report on {self.line}"
