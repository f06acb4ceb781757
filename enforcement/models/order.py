"""The stop-work order: issued, posted, and what stands on its two dates. Former § 17.19(7)"""

from __future__ import annotations

import uuid
from datetime import date
from typing import TYPE_CHECKING, Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.urls import reverse

from inspections.models import Visit
from permits.models import Acting, CasePaper, Permit, Site
from portal import city, city_calendar, clock, council
from portal.models import Upload
from portal.ordinance import Calendar, Deadline, Obstacle, WaitingPeriod
from portal.ordinance.appeals import appeal_deadline
from portal.ordinance.cease_and_desist import referral_opens
from portal.ordinance.city_work import notice_of_intent_opens
from portal.ordinance.revocation import revocation_opens
from portal.ordinance.stays import with_stays
from portal.ordinance.stop_work import (
    GROUNDS,
    GROUNDS_BY_KEY,
    Ground,
    compliance_deadline,
    permit_deadline,
)

from .stays import stays_of
from .violation import Violation

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager

    from .notice import NoticeOfIntent


class OrderStatus(models.TextChoices):
    STANDING = "standing", "Standing"
    LIFTED = "lifted", "Lifted"
    WITHDRAWN = "withdrawn", "Withdrawn, issued in error"
    REVERSED = "reversed", "Reversed on appeal"


class StopWorkOrderQuerySet(models.QuerySet["StopWorkOrder"]):
    def standing(self) -> StopWorkOrderQuerySet:
        """Orders that stop work today."""
        return self.filter(status=OrderStatus.STANDING)

    def with_steps(self) -> StopWorkOrderQuerySet:
        """Read with each order which steps followed it: for pages, not for acts."""
        from .notice import NoticeOfIntent
        from .revocation import CeaseAndDesistRequest, Revocation

        of_order = {"order": OuterRef("pk")}
        notices = NoticeOfIntent.objects.filter(**of_order, status__in=["standing", "done"])
        return self.annotate(
            read_revoked=Exists(Revocation.objects.filter(**of_order)),
            read_requested=Exists(CeaseAndDesistRequest.objects.filter(**of_order)),
            read_noticed=Exists(notices),
            read_permitted=Exists(
                Permit.objects.filter(site=OuterRef("site"), issued_on__gte=OuterRef("issued_on"))
            ),
        )


