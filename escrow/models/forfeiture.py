"""Forfeiting all that is held, when the work is not completed in time. Former § 17.19(4)(e)"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.db.models import F, Q

from inspections.models import Finding, Visit
from permits.models import CasePaper

from .approval import TwoPersons, two_persons

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager

    from .instrument import EscrowEntry


class Forfeiture(TwoPersons):
    """The inspector's finding that the work is late, and the administrator's approval.

    Its entries (`EscrowEntry` of kind `forfeited`) empty every instrument of the permit.
    """

    what_is_open = models.TextField()
    due_on = models.DateField()  # the last day that was not kept
    visit = models.ForeignKey(
        Visit, null=True, blank=True, on_delete=models.PROTECT, related_name="forfeitures"
    )
    finding = models.ForeignKey(
        Finding, null=True, blank=True, on_delete=models.PROTECT, related_name="forfeitures"
    )
    letter = models.OneToOneField(
        CasePaper, null=True, blank=True, on_delete=models.PROTECT, related_name="forfeiture"
    )

    if TYPE_CHECKING:
        entries: RelatedManager[EscrowEntry]

    class Meta:
        ordering = ["-pk"]
        constraints = [
            *two_persons("forfeiture"),
            models.CheckConstraint(
                condition=Q(proposed_on__gt=F("due_on")), name="forfeiture_only_after_the_last_day"
            ),
            models.CheckConstraint(
                condition=~Q(what_is_open=""), name="forfeiture_says_what_is_open"
            ),
        ]
