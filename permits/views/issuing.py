"""Issuing the permit once its escrow is posted. § 40-886, former § 17.19(4)(c)"""

from __future__ import annotations

from typing import Any

from django import forms
from django.urls import reverse

from permits import access, acts
from permits.forms.review import ControlsDateForm
from permits.models import CasePaper, NotNow, Permit
from permits.people import notice_parties
from portal import clock

from .casework import ActView

__all__ = ["ControlsDate", "Issue"]


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


class ControlsDate(ActView):
    """The inspector sets another day for the permanent controls before the permit is issued."""

    act = "controls date"
    template = "review/controls_date.html"
    confirm_template = "review/controls_date_confirm.html"
    done_message = "The new date for the permanent controls is on record, and the parties are told."

    def may(self, user: Any) -> bool:
        return access.may_decide(user)

    def make_form(self, data: Any) -> ControlsDateForm:
        return ControlsDateForm(data)

    @property
    def permit(self) -> Permit | None:
        """The permit of the application, while it waits to be issued."""
        found = Permit.objects.select_related("site", "application")
        waiting = found.filter(status=Permit.Status.AWAITING_ESCROW)
        return waiting.filter(application=self.application).first()

    def why_not(self) -> NotNow | None:
        """Say that there is no permit whose date could still be set."""
        if self.permit is not None:
            return None
        return NotNow("The date is set anew only for a permit that is granted and not issued yet.")

    def context(self) -> dict[str, Any]:
        return {"permit": self.permit}

    def confirm_context(self, form: Any) -> dict[str, Any]:
        return {**self.context(), "recipients": notice_parties(self.application)}

    def run(self, form: Any) -> str:
        if self.permit is None:
            raise NotNow("The date is set anew only for a permit that is not issued yet.")
        terms = form.cleaned_data
        acts.move_controls_date(
            self.permit, by=self.user, on=clock.today(), to=terms["to"], reason=terms["reason"]
        )
        return reverse("issue", args=[self.application.key])
