"""Drawing on the escrow for city work, and demanding it of bank or surety. (4)(e)

Former § 17.19(4)(e): only after ten days' notice by U.S. mail to the property owner.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.db import models
from django.db.models import F, Q

from enforcement.models import CityWork, OwnerNotice
from permits.models import CasePaper, Permit, Site

from .base import MoneyRow, dollars
from .instrument import EscrowEntry

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager


class Draw(MoneyRow):
    """One draw for the costs of one city work, from one or several instruments.

    Its entries (`EscrowEntry` of kind `drawn`) say how much came from which instrument; their
    sum is `amount`. A draw made in error is taken back by entries that reverse them.
    """

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    number = models.CharField(max_length=20, unique=True)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="draws")
    permit = models.ForeignKey(Permit, on_delete=models.PROTECT, related_name="draws")
    owner_notice = models.ForeignKey(OwnerNotice, on_delete=models.PROTECT, related_name="draws")
    work = models.ForeignKey(CityWork, on_delete=models.PROTECT, related_name="draws")
    amount = dollars()
    # Why the law opens it: the date of the waiting period and its safe date, as on that day.
    opened_on = models.DateField()
    safe_on = models.DateField()
    before_safe_why = models.TextField(blank=True)
    reason = models.TextField(blank=True)
    letter = models.OneToOneField(
        CasePaper, null=True, blank=True, on_delete=models.PROTECT, related_name="draw"
    )

    if TYPE_CHECKING:
        entries: RelatedManager[EscrowEntry]

    class Meta:
        ordering = ["-on", "-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="draw_is_more_than_nothing"),
            models.CheckConstraint(
                condition=Q(on__gte=F("opened_on")), name="draw_when_the_law_opened_it"
            ),
            models.CheckConstraint(
                condition=Q(on__gte=F("safe_on")) | ~Q(before_safe_why=""),
                name="draw_before_the_safe_day_with_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return self.number


class Demand(MoneyRow):
    """A demand to a bank or surety for one entry: drawn or forfeited, never cash."""

    entry = models.OneToOneField(EscrowEntry, on_delete=models.PROTECT, related_name="demand")
    papers_sent = models.TextField(blank=True)  # what the text of the instrument asks for
    paper = models.OneToOneField(
        CasePaper, null=True, blank=True, on_delete=models.PROTECT, related_name="escrow_demand"
    )

    class Meta:
        ordering = ["on", "pk"]

    def __str__(self) -> str:
        return f"Demand for {-self.entry.amount}"


class IssuerPayment(MoneyRow):
    """What a bank or surety paid on a demand; a correction is a reversing row."""

    demand = models.ForeignKey(Demand, on_delete=models.PROTECT, related_name="payments")
    amount = dollars()
    receipt = models.OneToOneField(
        "escrow.Receipt", null=True, blank=True, on_delete=models.PROTECT, related_name="issuer"
    )
    reverses = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="reversed_by"
    )
    reason = models.TextField(blank=True)

    class Meta:
        ordering = ["on", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(amount__gt=0, reverses__isnull=True, receipt__isnull=False)
                | Q(amount__lt=0, reverses__isnull=False),
                name="issuer_payment_is_positive_unless_it_reverses",
            )
        ]

    def __str__(self) -> str:
        return f"{self.amount} on {self.demand}"
