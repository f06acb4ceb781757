"""The docket: the index of every running deadline and waiting period."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.contrib.contenttypes.fields import GenericForeignKey
from django.contrib.contenttypes.models import ContentType
from django.db import models
from django.db.models import F, Q

from portal.ordinance import Deadline, WaitingPeriod

from .site import Site

COUNTED = ("on", "safe_on", "stayed_days", "stayed_since")
"""What a row of the docket repeats of its count."""


class DocketQuerySet(models.QuerySet["DocketEntry"]):
    def running(self) -> DocketQuerySet:
        """Entries that were neither met nor ended by another act."""
        return self.filter(closed_on__isnull=True)

    def start(
        self, subject: models.Model, count: Deadline | WaitingPeriod, *, title: str
    ) -> DocketEntry:
        """Enter a clock that an act has started; `subject` is what it belongs to."""
        return self.create(
            site=subject.site,  # type: ignore[attr-defined]
            subject=subject,
            title=title,
            rule=count.key,
            kind=count.kind.value,
            bound=bound_to(count),
            started_on=count.started_on,
            on=count.on,
            safe_on=count.safe_on,
            stayed_days=count.stayed_days,
            stayed_since=count.stayed_since,
        )

    def not_stayed(self) -> DocketQuerySet:
        """Entries that no appeal holds still. Former § 17.19(8)"""
        return self.filter(stayed_since__isnull=True)

    def count_again(self, subject: models.Model) -> int:
        """Write each running clock of a subject as it counts now; returns how many moved."""
        counts = {count.key: count for count in subject.clocks()}  # type: ignore[attr-defined]
        moved = 0
        for entry in self.of(subject).running():
            moved += entry.rule in counts and entry.take(counts[entry.rule])
        return moved

    def of(self, subject: models.Model) -> DocketQuerySet:
        """Entries of one application, revision, permit or order."""
        return self.filter(
            subject_type=ContentType.objects.get_for_model(subject), subject_pk=subject.pk
        )

    def of_many(self, model: type[models.Model], keys: Sequence[int]) -> DocketQuerySet:
        """Entries of many things of one kind, by their keys."""
        kind = ContentType.objects.get_for_model(model)
        return self.filter(subject_type=kind, subject_pk__in=keys)

    def close(self, subject: models.Model, rule: str, *, met_on: date) -> int:
        """Close a running clock that was met on a day. Returns how many were closed."""
        running = self.of(subject).running().filter(rule=rule)
        return running.update(met_on=met_on, closed_on=met_on)

    def drop(self, subject: models.Model, *, on: date) -> int:
        """End every running clock of a subject whose duty fell away."""
        return self.of(subject).running().update(closed_on=on)


def bound_to(count: Deadline | WaitingPeriod) -> str:
    """Return which of the docket's persons a clock binds."""
    return DocketEntry.BOUND_BY_RULE.get(count.key, DocketEntry.Bound.CITY)


class DocketEntry(models.Model):
    """One clock: whom it binds, since when, its date and safe date, and when it was met.

    Written inside the act that starts or ends the clock; `manage.py verify` proves each
    running row equal to the model method that computes it.
    """

    class Kind(models.TextChoices):
        DEADLINE = "deadline", "Deadline"
        WAITING = "waiting", "Waiting period"

    class Bound(models.TextChoices):
        INSPECTOR = "inspector", "The building inspector"
        CITY = "city", "The city"
        PERMITTEE = "permittee", "The permittee"
        PERSON = "person", "The person ordered"
        AGGRIEVED = "aggrieved", "Anybody aggrieved"
        PAYER = "payer", "Who pays the bill"

    BOUND_BY_RULE = {
        "decision": Bound.INSPECTOR,
        "revision-review": Bound.INSPECTOR,
        "permanent-cover": Bound.PERMITTEE,
        "correction": Bound.PERMITTEE,
        "revision-order-line": Bound.PERMITTEE,
        "stop-work-compliance": Bound.PERSON,
        "permit-after-stop-work": Bound.PERSON,
        "appeal": Bound.AGGRIEVED,
        "bill": Bound.PAYER,
        "upkeep-correction": Bound.PERSON,
    }

    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="docket")
    subject_type = models.ForeignKey(ContentType, on_delete=models.PROTECT, related_name="+")
    subject_pk = models.PositiveBigIntegerField()
    subject = GenericForeignKey("subject_type", "subject_pk")
    title = models.CharField(max_length=200)
    rule = models.CharField(max_length=40)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    bound = models.CharField(max_length=12, choices=Bound.choices)
    started_on = models.DateField()
    on = models.DateField()
    safe_on = models.DateField()
    met_on = models.DateField(null=True, blank=True)
    closed_on = models.DateField(null=True, blank=True)
    # Days that ended stays have left out, and the day since which a stay runs now.
    stayed_days = models.PositiveIntegerField(default=0)
    stayed_since = models.DateField(null=True, blank=True)

    objects = DocketQuerySet.as_manager()

    class Meta:
        ordering = ["on", "pk"]
        verbose_name_plural = "docket entries"
        indexes = [
            models.Index(
                fields=["bound", "on", "id"],
                condition=Q(closed_on__isnull=True),
                name="docket_running",
            ),
            # The lists of the desk are of one kind each: what is due, or what has opened.
            models.Index(
                fields=["bound", "kind", "on", "id"],
                condition=Q(closed_on__isnull=True),
                name="docket_by_kind",
            ),
            models.Index(fields=["subject_type", "subject_pk"]),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["subject_type", "subject_pk", "rule"],
                condition=Q(closed_on__isnull=True),
                name="one_running_clock_per_rule_and_subject",
            ),
            models.CheckConstraint(
                condition=Q(kind="deadline", safe_on__lte=F("on"))
                | Q(kind="waiting", safe_on__gte=F("on")),
                name="docket_safe_date_is_on_the_safe_side",
            ),
            models.CheckConstraint(
                condition=Q(met_on__isnull=True) | Q(closed_on=F("met_on")),
                name="docket_met_is_closed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.site.number} {self.rule}: {self.on}"

    @property
    def lapses(self) -> bool:
        """Whether this is a right that lapses, and not a duty that can be late."""
        return self.bound == self.Bound.AGGRIEVED

    @property
    def is_stayed(self) -> bool:
        """Whether an appeal holds this clock still. Former § 17.19(8)"""
        return self.stayed_since is not None

    def is_late(self, on: date) -> bool:
        """Whether the day has passed without the act. The last day itself is in time."""
        running = self.closed_on is None and self.kind == self.Kind.DEADLINE
        return running and not self.is_stayed and not self.lapses and on > self.on

    def has_opened(self, on: date) -> bool:
        """Whether a waiting period has run out, so that the city may act."""
        running = self.closed_on is None and self.kind == self.Kind.WAITING
        return running and not self.is_stayed and on >= self.on

    def take(self, count: Deadline | WaitingPeriod) -> bool:
        """Write the dates and stays of a count on this row; returns whether any moved."""
        before = [getattr(self, name) for name in COUNTED]
        for name in COUNTED:
            setattr(self, name, getattr(count, name))
        if before == [getattr(count, name) for name in COUNTED]:
            return False
        self.save(update_fields=COUNTED)
        return True

    def fits(self, count: Deadline | WaitingPeriod) -> bool:
        """Whether this row says what a count says."""
        return all(getattr(self, name) == getattr(count, name) for name in COUNTED)

    def count(self) -> Any:
        """Return the count that explains this entry, computed anew by its subject."""
        clocks = self.subject.clocks() if self.subject else []
        return next((c for c in clocks if c.key == self.rule), None)