class StopWorkOrder(Acting):
    """An order to stop work, on one of the ordinance's three grounds; a new one is a new row.

    `permit` is the permit under which the work is done; without one the ground is
    "no permit", whatever other permits the site has.
    """

    Status = OrderStatus
    NEXT: ClassVar[dict[OrderStatus, frozenset[OrderStatus]]] = {
        Status.STANDING: frozenset({Status.LIFTED, Status.WITHDRAWN, Status.REVERSED}),
        Status.LIFTED: frozenset(),
        Status.WITHDRAWN: frozenset(),
        Status.REVERSED: frozenset(),
    }

    APPLICATION_PATH: ClassVar[str] = "permit__application_id"

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    number = models.CharField(max_length=20, unique=True)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="stop_work_orders")
    permit = models.ForeignKey(
        Permit, null=True, blank=True, on_delete=models.PROTECT, related_name="stop_work_orders"
    )
    violations = models.ManyToManyField(Violation, related_name="orders", blank=True)
    ground = models.CharField(max_length=20, choices=[(each.key, each.title) for each in GROUNDS])
    facts = models.TextField()
    must_stop = models.TextField()
    must_do = models.TextField()
    issued_on = models.DateField()
    issued_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    issued_at = models.DateTimeField(default=clock.now)
    # The day of the first posting; set once by the act that records it.
    posted_on = models.DateField(null=True, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.STANDING)
    ended_on = models.DateField(null=True, blank=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    ended_why = models.TextField(blank=True)
    # The visit that showed compliance.
    lifted_by_visit = models.ForeignKey(
        Visit, null=True, blank=True, on_delete=models.PROTECT, related_name="lifted_orders"
    )
    paper = models.OneToOneField(
        CasePaper, null=True, blank=True, on_delete=models.PROTECT, related_name="stop_work_order"
    )
    placard = models.OneToOneField(
        CasePaper, null=True, blank=True, on_delete=models.PROTECT, related_name="placard_of"
    )

    objects = StopWorkOrderQuerySet.as_manager()

    if TYPE_CHECKING:
        postings: RelatedManager[Posting]
        notices: RelatedManager[NoticeOfIntent]

    class Meta:
        ordering = ["-issued_on", "-pk"]
        indexes = [
            models.Index(fields=["site", "status"]),
            models.Index(fields=["status", "-issued_on"]),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(ground="no-permit", permit__isnull=True)
                | Q(ground__in=["plan-not-followed", "conditions-not-met"], permit__isnull=False),
                name="stop_work_ground_fits_the_permit",
            ),
            models.CheckConstraint(
                condition=Q(posted_on__isnull=True) | Q(posted_on__gte=F("issued_on")),
                name="stop_work_posted_after_issued",
            ),
            models.CheckConstraint(
                condition=Q(status="standing", ended_on__isnull=True)
                | Q(~Q(status="standing"), ended_on__gte=F("issued_on")),
                name="stop_work_ends_after_it_begins",
            ),
            models.CheckConstraint(
                condition=~Q(status="lifted") | Q(lifted_by_visit__isnull=False),
                name="stop_work_lifted_by_a_visit",
            ),
            models.CheckConstraint(
                condition=~Q(facts="") & ~Q(must_stop="") & ~Q(must_do=""),
                name="stop_work_says_what_and_why",
            ),
        ]

    def __str__(self) -> str:
        return self.number

    def get_absolute_url(self) -> str:
        return reverse("order", args=[self.key])

    @property
    def reason(self) -> Ground:
        """The ground, with its words and where it stands written."""
        return GROUNDS_BY_KEY[self.ground]

    @property
    def is_standing(self) -> bool:
        """Whether it stops work now."""
        return self.status == OrderStatus.STANDING

    # Clocks -------------------------------------------------------------------------------

    def compliance_deadline(self, *, calendar: Calendar | None = None) -> Deadline | None:
        """Return the permittee's last day to comply; None without a permit. (7)(c)"""
        return self._counted(compliance_deadline, calendar) if self.permit_id else None

    def permit_deadline(self, *, calendar: Calendar | None = None) -> Deadline | None:
        """Return the last day to obey or to obtain a permit; None for a permittee. (7)(d)"""
        return None if self.permit_id else self._counted(permit_deadline, calendar)

    def revocation_opens(self, *, calendar: Calendar | None = None) -> WaitingPeriod | None:
        """Return the first day on which the permit may be revoked. (7)(c)"""
        return self._counted(revocation_opens, calendar) if self.permit_id else None

    def cease_and_desist_opens(self, *, calendar: Calendar | None = None) -> WaitingPeriod | None:
        """Return the first day of a request to the city attorney. (7)(d)"""
        return None if self.permit_id else self._counted(referral_opens, calendar)

    def notice_of_intent_opens(self, *, calendar: Calendar | None = None) -> WaitingPeriod | None:
        """Return the first day of a notice of intent; None before the order is posted. (7)(e)"""
        if self.posted_on is None:
            return None
        opens: WaitingPeriod = self._counted(notice_of_intent_opens, calendar, start=self.posted_on)
        return opens

    def appeal_deadline(self, *, calendar: Calendar | None = None) -> Deadline:
        """Return the last day to appeal the order. Former § 17.19(8)"""
        return appeal_deadline(
            self.issued_on,
            days=council.appeal_days(on=self.issued_on),
            calendar=calendar or city_calendar.current_calendar(),
            edition=city.edition_on(self.issued_on),
        )

    def _counted(self, rule: Any, calendar: Calendar | None, start: date | None = None) -> Any:
        calendar = calendar or city_calendar.current_calendar()
        edition = city.edition_on(start or self.issued_on)
        clock = rule(start or self.issued_on, calendar=calendar, edition=edition)
        return with_stays(clock, stays_of(self), calendar)

    def clocks(self) -> list[Deadline | WaitingPeriod]:
        """Return the running clocks of the order, as the docket must have them.

        A waiting period ends with the step that it opened, and the days to obtain a permit end
        with the permit.
        """
        if not self.is_standing:
            return []
        found: list[Deadline | WaitingPeriod | None] = [self.appeal_deadline()]
        if not self.is_revoked_under:
            found += [self.compliance_deadline(), self.revocation_opens()]
        if not self.is_requested and not self.is_permitted:
            found += [self.permit_deadline(), self.cease_and_desist_opens()]
        if not self.is_noticed:
            found.append(self.notice_of_intent_opens())
        return [each for each in found if each is not None]

    def counts(self) -> list[Deadline | WaitingPeriod]:
        """Return every date that follows from the order itself, for its paper and preview."""
        found: list[Deadline | WaitingPeriod | None] = [
            self.compliance_deadline(),
            self.permit_deadline(),
            self.revocation_opens(),
            self.cease_and_desist_opens(),
            self.notice_of_intent_opens(),
        ]
        return [each for each in found if each is not None]

    @property
    def is_revoked_under(self) -> bool:
        """Whether the permit was revoked under this order, also where that was reversed."""
        from .revocation import Revocation

        read: bool | None = getattr(self, "read_revoked", None)
        return Revocation.objects.filter(order=self).exists() if read is None else read

    @property
    def is_requested(self) -> bool:
        """Whether the city attorney was asked for a cease and desist order."""
        from .revocation import CeaseAndDesistRequest

        read: bool | None = getattr(self, "read_requested", None)
        return CeaseAndDesistRequest.objects.filter(order=self).exists() if read is None else read

    @property
    def is_permitted(self) -> bool:
        """Whether the person ordered for want of a permit has obtained one since. (7)(d)"""
        if self.permit_id:
            return False
        read: bool | None = getattr(self, "read_permitted", None)
        if read is not None:
            return read
        return Permit.objects.filter(site=self.site_id, issued_on__gte=self.issued_on).exists()

    @property
    def is_noticed(self) -> bool:
        """Whether a notice of intent under this order stands or was carried out."""
        read: bool | None = getattr(self, "read_noticed", None)
        if read is not None:
            return read
        return self.notices.filter(status__in=["standing", "done"]).exists()

    def obstacles_to(self, step: str, *, on: date) -> list[Obstacle]:
        """Return every reason why a next step may not be taken yet; see `enforcement.ladder`."""
        from enforcement import ladder

        return ladder.step(self, step, on=on).obstacles


