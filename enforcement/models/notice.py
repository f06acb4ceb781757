"""Two notices for two paths: of intent to perform work, and by mail to the property owner.

One never stands in for the other: the notice of intent opens city work whose cost is
billed and becomes a special charge (former § 17.19(7)(e)); the ten-day mailed notice opens
work that is paid from the escrow (former § 17.19(4)(e)).
"""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from permits.models import Acting, CasePaper, Permit, Site
from portal import city, city_calendar, clock, council
from portal.ordinance import Calendar, Deadline, Stay, WaitingPeriod
from portal.ordinance.appeals import appeal_deadline
from portal.ordinance.city_work import city_work_opens
from portal.ordinance.mailed_notice import draw_opens
from portal.ordinance.stays import with_stays

from .order import StopWorkOrder
from .revocation import Revocation
from .stays import stays_of


class NoticeStatus(models.TextChoices):
    STANDING = "standing", "Standing"
    DONE = "done", "The work was begun"
    FALLEN = "fallen", "Fallen with its order"
    WITHDRAWN = "withdrawn", "Withdrawn"


NEXT_OF_NOTICE: dict[NoticeStatus, frozenset[NoticeStatus]] = {
    NoticeStatus.STANDING: frozenset(
        {NoticeStatus.DONE, NoticeStatus.FALLEN, NoticeStatus.WITHDRAWN}
    ),
    NoticeStatus.DONE: frozenset(),
    NoticeStatus.FALLEN: frozenset(),
    NoticeStatus.WITHDRAWN: frozenset(),
}


class NoticeOfIntent(Acting):
    """The city's notice of intent to perform work, after a posted order. Former § 17.19(7)(e)"""

    Status = NoticeStatus
    NEXT: ClassVar[dict[NoticeStatus, frozenset[NoticeStatus]]] = NEXT_OF_NOTICE

    APPLICATION_PATH: ClassVar[str] = "order__permit__application_id"

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    number = models.CharField(max_length=20, unique=True)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="notices_of_intent")
    order = models.ForeignKey(StopWorkOrder, on_delete=models.PROTECT, related_name="notices")
    work = models.TextField()
    estimated_cost = models.DecimalField(max_digits=12, decimal_places=2)
    issued_on = models.DateField()
    opened_on = models.DateField()
    safe_on = models.DateField()
    before_safe_why = models.TextField(blank=True)
    issued_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    issued_at = models.DateTimeField(default=clock.now)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.STANDING)
    ended_on = models.DateField(null=True, blank=True)
    ended_why = models.TextField(blank=True)
    paper = models.OneToOneField(
        CasePaper, null=True, blank=True, on_delete=models.PROTECT, related_name="notice_of_intent"
    )

    class Meta:
        ordering = ["-issued_on", "-pk"]
        verbose_name_plural = "notices of intent"
        constraints = [
            models.CheckConstraint(
                condition=Q(issued_on__gte=F("opened_on")),
                name="notice_of_intent_when_the_law_opened_it",
            ),
            models.CheckConstraint(
                condition=Q(issued_on__gte=F("safe_on")) | ~Q(before_safe_why=""),
                name="notice_of_intent_before_the_safe_day_with_a_reason",
            ),
            models.CheckConstraint(
                condition=~Q(work="") & Q(estimated_cost__gt=0),
                name="notice_of_intent_names_work_and_cost",
            ),
            models.UniqueConstraint(
                fields=["order"],
                condition=Q(status="standing"),
                name="one_standing_notice_of_intent_per_order",
            ),
        ]

    def __str__(self) -> str:
        return self.number

    def get_absolute_url(self) -> str:
        return reverse("notice", args=[self.key])

    def city_work_opens(self, *, calendar: Calendar | None = None) -> WaitingPeriod:
        """Return the first day on which the city may enter and work. (7)(e)

        An appeal of the order or of the notice stays it.
        """
        calendar = calendar or city_calendar.current_calendar()
        clock = city_work_opens(
            self.issued_on, calendar=calendar, edition=city.edition_on(self.issued_on)
        )
        return with_stays(clock, (*stays_of(self.order), *stays_of(self)), calendar)

    def appeal_deadline(self, *, calendar: Calendar | None = None) -> Deadline:
        """Return the last day to appeal the notice. Former § 17.19(8)"""
        return appeal_deadline(
            self.issued_on,
            days=council.appeal_days(on=self.issued_on),
            calendar=calendar or city_calendar.current_calendar(),
            edition=city.edition_on(self.issued_on),
        )

    def clocks(self) -> list[WaitingPeriod]:
        """Return the running clock of the notice, as the docket must have it."""
        return [self.city_work_opens()] if self.status == NoticeStatus.STANDING else []


class OwnerNotice(Acting):
    """Ten days' written notice by U.S. mail to the property owner. Former § 17.19(4)(e)

    Several owners: each gets a letter, and the days run from the last one accepted.
    """

    Status = NoticeStatus
    NEXT: ClassVar[dict[NoticeStatus, frozenset[NoticeStatus]]] = NEXT_OF_NOTICE

    APPLICATION_PATH: ClassVar[str] = "permit__application_id"

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    number = models.CharField(max_length=20, unique=True)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="owner_notices")
    permit = models.ForeignKey(Permit, on_delete=models.PROTECT, related_name="owner_notices")
    # Why work is required that the city may complete, a sentence a line.
    because = models.TextField()
    work = models.TextField()
    estimated_cost = models.DecimalField(max_digits=12, decimal_places=2)
    made_on = models.DateField()
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    # The day the post accepted the last of its letters; the mail room tells it.
    accepted_on = models.DateField(null=True, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.STANDING)
    ended_on = models.DateField(null=True, blank=True)
    ended_why = models.TextField(blank=True)
    paper = models.OneToOneField(
        CasePaper, null=True, blank=True, on_delete=models.PROTECT, related_name="owner_notice"
    )

    class Meta:
        ordering = ["-made_on", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(accepted_on__isnull=True) | Q(accepted_on__gte=F("made_on")),
                name="owner_notice_accepted_after_it_was_made",
            ),
            models.CheckConstraint(
                condition=~Q(work="") & ~Q(because="") & Q(estimated_cost__gt=0),
                name="owner_notice_names_ground_work_and_cost",
            ),
        ]

    def __str__(self) -> str:
        return self.number

    def get_absolute_url(self) -> str:
        return reverse("owner_notice", args=[self.key])

    def draw_opens(self, *, calendar: Calendar | None = None) -> WaitingPeriod | None:
        """Return the first day of work and draw; None until the post has every letter."""
        if self.accepted_on is None:
            return None
        calendar = calendar or city_calendar.current_calendar()
        clock = draw_opens(
            self.accepted_on, calendar=calendar, edition=city.edition_on(self.accepted_on)
        )
        return with_stays(clock, self.stays(), calendar)

    def stays(self) -> tuple[Stay, ...]:
        """Return the stays that reach the draw.

        They come from appeals of the notice, and of any order or revocation under its permit.
        """
        acts = [
            *StopWorkOrder.objects.filter(permit=self.permit_id),
            *Revocation.objects.filter(permit=self.permit_id),
        ]
        return tuple(stay for act in (self, *acts) for stay in stays_of(act))

    def clocks(self) -> list[WaitingPeriod]:
        """Return the running clock of the notice, as the docket must have it."""
        opens = self.draw_opens() if self.status == NoticeStatus.STANDING else None
        return [opens] if opens else []
