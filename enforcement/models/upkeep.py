"""The notice of maintenance: what its party corrects, by when, and what became of it.

Former § 17.19(4)(f)(6) and (7)
"""

from __future__ import annotations

import uuid
from collections.abc import Collection
from datetime import date
from typing import TYPE_CHECKING, Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Exists, F, OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce, Concat
from django.urls import reverse

from inspections.models import UpkeepInspection
from permits.models import (
    Acting,
    AgreementPractice,
    Application,
    CasePaper,
    MaintenanceAgreement,
    Site,
)
from portal import city, city_calendar, clock, council
from portal.models import Mailing, Upload, current_operation
from portal.ordinance import Calendar, Deadline, WaitingPeriod
from portal.ordinance.appeals import appeal_deadline
from portal.ordinance.stays import with_stays
from portal.ordinance.upkeep import correction_deadline, work_opens

from .stays import stays_of

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager


CAUSE = "upkeep_notice"
"""Of the letters with which a notice of maintenance is told."""


class UpkeepStatus(models.TextChoices):
    STANDING = "standing", "Standing"
    CORRECTED = "corrected", "Corrected"
    DONE = "done", "The city began the work"
    WITHDRAWN = "withdrawn", "Withdrawn"
    REVERSED = "reversed", "Reversed by the board"


class UpkeepNoticeQuerySet(models.QuerySet["UpkeepNotice"]):
    def standing(self) -> UpkeepNoticeQuerySet:
        """Notices under which something has still to be corrected."""
        return self.filter(status=UpkeepStatus.STANDING)

    def reported(self) -> UpkeepNoticeQuerySet:
        """Notices with a report that nobody has answered."""
        return self.standing().filter(reports__isnull=False, reports__answer__isnull=True)

    def with_time(self) -> UpkeepNoticeQuerySet:
        """Add `extended_until`: the day as the city set it last, for lists."""
        newest = UpkeepExtension.objects.filter(notice=OuterRef("pk")).order_by("-pk")
        return self.annotate(
            extended_until=Coalesce(Subquery(newest.values("until")[:1]), F("correct_by"))
        )

    def with_facts(self) -> UpkeepNoticeQuerySet:
        """Add what may follow today: reports unanswered, and where the letters are."""
        cause = Concat(Value(f"{CAUSE}:"), OuterRef("number"))
        letters = Mailing.objects.filter(reference=OuterRef("site__number"), cause=cause)
        letters = letters.by_post().exclude(stage=Mailing.Stage.REPLACED)
        reports = CorrectionReport.objects.filter(notice=OuterRef("pk"), answer__isnull=True)
        return self.with_time().annotate(
            reported_on=Subquery(reports.order_by("pk").values("on")[:1]),
            letter_missing=Exists(letters.filter(accepted_on__isnull=True)),
            last_accepted_on=Subquery(letters.order_by("-accepted_on").values("accepted_on")[:1]),
        )

    def soonest_first(self) -> UpkeepNoticeQuerySet:
        """Order by the day as the city set it last."""
        rows: Any = self.with_time()
        ordered: UpkeepNoticeQuerySet = rows.order_by("extended_until", "pk")
        return ordered

    def days(self, keys: Collection[int]) -> dict[int, date]:
        """Return the day until which each of some notices gives time."""
        rows: Any = self.filter(pk__in=keys).with_time().order_by()
        return dict(rows.values_list("pk", "extended_until"))