class PostingQuerySet(models.QuerySet["Posting"]):
    def standing(self) -> PostingQuerySet:
        """Postings that no later row has corrected."""
        return self.filter(corrected_by__isnull=True)


class Posting(models.Model):
    """That the placard was put up on the site: day, place, photo, who; never changed.

    A placard that was torn down is posted again by another row; the first one counts. What was
    recorded wrong is put right by another row, too, that names the row it `corrects` and why.
    """

    order = models.ForeignKey(StopWorkOrder, on_delete=models.PROTECT, related_name="postings")
    posted_on = models.DateField()
    place = models.CharField(max_length=300)
    photos = models.ManyToManyField(Upload, related_name="postings", blank=True)
    posted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    recorded_at = models.DateTimeField(default=clock.now)
    corrects = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="corrected_by"
    )
    reason = models.TextField(blank=True)

    objects = PostingQuerySet.as_manager()

    class Meta:
        ordering = ["posted_on", "pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(place=""), name="posting_says_where"),
            models.CheckConstraint(
                condition=Q(corrects__isnull=True) | ~Q(reason=""),
                name="posting_correction_has_its_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.order} posted on {self.posted_on}"

    @property
    def was_corrected(self) -> bool:
        """Whether another row says how it was in truth."""
        return hasattr(self, "corrected_by")
