"""The permit: granted with an application, issued once the escrow is posted. § 40-886"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from permits import holds, issued
from portal import city, city_calendar, numbers
from portal.models import User
from portal.ordinance import Calendar, Deadline, Obstacle
from portal.ordinance.permit_date import completion_deadline

from .acting import Acting, NotNow
from .application import Application
from .decision import Decision
from .docket import DocketEntry
from .plan import PlanRevision
from .site import Site


class PermitStatus(models.TextChoices):
    """Where a permit stands; it moves only as `Permit.NEXT` allows."""

    AWAITING_ESCROW = "awaiting_escrow", "Granted, waiting for the escrow"
    ISSUED = "issued", "Issued"
    WITHDRAWN = "withdrawn", "Withdrawn before it was issued"
    CLOSED = "closed", "Closed"
    REVOKED = "revoked", "Revoked"


class Permit(Acting):
    """An erosion control permit; work may begin only once it is issued."""

    Status = PermitStatus
    NEXT: ClassVar[dict[PermitStatus, frozenset[PermitStatus]]] = {
        Status.AWAITING_ESCROW: frozenset({Status.ISSUED, Status.WITHDRAWN}),
        Status.ISSUED: frozenset({Status.CLOSED, Status.REVOKED}),
        Status.REVOKED: frozenset({Status.ISSUED}),
        Status.WITHDRAWN: frozenset(),
        Status.CLOSED: frozenset(),
    }

    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="permits")
    application = models.OneToOneField(Application, on_delete=models.PROTECT, related_name="permit")
    grant = models.OneToOneField(Decision, on_delete=models.PROTECT, related_name="permit")
    number = models.CharField(max_length=20, unique=True, null=True, blank=True)
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.AWAITING_ESCROW)
    granted_on = models.DateField()
    escrow_amount = models.DecimalField(max_digits=12, decimal_places=2)
    escrow_posted_on = models.DateField(null=True, blank=True)
    # The last day on which the posted instruments still cover the amount; none expires: null.
    escrow_good_until = models.DateField(null=True, blank=True)
    permanent_controls_by = models.DateField()
    issued_on = models.DateField(null=True, blank=True)
    final_inspection_passed_on = models.DateField(null=True, blank=True)
    closed_on = models.DateField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["status", "-id"])]
        constraints = [
            models.CheckConstraint(
                condition=~Q(status="issued")
                | Q(
                    number__isnull=False,
                    issued_on__isnull=False,
                    escrow_posted_on__isnull=False,
                    issued_on__gte=F("escrow_posted_on"),
                ),
                name="permit_issued_only_after_escrow_is_posted",
            ),
            models.CheckConstraint(
                condition=Q(issued_on__isnull=True)
                | Q(escrow_posted_on__isnull=False, issued_on__gte=F("granted_on")),
                name="permit_issued_after_grant_and_escrow",
            ),
            models.CheckConstraint(
                condition=~Q(status="closed")
                | Q(closed_on__isnull=False, final_inspection_passed_on__isnull=False),
                name="permit_closed_only_after_final_inspection",
            ),
            models.CheckConstraint(
                condition=Q(escrow_amount__gt=0), name="permit_escrow_amount_is_set"
            ),
        ]

    def __str__(self) -> str:
        return self.number or f"Permit for {self.application}"

    def get_absolute_url(self) -> str:
        return reverse("case", args=[self.site.number])

    def plan_in_force(self) -> PlanRevision:
        """Return the plan as it is now: the one granted, or one that an order asked for since."""
        return self.application.filed_revision() or self.grant.revision

    # Clocks -------------------------------------------------------------------------------

    def permanent_cover_deadline(self, *, calendar: Calendar | None = None) -> Deadline | None:
        """Return the last day for permanent devices and cover. Former § 17.19(4)(d)

        Without a certificate of occupancy it is the date in the permit.
        """
        if self.issued_on is None:
            return None
        return completion_deadline(
            self.permanent_controls_by,
            started_on=self.issued_on,
            calendar=calendar or city_calendar.current_calendar(),
            edition=city.edition_on(self.issued_on),
        )

    def clocks(self) -> list[Deadline]:
        """Return the running clocks of the permit, as the docket must have them."""
        if self.status != PermitStatus.ISSUED or self.final_inspection_passed_on is not None:
            return []
        cover = self.permanent_cover_deadline()
        return [cover] if cover else []

    # Obstacles and acts -------------------------------------------------------------------

    def obstacles_to_issue(self, *, on: date) -> list[Obstacle]:
        """Return every reason why the permit cannot be issued yet. § 40-886(c)"""
        edition = city.edition_on(on)
        found = []
        if self.status != PermitStatus.AWAITING_ESCROW:
            text = f"The permit is {self.get_status_display().lower()}."
            found.append(Obstacle("status", text, edition.citation("permit", "(c)"), "case page"))
        elif self.escrow_posted_on is None:
            text = f"The escrow of ${self.escrow_amount:,.2f} is not posted."
            found.append(Obstacle("escrow", text, edition.citation("escrow"), "post the escrow"))
        elif self.escrow_good_until is not None and on > self.escrow_good_until:
            text = f"An instrument of the escrow expired after {self.escrow_good_until:%B %-d, %Y}."
            found.append(Obstacle("expired", text, edition.citation("escrow"), "post the escrow"))
        if self.status == PermitStatus.AWAITING_ESCROW and self.permanent_controls_by <= on:
            day = self.permanent_controls_by
            text = (
                f"The date for the permanent controls, {day:%B} {day.day}, {day.year}, has come: "
                "a permit issued now would make them due at once."
            )
            citation = edition.citation("completion")
            found.append(Obstacle("controls-date", text, citation, "set a new date"))
        return found + holds.holds(self.site, holds.Act.ISSUE, on=on)

    def move_controls_date(self, *, by: User, on: date, to: date, reason: str) -> None:
        """Set another day for the permanent controls before the permit is issued.

        The grant stays as it was decided; the record keeps both days and why.
        """
        with self.acting():
            if self.status != PermitStatus.AWAITING_ESCROW:
                raise NotNow("The date is set anew only for a permit that is not issued yet.")
            if to <= on or to == self.permanent_controls_by:
                raise NotNow("Write another day than the present one, after today.")
            before, self.permanent_controls_by = self.permanent_controls_by, to
            self.save(update_fields=["permanent_controls_by"])
            self.site.record(
                "date.moved",
                by=by,
                on=on,
                section="completion",
                reason=reason,
                facts={"rule": "permanent-cover", "from": before, "to": to},
            )

    def note_escrow_posted(
        self,
        *,
        on: date,
        total: Decimal,
        by: User,
        receipt: str,
        forms: list[str],
        good_until: date | None = None,
    ) -> None:
        """Take note that the escrow covers the amount set; the money tells it. Under lock."""
        if self.status != PermitStatus.AWAITING_ESCROW or self.escrow_posted_on is not None:
            raise NotNow("The escrow of this permit is already posted, or no longer needed.")
        self.escrow_posted_on, self.escrow_good_until = on, good_until
        self.save(update_fields=["escrow_posted_on", "escrow_good_until"])
        self.site.record(
            "escrow.posted",
            by=by,
            on=on,
            section="escrow",
            facts={"total": total, "receipt": receipt, "forms": forms},
        )

    def note_escrow_reversed(self, *, on: date, by: User, reason: str) -> None:
        """Take note that the posted escrow was reversed before the permit was issued."""
        self.escrow_posted_on = self.escrow_good_until = None
        self.save(update_fields=["escrow_posted_on", "escrow_good_until"])
        self.site.record("escrow.reversed", by=by, on=on, section="escrow", reason=reason)

    def note_escrow_good_until(self, until: date | None) -> None:
        """Take note that an instrument was renewed or replaced; the money tells it. Under lock."""
        self.escrow_good_until = until
        self.save(update_fields=["escrow_good_until"])

    def issue(self, *, by: User, on: date) -> None:
        """Issue the permit: number, date, and its clocks start. § 40-886(c)"""
        with self.acting():
            self.refuse(self.obstacles_to_issue(on=on), "The permit cannot be issued yet.")
            self.move_to(PermitStatus.ISSUED)
            self.number = numbers.next_number("EC", on=on)
            self.issued_on = on
            self.save(update_fields=["status", "number", "issued_on"])
            self.site.index_words()
            self.site.record(
                "permit.issued",
                by=by,
                on=on,
                section="permit",
                facts={
                    "permit": self.number,
                    "application": self.application.number,
                    "permanent_controls_by": self.permanent_controls_by,
                },
            )
            for count in self.clocks():
                DocketEntry.objects.start(
                    self, count, title=f"Permanent cover due, permit {self.number}"
                )
            issued.tell(self, on=on)

    def note_final_inspection(self, *, on: date) -> None:
        """Take note that controls and cover passed; the inspection tells it. Under lock.

        The land of a revoked permit can pass as well: its escrow is held until it does.
        """
        may_pass = self.status in (PermitStatus.ISSUED, PermitStatus.REVOKED)
        if not may_pass or self.final_inspection_passed_on is not None:
            raise NotNow("Only an issued permit whose final inspection is open can pass it.")
        self.final_inspection_passed_on = on
        self.save(update_fields=["final_inspection_passed_on"])
        DocketEntry.objects.close(self, "permanent-cover", met_on=on)

    def obstacles_to_close(self, *, on: date) -> list[Obstacle]:
        """Return every reason why the permit cannot be closed yet. Former § 17.19(4)(c)"""
        edition = city.edition_on(on)
        citation = edition.citation("escrow")
        if self.status != PermitStatus.ISSUED:
            return [
                Obstacle("status", f"{self} is {self.get_status_display().lower()}.", citation, "")
            ]
        found = holds.holds(self.site, holds.Act.CLOSE, on=on)
        if self.final_inspection_passed_on is None:
            text = "The final inspection has not passed."
            found.insert(0, Obstacle("final-inspection", text, citation, "final inspection"))
        return found

    def close(self, *, by: User, on: date) -> None:
        """Close the permit; its controls and cover are complete."""
        with self.acting():
            self.refuse(self.obstacles_to_close(on=on), "The permit cannot be closed yet.")
            self.move_to(PermitStatus.CLOSED)
            self.closed_on = on
            self.save(update_fields=["status", "closed_on"])
            DocketEntry.objects.drop(self, on=on)
            self.site.record(
                "permit.closed", by=by, on=on, section="escrow", facts={"permit": self.number}
            )

    def note_revoked(
        self, *, by: User, on: date, reason: str, order: str, before_safe_why: str = ""
    ) -> None:
        """Take note that the permit is revoked; enforcement tells it. Under lock. (7)(c)"""
        self.refresh_from_db()
        self.move_to(PermitStatus.REVOKED)
        self.save(update_fields=["status"])
        DocketEntry.objects.drop(self, on=on)
        self.site.record(
            "permit.revoked",
            by=by,
            on=on,
            section="enforcement",
            reason=reason,
            facts={"permit": self.number, "order": order, "before_safe_day": before_safe_why},
        )

    def note_reinstated(self, *, by: User, on: date, reason: str) -> None:
        """Take note that the revocation was reversed; the permit stands again. Under lock."""
        self.refresh_from_db()
        self.move_to(PermitStatus.ISSUED)
        self.save(update_fields=["status"])
        for count in self.clocks():
            DocketEntry.objects.start(
                self, count, title=f"Permanent cover due, permit {self.number}"
            )
        self.site.record(
            "permit.reinstated",
            by=by,
            on=on,
            section="appeal",
            reason=reason,
            facts={"permit": self.number},
        )
