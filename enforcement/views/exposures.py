"""What a court could impose: for those who work for the city only. Former § 17.19(9)"""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from enforcement import appeal_access
from enforcement import exposure as work
from enforcement.models import Violation, ViolationStatus
from inspections.views.acting import ActView, site_of
from permits.models import CasePaper, NotNow
from permits.views.doors import only
from portal import clock, known
from portal.ordinance.forfeiture import ADD_ONS

from .rows import find_violation

__all__ = ["MakeSheet", "exposure"]


@only(appeal_access.may_know_exposure)
@require_safe
def exposure(request: HttpRequest, number: str) -> HttpResponse:
    """Show for each violation of a site what a court could impose, with the sources."""
    site, on = site_of(request, number), clock.today()
    with known.reading_once():
        sheets = CasePaper.objects.filter(site=site, kind=CasePaper.Kind.CITATION_SHEET)
        context = {
            "site": site,
            "on": on,
            "rows": work.of_site(site, on=on),
            "add_ons": ADD_ONS,
            "sheets": list(sheets.select_related("document").order_by("-pk")),
            "may_make": appeal_access.may_make_citation_sheet(request.user),
        }
        return render(request, "exposure/exposure.html", context)


class MakeSheet(ActView):
    """The citation data sheet of a violation, for the city attorney."""

    act = "citation sheet"
    template = "exposure/sheet.html"
    done_message = "The sheet is made; it stands below and in the papers of the case."
    violation: Violation

    def find(self, key: Any) -> None:
        self.violation = find_violation(self.request, key)
        self.site = self.violation.site

    def may(self) -> bool:
        return appeal_access.may_make_citation_sheet(self.user)

    def subject(self) -> str:
        return str(self.violation.key)

    def make_form(self, data: Any) -> forms.Form:
        return forms.Form(data)

    def why_not(self) -> NotNow | None:
        if self.violation.status == ViolationStatus.DROPPED:
            return NotNow("The violation was dropped: it was recorded in error.")
        if not self.found().exposure.days:
            return NotNow("No day on which the violation was seen is documented and counts.")
        return None

    def found(self) -> work.AtStake:
        """What is at stake today."""
        return work.at_stake(self.violation, on=clock.today())

    def context(self) -> dict[str, Any]:
        return {"violation": self.violation, "found": self.found()}

    def run(self, form: Any) -> str:
        work.make_sheet(self.violation, by=self.user, on=clock.today())
        return reverse("exposure", args=[self.site.number])