class UpkeepNotice(Acting):
    """The city tells the responsible party what must be corrected, and by when. (4)(f)(6)"""

    Status = UpkeepStatus
    NEXT: ClassVar[dict[UpkeepStatus, frozenset[UpkeepStatus]]] = {
        Status.STANDING: frozenset(
            {Status.CORRECTED, Status.DONE, Status.WITHDRAWN, Status.REVERSED}
        ),
        Status.CORRECTED: frozenset(),
        Status.DONE: frozenset(),
        Status.WITHDRAWN: frozenset(),
        Status.REVERSED: frozenset(),
    }

    APPLICATION_PATH: ClassVar[str] = "agreement__permit__application_id"

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    number = models.CharField(max_length=20, unique=True)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="upkeep_notices")
    agreement = models.ForeignKey(
        MaintenanceAgreement, on_delete=models.PROTECT, related_name="notices"
    )
    inspection = models.ForeignKey(
        UpkeepInspection, on_delete=models.PROTECT, related_name="notices"
    )
    issued_on = models.DateField()
    correct_by = models.DateField()
    why_enough = models.TextField(blank=True)  # why the city holds the time reasonable
    issued_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    issued_at = models.DateTimeField(default=clock.now)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.STANDING)
    corrected_on = models.DateField(null=True, blank=True)
    ended_on = models.DateField(null=True, blank=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    ended_why = models.TextField(blank=True)
    paper = models.OneToOneField(
        CasePaper, null=True, blank=True, on_delete=models.PROTECT, related_name="upkeep_notice"
    )

    objects = UpkeepNoticeQuerySet.as_manager()

    if TYPE_CHECKING:
        lines: RelatedManager[UpkeepLine]
        extensions: RelatedManager[UpkeepExtension]
        reports: RelatedManager[CorrectionReport]

    class Meta:
        ordering = ["-issued_on", "-pk"]
        indexes = [
            models.Index(fields=["status", "-issued_on"]),
            models.Index(fields=["agreement", "status"]),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["inspection"],
                condition=Q(status__in=["standing", "done", "corrected"]),
                name="one_notice_of_maintenance_on_an_inspection",
            ),
            models.CheckConstraint(
                condition=Q(correct_by__gt=F("issued_on")),
                name="time_to_correct_lies_after_the_notice",
            ),
            models.CheckConstraint(
                condition=Q(status="corrected", corrected_on__gte=F("issued_on"))
                | Q(~Q(status="corrected"), corrected_on__isnull=True),
                name="corrected_notice_says_when",
            ),
            models.CheckConstraint(
                condition=Q(status="standing", ended_on__isnull=True)
                | Q(~Q(status="standing"), ended_on__gte=F("issued_on")),
                name="ended_notice_of_maintenance_says_when",
            ),
        ]

    def __str__(self) -> str:
        return self.number

    def get_absolute_url(self) -> str:
        return reverse("upkeep_notice", args=[self.key])

    @property
    def application(self) -> Application | None:
        """The application in whose case the notice lies; None where nobody applied."""
        return self.inspection.application

    @property
    def is_standing(self) -> bool:
        """Whether something has still to be corrected."""
        return self.status == UpkeepStatus.STANDING

    @property
    def work(self) -> str:
        """The corrective actions in words, a line each: what the city would do itself."""
        lines = self.lines.select_related("practice")
        return "\n".join(f"{line.number}. {line.practice}: {line.what}" for line in lines)

    @property
    def set_until(self) -> date:
        """The last day as the city set it, by the newest extension."""
        known: date | None = getattr(self, "extended_until", None)
        if known is not None:
            return known
        last = self.extensions.order_by("-pk").values_list("until", flat=True).first()
        return last or self.correct_by

    def correction_deadline(self, *, calendar: Calendar | None = None) -> Deadline:
        """Return the last day to correct; an extension moves it, an appeal stays it. (4)(f)(6)"""
        calendar = calendar or city_calendar.current_calendar()
        last = correction_deadline(
            self.issued_on,
            self.set_until,
            calendar=calendar,
            edition=city.edition_on(self.issued_on),
        )
        return with_stays(last, stays_of(self), calendar)

    def city_work_opens(self, *, calendar: Calendar | None = None) -> WaitingPeriod:
        """Return the first day on which the city may do it itself. (4)(f)(7)"""
        calendar = calendar or city_calendar.current_calendar()
        opens = work_opens(
            self.set_until,
            issued_on=self.issued_on,
            calendar=calendar,
            edition=city.edition_on(self.issued_on),
        )
        return with_stays(opens, stays_of(self), calendar)

    def appeal_deadline(self, *, calendar: Calendar | None = None) -> Deadline:
        """Return the last day to appeal the notice. Former § 17.19(8)"""
        return appeal_deadline(
            self.issued_on,
            days=council.appeal_days(on=self.issued_on),
            calendar=calendar or city_calendar.current_calendar(),
            edition=city.edition_on(self.issued_on),
        )

    def clocks(self) -> list[Deadline | WaitingPeriod]:
        """Return the running clocks of the notice, as the docket must have them."""
        if not self.is_standing:
            return []
        calendar = city_calendar.current_calendar()
        return [
            self.correction_deadline(calendar=calendar),
            self.city_work_opens(calendar=calendar),
        ]

    def reported_since(self) -> date | None:
        """Return the day of the report that nobody has answered yet."""
        if hasattr(self, "reported_on"):
            known: date | None = self.reported_on
            return known
        report = self.unanswered_report()
        return report.on if report else None

    def accepted_on(self) -> date | None:
        """Return the day on which the post had the last letter; None while one is missing.

        A letter that was served anew counts in place of its first.
        """
        if hasattr(self, "letter_missing"):
            known: date | None = None if self.letter_missing else self.last_accepted_on  # type: ignore[attr-defined]
            return known
        days = [letter.accepted_on for letter in self.letters()]
        accepted = [day for day in days if day is not None]
        return max(accepted) if accepted and len(accepted) == len(days) else None

    def letters(self) -> list[Mailing]:
        """Return the letters with which it was told, as they count."""
        letters = Mailing.objects.by_post().filter(
            reference=self.site.number, cause=f"{CAUSE}:{self.number}"
        )
        return list(letters.exclude(stage=Mailing.Stage.REPLACED).order_by("pk"))

    def unanswered_report(self) -> CorrectionReport | None:
        """Return the party's report that nobody has answered yet."""
        return self.reports.filter(answer__isnull=True).order_by("pk").first()


