"""Acts of two persons: one proposes, another approves exactly what was proposed."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from permits.models import Acting, Permit, Site
from portal import clock
from portal.models import current_operation

from .base import dollars


class ApprovalStatus(models.TextChoices):
    PROPOSED = "proposed", "Proposed"
    APPROVED = "approved", "Approved"
    DECLINED = "declined", "Declined"


class TwoPersons(Acting):
    """A proposal about the whole escrow of a permit, and what a second person decided.

    `amount` is all that was held when it was proposed. Where it differs on the day of the
    approval the proposal is void: the act refuses, and a new proposal is needed.
    """

    Status = ApprovalStatus
    NEXT: ClassVar[dict[Any, frozenset[Any]]] = {
        ApprovalStatus.PROPOSED: frozenset({ApprovalStatus.APPROVED, ApprovalStatus.DECLINED}),
        ApprovalStatus.APPROVED: frozenset(),
        ApprovalStatus.DECLINED: frozenset(),
    }

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    number = models.CharField(max_length=20, unique=True)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="%(class)ss")
    permit = models.ForeignKey(Permit, on_delete=models.PROTECT, related_name="%(class)ss")
    amount = dollars()
    status = models.CharField(
        max_length=10, choices=ApprovalStatus.choices, default=ApprovalStatus.PROPOSED
    )
    proposed_on = models.DateField()
    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    proposed_at = models.DateTimeField(default=clock.now)
    decided_on = models.DateField(null=True, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    decided_why = models.TextField(blank=True)
    operation = models.UUIDField(null=True, default=current_operation, editable=False)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.number


def two_persons(name: str) -> list[models.CheckConstraint | models.UniqueConstraint]:
    """Return the constraints of an act of two persons, named after it."""
    return [
        models.CheckConstraint(condition=Q(amount__gt=0), name=f"{name}_is_of_something_held"),
        models.CheckConstraint(
            condition=Q(status="proposed", decided_by__isnull=True, decided_on__isnull=True)
            | Q(
                status__in=["approved", "declined"],
                decided_by__isnull=False,
                decided_on__gte=F("proposed_on"),
            ),
            name=f"{name}_decided_has_day_and_person",
        ),
        models.CheckConstraint(
            condition=~Q(status="approved") | ~Q(decided_by=F("proposed_by")),
            name=f"{name}_approved_by_a_second_person",
        ),
        models.UniqueConstraint(
            fields=["permit"],
            condition=Q(status="proposed"),
            name=f"one_open_{name}_per_permit",
        ),
    ]
