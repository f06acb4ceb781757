"""Lists of cases to be destroyed: proposed, approved twice, noticed, carried out, certified.

The rows here stay for good: they are what remains to say that a record was, and why it is no
more. Wis. Stat. § 19.21(4)
"""

from __future__ import annotations

import uuid
from datetime import date
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from permits.models import Site
from portal import clock
from portal.city import edition_on
from portal.city_calendar import current_calendar
from portal.models import Document, Role, current_operation
from portal.models.accounts import role_title
from portal.ordinance import WaitingPeriod
from portal.ordinance.records import destruction_opens
from portal.ordinance.retention import schedule

AT_ONCE = 25
"""Cases on one list: as many as two persons can be expected to look at."""


def nothing() -> list[str]:
    """No sentence yet."""
    return []


class ListStatus(models.TextChoices):
    PROPOSED = "proposed", "Waits for its approvals"
    APPROVED = "approved", "Approved by two persons"
    DONE = "done", "Carried out"
    WITHDRAWN = "withdrawn", "Withdrawn"


class DestructionList(models.Model):
    """Cases that the schedule allows to destroy, as the clerk proposed them on a day."""

    Status = ListStatus
    NEXT: ClassVar[dict[Any, frozenset[Any]]] = {
        ListStatus.PROPOSED: frozenset({ListStatus.APPROVED, ListStatus.WITHDRAWN}),
        ListStatus.APPROVED: frozenset({ListStatus.DONE, ListStatus.WITHDRAWN}),
        ListStatus.DONE: frozenset(),
        ListStatus.WITHDRAWN: frozenset(),
    }
    RUNNING = (ListStatus.PROPOSED, ListStatus.APPROVED)

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    number = models.CharField(max_length=20, unique=True)
    status = models.CharField(
        max_length=10, choices=ListStatus.choices, default=ListStatus.PROPOSED
    )
    schedule = models.CharField(max_length=40)
    proposed_on = models.DateField()
    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    proposed_at = models.DateTimeField(default=clock.now)
    letter = models.OneToOneField(
        Document, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    ended_on = models.DateField(null=True, blank=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    ended_why = models.TextField(blank=True)
    operation = models.UUIDField(null=True, default=current_operation, editable=False)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=["proposed", "approved"], ended_on__isnull=True)
                | Q(status__in=["done", "withdrawn"], ended_on__isnull=False),
                name="destruction_list_ends_with_its_day",
            )
        ]

    def __str__(self) -> str:
        return self.number

    def get_absolute_url(self) -> str:
        return reverse("destruction_list", args=[self.key])

    @property
    def is_running(self) -> bool:
        """Whether anything may still come of it."""
        return self.status in self.RUNNING

    def needs_notice(self) -> bool:
        """Whether the society has not waived its notice for every series on it."""
        series = schedule().series
        return any(not series[each.series].is_waived for each in self.cases.all())


class ListedCase(models.Model):
    """A case on a list, with why it may be destroyed, as the rule said on that day."""

    list = models.ForeignKey(DestructionList, on_delete=models.PROTECT, related_name="cases")
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="listed")
    number = models.CharField(max_length=20)
    place = models.CharField(max_length=300)
    series = models.CharField(max_length=40)
    closed_on = models.DateField()
    kept_until = models.DateField()
    steps = models.JSONField(default=nothing)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["list", "site"], name="case_once_on_a_list"),
            models.CheckConstraint(
                condition=Q(kept_until__gt=F("closed_on")), name="kept_after_it_closed"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.list}: {self.number}"

    @property
    def series_title(self) -> str:
        """Its series in words."""
        return schedule().series[self.series].title


class KeptCase(models.Model):
    """A case taken off a list, with each reason; it may stand on a later one."""

    listed = models.OneToOneField(ListedCase, on_delete=models.PROTECT, related_name="kept")
    on = models.DateField()
    reasons = models.JSONField(default=nothing)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=clock.now)
    operation = models.UUIDField(null=True, default=current_operation, editable=False)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.listed}: kept"


class ListApproval(models.Model):
    """One of the two approvals: the administrator's or the attorney's."""

    list = models.ForeignKey(DestructionList, on_delete=models.PROTECT, related_name="approvals")
    role = models.CharField(
        max_length=20,
        choices=[(r.value, r.label) for r in (Role.ADMINISTRATOR, Role.ATTORNEY)],
    )
    on = models.DateField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=clock.now)
    operation = models.UUIDField(null=True, default=current_operation, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["list", "role"], name="one_approval_of_each_office"),
            models.UniqueConstraint(fields=["list", "by"], name="two_approvals_by_two_persons"),
        ]

    def __str__(self) -> str:
        return f"{self.list}: approved by the {self.get_role_display().lower()}"

    def get_role_display(self) -> str:  # type: ignore[no-redef]
        """The office by the title the city gives it."""
        return role_title(self.role)


class SocietyNotice(models.Model):
    """The notice to the historical society, mailed on a day, or its waiver. § 19.21(4)(a)"""

    list = models.OneToOneField(DestructionList, on_delete=models.PROTECT, related_name="notice")
    on = models.DateField()
    is_waiver = models.BooleanField(default=False)
    words = models.TextField(blank=True)
    tracking_number = models.CharField(max_length=60, blank=True)
    opens_on = models.DateField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=clock.now)
    operation = models.UUIDField(null=True, default=current_operation, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(is_waiver=False) | ~Q(words=""), name="waiver_has_its_words"
            )
        ]

    def __str__(self) -> str:
        return f"{self.list}: {'waived' if self.is_waiver else 'mailed'} on {self.on}"

    def opens(self) -> WaitingPeriod:
        """The first day on which the city may act after a notice by mail."""
        return destruction_opens(self.on, calendar=current_calendar(), edition=edition_on(self.on))

    def is_open(self, on: date) -> bool:
        """Whether the society has had its sixty days, or waived them."""
        return on >= self.opens_on


class Destruction(models.Model):
    """The destruction of one case: what it was, what is gone, and what proves it.

    While `erased_at` is empty the database lets the contents of this one case be erased; it is
    filled in the same transaction, and the door is shut for good.
    """

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    listed = models.OneToOneField(ListedCase, on_delete=models.PROTECT, related_name="destruction")
    site = models.OneToOneField(Site, on_delete=models.PROTECT, related_name="destruction")
    on = models.DateField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=clock.now)
    events = models.PositiveIntegerField()
    chain_head = models.CharField(max_length=64)
    erased = models.JSONField(default=dict)
    certificate = models.OneToOneField(
        Document, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    erased_at = models.DateTimeField(null=True, blank=True)
    operation = models.UUIDField(null=True, default=current_operation, editable=False)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"Destruction of {self.listed.number}"

    def get_absolute_url(self) -> str:
        return reverse("destroyed_case", args=[self.listed.number])


class DestroyedFile(models.Model):
    """A file of a destroyed case by its hash; its bytes are removed after the commit."""

    destruction = models.ForeignKey(Destruction, on_delete=models.PROTECT, related_name="files")
    what = models.CharField(max_length=60)
    sha256 = models.CharField(max_length=64, blank=True)
    size = models.PositiveBigIntegerField(null=True, blank=True)
    name = models.CharField(max_length=200)
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(
                fields=["id"], condition=Q(removed_at__isnull=True), name="bytes_to_remove"
            )
        ]

    def __str__(self) -> str:
        return f"{self.what} {self.sha256[:12]}"
