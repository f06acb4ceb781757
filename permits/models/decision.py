"""The decision: grant, or denial with required changes. § 40-886(c)"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from django.conf import settings
from django.db import models
from django.db.models import Q

from portal import city, city_calendar, clock, council
from portal.city import say
from portal.ordinance import Calendar, Deadline
from portal.ordinance.appeals import appeal_deadline

from .application import Application
from .application_facts import ApplicationStatus
from .plan import DEVICE_CHOICES, PlanRevision


def amount_setters() -> dict[str, str]:
    """Return who may set the amount of the escrow, by the titles of the city. (4)(c)"""
    return {role: say(f"{{{role.capitalize()}}}") for role in Decision.AmountSetBy.values}


class Decision(models.Model):
    """What the inspector decided on one plan revision; never changed."""

    class Kind(models.TextChoices):
        GRANT = "grant", "Granted"
        DENY = "deny", "Denied"

    class AmountSetBy(models.TextChoices):
        INSPECTOR = "inspector", "Building inspector"
        ADMINISTRATOR = "administrator", "City administrator"

    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="decisions")
    revision = models.OneToOneField(PlanRevision, on_delete=models.PROTECT, related_name="decision")
    kind = models.CharField(max_length=5, choices=Kind.choices)
    decided_on = models.DateField()
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    decided_at = models.DateTimeField(default=clock.now)
    note = models.TextField(blank=True)
    # A grant's terms
    conditions = models.JSONField(default=list)
    escrow_amount = models.DecimalField(max_digits=12, decimal_places=2, null=True, blank=True)
    escrow_set_by = models.CharField(max_length=14, choices=AmountSetBy.choices, blank=True)
    escrow_basis = models.TextField(blank=True)
    permanent_controls_by = models.DateField(null=True, blank=True)
    maintenance_agreement = models.BooleanField(default=False)
    # A denial's substance
    changes_count = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="grant") | Q(kind="deny", changes_count__gte=1),
                name="denial_names_at_least_one_required_change",
            ),
            models.CheckConstraint(
                condition=Q(kind="deny")
                | Q(
                    kind="grant",
                    escrow_amount__gt=0,
                    escrow_set_by__in=["inspector", "administrator"],
                    permanent_controls_by__isnull=False,
                ),
                name="grant_sets_escrow_and_date_for_permanent_controls",
            ),
            models.UniqueConstraint(
                fields=["application"], condition=Q(kind="grant"), name="one_grant_per_application"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.application}: {self.get_kind_display().lower()} on {self.decided_on}"

    def get_absolute_url(self) -> str:
        return self.application.get_absolute_url()

    def get_escrow_set_by_display(self) -> str:  # type: ignore[no-redef]
        """Who set the amount, by the title the city gives them."""
        return amount_setters()[self.escrow_set_by] if self.escrow_set_by else ""

    @property
    def site(self) -> object:
        """The site of the application."""
        return self.application.site

    def appeal_deadline(self, *, calendar: Calendar | None = None) -> Deadline:
        """Return the last day to appeal to the board of zoning appeals."""
        days = council.appeal_days(on=self.decided_on)
        return appeal_deadline(
            self.decided_on,
            days=days,
            calendar=calendar or city_calendar.current_calendar(as_of=self.decided_at),
            edition=city.edition_on(self.decided_on),
        )

    def was_late(self) -> bool:
        """Whether the decision came after its last day. Late is late; nothing is deemed granted."""
        deadline = self.revision.review_deadline() or self.application.decision_deadline()
        return deadline is not None and self.decided_on > deadline.on

    def is_superseded(self, *, among: Iterable[Decision] | None = None) -> bool:
        """Whether this is a denial after which the plan was revised and the permit granted.

        A page that has read every decision of the application hands them on as `among`.
        """
        if self.kind != self.Kind.DENY:
            return False
        if self.application.status == ApplicationStatus.GRANTED:
            return True
        if among is not None:
            return any(each.kind == self.Kind.GRANT for each in among)
        return self.application.decisions.filter(kind=self.Kind.GRANT).exists()

    def clocks(self) -> list[Deadline]:
        """Return the appeal clock: a right that lapses, never a duty that is late.

        A denial that a grant supersedes aggrieves nobody any more; its clock has ended.
        """
        return [] if self.is_superseded() else [self.appeal_deadline()]


class RequiredChange(models.Model):
    """One numbered addition or modification that a denial requires. § 40-886(c)"""

    decision = models.ForeignKey(Decision, on_delete=models.PROTECT, related_name="changes")
    number = models.PositiveSmallIntegerField()
    section = models.CharField(max_length=20)
    sheet = models.CharField(max_length=120, blank=True)
    text = models.TextField()

    class Meta:
        ordering = ["decision", "number"]
        constraints = [
            models.UniqueConstraint(fields=["decision", "number"], name="change_numbered_once"),
            models.CheckConstraint(condition=~Q(text=""), name="required_change_says_what"),
        ]

    def __str__(self) -> str:
        return f"Required change {self.number}"

    def citation(self) -> str:
        """Return where the requirement stands written."""
        on: date = self.decision.decided_on
        return str(city.edition_on(on).citation(self.section))


class StayingPractice(models.Model):
    """A practice that stays beyond the permit, as the grant names it. Former § 17.19(4)(f)(1)"""

    decision = models.ForeignKey(Decision, on_delete=models.PROTECT, related_name="practices")
    number = models.PositiveSmallIntegerField()
    device = models.CharField(max_length=40, choices=DEVICE_CHOICES, blank=True)
    name = models.CharField(max_length=200)
    place = models.CharField(max_length=200, blank=True)
    drainage_area = models.TextField()
    drainage_acres = models.DecimalField(max_digits=9, decimal_places=2, null=True, blank=True)

    class Meta:
        ordering = ["decision", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["decision", "number"], name="staying_practice_numbered_once"
            ),
            models.CheckConstraint(
                condition=~Q(name="") & ~Q(drainage_area=""),
                name="staying_practice_says_what_and_what_drains_to_it",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}, {self.place}" if self.place else self.name


class ChangeAnswer(models.Model):
    """What the applicant did about a required change, in the next revision of the plan."""

    change = models.ForeignKey(RequiredChange, on_delete=models.PROTECT, related_name="answers")
    revision = models.ForeignKey(PlanRevision, on_delete=models.PROTECT, related_name="answers")
    text = models.TextField()

    class Meta:
        ordering = ["change", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["change", "revision"], name="one_answer_per_revision")
        ]

    def __str__(self) -> str:
        return f"Answer to {self.change}"
