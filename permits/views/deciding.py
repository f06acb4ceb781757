"""Granting and denying: asked, shown with its dates, done once. § 40-886(c)"""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from permits import access, acts
from permits.forms.review import DenyForm, GrantForm
from permits.models import Application, Decision, NotNow, Permit, PlanRevision
from permits.models.decision import amount_setters
from permits.people import notice_parties
from portal import clock
from portal.ordinance import Deadline

from .casework import ActView

__all__ = ["Deny", "Grant"]


class DecideView(ActView):
    """What granting and denying have in common."""

    kind: str
    status: str

    def may(self, user: Any) -> bool:
        return access.may_decide(user)

    def why_not(self) -> NotNow | None:
        """Say who decided already, or what is still missing."""
        application = self.application
        if application.status != Application.Status.UNDER_REVIEW:
            missing = application.missing_to_receive(on=clock.today())
            return NotNow(application.why_not(self.status), missing)
        return None

    def revision(self) -> PlanRevision | None:
        """The plan revision before the inspector."""
        return self.application.filed_revision()

    def due(self) -> Deadline | None:
        """The date that binds the inspector: the ordinance's, or the city's own promise."""
        revision = self.revision()
        promise = revision.review_deadline() if revision else None
        return promise or self.application.decision_deadline()

    def context(self) -> dict[str, Any]:
        due = self.due()
        late = due is not None and due.is_late(clock.today())
        return {"revision": self.revision(), "due": due, "is_late": late}

    def confirm_context(self, form: Any) -> dict[str, Any]:
        decision = Decision(
            application=self.application,
            revision=self.revision(),
            kind=self.kind,
            decided_on=clock.today(),
            decided_by=self.user,
        )
        return {
            **self.context(),
            "appeal": decision.appeal_deadline(),
            "recipients": notice_parties(self.application),
        }


class Grant(DecideView):
    """The inspector grants; the permit waits for its escrow. § 40-886(c)"""

    act = "grant"
    kind = Decision.Kind.GRANT
    status = Application.Status.GRANTED
    template = "review/grant.html"
    confirm_template = "review/grant_confirm.html"
    done_message = "{} is granted. The parties are told, and the notice of grant is on file."

    def make_form(self, data: Any) -> GrantForm:
        return GrantForm(data, application=self.application)

    def with_another_row(self, form: Any) -> Any:
        form.add_row()
        return form

    def why_not(self) -> NotNow | None:
        """Say also what the plan still lacks: a plan that lacks something is not granted."""
        if refused := super().why_not():
            return refused
        found = self.application.obstacles_to_grant(on=clock.today())
        return NotNow("The application cannot be granted yet.", found) if found else None

    def confirm_context(self, form: Any) -> dict[str, Any]:
        terms = form.cleaned_data
        permit = Permit(
            issued_on=clock.today(), permanent_controls_by=terms["permanent_controls_by"]
        )
        set_by = amount_setters()[terms["escrow_set_by"]]
        return {
            **super().confirm_context(form),
            "terms": terms,
            "practices": form.practices(),
            "set_by": set_by,
            "cover": permit.permanent_cover_deadline(),
        }

    def run(self, form: Any) -> str:
        acts.grant(
            self.application,
            by=self.user,
            on=clock.today(),
            practices=form.practices(),
            **form.cleaned_data,
        )
        return reverse("review", args=[self.application.key])


class Deny(DecideView):
    """The inspector denies and enumerates the required changes of the plan. § 40-886(c)"""

    act = "deny"
    kind = Decision.Kind.DENY
    status = Application.Status.DENIED
    template = "review/deny.html"
    confirm_template = "review/deny_confirm.html"
    done_message = "{} is denied. The parties are told what the plan must change."

    def make_form(self, data: Any) -> DenyForm:
        revision = self.revision()
        earlier = revision.changes_to_answer() if revision else ()
        return DenyForm(data, revision=revision, earlier=list(earlier), on=clock.today())

    def with_another_row(self, form: Any) -> Any:
        form.add_row()
        return form

    def confirm_context(self, form: Any) -> dict[str, Any]:
        return {**super().confirm_context(form), "changes": form.changes()}

    def run(self, form: Any) -> str:
        acts.deny(
            self.application,
            by=self.user,
            on=clock.today(),
            changes=[
                {key: change[key] for key in ("section", "sheet", "text")}
                for change in form.changes()
            ],
            note=form.cleaned_data["note"],
        )
        return reverse("review", args=[self.application.key])
