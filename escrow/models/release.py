"""Releasing the escrow: whole or not at all. Former § 17.19(4)(c)"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.db.models import F, Q

from permits.models import CasePaper

from .approval import TwoPersons, two_persons
from .base import MoneyRow, dollars
from .instrument import Instrument

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager

    from .instrument import EscrowEntry


class Release(TwoPersons):
    """The whole escrow goes back to whom it belongs; a partial release does not exist.

    Its entries (`EscrowEntry` of kind `released`) empty every instrument of the permit.
    """

    # Where the grant requires a maintenance agreement: its number at the register of deeds.
    agreement_document = models.CharField(max_length=60, blank=True)
    agreement_recorded_on = models.DateField(null=True, blank=True)
    letter = models.OneToOneField(
        CasePaper, null=True, blank=True, on_delete=models.PROTECT, related_name="release"
    )

    if TYPE_CHECKING:
        entries: RelatedManager[EscrowEntry]
        check_requests: RelatedManager[CheckRequest]

    class Meta:
        ordering = ["-pk"]
        constraints = [
            *two_persons("release"),
            models.CheckConstraint(
                condition=Q(agreement_document="", agreement_recorded_on__isnull=True)
                | ~Q(agreement_document="") & Q(agreement_recorded_on__lte=F("proposed_on")),
                name="release_agreement_has_number_and_day",
            ),
        ]


class CheckRequest(MoneyRow):
    """The request to the treasury to pay cash escrow back: released, or replaced by another.

    A release has one for each owner, replaced cash has one.
    """

    release = models.ForeignKey(
        Release, null=True, blank=True, on_delete=models.PROTECT, related_name="check_requests"
    )
    replaced = models.OneToOneField(
        Instrument, null=True, blank=True, on_delete=models.PROTECT, related_name="check_request"
    )
    payee = models.CharField(max_length=400)
    address = models.TextField()
    amount = dollars()
    paper = models.OneToOneField(
        CasePaper, null=True, blank=True, on_delete=models.PROTECT, related_name="check_request"
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(amount__gt=0) & ~Q(payee="") & ~Q(address=""),
                name="check_request_names_payee_and_amount",
            ),
            models.CheckConstraint(
                condition=Q(release__isnull=False, replaced__isnull=True)
                | Q(release__isnull=True, replaced__isnull=False),
                name="check_request_of_a_release_or_of_replaced_cash",
            ),
            models.UniqueConstraint(
                fields=["release", "payee"], name="one_check_request_per_release_and_payee"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount} to {self.payee}"