class UpkeepLine(models.Model):
    """One corrective action that a notice specifies; never changed."""

    notice = models.ForeignKey(UpkeepNotice, on_delete=models.PROTECT, related_name="lines")
    number = models.PositiveSmallIntegerField()
    practice = models.ForeignKey(
        AgreementPractice, on_delete=models.PROTECT, related_name="corrections"
    )
    problem = models.TextField()
    what = models.TextField()

    class Meta:
        ordering = ["notice", "number"]
        constraints = [
            models.UniqueConstraint(fields=["notice", "number"], name="correction_numbered_once"),
            models.CheckConstraint(condition=~Q(what=""), name="correction_says_what_to_do"),
        ]

    def __str__(self) -> str:
        return f"{self.notice}, line {self.number}"


class UpkeepExtension(models.Model):
    """More time, with its reason; never changed, the last one counts."""

    notice = models.ForeignKey(UpkeepNotice, on_delete=models.PROTECT, related_name="extensions")
    before = models.DateField()
    until = models.DateField()
    reason = models.TextField()
    on = models.DateField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=clock.now)
    operation = models.UUIDField(null=True, default=current_operation, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(until__gt=F("before")) & Q(until__gt=F("on")),
                name="extension_gives_more_time",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="extension_has_its_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.notice}: until {self.until}"


class CorrectionReport(models.Model):
    """What the party says was corrected, with photos; never changed."""

    notice = models.ForeignKey(UpkeepNotice, on_delete=models.PROTECT, related_name="reports")
    on = models.DateField()
    text = models.TextField()
    photos = models.ManyToManyField(Upload, related_name="correction_reports", blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=clock.now)
    operation = models.UUIDField(null=True, default=current_operation, editable=False)

    if TYPE_CHECKING:
        answer: CorrectionAnswer

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(text=""), name="correction_report_says_what")
        ]

    def __str__(self) -> str:
        return f"Report of {self.on} on {self.notice}"


class CorrectionAnswer(models.Model):
    """What the inspector found about a report: it is corrected, or not, and why."""

    report = models.OneToOneField(CorrectionReport, on_delete=models.PROTECT, related_name="answer")
    accepted = models.BooleanField()
    reason = models.TextField(blank=True)
    on = models.DateField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=clock.now)
    operation = models.UUIDField(null=True, default=current_operation, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(accepted=True) | ~Q(reason=""), name="refused_correction_says_why"
            )
        ]

    def __str__(self) -> str:
        return f"{self.report}: {'corrected' if self.accepted else 'refused'}"
