"""Revoking a permit: grounds, evidence and effect before it is done. Former § 17.19(7)(c)"""

from __future__ import annotations

from decimal import Decimal
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from enforcement import access, ladder
from enforcement.acts import revocation as acts
from enforcement.forms.order import RevokeForm
from enforcement.models import Addressee, Revocation
from enforcement.persons import persons_of
from inspections.models import Certificate
from permits.models import NotNow, Permit, Site
from portal import clock, known
from portal.ordinance import Obstacle
from portal.ordinance.next_steps import StepKey

from .order_acts import OrderAct
from .tell_view import TellView

__all__ = ["Revoke", "revocation"]


@login_required
@require_safe
def revocation(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show a revocation to the holder of the case and to those who work for the city."""
    rows = Revocation.objects.filter(site__in=Site.objects.visible_to(request.user))
    joined = ("site", "permit__application", "order", "revoked_by", "paper__document")
    found = get_object_or_404(rows.select_related(*joined), key=key)
    with known.reading_once():
        context = {
            "revocation": found,
            "site": found.site,
            "on": clock.today(),
            "appeal": found.appeal_deadline(),
            "told": list(Addressee.objects.of(found).select_related("mailing")),
            "staff": access.may_see_enforcement(request.user),
            "may_serve": access.may_record_service(request.user),
        }
        return render(request, "enforcement/revocation.html", context)


class Revoke(TellView, OrderAct):
    """The inspector revokes a permit, opened only by the law."""

    act = "revoke"
    template = "enforcement/revoke.html"
    confirm_template = "enforcement/revoke_shown.html"
    done_message = "The permit is revoked, and everybody named is told."

    def find(self, key: Any) -> None:
        super().find(key)
        if self.order.permit is None:
            raise Http404
        self.step = ladder.step(self.order, StepKey.REVOCATION, on=clock.today())

    @property
    def permit(self) -> Permit:
        permit = self.order.permit
        assert permit is not None
        return permit

    def why_not(self) -> NotNow | None:
        if self.step.is_open:
            return None
        return NotNow("The permit cannot be revoked.", self.step.obstacles)

    def cure_of(self, obstacle: Obstacle) -> str:
        return ""

    def make_form(self, data: Any) -> RevokeForm:
        return RevokeForm(
            data,
            known=persons_of(self.site, self.permit),
            needs_reason=self.step.needs_reason,
            more=self.more,
        )

    def context(self) -> dict[str, Any]:
        return {
            **super().context(),
            "step": self.step,
            "permit": self.permit,
            "escrow": self.permit.escrow_amount if self.permit.escrow_posted_on else Decimal(0),
            "certificates": list(Certificate.objects.filter(permit=self.permit)),
        }

    def confirm_context(self, form: Any) -> dict[str, Any]:
        shown = Revocation(
            site=self.site, permit=self.permit, order=self.order, revoked_on=clock.today()
        )
        return {"told": form.told_in_words(), "appeal": shown.appeal_deadline()}

    def run(self, form: Any) -> str:
        made = acts.revoke(
            self.order,
            by=self.user,
            on=clock.today(),
            facts=form.cleaned_data["facts"],
            before_safe_why=form.cleaned_data.get("before_safe_why", ""),
            told=form.told(),
        )
        return made.get_absolute_url()
