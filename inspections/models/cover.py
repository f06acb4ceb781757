"""Permanent cover, the final inspection and certificates of occupancy. Former § 17.19(4)(d)"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from permits.models import Application, Permit, Site
from portal import city, city_calendar, clock
from portal.ordinance import Calendar, Deadline
from portal.ordinance.cover import (
    Completion,
    before_certificate_deadline,
    completion,
    in_winter,
    permanent_cover_deadline,
    permit_date_beside,
)
from portal.ordinance.inspection import Cover

from .visit import Visit


class CompletionReport(models.Model):
    """The permittee reports the work complete and asks for the final inspection."""

    permit = models.ForeignKey(Permit, on_delete=models.PROTECT, related_name="completion_reports")
    reported_on = models.DateField()
    text = models.TextField(blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.permit}: reported complete on {self.reported_on}"


class FinalInspection(models.Model):
    """What the inspector found of each permanent control and of the cover; never changed."""

    class Method(models.TextChoices):
        ESTIMATE = "estimate", "Estimate by eye over the whole site"
        QUADRAT = "quadrat", "Counted in sample squares"
        TRANSECT = "transect", "Counted along a line"
        PHOTO = "photo", "From photos"

    permit = models.ForeignKey(Permit, on_delete=models.PROTECT, related_name="final_inspections")
    visit = models.OneToOneField(Visit, on_delete=models.PROTECT, related_name="final_inspection")
    inspected_on = models.DateField()
    controls_complete = models.BooleanField()
    perennial = models.BooleanField()
    density_percent = models.PositiveSmallIntegerField()
    method = models.CharField(max_length=10, choices=Method.choices)
    note = models.TextField(blank=True)
    # Each permanent control as the plan names it: {"label", "place", "in_place"}.
    controls = models.JSONField(default=list, blank=True)
    passed = models.BooleanField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(density_percent__lte=100), name="density_is_a_per_cent"
            ),
            models.CheckConstraint(
                condition=Q(passed=False) | Q(controls_complete=True, perennial=True),
                name="final_inspection_passes_with_controls_and_cover",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.permit}: final inspection {'passed' if self.passed else 'not passed'}"

    def cover(self) -> Cover:
        """Return the cover as it was seen."""
        return Cover(self.perennial, self.density_percent)

    def would_pass(self) -> bool:
        """Whether controls and cover are what the ordinance asks for."""
        established = self.cover().is_established(city.edition_on(self.inspected_on))
        return self.controls_complete and established

    def shortcomings(self) -> list[str]:
        """Say in sentences what is missing for the inspection to pass."""
        edition = city.edition_on(self.inspected_on)
        found = []
        if not self.controls_complete:
            missing = [named(each) for each in self.controls if not each["in_place"]]
            what = "; ".join(missing)
            text = f"Permanent controls are not in place: {what}." if what else NOT_COMPLETE
            found.append(text)
        if not self.perennial:
            found.append("The cover is not perennial.")
        least = edition.cover_density_percent
        if self.density_percent < least:
            found.append(
                f"The cover has a density of {self.density_percent} per cent; {least} per cent or "
                "more counts as established."
            )
        return found


NOT_COMPLETE = "Not every permanent control is in place."


def named(control: dict[str, Any]) -> str:
    """Name a permanent control with its place."""
    return f"{control['label']}, {control['place']}" if control.get("place") else control["label"]


class Certificate(models.Model):
    """A certificate of occupancy for one building; never changed. Former § 17.19(4)(d)"""

    APPLICATION_PATH: ClassVar[str] = "permit__application_id"

    class Choice(models.TextChoices):
        NONE = "", "No choice was needed"
        CONDITION = "condition", "The permit's date is enforced, as a condition of the permit only"
        LIMIT = "limit", "Nothing is enforced before the ordinance's limit"

    permit = models.ForeignKey(Permit, on_delete=models.PROTECT, related_name="certificates")
    building = models.CharField(max_length=200)
    issued_on = models.DateField()
    work_open = models.BooleanField()
    irregular_reason = models.TextField(blank=True)
    choice = models.CharField(max_length=10, choices=Choice.choices, blank=True)
    choice_reason = models.TextField(blank=True)
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    recorded_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ["issued_on", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["permit", "building"], name="one_certificate_per_building"
            )
        ]

    def __str__(self) -> str:
        return f"{self.building}: certificate of {self.issued_on}"

    def get_absolute_url(self) -> str:
        return self.permit.get_absolute_url()

    @property
    def site(self) -> Site:
        """The site of the permit."""
        return self.permit.site

    @property
    def application(self) -> Application:
        """The application whose parties are told."""
        return self.permit.application

    def is_in_winter(self) -> bool:
        """Whether it was issued from October 15 to April 15, both included."""
        return in_winter(self.issued_on, city.edition_on(self.issued_on))

    def completion(self, *, complete_on: date | None = None) -> Completion:
        """Return what the section makes of this certificate and the permit's date."""
        return completion(
            self.permit.permanent_controls_by,
            self.issued_on,
            calendar=city_calendar.current_calendar(),
            edition=city.edition_on(self.issued_on),
            complete_on=complete_on,
        )

    def cover_deadline(self, *, calendar: Calendar | None = None) -> Deadline | None:
        """Return the July 15 deadline of a winter certificate; None outside the winter."""
        return permanent_cover_deadline(
            self.issued_on,
            calendar=calendar or city_calendar.current_calendar(),
            edition=city.edition_on(self.issued_on),
        )

    def due_deadline(self, *, calendar: Calendar | None = None) -> Deadline:
        """Return when open permanent work is due: July 15 in winter, at once outside it."""
        calendar = calendar or city_calendar.current_calendar()
        return self.cover_deadline(calendar=calendar) or before_certificate_deadline(
            self.permit.permanent_controls_by,
            self.issued_on,
            calendar=calendar,
            edition=city.edition_on(self.issued_on),
        )

    def beside(self) -> str:
        """Say how the permit's own date stands beside July 15; empty where it plays no part.

        Both dates run, whatever the inspector chose: no choice takes a date off the record.
        The same words stand on the page, in the mail and in the season letter.
        """
        winter = self.cover_deadline()
        if winter is None or not self.clocks():
            return ""
        return permit_date_beside(
            self.permit.permanent_controls_by, self.issued_on, winter, enforced=self.is_condition
        )

    @property
    def what_is_due(self) -> str:
        """Name what July 15 is the last day for: controls that were due before stay due."""
        if self.permit.permanent_controls_by < self.issued_on:
            return "The permanent cover of this building is"
        return "The permanent controls and the permanent cover of this building are"

    @property
    def is_condition(self) -> bool:
        """Whether the permit's date is enforced, as a condition; so by default."""
        return self.choice != self.Choice.LIMIT

    def clocks(self) -> list[Deadline]:
        """Return the running clock, as the docket must have it."""
        if not self.work_open or self.permit.final_inspection_passed_on is not None:
            return []
        return [self.due_deadline()]


@dataclass(frozen=True)
class OpenCover:
    """Permanent cover of a permit that is still due: each running date, and how they stand.

    After `limit_on` the escrow is at stake: the first date of a certificate, where one runs;
    the permit's own date is then a condition of the permit.
    """

    deadlines: list[Deadline]
    beside: list[str]
    limit_on: date | None


def open_cover(permit: Permit) -> OpenCover:
    """Return the dates of permanent cover: the permit's, and each certificate's."""
    own, of_certificates, beside = permit.clocks(), [], []
    for certificate in permit.certificates.all():  # type: ignore[attr-defined]
        certificate.permit = permit
        of_certificates += certificate.clocks()
        if words := certificate.beside():
            beside.append(f"{certificate.building}: {words}")
    deadlines = sorted([*own, *of_certificates], key=lambda each: each.on)
    limit_on = min((each.on for each in of_certificates or own), default=None)
    return OpenCover(deadlines, beside, limit_on)
