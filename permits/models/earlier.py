"""Permits of the city's earlier books: what is known of them, and nothing that is not.

Such a permit was applied for, decided and issued elsewhere. It has no application, plan or
escrow here, and none is made up for it.
"""

from __future__ import annotations

from datetime import date
from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from portal import city, city_calendar
from portal.models import User
from portal.ordinance import Calendar, Deadline
from portal.ordinance.permit_date import completion_deadline

from .acting import Acting
from .docket import DocketEntry
from .imported import ImportedRow
from .party import Party
from .site import Site


class EarlierStatus(models.TextChoices):
    """How an earlier permit stands, as its books say and as was recorded since."""

    APPLIED = "applied", "Applied for"
    ISSUED = "issued", "Issued"
    CLOSED = "closed", "Closed"
    EXPIRED = "expired", "Expired"
    REVOKED = "revoked", "Revoked"
    WITHDRAWN = "withdrawn", "Withdrawn"
    DENIED = "denied", "Denied"
    UNKNOWN = "unknown", "Not known"


class EarlierPermit(Acting):
    """A permit that the city issued before it kept its cases here."""

    Status = EarlierStatus
    ENDED = (Status.CLOSED, Status.EXPIRED, Status.REVOKED, Status.WITHDRAWN, Status.DENIED)
    NEXT: ClassVar[dict[EarlierStatus, frozenset[EarlierStatus]]] = {
        Status.APPLIED: frozenset({Status.WITHDRAWN, Status.DENIED}),
        Status.ISSUED: frozenset({Status.CLOSED, Status.EXPIRED, Status.REVOKED}),
        Status.UNKNOWN: frozenset({Status.ISSUED, *ENDED}),
        **{each: frozenset() for each in ENDED},
    }

    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="earlier_permits")
    row = models.OneToOneField(ImportedRow, on_delete=models.PROTECT, related_name="permit")
    number = models.CharField(max_length=60, db_index=True)
    status = models.CharField(max_length=10, choices=Status.choices)
    words = models.CharField("status in the books", max_length=200, blank=True)
    description = models.TextField(blank=True)
    area_acres = models.DecimalField(max_digits=10, decimal_places=3, null=True, blank=True)
    applied_on = models.DateField(null=True, blank=True)
    issued_on = models.DateField(null=True, blank=True)
    permanent_controls_by = models.DateField(null=True, blank=True)
    ended_on = models.DateField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["status", "-id"], name="earlier_permits_by_status")]
        constraints = [
            models.CheckConstraint(condition=~Q(number=""), name="earlier_permit_has_a_number"),
            models.CheckConstraint(
                condition=Q(ended_on__isnull=True) | ~Q(status__in=["applied", "issued"]),
                name="earlier_permit_that_stands_has_not_ended",
            ),
            models.CheckConstraint(
                condition=Q(issued_on__isnull=True)
                | Q(applied_on__isnull=True)
                | Q(issued_on__gte=F("applied_on")),
                name="earlier_permit_issued_after_it_was_applied_for",
            ),
        ]

    def __str__(self) -> str:
        return self.number

    def get_absolute_url(self) -> str:
        return self.site.get_absolute_url()

    def why_not_computed(self) -> str:
        """Say which facts are missing for the day of permanent cover; nothing if none is."""
        if self.status != EarlierStatus.ISSUED:
            return "No duty runs under a permit that does not stand."
        if self.issued_on is None:
            return "The day on which the permit was issued is not known."
        if self.permanent_controls_by is None:
            return "The day that the permit names for its permanent controls is not known."
        if self.issued_on < city.edition_on(self.issued_on).in_force_on:
            return "The text of the ordinance in force on the day of the permit is not kept here."
        if self.permanent_controls_by <= self.issued_on:
            return "The day named for the permanent controls is not after that of the permit."
        return ""

    def permanent_cover_deadline(self, *, calendar: Calendar | None = None) -> Deadline | None:
        """Return the last day for permanent devices and cover, where the facts suffice.

        Former § 17.19(4)(d)
        """
        if self.issued_on is None or self.permanent_controls_by is None or self.why_not_computed():
            return None
        return completion_deadline(
            self.permanent_controls_by,
            started_on=self.issued_on,
            calendar=calendar or city_calendar.current_calendar(),
            edition=city.edition_on(self.issued_on),
        )

    def clocks(self) -> list[Deadline]:
        """Return the running clocks of the permit, as the docket must have them."""
        cover = self.permanent_cover_deadline()
        return [cover] if cover else []

    def settle(
        self, status: EarlierStatus, *, day: date | None, why: str, by: User, on: date
    ) -> None:
        """Record what became of the permit, and from which proof that is known.

        Its books stay as they were imported; the duty that ran under it ends with it. Where
        nobody knows the day of the end, that of the books stands; what goes on has no end.
        """
        with self.acting():
            self.move_to(status)
            if status != EarlierStatus.ISSUED:
                self.ended_on = day or self.ended_on
            else:
                self.issued_on, self.ended_on = self.issued_on or day, None
            self.save(update_fields=["status", "ended_on", "issued_on"])
            DocketEntry.objects.drop(self, on=on)
            for count in self.clocks():
                DocketEntry.objects.start(self, count, title=cover_title(self))
            self.site.record(
                "earlier_permit.settled",
                by=by,
                on=on,
                reason=why,
                facts={"permit": self.number, "status": status, "day": day},
            )


class EarlierParty(models.Model):
    """A person or company named by an earlier permit."""

    Role = Party.Role

    permit = models.ForeignKey(EarlierPermit, on_delete=models.PROTECT, related_name="parties")
    role = models.CharField(max_length=12, choices=Party.Role.choices)
    name = models.CharField(max_length=200)
    mailing_address = models.TextField(blank=True)
    email = models.EmailField("e-mail", blank=True)
    telephone = models.CharField(max_length=40, blank=True)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "earlier parties"
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="earlier_party_has_a_name"),
            models.UniqueConstraint(
                fields=["permit", "role"], name="one_earlier_party_of_each_role"
            ),
        ]

    def __str__(self) -> str:
        return self.name


def cover_title(permit: EarlierPermit) -> str:
    """Return how the docket names the day of permanent cover of an earlier permit."""
    return f"Permanent cover due, permit {permit.number}"
