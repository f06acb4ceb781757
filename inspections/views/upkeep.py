"""Upkeep under an agreement: its schedule, what was reported, the inspections of its practices."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from inspections import access
from inspections.acts import upkeep as acts
from inspections.forms.upkeep import DiscardForm, FinishForm, LookForm, UpkeepReportForm
from inspections.models import PracticeLook, UpkeepInspection, VisitNeed
from inspections.upkeep import last_looks, next_look, standing_of_task, tasks_of
from permits.agreements.views import find_agreement
from permits.models import AgreementPractice, AgreementTask, MaintenanceAgreement, NotNow, Site
from permits.views.doors import act_once, only, who
from permits.views.pages import page_of
from portal import city, clock, known, operations

from .acting import ActView

__all__ = [
    "Discard",
    "Finish",
    "Look",
    "Report",
    "begin",
    "find_agreement",
    "find_inspection",
    "inspection",
    "schedule",
    "year",
]


def find_inspection(request: HttpRequest, key: Any, *, to_write: bool = False) -> UpkeepInspection:
    """Return an inspection of practices; the holder sees it once it is finished."""
    rows = UpkeepInspection.objects.filter(site__in=Site.objects.visible_to(request.user))
    related = ("site", "agreement__permit__application", "inspector", "report__document")
    found = get_object_or_404(rows.select_related(*related), key=key)
    found.agreement.site = found.site
    if to_write and not access.may_inspect(request.user):
        raise Http404
    if found.status == UpkeepInspection.Status.OPEN and not access.may_see_visits(request.user):
        raise Http404
    return found


def may_report(user: Any, site: Site) -> bool:
    """The holder of the case reports upkeep; the inspector enters what somebody called in."""
    return access.holds(user, site) or access.may_inspect(user)


# The year ---------------------------------------------------------------------------------


@only(access.may_see_visits)
@require_safe
def year(request: HttpRequest) -> HttpResponse:
    """List the agreements in force with what is due under each this year."""
    on = clock.today()
    asked = request.GET.get("q", "").strip()[:100]
    rows = MaintenanceAgreement.objects.in_force(on).select_related("site").order_by("pk")
    if asked:
        rows = rows.filter(
            Q(number__iexact=asked)
            | Q(document_number__iexact=asked)
            | Q(site__number__iexact=asked)
            | Q(site__address__icontains=asked)
            | Q(party_name__icontains=asked)
            | Q(party_organization__icontains=asked)
        )
    page = page_of(request, rows)
    context = {
        "page": page,
        "rows": rows_of(list(page.object_list), on=on),
        "asked": asked,
        "year": on.year,
        "on": on,
        "looks": VisitNeed.objects.open().filter(reason=VisitNeed.Reason.UPKEEP).count(),
    }
    with known.reading_once():
        return render(request, "upkeep/year.html", context)


def rows_of(agreements: list[MaintenanceAgreement], *, on: date) -> list[dict[str, Any]]:
    """Return each agreement with its tasks that are due by the end of the year."""
    standings = tasks_of(agreements, with_reports=False)
    last = last_looks(agreements)
    end = date(on.year, 12, 31)
    found = []
    for agreement in agreements:
        mine = [each for each in standings if each.agreement.pk == agreement.pk]
        found.append(
            {
                "agreement": agreement,
                "tasks": [(each, each.is_late(on)) for each in mine if each.due_on <= end],
                "later": min((each.due_on for each in mine), default=None),
                "look": next_look(agreement, mine, last.get(agreement.pk)),
                "last_look": last.get(agreement.pk),
            }
        )
    return found


# One agreement ----------------------------------------------------------------------------


@login_required
@require_safe
def schedule(request: HttpRequest, key: Any) -> HttpResponse:
    """Show the schedule of an agreement: what is due, what was reported, what was inspected."""
    agreement = find_agreement(request, key)
    on, user = clock.today(), request.user
    staff = access.may_see_visits(user)
    inspections = agreement.inspections.select_related("inspector", "report__document")  # type: ignore[attr-defined]
    if not staff:
        inspections = inspections.filter(status=UpkeepInspection.Status.FINISHED)
    with known.reading_once():
        standings = tasks_of([agreement])
        last = last_looks([agreement]).get(agreement.pk)
        context = {
            "agreement": agreement,
            "site": agreement.site,
            "in_force": agreement.is_in_force(on),
            "party": agreement.responsible_party(on),
            "tasks": [(each, each.deadline(), each.is_late(on)) for each in standings],
            "inspections": list(inspections[:20]),
            "look": next_look(agreement, standings, last) if agreement.recorded_on else None,
            "notices": list(agreement.notices.order_by("-pk")[:20]),  # type: ignore[attr-defined]
            "may_report": agreement.is_in_force(on) and may_report(user, agreement.site),
            "may_inspect": agreement.is_in_force(on) and access.may_inspect(user),
            "why_not": acts.why_not_report(agreement, on=on),
            "staff": staff,
            "on": on,
            "operation": operations.new_token(),
        }
        return render(request, "upkeep/schedule.html", context)


class Report(ActView):
    """Somebody says that a task of the schedule was done."""

    act = "upkeep report"
    template = "upkeep/report.html"
    takes_photos = True
    done_message = "It is on record, and the schedule goes on."
    task: AgreementTask

    def find(self, key: Any) -> None:
        self.agreement = find_agreement(self.request, key)
        self.site = self.agreement.site
        tasks = AgreementTask.objects.filter(practice__agreement=self.agreement)
        self.task = get_object_or_404(tasks.select_related("practice"), pk=self.kwargs["pk"])
        self.task.practice.agreement = self.agreement

    def may(self) -> bool:
        return may_report(self.user, self.site)

    def subject(self) -> str:
        return f"{self.agreement.key}:{self.task.pk}"

    def why_not(self) -> NotNow | None:
        found = acts.why_not_report(self.agreement, on=clock.today())
        return NotNow("Nothing can be reported under this agreement.", found) if found else None

    def make_form(self, data: Any) -> UpkeepReportForm:
        return UpkeepReportForm(data, recorded_on=self.agreement.recorded_on)

    def context(self) -> dict[str, Any]:
        standing = standing_of_task(self.task) if self.agreement.recorded_on else None
        return {
            "agreement": self.agreement,
            "task": self.task,
            "standing": standing,
            "deadline": standing.deadline() if standing else None,
            "holder": access.holds(self.user, self.site),
        }

    def run(self, form: Any) -> str:
        given = form.cleaned_data
        acts.report(
            self.task,
            by=self.user,
            on=clock.today(),
            done_on=given["done_on"],
            what=given["what"],
            done_by=given["done_by"],
            files=self.photos.uploads,
        )
        return reverse("upkeep", args=[self.agreement.key])


# The inspection ---------------------------------------------------------------------------


@only(access.may_inspect)
@require_POST
def begin(request: HttpRequest, key: Any) -> HttpResponse:
    """Begin to look at the practices, or go on with what is being written."""
    agreement = find_agreement(request, key)
    user, today = who(request), clock.today()
    try:
        return act_once(
            request,
            f"upkeep.begin {agreement.key}",
            lambda: acts.begin(agreement, by=user, on=today).get_absolute_url(),
        )
    except NotNow as refused:
        context = {"agreement": agreement, "site": agreement.site, "refused": refused}
        return render(request, "upkeep/not_now.html", context, status=409)


@login_required
@require_safe
def inspection(request: HttpRequest, key: Any) -> HttpResponse:
    """Show an inspection: to be written practice by practice, or as it was finished."""
    found = find_inspection(request, key)
    looks = found.newest_looks()
    is_open = found.status == UpkeepInspection.Status.OPEN
    context = {
        "inspection": found,
        "agreement": found.agreement,
        "site": found.site,
        "rows": [(each, looks.get(each.pk)) for each in found.agreement.practices.all()],
        "problems": [look for look in looks.values() if look.is_problem],
        "begun": bool(looks),
        "why_not": acts.why_not_finish(found) if is_open else [],
        "may_write": is_open and access.may_inspect(request.user),
        "notices": list(found.notices.order_by("pk")),  # type: ignore[attr-defined]
        "may_notify": not is_open and access.may_inspect(request.user),
        "staff": access.may_see_visits(request.user),
        "citation": city.edition_on(found.inspected_on).citation("maintenance", "(5)"),
    }
    return render(request, "upkeep/inspection.html", context)


class InspectionAct(ActView):
    """What the acts on an inspection that is being written have in common."""

    inspection: UpkeepInspection

    def find(self, key: Any) -> None:
        self.inspection = find_inspection(self.request, key, to_write=True)
        self.site = self.inspection.site

    def may(self) -> bool:
        return access.may_inspect(self.user)

    def subject(self) -> str:
        return str(self.inspection.key)

    def why_not(self) -> NotNow | None:
        if self.inspection.status == UpkeepInspection.Status.OPEN:
            return None
        return NotNow(f"Inspection {self.inspection} is finished; what it says stands.")

    def context(self) -> dict[str, Any]:
        return {"inspection": self.inspection, "agreement": self.inspection.agreement}


class Look(InspectionAct):
    """The inspector writes how one practice is, with photos."""

    act = "upkeep look"
    template = "upkeep/look.html"
    takes_photos = True
    practice: AgreementPractice

    def find(self, key: Any) -> None:
        super().find(key)
        practices = self.inspection.agreement.practices
        self.practice = get_object_or_404(practices, number=self.kwargs["number"])

    def subject(self) -> str:
        return f"{self.inspection.key}:{self.practice.number}"

    def make_form(self, data: Any) -> LookForm:
        return LookForm(data)

    def context(self) -> dict[str, Any]:
        earlier = PracticeLook.objects.filter(
            practice=self.practice, inspection__status=UpkeepInspection.Status.FINISHED
        )
        return {
            **super().context(),
            "practice": self.practice,
            "tasks": list(self.practice.tasks.all()),
            "before": self.inspection.newest_looks().get(self.practice.pk),
            "earlier": earlier.select_related("inspection").order_by("-pk").first(),
        }

    def run(self, form: Any) -> str:
        given = form.cleaned_data
        acts.look(
            self.inspection,
            self.practice,
            by=self.user,
            result=given["result"],
            words=given["words"],
            correction=given["correction"],
            photos=self.photos.uploads,
        )
        return self.inspection.get_absolute_url()


class Finish(InspectionAct):
    """The inspector finishes: the report is made, and its party gets it."""

    act = "upkeep finish"
    template = "upkeep/finish.html"
    confirm_template = "upkeep/finish_shown.html"
    done_message = "The inspection is finished. Its report is on its way to the responsible party."

    def why_not(self) -> NotNow | None:
        found = acts.why_not_finish(self.inspection)
        return NotNow("The inspection cannot be finished yet.", found) if found else None

    def cure_of(self, obstacle: Any) -> str:
        _, _, number = obstacle.key.partition("practice-")
        if not number:
            return ""
        return reverse("upkeep_look", args=[self.inspection.key, int(number)])

    def make_form(self, data: Any) -> FinishForm:
        return FinishForm(data)

    def context(self) -> dict[str, Any]:
        looks = self.inspection.newest_looks()
        practices = self.inspection.agreement.practices.all()
        return {
            **super().context(),
            "rows": [(each, looks.get(each.pk)) for each in practices],
            "problems": self.inspection.problems(),
            "party": self.inspection.agreement.responsible_party(clock.today()),
        }

    def run(self, form: Any) -> str:
        return acts.finish(
            self.inspection, by=self.user, on=clock.today(), note=form.cleaned_data["note"]
        ).get_absolute_url()


class Discard(InspectionAct):
    """An inspection that was begun by mistake is taken back."""

    act = "upkeep discard"
    template = "upkeep/discard.html"
    done_message = "The inspection is taken back; nothing of it is on record."

    def why_not(self) -> NotNow | None:
        if self.inspection.looks.exists():
            return NotNow("Something is written already; finish the inspection instead.")
        return super().why_not()

    def make_form(self, data: Any) -> DiscardForm:
        return DiscardForm(data)

    def run(self, form: Any) -> str:
        agreement = self.inspection.agreement
        acts.discard(self.inspection)
        return reverse("upkeep", args=[agreement.key])
