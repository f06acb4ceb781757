"""Violations: recorded from what was seen, documented day by day, ended or dropped."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from enforcement import access
from enforcement.acts import violations as acts
from enforcement.forms.violation import DropForm, EndForm, NoQuestions, SeenForm, ViolationForm
from enforcement.models import Violation, ViolationStatus
from inspections.acts.visits import standing_permit
from inspections.models import Complaint, DocumentedDay, Finding
from inspections.views.acting import ActView, site_of
from inspections.views.findings import find_finding
from permits.models import NotNow, Permit
from permits.views.doors import only
from portal import clock, known

from .rows import find_violation, visits_of

__all__ = ["Drop", "End", "OfFinding", "Record", "Seen", "violation"]

MOST_REPORTS = 10
TONES = {
    ViolationStatus.OPEN: "late",
    ViolationStatus.ENDED: "good",
    ViolationStatus.DROPPED: "shut",
}


@only(access.may_see_enforcement)
@require_safe
def violation(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show a violation to those who work for the city."""
    found = find_violation(request, key)
    with known.reading_once():
        context = {
            "violation": found,
            "site": found.site,
            "on": clock.today(),
            "tone": TONES[ViolationStatus(found.status)],
            "days": days_of(found),
            "orders": list(found.orders.order_by("-pk")),  # type: ignore[attr-defined]
            "is_open": found.status == ViolationStatus.OPEN,
            "may_act": access.may_enforce(request.user),
            "nobody_told": not found.site.filed_on,
        }
        return render(request, "enforcement/violation.html", context)


def days_of(found: Violation) -> list[tuple[Any, str, Any, list[Any]]]:
    """Return each documented day: the day, what was seen, the visit, the photos."""
    rows = found.days.select_related("visit").prefetch_related("photos__previews")
    days = [(row.on, row.seen, row.visit, list(row.photos.all())) for row in rows]
    if found.finding_id is not None:
        known_days = {day for day, *_ in days}
        seen = DocumentedDay.objects.filter(finding_id=found.finding_id).select_related("visit")
        days += [(row.on, "", row.visit, []) for row in seen if row.on not in known_days]
    return sorted(days, key=lambda each: each[0])


class Record(ActView):
    """The inspector records a violation at a site, with or without a permit."""

    act = "violation"
    template = "enforcement/violation_new.html"
    takes_photos = True
    done_message = "The violation is on record, and its first day is documented."
    permit: Permit | None

    def find(self, key: Any) -> None:
        self.site = site_of(self.request, key)
        self.permit = standing_permit(self.site)

    def may(self) -> bool:
        return access.may_enforce(self.user)

    def subject(self) -> str:
        return self.site.number

    def make_form(self, data: Any) -> ViolationForm:
        reports = Complaint.objects.filter(site=self.site).order_by("-pk")
        return ViolationForm(
            data,
            visits=visits_of(self.site),
            complaints=list(reports[:MOST_REPORTS]),
            today=clock.today(),
            has_permit=self.permit is not None,
            complaint=self.request.GET.get("report", ""),
        )

    def context(self) -> dict[str, Any]:
        return {"permit": self.permit, "nobody_told": not self.site.filed_on}

    def run(self, form: Any) -> str:
        made = acts.record(
            self.site,
            by=self.user,
            on=clock.today(),
            permit=self.permit,
            photos=self.photos.uploads,
            **form.chosen(),
        )
        return made.get_absolute_url()


class OfFinding(ActView):
    """The inspector takes a finding up as a violation; its documented days come with it."""

    act = "violation of finding"
    template = "enforcement/violation_of_finding.html"
    done_message = "The violation is on record with the finding's documented days."
    finding: Finding

    def find(self, key: Any) -> None:
        self.finding = find_finding(self.request, key)
        self.site = self.finding.site

    def may(self) -> bool:
        return access.may_enforce(self.user)

    def subject(self) -> str:
        return str(self.finding.key)

    def make_form(self, data: Any) -> Any:
        return NoQuestions(data)

    def why_not(self) -> NotNow | None:
        if Violation.objects.filter(finding=self.finding).exists():
            return NotNow("This finding is recorded as a violation already.")
        if not self.finding.is_violation:
            return NotNow("This finding is not marked as a violation.")
        return None

    def context(self) -> dict[str, Any]:
        return {
            "finding": self.finding,
            "days": list(self.finding.days.select_related("visit").order_by("on")),
            "nobody_told": not self.site.filed_on,
        }

    def run(self, form: Any) -> str:
        made = acts.from_finding(self.finding, by=self.user, on=clock.today())
        return made.get_absolute_url()


class ViolationAct(ActView):
    """What the acts on an open violation have in common."""

    violation: Violation

    def find(self, key: Any) -> None:
        self.violation = find_violation(self.request, key)
        self.site = self.violation.site

    def may(self) -> bool:
        return access.may_enforce(self.user)

    def subject(self) -> str:
        return str(self.violation.key)

    def why_not(self) -> NotNow | None:
        if self.violation.status == ViolationStatus.OPEN:
            return None
        return NotNow(f"The violation is {self.violation.get_status_display().lower()}.")

    def context(self) -> dict[str, Any]:
        return {
            "violation": self.violation,
            "days": self.violation.documented_days(),
            "nobody_told": not self.site.filed_on,
        }


class Seen(ViolationAct):
    """The inspector documents another day on which the violation was seen."""

    act = "violation seen"
    template = "enforcement/violation_seen.html"
    takes_photos = True
    done_message = "The day is documented."

    def make_form(self, data: Any) -> SeenForm:
        visits = visits_of(self.site, visited_on__gte=self.violation.found_on)
        return SeenForm(data, violation=self.violation, visits=visits, today=clock.today())

    def run(self, form: Any) -> str:
        acts.see_again(
            self.violation,
            by=self.user,
            on=clock.today(),
            seen_on=form.cleaned_data["seen_on"],
            seen=form.cleaned_data["seen"],
            visit=form.chosen,
            photos=self.photos.uploads,
        )
        return self.violation.get_absolute_url()


class End(ViolationAct):
    """The inspector records that the violation is over."""

    act = "violation end"
    template = "enforcement/violation_end.html"
    confirm_template = "enforcement/violation_end_shown.html"
    done_message = "The violation is ended on record."

    def make_form(self, data: Any) -> EndForm:
        return EndForm(data, violation=self.violation)

    def run(self, form: Any) -> str:
        acts.end(self.violation, by=self.user, on=clock.today(), **form.cleaned_data)
        return self.violation.get_absolute_url()


class Drop(ViolationAct):
    """The inspector drops a violation that was recorded in error."""

    act = "violation drop"
    template = "enforcement/violation_drop.html"
    confirm_template = "enforcement/violation_drop_shown.html"
    done_message = "The violation is dropped."

    def make_form(self, data: Any) -> DropForm:
        return DropForm(data)

    def why_not(self) -> NotNow | None:
        if refused := super().why_not():
            return refused
        order = self.violation.orders.filter(status="standing").first()  # type: ignore[attr-defined]
        if order is not None:
            return NotNow(f"Order {order} stands on it. Lift or withdraw the order first.")
        return None

    def run(self, form: Any) -> str:
        acts.drop(self.violation, by=self.user, on=clock.today(), **form.cleaned_data)
        return self.violation.get_absolute_url()
