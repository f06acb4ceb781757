"""The bill for city work: what it cost, what the escrow bore, and what came in since.

Two paths that never mix: a special charge under § 66.0627 (notice of intent, maintenance),
and an assessment under ch. 66 (work paid from the escrow). The path is fixed with the bill.
"""

from __future__ import annotations

import uuid
from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar

from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.db import models
from django.db.models import Exists, F, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce, Round
from django.urls import reverse

from enforcement.models import CityWork, WorkCost
from permits.models import Acting, CasePaper, DocketEntry, Permit, Site
from portal import city, city_calendar, clock
from portal.models import current_operation
from portal.ordinance import Calendar, Deadline, Stay
from portal.ordinance.bills import bill_due
from portal.ordinance.stays import with_stays

from . import ground
from .base import MoneyQuerySet, MoneyRow, dollars

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager

    from .assessment import Assessment
    from .roll import RollCharge


class BillStatus(models.TextChoices):
    STANDING = "standing", "Standing"
    WITHDRAWN = "withdrawn", "Withdrawn, billed in error"


class Path(models.TextChoices):
    """The two instruments by which what is unpaid reaches the tax roll; never mixed."""

    SPECIAL_CHARGE = "special-charge", "Special charge"
    ASSESSMENT = "assessment", "Assessment"


HALF_A_CENT = Decimal("0.005")

SECTION_OF: dict[str, tuple[str, str]] = {
    "notice-of-intent": ("enforcement", "(e)"),
    "owner-notice": ("draws", ""),
    "maintenance": ("maintenance", "(7)"),
}
"""Where the ordinance puts the cost on somebody, by the ground of the bill."""


class BillQuerySet(models.QuerySet["Bill"]):
    def with_balance(self) -> BillQuerySet:
        """Add `owed`: the sum of the entries, without interest that is not booked yet.

        To the cent: SQLite adds decimals as floats, and nothing left would be more than zero.
        """
        total = (
            BillEntry.objects.filter(bill=OuterRef("pk"))
            .order_by()
            .values("bill")
            .annotate(total=Sum("amount"))
            .values("total")
        )
        return self.annotate(owed=Round(Coalesce(Subquery(total), Decimal("0.00")), precision=2))

    def standing(self) -> BillQuerySet:
        """Bills that were not withdrawn."""
        return self.filter(status=BillStatus.STANDING)

    def with_last_day(self) -> BillQuerySet:
        """Add `counted_on`, the last day with all stays, and `stayed_since`, from the docket."""
        kind = ContentType.objects.get_for_model(Bill)
        rows = DocketEntry.objects.filter(subject_type=kind, subject_pk=OuterRef("pk"), rule="bill")
        newest = rows.order_by("-pk")
        return self.annotate(
            counted_on=Coalesce(Subquery(newest.values("on")[:1]), F("due_on")),
            stayed_since=Subquery(newest.values("stayed_since")[:1]),
        )

    def delinquent(self, on: date, *, with_stayed: bool = False) -> BillQuerySet:
        """Bills with something unpaid on a day after their last day. § 66.0627(4)

        A bill that an appeal holds still now is not delinquent; `with_stayed` names it, too.
        """
        # Only what the docket still has is added up, however many bills were paid in all the
        # years, and no question is asked bill by bill.
        over = Q(on__lt=on, stayed_since__isnull=True)
        if with_stayed:
            over |= Q(stayed_since__isnull=False)
        late = self.standing().filter(due_on__lt=on, pk__in=_owing(_clocks().filter(over)))
        return late.with_balance().with_last_day()

    def with_running_clock(self) -> BillQuerySet:
        """Bills with something unpaid: their clocks are asked for bill by bill, as a list goes."""
        return self.standing().filter(Exists(_clocks().filter(subject_pk=OuterRef("pk"))))

    def without_clock(self) -> BillQuerySet:
        """Bills with nothing unpaid, as the docket has them; no account is summed up for it."""
        return self.standing().exclude(pk__in=_clocks().values("subject_pk"))


def _clocks() -> models.QuerySet[DocketEntry]:
    """The running clocks of bills; each unpaid bill has one, and no other bill."""
    kind = ContentType.objects.get_for_model(Bill)
    return DocketEntry.objects.running().filter(subject_type=kind, rule="bill").order_by()


def _owing(clocks: models.QuerySet[DocketEntry]) -> models.QuerySet[Any, Any]:
    """The keys of the bills of some clocks whose entries add up to something."""
    rows = BillEntry.objects.filter(bill__in=clocks.values("subject_pk")).order_by()
    sums = rows.values("bill").annotate(total=Sum("amount"))
    return sums.filter(total__gt=HALF_A_CENT).values("bill")


