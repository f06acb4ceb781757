"""City work: done by the city or its designee, each cost a row with its proof."""

from __future__ import annotations

import uuid
from decimal import Decimal
from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q, Sum
from django.urls import reverse

from permits.models import Acting, CasePaper, Site
from portal import clock
from portal.models import Upload
from portal.ordinance.begin_work import CENT, Path

from .notice import NoticeOfIntent, OwnerNotice
from .service import Addressee
from .upkeep import UpkeepNotice

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager


class WorkStatus(models.TextChoices):
    BEGUN = "begun", "Under way"
    CLOSED = "closed", "Closed"


class CityWorkQuerySet(models.QuerySet["CityWork"]):
    def closed(self) -> CityWorkQuerySet:
        """Work whose total is a fact: what is billed, or drawn from the escrow."""
        return self.filter(status=WorkStatus.CLOSED)

    def by_path(self, path: Path) -> CityWorkQuerySet:
        """Work whose money comes from one place."""
        return self.filter(
            owner_notice__isnull=path != Path.ESCROW,
            upkeep_notice__isnull=path != Path.MAINTENANCE,
        )


class CityWork(Acting):
    """Work on the land under exactly one notice.

    Of intent, former § 17.19(7)(e); by mail to the owner, former § 17.19(4)(e); or of
    maintenance under a recorded agreement, former § 17.19(4)(f)(7).
    """

    Status = WorkStatus
    NEXT: ClassVar[dict[WorkStatus, frozenset[WorkStatus]]] = {
        Status.BEGUN: frozenset({Status.CLOSED}),
        Status.CLOSED: frozenset(),
    }

    class DoneBy(models.TextChoices):
        CREW = "crew", "The city's own crew"
        DESIGNEE = "designee", "A designee of the city"

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="city_work")
    notice_of_intent = models.OneToOneField(
        NoticeOfIntent, null=True, blank=True, on_delete=models.PROTECT, related_name="city_work"
    )
    owner_notice = models.OneToOneField(
        OwnerNotice, null=True, blank=True, on_delete=models.PROTECT, related_name="city_work"
    )
    upkeep_notice = models.OneToOneField(
        UpkeepNotice, null=True, blank=True, on_delete=models.PROTECT, related_name="city_work"
    )
    done_by = models.CharField(max_length=10, choices=DoneBy.choices)
    doer = models.CharField(max_length=200)
    begun_on = models.DateField()
    opened_on = models.DateField()
    safe_on = models.DateField()
    before_safe_why = models.TextField(blank=True)
    begun_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    begun_at = models.DateTimeField(default=clock.now)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.BEGUN)
    closed_on = models.DateField(null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    closing_note = models.TextField(blank=True)
    # The sum of the costs when the work was closed: the fact that the money starts from.
    total = models.DecimalField(max_digits=12, decimal_places=2, null=True, blank=True)
    photos_before = models.ManyToManyField(Upload, related_name="work_before", blank=True)
    photos_after = models.ManyToManyField(Upload, related_name="work_after", blank=True)
    statement = models.OneToOneField(
        CasePaper, null=True, blank=True, on_delete=models.PROTECT, related_name="city_work"
    )

    objects = CityWorkQuerySet.as_manager()

    if TYPE_CHECKING:
        costs: RelatedManager[WorkCost]

    class Meta:
        ordering = ["-begun_on", "-pk"]
        verbose_name_plural = "city work"
        indexes = [models.Index(fields=["status", "-begun_on"])]
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    notice_of_intent__isnull=False,
                    owner_notice__isnull=True,
                    upkeep_notice__isnull=True,
                )
                | Q(
                    notice_of_intent__isnull=True,
                    owner_notice__isnull=False,
                    upkeep_notice__isnull=True,
                )
                | Q(
                    notice_of_intent__isnull=True,
                    owner_notice__isnull=True,
                    upkeep_notice__isnull=False,
                ),
                name="city_work_under_exactly_one_notice",
            ),
            models.CheckConstraint(
                condition=Q(begun_on__gte=F("opened_on")), name="city_work_when_the_law_opened_it"
            ),
            models.CheckConstraint(
                condition=Q(begun_on__gte=F("safe_on")) | ~Q(before_safe_why=""),
                name="city_work_before_the_safe_day_with_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(status="begun", closed_on__isnull=True, total__isnull=True)
                | Q(status="closed", closed_on__gte=F("begun_on"), total__isnull=False),
                name="closed_city_work_has_day_and_total",
            ),
        ]

    def __str__(self) -> str:
        return f"City work at {self.site.number}, begun {self.begun_on}"

    def get_absolute_url(self) -> str:
        return reverse("city_work", args=[self.key])

    @property
    def notice(self) -> NoticeOfIntent | OwnerNotice | UpkeepNotice:
        """The notice under which the city works."""
        notice = self.notice_of_intent or self.owner_notice or self.upkeep_notice
        assert notice is not None  # the constraint
        return notice

    @property
    def path(self) -> Path:
        """Where the money comes from: a special charge, or the escrow. The notice decides it."""
        if self.upkeep_notice_id:
            return Path.MAINTENANCE
        return Path.ESCROW if self.owner_notice_id else Path.SPECIAL_CHARGE

    def payers(self) -> list[Addressee]:
        """Return who was told that they would bear the cost.

        Under a notice of intent the permittee or the landowner is billed, (7)(e); under a
        notice to the owner the escrow pays first, and what is more is assessed against the
        property of the owners named here, (4)(e); under a notice of maintenance the cost is
        charged to the land, and its owner or the responsible party is billed, (4)(f)(7).
        """
        told = Addressee.objects.of(self.notice).order_by("pk")
        roles = [Addressee.Role.LANDOWNER]
        if self.path is Path.SPECIAL_CHARGE:
            roles.append(Addressee.Role.PERMITTEE)
        if self.path is Path.MAINTENANCE:
            roles.append(Addressee.Role.PARTY)
        return list(told.filter(role__in=roles)) or list(told)

    def sum_of_costs(self) -> Decimal:
        """Return what the work has cost so far, reversals included."""
        total = self.costs.aggregate(sum=Sum("amount"))["sum"] or Decimal(0)
        return total.quantize(CENT)


class WorkCost(models.Model):
    """One cost with its proof; never changed, a correction is a reversing row."""

    class Kind(models.TextChoices):
        LABOR = "labor", "Labor"
        EQUIPMENT = "equipment", "Equipment"
        MATERIAL = "material", "Material"
        INVOICE = "invoice", "Invoice"

    work = models.ForeignKey(CityWork, on_delete=models.PROTECT, related_name="costs")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    on = models.DateField()
    description = models.CharField(max_length=300)
    quantity = models.DecimalField(max_digits=10, decimal_places=2)
    unit = models.CharField(max_length=20)
    rate = models.DecimalField(max_digits=12, decimal_places=2)
    amount = models.DecimalField(max_digits=12, decimal_places=2)
    proof = models.ForeignKey(
        Upload, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    proof_words = models.CharField(max_length=300, blank=True)  # "time sheet of June 5, 2026"
    reverses = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="reversed_by"
    )
    note = models.TextField(blank=True)
    token = models.CharField(max_length=64, blank=True)
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    recorded_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["on", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(amount__gt=0, reverses__isnull=True)
                | Q(amount__lt=0, reverses__isnull=False),
                name="cost_is_positive_unless_it_reverses",
            ),
            models.CheckConstraint(
                condition=Q(proof__isnull=False) | ~Q(proof_words=""), name="cost_has_its_proof"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.description}: {self.amount}"
