"""Issuing the permit once its escrow is posted. § 40-886, former § 17.19(4)(c)"""

from __future__ import annotations

from typing import Any

from django import forms
from django.urls import reverse

from permits import access, acts
from permits.models import CasePaper, NotNow, Permit
from permits.people import notice_parties
from portal import clock

from .casework import ActView

__all__ = ["Issue"]


class Issue(ActView):
    """Show what stands in the way or what issuing does; do it; then show the permit card."""

    act = "issue"
    template = confirm_template = "review/issue.html"
    done_message = "The permit is issued. Print the card, and give it to the permittee."

    def may(self, user: Any) -> bool:
        return access.may_issue(user)

    def make_form(self, data: Any) -> forms.Form:
        return forms.Form({} if data is None else data)

    @property
    def permit(self) -> Permit | None:
        """The permit of the application, once it is granted."""
        found = Permit.objects.select_related("site", "grant__decided_by", "grant__revision")
        return found.filter(application=self.application).first()

    def why_not(self) -> NotNow | None:
        """Give every obstacle with its cure; none for a permit that is issued."""
        permit = self.permit
        if permit is None:
            return NotNow("There is no permit to issue: the application is not granted.")
        if permit.status == Permit.Status.ISSUED:
            return None
        found = permit.obstacles_to_issue(on=clock.today())
        return NotNow("The permit cannot be issued yet.", found) if found else None

    def context(self) -> dict[str, Any]:
        permit = self.permit
        if permit is None:
            return {"permit": None}
        today = clock.today()
        issued = permit.status == Permit.Status.ISSUED
        if not issued:
            permit.issued_on = today  # what issuing it today would mean; never saved
        papers = CasePaper.objects.select_related("document")
        return {
            "permit": permit,
            "issued": issued,
            "cover": permit.permanent_cover_deadline(),
            "date_has_passed": permit.permanent_controls_by <= today and not issued,
            "appeal": permit.grant.appeal_deadline(),
            "recipients": notice_parties(self.application),
            "card": papers.filter(application=self.application, kind="permit_card").last(),
        }

    def confirm_context(self, form: Any) -> dict[str, Any]:
        return self.context()

    def run(self, form: Any) -> str:
        permit = self.permit
        if permit is None:
            raise NotNow("There is no permit to issue: the application is not granted.")
        acts.issue(permit, by=self.user, on=clock.today())
        return reverse("issue", args=[self.application.key])