class Bill(Acting):
    """A bill for closed city work; its amounts are facts, its balance is a sum.

    `amount` = `cost` - `escrow_applied`. Paid, delinquent and lien are questions with a day.
    """

    Status = BillStatus
    Path = Path
    NEXT: ClassVar[dict[BillStatus, frozenset[BillStatus]]] = {
        Status.STANDING: frozenset({Status.WITHDRAWN}),
        Status.WITHDRAWN: frozenset(),
    }

    class Ground(models.TextChoices):
        NOTICE_OF_INTENT = "notice-of-intent", "Work after a notice of intent"
        OWNER_NOTICE = "owner-notice", "Work after a notice by mail to the owner"
        MAINTENANCE = "maintenance", "Work under a maintenance agreement"

    class Payer(models.TextChoices):
        PERMITTEE = "permittee", "The permittee"
        LANDOWNER = "landowner", "The landowner"
        PARTY = "party", "The responsible party"

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    number = models.CharField(max_length=20, unique=True)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="bills")
    permit = models.ForeignKey(
        Permit, null=True, blank=True, on_delete=models.PROTECT, related_name="bills"
    )
    work = models.ForeignKey(
        CityWork, null=True, blank=True, on_delete=models.PROTECT, related_name="bills"
    )
    ground = models.CharField(max_length=20, choices=Ground.choices)
    path = models.CharField(max_length=20, choices=Path.choices)
    # Maintenance: the recorded agreement, the notice and its last day, in words.
    agreement = models.TextField(blank=True)
    cost = dollars()
    escrow_applied = dollars(default=Decimal("0.00"))
    amount = dollars()
    payer = models.CharField(max_length=10, choices=Payer.choices)
    payer_name = models.CharField(max_length=400)
    payer_address = models.TextField()
    billed_on = models.DateField()
    due_on = models.DateField()
    due_days = models.PositiveSmallIntegerField()
    due_resolution = models.CharField(max_length=60)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.STANDING)
    withdrawn_on = models.DateField(null=True, blank=True)
    withdrawn_why = models.TextField(blank=True)
    paper = models.OneToOneField(
        CasePaper, null=True, blank=True, on_delete=models.PROTECT, related_name="bill"
    )
    billed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    billed_at = models.DateTimeField(default=clock.now)
    operation = models.UUIDField(null=True, default=current_operation, editable=False)

    APPLICATION_PATH: ClassVar[str] = "permit__application_id"

    objects = BillQuerySet.as_manager()

    if TYPE_CHECKING:
        lines: RelatedManager[BillLine]
        entries: RelatedManager[BillEntry]
        charges: RelatedManager[RollCharge]
        assessment: Assessment

    class Meta:
        ordering = ["-billed_on", "-pk"]
        indexes = [
            models.Index(fields=["status", "due_on"]),
            models.Index(fields=["-billed_on", "-id"]),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(ground="maintenance") & ~Q(agreement="")  # once without its work
                | Q(ground__in=["notice-of-intent", "owner-notice"], work__isnull=False),
                name="bill_has_its_work_or_agreement",
            ),
            models.UniqueConstraint(
                fields=["work"],
                condition=Q(status="standing"),
                name="one_standing_bill_per_work",
            ),
            models.CheckConstraint(
                condition=Q(ground__in=["notice-of-intent", "maintenance"], path="special-charge")
                | Q(ground="owner-notice", path="assessment"),
                name="bill_takes_the_path_of_its_notice",
            ),
            models.CheckConstraint(
                condition=Q(path="assessment") | Q(escrow_applied=0),
                name="escrow_only_on_its_own_path",
            ),
            models.CheckConstraint(
                # To half a cent: SQLite subtracts decimals as floats.
                condition=Q(
                    cost__gt=0,
                    escrow_applied__gte=0,
                    amount__gte=0,
                    amount__gt=F("cost") - F("escrow_applied") - HALF_A_CENT,
                    amount__lt=F("cost") - F("escrow_applied") + HALF_A_CENT,
                ),
                name="bill_is_cost_less_escrow",
            ),
            models.CheckConstraint(
                condition=Q(due_on__gt=F("billed_on"), due_days__gt=0) & ~Q(due_resolution=""),
                name="bill_is_due_by_resolution",
            ),
            models.CheckConstraint(
                condition=~Q(payer_name="") & ~Q(payer_address=""), name="bill_names_its_payer"
            ),
            models.CheckConstraint(
                condition=Q(status="standing", withdrawn_on__isnull=True)
                | Q(status="withdrawn", withdrawn_on__isnull=False) & ~Q(withdrawn_why=""),
                name="withdrawn_bill_has_day_and_reason",
            ),
        ]

    def __str__(self) -> str:
        return self.number

    def get_absolute_url(self) -> str:
        return reverse("bill", args=[self.key])

    def balance(self) -> Decimal:
        """Return what is owed by the entries; interest that is not booked yet is not in it."""
        return BillEntry.objects.filter(bill=self).balance()

    @property
    def last_day(self) -> date:
        """The last day to pay: `due_on`, moved by the days for which an appeal stayed it."""
        counted: date | None = getattr(self, "counted_on", None)
        return counted or self.due_deadline().on

    @property
    def delinquent_on(self) -> date:
        """The day after the last day: from it an unpaid bill is delinquent, and a lien.

        § 66.0627(4): a delinquent special charge becomes a lien as of that date.
        """
        return self.last_day + timedelta(days=1)

    def is_delinquent(self, on: date) -> bool:
        """Whether something is unpaid after the last day. The last day itself is in time."""
        if self.status != BillStatus.STANDING or on <= self.due_on or self.balance() <= 0:
            return False
        return self.due_deadline().is_late(on)

    def stays(self) -> tuple[Stay, ...]:
        """Return the stays of what the work was done under, as far as they reach the bill."""
        stays = ground.stays_of_work(self.work)
        return tuple(
            stay for stay in stays if stay.until_on is None or stay.until_on > self.billed_on
        )

    def due_deadline(self, *, calendar: Calendar | None = None) -> Deadline:
        """Return the last day to pay, with its count. An appeal of its ground stays it. (8)"""
        calendar = calendar or city_calendar.current_calendar()
        due = bill_due(
            self.billed_on,
            self.due_days,
            self.due_resolution,
            calendar=calendar,
            section=SECTION_OF[self.ground],
            edition=city.edition_on(self.billed_on),
        )
        return with_stays(due, self.stays(), calendar)

    def clocks(self) -> list[Deadline]:
        """Return the running clock of the bill, as the docket must have it."""
        running = self.status == BillStatus.STANDING and self.balance() > 0
        return [self.due_deadline()] if running else []


