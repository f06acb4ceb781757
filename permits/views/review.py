"""The review: what the plan must contain beside what it does; revisions side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from permits import access
from permits.comparison import compare as compare_revisions
from permits.models import (
    Application,
    CaseEvent,
    CasePaper,
    ChangeAnswer,
    Permit,
    PlanRevision,
    PlanSheet,
    RequiredChange,
)
from portal import city, clock, formats
from portal.ordinance import Citation, Edition
from portal.ordinance.plan import PLAN_CONTENTS, PlanContent, PlanFacts, lacking_contents

from .casework import find_application

__all__ = ["compare", "review"]


@dataclass(frozen=True)
class Check:
    """One thing the plan must contain, what it holds of it, and what is missing."""

    content: PlanContent
    citation: Citation
    found: str
    missing: str
    needed: bool = True

    @property
    def state(self) -> str:
        """There or missing as far as a machine can see; whether it is enough, a person says."""
        return "missing" if self.missing else "there"


@dataclass(frozen=True)
class Answered:
    """A required change of the last denial, with the applicant's answer."""

    change: RequiredChange
    answer: str


@require_safe
@login_required
def review(request: HttpRequest, key: UUID) -> HttpResponse:
    """The plan before the inspector, with everything needed to decide on it. § 40-886(c)"""
    application = find_application(request, key, access.may_review)
    today = clock.today()
    revisions = list(filed_revisions(application))
    revision = revisions[-1] if revisions else None
    context: dict[str, Any] = {
        "application": application,
        "site": application.site,
        "on": today,
        "revision": revision,
        "earlier": revisions[-2::-1],
        "may_decide": access.may_decide(request.user),
        "under_review": application.status == Application.Status.UNDER_REVIEW,
        "missing": application.missing_to_receive(on=today),
        "determination": application.determination(on=today),
        "parties": application.parties.all(),
        "parcels": application.site.parcels.all(),
        "papers": CasePaper.objects.filter(application=application).select_related("document"),
        "corrections": CaseEvent.objects.filter(
            site=application.site, kind=CaseEvent.Kind.APPLICATION_CORRECTED
        ).order_by("sequence"),
        "permit": Permit.objects.filter(application=application).first(),
        **(_of_revision(application, revision) if revision else {}),
    }
    return render(request, "review/review.html", context)


def filed_revisions(application: Application) -> QuerySet[PlanRevision]:
    """The revisions before the city, oldest first, with all that they hold."""
    sheets = PlanSheet.objects.select_related("upload").prefetch_related("upload__previews")
    return (
        application.revisions.filter(filed_on__isnull=False)
        .select_related("application__site", "decision__decided_by")
        .prefetch_related(Prefetch("sheets", sheets), "devices", "activities")
        .order_by("number")
    )


def _of_revision(application: Application, revision: PlanRevision) -> dict[str, Any]:
    today = clock.today()
    decision = revision.find_decision()
    due = revision.review_deadline() or application.decision_deadline()
    met_on = decision.decided_on if decision else None
    edition = city.edition_on(today)
    return {
        "due": due,
        "is_promise": due is not None and due.key == "revision-review",
        "is_late": due is not None and due.is_late(today, met_on=met_on),
        "decision": decision,
        "met_on": met_on,
        "changes": list(decision.changes.all()) if decision else [],
        "answered": answered_changes(revision),
        "checks": checks(revision.facts(), edition),
    }


def answered_changes(revision: PlanRevision) -> list[Answered]:
    """The required changes that this revision answers, each with what the applicant says."""
    answers: Sequence[ChangeAnswer] = list(revision.answers.all())
    said = {answer.change_id: answer.text for answer in answers}
    changes = revision.changes_to_answer()
    if changes:
        changes = changes.select_related("decision")
    return [Answered(change, said.get(change.pk, "")) for change in changes]


def checks(facts: PlanFacts, edition: Edition) -> list[Check]:
    """Return each content of § 40-939 with what the plan holds and what it lacks."""
    lacking = lacking_contents(facts, edition)
    found = {"soil-loss": _soil_loss(facts), **_drawing(facts), **_timetable(facts)}
    small = (facts.disturbed_sq_ft or 0) < edition.state_permit_sq_ft
    return [
        Check(
            content,
            content.citation(edition),
            found.get(content.key, ""),
            lacking[content.key].text if content.key in lacking else "",
            needed=not (content.key == "soil-loss" and small),
        )
        for content in PLAN_CONTENTS
    ]


def _drawing(facts: PlanFacts) -> dict[str, str]:
    factors = [facts.factors_on_site.strip(), facts.factors_adjacent.strip()]
    return {
        "drawing": count(facts.drawings, "drawing"),
        "scale": facts.scale,
        "factors": "\n".join(filter(None, factors)),
        "devices": f"{count(facts.devices, 'device')}, {facts.devices_placed} with a place",
    }


def _timetable(facts: PlanFacts) -> dict[str, str]:
    rows = facts.activities
    areas = [row.area_sq_ft for row in rows if row.area_sq_ft]
    total = f", {formats.area(sum(areas))} together" if areas else ""
    return {
        "timetable": count(len(rows), "activity", "activities"),
        "areas": f"{len(areas)} of {len(rows)} with an area{total}",
        "temporary": f"{sum(bool(row.temporary.strip()) for row in rows)} of {len(rows)}",
        "permanent": f"{sum(bool(row.permanent.strip()) for row in rows)} of {len(rows)}",
    }


def _soil_loss(facts: PlanFacts) -> str:
    if facts.soil_loss_tons is None:
        return ""
    text = f"{facts.soil_loss_tons} tons an acre a year"
    if facts.soil_loss_from and facts.soil_loss_until:
        begins = formats.long_date(facts.soil_loss_from)
        text += f", {begins} to {formats.long_date(facts.soil_loss_until)}"
    return text


def count(number: int, one: str, many: str = "") -> str:
    """1 drawing, 3 activities."""
    return f"{number} {one if number == 1 else many or one + 's'}"


@require_safe
@login_required
def compare(request: HttpRequest, key: UUID) -> HttpResponse:
    """Any two revisions side by side, with what changed from one to the other."""
    application = find_application(request, key, access.may_review)
    revisions = {revision.number: revision for revision in filed_revisions(application)}
    numbers = sorted(revisions)
    before = _chosen(request, "from", numbers, default=numbers[-2:][0] if numbers else 0)
    after = _chosen(request, "to", numbers, default=numbers[-1] if numbers else 0)
    context: dict[str, Any] = {
        "application": application,
        "site": application.site,
        "numbers": numbers,
        "before": revisions.get(before),
        "after": revisions.get(after),
    }
    if before in revisions and after in revisions:
        context["comparison"] = compare_revisions(revisions[before], revisions[after])
        context["answered"] = answered_changes(revisions[after])
    return render(request, "review/compare.html", context)


def _chosen(request: HttpRequest, name: str, numbers: list[int], *, default: int) -> int:
    text = request.GET.get(name, "")
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else default
    return number if number in numbers else default
