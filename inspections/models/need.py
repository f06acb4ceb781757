"""Why a site is worth a visit today: one row per site and reason while it is open."""

from __future__ import annotations

from datetime import date

from django.db import models
from django.db.models import Case, Exists, OuterRef, Q, Value, When

from permits.models import Site

from .visit import Visit


class NeedQuerySet(models.QuerySet["VisitNeed"]):
    def open(self) -> NeedQuerySet:
        """Needs that no visit has met yet."""
        return self.filter(closed_on__isnull=True)

    def first_of_each_site(self) -> NeedQuerySet:
        """The most urgent open need of each site, the most urgent site first.

        By index, however many needs are open; a site has one open need of each reason.
        """
        others = VisitNeed.objects.open().filter(site=OuterRef("site"))
        more_urgent = others.filter(urgency__lt=OuterRef("urgency"))
        return self.open().filter(~Exists(more_urgent)).order_by("urgency", "due_on", "pk")

    def raise_once(
        self, site: Site, reason: str, *, due_on: date, because: str, since: date
    ) -> bool:
        """Open a need unless the same is open already; returns whether it is new."""
        _, created = self.get_or_create(
            site=site,
            reason=reason,
            closed_on=None,
            defaults={"due_on": due_on, "because": because, "since": since},
        )
        return created


class VisitNeed(models.Model):
    """A reason to visit a site, by a day; met by a visit, or fallen away."""

    class Reason(models.TextChoices):
        RAIN = "rain", "Rain of half an inch or more"
        CORRECTION = "correction", "A correction is due"
        COMPLAINT = "complaint", "A report by the public"
        NEW_PERMIT = "new_permit", "New permit, before the first disturbance"
        FINAL = "final", "Final inspection asked for"
        ACTIVITY = "activity", "An activity of the timetable begins"
        LOG_GAP = "log_gap", "The permittee's log has a gap"
        WEEK = "week", "Seven days since the last visit"
        STOCKPILE = "stockpile", "A stockpile older than seven days"
        SEASON = "season", "End of the work or of the season"
        UPKEEP = "upkeep", "Upkeep under an agreement"

    # Which reason is shown first when several stand for one site; upkeep comes last.
    URGENCY = [
        Reason.RAIN,
        Reason.CORRECTION,
        Reason.COMPLAINT,
        Reason.STOCKPILE,
        Reason.FINAL,
        Reason.NEW_PERMIT,
        Reason.ACTIVITY,
        Reason.SEASON,
        Reason.LOG_GAP,
        Reason.WEEK,
    ]

    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="visit_needs")
    reason = models.CharField(max_length=12, choices=Reason.choices)
    since = models.DateField()
    due_on = models.DateField()
    because = models.CharField(max_length=300)
    # Kept by the database itself, so that no act can forget it.
    urgency = models.GeneratedField(
        expression=Case(
            *(When(reason=reason, then=Value(place)) for place, reason in enumerate(URGENCY)),
            default=Value(len(URGENCY)),
        ),
        output_field=models.PositiveSmallIntegerField(),
        db_persist=True,
    )
    closed_on = models.DateField(null=True, blank=True)
    met_by = models.ForeignKey(
        Visit, null=True, blank=True, on_delete=models.PROTECT, related_name="needs_met"
    )

    objects = NeedQuerySet.as_manager()

    class Meta:
        ordering = ["due_on", "pk"]
        indexes = [
            models.Index(
                fields=["urgency", "due_on", "id"],
                condition=Q(closed_on__isnull=True),
                name="visit_needs_open",
            ),
            models.Index(
                fields=["reason", "due_on", "id"],
                condition=Q(closed_on__isnull=True),
                name="visit_needs_of_a_reason",
            ),
            models.Index(
                fields=["site", "urgency"],
                condition=Q(closed_on__isnull=True),
                name="visit_needs_of_a_site",
            ),
            # All that the annual report asks of a year's rain.
            models.Index(
                fields=["since", "due_on", "closed_on", "met_by"],
                condition=Q(reason="rain"),
                name="visit_needs_after_rain",
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["site", "reason"],
                condition=Q(closed_on__isnull=True),
                name="one_open_need_per_site_and_reason",
            )
        ]

    def __str__(self) -> str:
        return f"{self.site.number}: {self.get_reason_display()} by {self.due_on}"
