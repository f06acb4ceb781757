"""Requests for public records: what was asked, by what day, and what the city answered.

A request stands on its own: it may concern many cases, or none. Wis. Stat. § 19.35
"""

from __future__ import annotations

import uuid
from datetime import date

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse

from permits.models import Site
from portal import clock
from portal.city import edition_on
from portal.city_calendar import current_calendar
from portal.models import Document, current_operation
from portal.ordinance import Citation, Deadline
from portal.ordinance.records import GROUNDS, answer_deadline

NOT_NAMED = "A requester who gave no name"


class RequestQuerySet(models.QuerySet["RecordsRequest"]):
    def still_open(self) -> RequestQuerySet:
        """Requests that wait for their answer, the oldest first: the overdue stand on top."""
        return self.filter(status=RecordsRequest.Status.OPEN).order_by("received_on", "pk")


class RecordsRequest(models.Model):
    """One request, as the clerk logged it; nobody must say who they are. § 19.35(1)(i)"""

    class How(models.TextChoices):
        LETTER = "letter", "By letter"
        EMAIL = "email", "By e-mail"
        COUNTER = "counter", "At the counter"
        TELEPHONE = "telephone", "By telephone"

    class Status(models.TextChoices):
        OPEN = "open", "Waits for its answer"
        ANSWERED = "answered", "Answered"
        WITHDRAWN = "withdrawn", "Withdrawn by the requester"

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    number = models.CharField(max_length=20, unique=True)
    received_on = models.DateField()
    how = models.CharField(max_length=10, choices=How.choices)
    requester = models.CharField(max_length=200, blank=True)
    contact = models.TextField(blank=True)
    asked = models.TextField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    closed_on = models.DateField(null=True, blank=True)
    sites = models.ManyToManyField(Site, through="ConcernedCase", related_name="records_requests")
    logged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    logged_at = models.DateTimeField(default=clock.now)
    operation = models.UUIDField(null=True, default=current_operation, editable=False)

    objects = RequestQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(
                fields=["received_on", "id"], condition=Q(status="open"), name="records_open"
            )
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(status="open", closed_on__isnull=True)
                | (~Q(status="open") & Q(closed_on__isnull=False)),
                name="records_request_closed_with_its_day",
            ),
            models.CheckConstraint(condition=~Q(asked=""), name="records_request_asks"),
        ]

    def __str__(self) -> str:
        return self.number

    def get_absolute_url(self) -> str:
        return reverse("records_request", args=[self.key])

    @property
    def who(self) -> str:
        """The requester, who may stay anonymous."""
        return self.requester or NOT_NAMED

    @property
    def is_open(self) -> bool:
        """Whether it waits for its answer."""
        return self.status == self.Status.OPEN

    def answer_deadline(self) -> Deadline:
        """The rule of thumb for its answer. § 19.35(4)(a)"""
        return answer_deadline(
            self.received_on,
            calendar=current_calendar(),
            edition=edition_on(self.received_on),
        )

    def is_late(self, on: date) -> bool:
        """Whether its answer is, or was, later than the rule of thumb."""
        return self.answer_deadline().is_late(on, met_on=self.closed_on)


class ConcernedCase(models.Model):
    """A case that a request asks about; while the request is open nothing of it is destroyed."""

    request = models.ForeignKey(RecordsRequest, on_delete=models.PROTECT, related_name="cases")
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="asked_about")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["request", "site"], name="case_concerned_once")
        ]

    def __str__(self) -> str:
        return f"{self.request}: {self.site.number}"


class Acknowledgment(models.Model):
    """What the city told the requester before its answer, and what it asked for first."""

    request = models.ForeignKey(
        RecordsRequest, on_delete=models.PROTECT, related_name="acknowledgments"
    )
    on = models.DateField()
    words = models.TextField()
    prepayment = models.DecimalField(max_digits=12, decimal_places=2, null=True, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=clock.now)
    operation = models.UUIDField(null=True, default=current_operation, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(prepayment__isnull=True) | Q(prepayment__gt=5),
                name="prepayment_only_above_five_dollars",
            )
        ]

    def __str__(self) -> str:
        return f"{self.request}: acknowledged on {self.on}"


class Answer(models.Model):
    """The city's answer, once for each request; what it cost is stated with its prices."""

    class Outcome(models.TextChoices):
        GIVEN = "given", "Given"
        IN_PART = "in_part", "Given in part"
        DENIED = "denied", "Denied"
        NONE = "none", "The city has no such record"
        WITHDRAWN = "withdrawn", "Withdrawn by the requester"

    REFUSES = (Outcome.IN_PART, Outcome.DENIED)
    GIVES = (Outcome.GIVEN, Outcome.IN_PART)

    request = models.OneToOneField(RecordsRequest, on_delete=models.PROTECT, related_name="answer")
    outcome = models.CharField(max_length=10, choices=Outcome.choices)
    on = models.DateField()
    words = models.TextField(blank=True)
    pages = models.PositiveIntegerField(default=0)
    locating_hours = models.DecimalField(max_digits=6, decimal_places=2, default=0)
    other_cost = models.DecimalField(max_digits=12, decimal_places=2, default=0)
    mailing_cost = models.DecimalField(max_digits=12, decimal_places=2, default=0)
    page_price = models.DecimalField(max_digits=8, decimal_places=4, default=0)
    hour_price = models.DecimalField(max_digits=8, decimal_places=2, default=0)
    fee = models.DecimalField(max_digits=12, decimal_places=2, default=0)
    paper = models.OneToOneField(
        Document, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=clock.now)
    operation = models.UUIDField(null=True, default=current_operation, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(fee__gte=0), name="records_fee_not_below_zero"),
            models.CheckConstraint(
                condition=Q(outcome="withdrawn") | Q(paper__isnull=False),
                name="answer_has_its_paper",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.request}: {self.get_outcome_display().lower()}"


class Refusal(models.Model):
    """One record, or part of one, that was not given, with its ground. § 19.35(4)(b)"""

    answer = models.ForeignKey(Answer, on_delete=models.PROTECT, related_name="refusals")
    what = models.CharField(max_length=300)
    ground = models.CharField(max_length=20, choices=[(k, v[0]) for k, v in GROUNDS.items()])
    reason = models.TextField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(what="") & ~Q(reason=""), name="refusal_has_its_reason"
            )
        ]

    def __str__(self) -> str:
        return self.what

    @property
    def citation(self) -> Citation:
        """Where the ground stands written."""
        return GROUNDS[self.ground][1]


class GivenRecord(models.Model):
    """One record that was given, by its hash; it stays when the case is destroyed."""

    answer = models.ForeignKey(Answer, on_delete=models.PROTECT, related_name="given")
    site = models.ForeignKey(Site, null=True, on_delete=models.PROTECT, related_name="+")
    title = models.CharField(max_length=300)
    sha256 = models.CharField(max_length=64, blank=True)
    size = models.PositiveBigIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.title
