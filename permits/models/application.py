"""An application for an erosion control permit. § 40-886(b)"""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from portal import clock

from .application_corrections import ApplicationCorrections
from .application_facts import ApplicationStatus


class Application(ApplicationCorrections):
    """Form, plan and fee for one permit, from the first answer to the decision."""

    Status = ApplicationStatus
    NEXT: ClassVar[dict[ApplicationStatus, frozenset[ApplicationStatus]]] = {
        Status.DRAFT: frozenset({Status.SUBMITTED, Status.WITHDRAWN}),
        Status.SUBMITTED: frozenset({Status.UNDER_REVIEW, Status.WITHDRAWN}),
        Status.UNDER_REVIEW: frozenset(
            {Status.GRANTED, Status.DENIED, Status.WITHDRAWN, Status.SUBMITTED}
        ),
        Status.DENIED: frozenset({Status.UNDER_REVIEW, Status.WITHDRAWN}),
        Status.GRANTED: frozenset({Status.WITHDRAWN}),
        Status.WITHDRAWN: frozenset(),
    }

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["status", "-id"]),
            models.Index(fields=["applicant", "-id"]),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=["draft", "withdrawn"])
                | Q(number__isnull=False, form_received_on__isnull=False),
                name="filed_application_has_number_and_date",
            ),
            models.CheckConstraint(
                condition=~Q(status__in=["under_review", "denied", "granted"])
                | Q(received_on__isnull=False, fee_received_on__isnull=False),
                name="application_under_review_was_received",
            ),
            models.CheckConstraint(
                condition=Q(received_on__isnull=True)
                | Q(
                    received_on__gte=F("form_received_on"),
                    plan_received_on__isnull=False,
                    fee_received_on__isnull=False,
                ),
                name="received_when_form_plan_and_fee_are_in",
            ),
            models.CheckConstraint(
                condition=Q(ends_on__isnull=True)
                | Q(starts_on__isnull=True)
                | Q(ends_on__gte=F("starts_on")),
                name="work_ends_after_it_starts",
            ),
        ]

    def __str__(self) -> str:
        return self.number or "Application being written"

    def get_absolute_url(self) -> str:
        return self.site.get_absolute_url()

    def get_step_url(self, step: str) -> str:
        return reverse("application_step", args=[self.key, step])


class HandOver(models.Model):
    """An offer to hand the case to another person, who accepts it by signing in."""

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="handovers")
    email = models.EmailField(db_index=True)
    offered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    offered_at = models.DateTimeField(default=clock.now)
    accepted_at = models.DateTimeField(null=True, blank=True)
    recalled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["application"],
                condition=Q(accepted_at__isnull=True, recalled_at__isnull=True),
                name="one_open_handover_per_application",
            )
        ]

    def __str__(self) -> str:
        return f"{self.application} to {self.email}"
