"""Completion, the final inspection, closing, and the season list. Former § 17.19(4)(d)"""

from __future__ import annotations

from typing import Any

from django.contrib.contenttypes.prefetch import GenericPrefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from inspections import access
from inspections.acts import closing
from inspections.acts import cover as acts
from inspections.forms.cover import CloseForm, CompleteForm, FinalForm
from inspections.models import Certificate, Finding, Visit, open_cover
from permits import holds
from permits.models import DocketEntry, NotNow, Permit, Site
from permits.people import inspectors, notice_parties
from permits.views.doors import only
from permits.views.pages import page_of
from portal import city, clock, known
from portal.city import worded
from portal.ordinance import Obstacle

from .acting import ActView, issued_permit, site_of

__all__ = ["Close", "Complete", "Final", "season"]


class PermitAct(ActView):
    """What the acts on an issued permit have in common."""

    permit: Permit

    def find(self, key: Any) -> None:
        self.site = site_of(self.request, key)
        self.permit = issued_permit(self.site)

    def subject(self) -> str:
        return self.site.number

    def context(self) -> dict[str, Any]:
        return {"permit": self.permit}


class Complete(PermitAct):
    """The holder reports the work complete and asks for the final inspection."""

    act = "complete"
    template = "cover/complete.html"
    confirm_template = "cover/complete_shown.html"
    done_message = worded("Reported. The {inspector_short} comes for the final inspection.")

    def may(self) -> bool:
        return access.holds(self.user, self.site)

    def why_not(self) -> NotNow | None:
        if why := acts.why_not_complete(self.permit):
            return NotNow(why)
        return held(self.permit, holds.Act.REPORT_COMPLETE)

    def make_form(self, data: Any) -> CompleteForm:
        return CompleteForm(data)

    def context(self) -> dict[str, Any]:
        return {
            **super().context(),
            "planned": acts.planned_controls(self.permit),
            "open_findings": closing.open_findings(self.permit.site),
            "cover": open_cover(self.permit),
            "recipients": inspectors(),
            "least": city.edition_on(clock.today()).cover_density_percent,
            "last": self.permit.final_inspections.order_by("-pk").first(),
        }

    def run(self, form: Any) -> str:
        acts.report_complete(self.permit, by=self.user, on=clock.today(), **form.cleaned_data)
        return self.site.get_absolute_url()


def held(permit: Permit, act: holds.Act) -> NotNow | None:
    """Return why an act waits while work is stopped on the site, or None."""
    found = holds.holds(permit.site, act, on=clock.today())
    return NotNow(acts.HELD, found) if found else None


class Final(ActView):
    """The inspector records each permanent control and the cover, at a visit."""

    act = "final"
    template = "cover/final.html"
    confirm_template = "cover/final_shown.html"
    done_message = "The final inspection is recorded, and the parties are told."
    visit: Visit

    def find(self, key: Any) -> None:
        rows = Visit.objects.filter(site__in=Site.objects.visible_to(self.request.user))
        self.visit = get_object_or_404(
            rows.select_related(
                "site", "permit__application__applicant", "permit__grant__revision"
            ),
            key=key,
        )
        self.site = self.visit.site

    def may(self) -> bool:
        return access.may_inspect(self.user)

    def subject(self) -> str:
        return str(self.visit.key)

    def why_not(self) -> NotNow | None:
        why = acts.why_not_final(self.visit)
        return NotNow(why) if why else None

    def make_form(self, data: Any) -> FinalForm:
        permit = self.visit.permit
        return FinalForm(data, planned=acts.planned_controls(permit) if permit else [])

    def context(self) -> dict[str, Any]:
        photos = self.visit.photos.select_related("upload").prefetch_related("upload__previews")
        permit = self.visit.permit
        return {
            "visit": self.visit,
            "permit": permit,
            "visit_photos": list(photos),
            "recipients": notice_parties(permit.application) if permit else [],
        }

    def confirm_context(self, form: Any) -> dict[str, Any]:
        permit = self.visit.permit
        assert permit is not None
        controls = acts.seen_controls(permit, form.controls())
        final = acts.final_of(self.visit, controls=controls, **form.answers())
        return {
            "final": final,
            "shortcomings": final.shortcomings(),
            "cover": open_cover(permit),
        }

    def run(self, form: Any) -> str:
        acts.record_final(self.visit, by=self.user, controls=form.controls(), **form.answers())
        return self.visit.get_absolute_url()


class Close(PermitAct):
    """The inspector closes a permit once nothing stands in the way."""

    act = "close"
    template = "cover/close.html"
    done_message = "The permit is closed, and the parties are told."

    def may(self) -> bool:
        return access.may_close(self.user)

    def why_not(self) -> NotNow | None:
        found = closing.obstacles_to_close(self.permit, on=clock.today())
        return NotNow("The permit cannot be closed yet.", found) if found else None

    def cure_of(self, obstacle: Obstacle) -> str:
        name, _, number = obstacle.key.rpartition("-")
        if name == "finding" and number.isdecimal():
            finding = Finding.objects.filter(site=self.site, number=int(number)).first()
            return finding.get_absolute_url() if finding else ""
        return ""

    def make_form(self, data: Any) -> CloseForm:
        return CloseForm(data)

    def context(self) -> dict[str, Any]:
        return {**super().context(), "recipients": notice_parties(self.permit.application)}

    def run(self, form: Any) -> str:
        closing.close_permit(self.permit, by=self.user, on=clock.today())
        return self.site.get_absolute_url()


# The season list --------------------------------------------------------------------------

ORDERS = {"date": ("on", "pk"), "place": ("site__address", "on", "pk")}


@only(access.may_see_visits)
@require_safe
def season(request: HttpRequest) -> HttpResponse:
    """List the sites whose permanent cover is still due, for the drive-by in spring."""
    order = request.GET.get("sort", "")
    order = order if order in ORDERS else "date"
    rows = (
        DocketEntry.objects.running()
        .filter(rule="permanent-cover", bound=DocketEntry.Bound.PERMITTEE)
        .select_related("site")
        .order_by(*ORDERS[order])
    )
    page = page_of(request, rows)
    context = {"page": page, "order": order, "on": clock.today()}
    with known.reading_once():
        return render(request, "cover/season.html", {**context, "rows": season_rows(page)})


def season_rows(page: Any) -> list[dict[str, Any]]:
    """Return each entry with its permit, its building and its date, in a few queries."""
    subjects = [
        Permit.objects.select_related("site", "application"),
        Certificate.objects.select_related("permit__site", "permit__application"),
    ]
    entries = list(page.object_list.prefetch_related(GenericPrefetch("subject", subjects)))
    return [season_row(entry) for entry in entries]


def season_row(entry: DocketEntry) -> dict[str, Any]:
    """Return what the list says of one open clock."""
    subject = entry.subject
    permit = subject.permit if isinstance(subject, Certificate) else subject
    building = subject.building if isinstance(subject, Certificate) else ""
    clock_of = entry.count()
    return {
        "entry": entry,
        "permit": permit,
        "building": building,
        "clock": clock_of,
        "late": entry.is_late(clock.today()),
        "case_url": reverse("case", args=[entry.site.number]),
    }
