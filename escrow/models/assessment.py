"""The assessment of what the escrow did not cover. Former § 17.19(4)(e) and ch. 66

Not a special charge: it needs the council's resolutions, bears interest for one year at
most, and takes the council's administrative fee.
"""

from __future__ import annotations

import uuid
from datetime import date

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from permits.models import CasePaper, Site
from portal import city, city_calendar, clock
from portal.models import current_operation
from portal.ordinance import Calendar, Deadline
from portal.ordinance.assessment import anniversary, term

from .base import dollars
from .bill import Bill


class Assessment(models.Model):
    """A levy by resolution on what a bill of the escrow's path left unpaid; never changed.

    `cost` was unpaid on the day of the levy; `fee` is the council's and becomes part of the
    assessment. The money moves on the bill's own account: the fee and each interest booked
    are entries of the bill.
    """

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    number = models.CharField(max_length=20, unique=True)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="assessments")
    bill = models.OneToOneField(Bill, on_delete=models.PROTECT, related_name="assessment")
    levied_on = models.DateField()
    resolution = models.CharField(max_length=60)
    # § 66.0703: notice and hearing before the levy, where the council held one.
    noticed_on = models.DateField(null=True, blank=True)
    heard_on = models.DateField(null=True, blank=True)
    cost = dollars()
    rate = models.DecimalField(max_digits=6, decimal_places=3)  # percent a year
    rate_resolution = models.CharField(max_length=60)
    fee = dollars()
    fee_resolution = models.CharField(max_length=60)
    paper = models.OneToOneField(
        CasePaper, null=True, blank=True, on_delete=models.PROTECT, related_name="assessment"
    )
    levied_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    levied_at = models.DateTimeField(default=clock.now)
    operation = models.UUIDField(null=True, default=current_operation, editable=False)

    class Meta:
        ordering = ["-levied_on", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(resolution="") & ~Q(rate_resolution="") & ~Q(fee_resolution=""),
                name="assessment_has_its_resolutions",
            ),
            models.CheckConstraint(
                condition=Q(cost__gt=0, fee__gte=0, rate__gte=0), name="assessment_amounts_are_sane"
            ),
            models.CheckConstraint(
                condition=Q(heard_on__isnull=True) | Q(heard_on__lte=F("levied_on")),
                name="assessment_heard_before_it_is_levied",
            ),
        ]

    def __str__(self) -> str:
        return self.number

    def get_absolute_url(self) -> str:
        return reverse("bill", args=[self.bill.key])

    @property
    def ends_on(self) -> date:
        """The last day on which interest runs: at most one year from the levy."""
        years = city.edition_on(self.levied_on).assessment_years
        return anniversary(self.levied_on, years)

    def term(self, *, calendar: Calendar | None = None) -> Deadline:
        """Return the term of the assessment with its count."""
        return term(
            self.levied_on,
            calendar=calendar or city_calendar.current_calendar(),
            edition=city.edition_on(self.levied_on),
        )
