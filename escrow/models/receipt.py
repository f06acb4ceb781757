"""What came in at the counter and online, what went to the bank, and the close of a day."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from permits.models import Application, CasePaper, FeeEntry, Site
from portal import clock
from portal.models import Document

from .base import MoneyRow, dollars
from .bill import Bill
from .instrument import Instrument


class Receipt(MoneyRow):
    """A payment on a bill, or of a bank or surety on a demand, with its receipt `RC-`.

    `on` is the day the money was received. The fee and cash escrow keep the receipt number
    of the counter's own book on their rows (`FeeEntry`, `Instrument`).
    """

    class Means(models.TextChoices):
        CASH = "cash", "Cash at the counter"
        CHECK = "check", "Check"
        MONEY_ORDER = "money_order", "Money order"
        ONLINE = "online", "Paid online"

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    number = models.CharField(max_length=20, unique=True)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="receipts")
    amount = dollars()
    means = models.CharField(max_length=12, choices=Means.choices)
    paid_by = models.CharField(max_length=200)
    # `payer_key` is the payer in lower case without punctuation; `use` is 1, and one more for
    # each time that the same check was recorded and reversed: no check counts twice.
    check_number = models.CharField(max_length=60, blank=True)
    payer_key = models.CharField(max_length=200, blank=True)
    use = models.PositiveSmallIntegerField(default=1)
    paper = models.OneToOneField(
        CasePaper, null=True, blank=True, on_delete=models.PROTECT, related_name="receipt"
    )

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["on", "id"])]
        constraints = [
            models.CheckConstraint(
                condition=Q(amount__gt=0) & ~Q(paid_by=""), name="receipt_names_payer_and_amount"
            ),
            models.CheckConstraint(
                condition=~Q(means__in=["check", "money_order"]) | ~Q(check_number=""),
                name="receipt_of_a_check_has_its_number",
            ),
            models.UniqueConstraint(
                fields=["check_number", "payer_key", "use"],
                condition=~Q(check_number=""),
                name="check_counts_once",
            ),
        ]

    def __str__(self) -> str:
        return self.number


class Deposit(MoneyRow):
    """Money taken to the bank, with its slip; what lies in it are its lines."""

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    number = models.CharField(max_length=20, unique=True)
    cash = dollars()
    checks = dollars()
    slip = models.OneToOneField(
        Document, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ["-on", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(cash__gte=0, checks__gte=0) & ~Q(cash=0, checks=0),
                name="deposit_is_more_than_nothing",
            )
        ]

    def __str__(self) -> str:
        return self.number


class DepositLine(models.Model):
    """One row of money that went to the bank: each at most once."""

    deposit = models.ForeignKey(Deposit, on_delete=models.PROTECT, related_name="lines")
    fee_entry = models.OneToOneField(
        FeeEntry, null=True, blank=True, on_delete=models.PROTECT, related_name="deposit_line"
    )
    instrument = models.OneToOneField(
        Instrument, null=True, blank=True, on_delete=models.PROTECT, related_name="deposit_line"
    )
    receipt = models.OneToOneField(
        Receipt, null=True, blank=True, on_delete=models.PROTECT, related_name="deposit_line"
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(fee_entry__isnull=False, instrument__isnull=True, receipt__isnull=True)
                | Q(fee_entry__isnull=True, instrument__isnull=False, receipt__isnull=True)
                | Q(fee_entry__isnull=True, instrument__isnull=True, receipt__isnull=False),
                name="deposit_line_is_one_row_of_money",
            )
        ]

    def __str__(self) -> str:
        return f"{self.deposit}: {self.fee_entry or self.instrument or self.receipt}"


class DayClose(MoneyRow):
    """The counter closed for a day: what the books expect, what was counted, and why it differs.

    `on` is the day closed. `totals` are the sums of the day by kind and means, as they stood.
    """

    expected_cash = dollars()
    counted_cash = dollars()
    expected_checks = dollars()
    counted_checks = dollars()
    why = models.TextField(blank=True)
    totals = models.JSONField(default=dict)
    paper = models.OneToOneField(
        Document, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ["-on"]
        constraints = [
            models.UniqueConstraint(fields=["on"], name="day_closed_once"),
            models.CheckConstraint(
                condition=Q(expected_cash=F("counted_cash"), expected_checks=F("counted_checks"))
                | ~Q(why=""),
                name="difference_is_explained",
            ),
        ]

    def __str__(self) -> str:
        return f"Close of {self.on}"


class OnlinePayment(models.Model):
    """A payment page opened at the provider for one fee or one bill; never changed.

    What became of it are its events; no card data is ever here.
    """

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    provider = models.CharField(max_length=20)
    reference = models.CharField(max_length=200)
    application = models.ForeignKey(
        Application,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="online_payments",
    )
    bill = models.ForeignKey(
        Bill, null=True, blank=True, on_delete=models.PROTECT, related_name="online_payments"
    )
    amount = dollars()
    currency = models.CharField(max_length=3, default="USD")
    begun_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    # Who pays a bill with its code, without an account; as it stands on the receipt.
    payer_name = models.CharField(max_length=200, blank=True)
    begun_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["provider", "reference"], name="one_online_payment_per_reference"
            ),
            models.CheckConstraint(
                condition=Q(application__isnull=False, bill__isnull=True)
                | Q(application__isnull=True, bill__isnull=False),
                name="online_payment_is_for_one_thing",
            ),
            models.CheckConstraint(condition=Q(amount__gt=0), name="online_payment_is_positive"),
            models.CheckConstraint(
                condition=Q(begun_by__isnull=False) | ~Q(payer_name=""),
                name="online_payment_says_who_began_it",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.provider} {self.reference}"


class OnlineEvent(models.Model):
    """A signed message of the provider, once each; what was done with it is said at once."""

    class Verdict(models.TextChoices):
        BOOKED = "booked", "Booked"
        REFUNDED = "refunded", "Refund booked as a reversing row"
        REPEAT = "repeat", "Booked before"
        SET_ASIDE = "set-aside", "Set aside: no such payment is known"
        REFUSED = "refused", "Refused: amount or currency differ"
        IGNORED = "ignored", "Nothing to do"

    provider = models.CharField(max_length=20)
    event_id = models.CharField(max_length=200)
    kind = models.CharField(max_length=80)
    reference = models.CharField(max_length=200, blank=True)
    payment = models.ForeignKey(
        OnlinePayment, null=True, blank=True, on_delete=models.PROTECT, related_name="events"
    )
    amount = dollars(null=True, blank=True)
    currency = models.CharField(max_length=3, blank=True)
    verdict = models.CharField(max_length=10, choices=Verdict.choices)
    why = models.TextField(blank=True)
    fee_entry = models.OneToOneField(
        FeeEntry, null=True, blank=True, on_delete=models.PROTECT, related_name="online_event"
    )
    receipt = models.OneToOneField(
        Receipt, null=True, blank=True, on_delete=models.PROTECT, related_name="online_event"
    )
    received_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["provider", "event_id"], name="one_row_per_online_event"
            ),
            models.UniqueConstraint(
                fields=["payment"],
                condition=Q(verdict="booked"),
                name="online_payment_booked_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.provider} {self.kind} {self.event_id}"


class SetAsideDone(MoneyRow):
    """What the clerk did about a message that was set aside or refused."""

    event = models.OneToOneField(OnlineEvent, on_delete=models.PROTECT, related_name="done")
    what = models.TextField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.event}: {self.what}"