class BillLine(models.Model):
    """One cost as it was billed; copied from the city work, never changed."""

    bill = models.ForeignKey(Bill, on_delete=models.PROTECT, related_name="lines")
    cost = models.ForeignKey(
        WorkCost, null=True, blank=True, on_delete=models.PROTECT, related_name="bill_lines"
    )
    on = models.DateField()
    kind = models.CharField(max_length=10, choices=WorkCost.Kind.choices)
    description = models.CharField(max_length=300)
    quantity = models.DecimalField(max_digits=10, decimal_places=2)
    unit = models.CharField(max_length=20)
    rate = dollars()
    amount = dollars()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.description}: {self.amount}"


class BillEntry(MoneyRow):
    """One movement of a bill's account: above zero it is owed, below zero it is settled.

    A guard in the database keeps the balance of a bill at or above zero, so nothing is paid,
    credited or put on the roll twice.
    """

    class Kind(models.TextChoices):
        BILLED = "billed", "Billed"
        ESCROW = "escrow", "Borne by the escrow"
        FEE = "fee", "Administrative fee, by resolution"
        INTEREST = "interest", "Interest"
        PAYMENT = "payment", "Payment"
        CREDIT = "credit", "Credit"
        REVERSAL = "reversal", "Reversal"
        ROLL = "roll", "Certified to the tax roll"
        OFF_ROLL = "off-roll", "Taken off the tax roll"

    bill = models.ForeignKey(Bill, on_delete=models.PROTECT, related_name="entries")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    amount = dollars()
    draw = models.ForeignKey(
        "escrow.Draw", null=True, blank=True, on_delete=models.PROTECT, related_name="bill_entries"
    )
    receipt = models.OneToOneField(
        "escrow.Receipt", null=True, blank=True, on_delete=models.PROTECT, related_name="bill_entry"
    )
    # ROLL: the batch that certified it; OFF_ROLL: the batch it is taken off.
    batch = models.ForeignKey(
        "escrow.RollBatch", null=True, blank=True, on_delete=models.PROTECT, related_name="entries"
    )
    reverses = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="reversed_by"
    )
    resolution = models.CharField(max_length=60, blank=True)
    reason = models.TextField(blank=True)
    paper = models.OneToOneField(
        CasePaper, null=True, blank=True, on_delete=models.PROTECT, related_name="bill_entry"
    )

    objects = MoneyQuerySet["BillEntry"].as_manager()

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "bill entries"
        indexes = [models.Index(fields=["on", "id"])]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["billed", "fee", "interest", "off-roll"], amount__gt=0)
                | Q(kind__in=["escrow", "payment", "credit", "roll"], amount__lt=0)
                | Q(kind="reversal", reverses__isnull=False) & ~Q(amount=0),
                name="bill_entry_sign_fits_its_kind",
            ),
            models.CheckConstraint(
                condition=Q(kind="payment", receipt__isnull=False)
                | Q(kind="escrow", draw__isnull=False)
                | Q(kind__in=["roll", "off-roll"], batch__isnull=False)
                | Q(kind="credit") & ~Q(reason="")
                | Q(kind="reversal") & ~Q(reason="")
                | Q(kind="fee") & ~Q(resolution="")
                | Q(kind__in=["billed", "interest"]),
                name="bill_entry_has_its_proof",
            ),
            models.CheckConstraint(
                condition=Q(kind="reversal") | Q(reverses__isnull=True),
                name="only_a_reversal_reverses_a_bill_entry",
            ),
            models.UniqueConstraint(
                fields=["bill"], condition=Q(kind="billed"), name="bill_is_billed_once"
            ),
            models.UniqueConstraint(
                fields=["bill", "batch"],
                condition=Q(kind="roll"),
                name="bill_once_in_a_batch",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.bill} {self.get_kind_display()} {self.amount}"
