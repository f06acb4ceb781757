"""The escrow: instruments posted for a permit, and the insert-only ledger. Former § 17.19(4)(c)"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from permits.models import CasePaper, Permit, Site
from portal import city, city_calendar, clock
from portal.models import Upload, current_operation
from portal.ordinance import Deadline
from portal.ordinance.escrow_expiry import expiry_deadline

from .base import MoneyQuerySet, MoneyRow

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager


class Instrument(models.Model):
    """One guarantee as it was handed in: cash, bond or letter of credit; never changed.

    A renewal is a row of its own; a replacement is a new instrument that names the old one.
    """

    class Form(models.TextChoices):
        CASH = "cash", "Cash"
        BOND = "bond", "Bond"
        LETTER_OF_CREDIT = "letter_of_credit", "Letter of credit"

    permit = models.ForeignKey(Permit, on_delete=models.PROTECT, related_name="instruments")
    form = models.CharField(max_length=16, choices=Form.choices)
    amount = models.DecimalField(max_digits=12, decimal_places=2)
    received_on = models.DateField()
    receipt_number = models.CharField(max_length=60, blank=True)
    remitter = models.CharField(max_length=200, blank=True)
    issuer = models.CharField(max_length=200, blank=True)
    instrument_number = models.CharField(max_length=100, blank=True)
    expires_on = models.DateField(null=True, blank=True)
    renews_itself = models.BooleanField(default=False)
    original_kept_at = models.CharField(max_length=200, blank=True)
    # What the text of a bond or letter asks for with a demand: "the original, a sight draft".
    demand_needs = models.TextField(blank=True)
    scan = models.ForeignKey(
        Upload, null=True, blank=True, on_delete=models.PROTECT, related_name="instruments"
    )
    # Posted before the old one goes back, so that the guarantee has no gap.
    replaces = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="replaced_by"
    )
    posted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    posted_at = models.DateTimeField(default=clock.now)
    operation = models.UUIDField(null=True, default=current_operation, editable=False)

    APPLICATION_PATH: ClassVar[str] = "permit__application_id"

    if TYPE_CHECKING:
        entries: RelatedManager[EscrowEntry]
        renewals: RelatedManager[InstrumentRenewal]
        owners: RelatedManager[InstrumentOwner]

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(
                fields=["expires_on"],
                condition=Q(expires_on__isnull=False),
                name="instrument_expires",
            )
        ]
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="instrument_amount_is_positive"),
            models.CheckConstraint(
                condition=Q(form="cash") & ~Q(receipt_number="")
                | Q(form__in=["bond", "letter_of_credit"])
                & ~Q(issuer="")
                & ~Q(instrument_number=""),
                name="instrument_has_its_proof",
            ),
            models.CheckConstraint(
                condition=Q(expires_on__isnull=True) | Q(expires_on__gte=models.F("received_on")),
                name="instrument_expires_after_it_was_received",
            ),
            models.CheckConstraint(
                condition=Q(replaces__isnull=True) | ~Q(replaces=F("id")),
                name="instrument_replaces_another",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_form_display()} of ${self.amount:,.2f}"

    @property
    def is_cash(self) -> bool:
        """Whether money lies with the city; the other forms are promises of a bank or surety."""
        return self.form == self.Form.CASH

    def held(self) -> Decimal:
        """Return what the city still holds of this instrument."""
        return EscrowEntry.objects.filter(instrument=self).balance()

    def good_until(self, *, on: date) -> date | None:
        """Return the last day of the guarantee as known on a day; None: it does not expire."""
        last = self.renewals.filter(on__lte=on).order_by("-on", "-pk").first()
        return last.expires_on if last else self.expires_on

    @property
    def site(self) -> Site:
        """The land of the permit, for the docket."""
        return self.permit.site

    def clocks(self) -> list[Deadline]:
        """Return the running clock of the instrument: its last day, while something is held."""
        newest = self.renewals.order_by("-on", "-pk").first()
        until = newest.expires_on if newest else self.expires_on
        if until is None or self.held() <= 0:
            return []
        calendar = city_calendar.current_calendar()
        edition = city.edition_on(self.received_on)
        return [expiry_deadline(self.received_on, until, calendar=calendar, edition=edition)]

    def is_good(self, *, on: date) -> bool:
        """Whether it still guarantees on a day, its last day included."""
        until = self.good_until(on=on)
        return until is None or on <= until


class InstrumentRenewal(MoneyRow):
    """A bond or letter of credit renewed by its issuer: good until another day."""

    instrument = models.ForeignKey(Instrument, on_delete=models.PROTECT, related_name="renewals")
    # Null: from now on it does not expire.
    expires_on = models.DateField(null=True, blank=True)
    number = models.CharField(max_length=100, blank=True)  # of the rider or amendment
    note = models.CharField(max_length=300, blank=True)
    scan = models.ForeignKey(
        Upload, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ["on", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(expires_on__isnull=True) | Q(expires_on__gte=F("on")),
                name="renewal_is_good_on_its_day",
            )
        ]

    def __str__(self) -> str:
        return f"{self.instrument} renewed until {self.expires_on}"


class InstrumentOwner(MoneyRow):
    """Whose the money is, as somebody said it; the newest row counts.

    Who posted it owns it until a row says otherwise: a transfer of the permit moves nothing
    by itself. Whoever gets the money back is read from here.
    """

    instrument = models.ForeignKey(Instrument, on_delete=models.PROTECT, related_name="owners")
    name = models.CharField(max_length=400)
    address = models.TextField()
    why = models.TextField()  # "Assignment signed by both on May 4, 2027"
    scan = models.ForeignKey(
        Upload, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ["on", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(name="") & ~Q(address="") & ~Q(why=""),
                name="instrument_owner_is_said_with_its_reason",
            )
        ]

    def __str__(self) -> str:
        return f"{self.instrument}: {self.name}"


BORNE = Q(kind__in=["drawn", "refused"], reversed_by__isnull=True)
"""The entries that say what a draw bears: what was drawn, less what its issuer refused."""


class EscrowEntry(models.Model):
    """One movement of escrow money; insert-only, a correction is a reversing row.

    A guard in the database keeps the balance of each instrument at or above zero, and lets
    `released`, `forfeited` and `replaced` take the whole balance or nothing.
    """

    class Kind(models.TextChoices):
        POSTED = "posted", "Posted"
        INTEREST = "interest", "Interest, by resolution"
        REVERSED = "reversed", "Reversed"
        DRAWN = "drawn", "Drawn"
        REFUSED = "refused", "Refused by its issuer"
        FORFEITED = "forfeited", "Forfeited"
        RELEASED = "released", "Released"
        REPLACED = "replaced", "Replaced by another"

    permit = models.ForeignKey(Permit, on_delete=models.PROTECT, related_name="escrow_entries")
    instrument = models.ForeignKey(Instrument, on_delete=models.PROTECT, related_name="entries")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    amount = models.DecimalField(max_digits=12, decimal_places=2)
    on = models.DateField()
    draw = models.ForeignKey(
        "escrow.Draw", null=True, blank=True, on_delete=models.PROTECT, related_name="entries"
    )
    forfeiture = models.ForeignKey(
        "escrow.Forfeiture", null=True, blank=True, on_delete=models.PROTECT, related_name="entries"
    )
    release = models.ForeignKey(
        "escrow.Release", null=True, blank=True, on_delete=models.PROTECT, related_name="entries"
    )
    # The demand whose rest its issuer refused; also on the row that takes the refusal back.
    demand_refused = models.ForeignKey(
        "escrow.Demand", null=True, blank=True, on_delete=models.PROTECT, related_name="refusals"
    )
    # What this row takes back; without it, `reversed` takes back the posting.
    reverses = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="reversed_by"
    )
    reason = models.TextField(blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=clock.now)
    operation = models.UUIDField(null=True, default=current_operation, editable=False)

    objects = MoneyQuerySet["EscrowEntry"].as_manager()

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "escrow entries"
        indexes = [models.Index(fields=["-on", "-id"])]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["posted", "interest", "refused"], amount__gt=0)
                | Q(kind__in=["drawn", "forfeited", "released", "replaced"], amount__lt=0)
                | Q(kind="reversed", amount__lt=0)
                | Q(kind="reversed", amount__gt=0, reverses__isnull=False),
                name="escrow_entry_sign_fits_its_kind",
            ),
            models.CheckConstraint(
                condition=Q(kind="drawn", draw__isnull=False)
                | Q(kind="forfeited", forfeiture__isnull=False)
                | Q(kind="released", release__isnull=False)
                | Q(kind="refused", draw__isnull=False, demand_refused__isnull=False)
                | Q(kind__in=["posted", "interest", "reversed", "replaced"]),
                name="escrow_entry_has_its_act",
            ),
            models.CheckConstraint(
                condition=Q(kind="reversed") | Q(reverses__isnull=True),
                name="only_a_reversal_reverses_escrow",
            ),
            models.UniqueConstraint(
                fields=["instrument"], condition=Q(kind="posted"), name="instrument_posted_once"
            ),
            models.UniqueConstraint(
                fields=["instrument"],
                condition=Q(kind="reversed", reverses__isnull=True),
                name="instrument_posting_reversed_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.amount}"


class InstrumentReturn(MoneyRow):
    """The original of a bond or letter of credit given back, against a receipt."""

    instrument = models.OneToOneField(Instrument, on_delete=models.PROTECT, related_name="returned")
    to = models.CharField(max_length=400)
    how = models.CharField(max_length=200)  # "handed over", "certified mail 9400…"
    paper = models.OneToOneField(
        CasePaper, null=True, blank=True, on_delete=models.PROTECT, related_name="returned"
    )

    class Meta:
        ordering = ["on", "pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(to=""), name="instrument_returned_to_somebody")
        ]

    def __str__(self) -> str:
        return f"{self.instrument} returned to {self.to}"
