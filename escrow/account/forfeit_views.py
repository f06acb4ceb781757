"""Forfeiture: the inspector's finding, the administrator's approval. Former § 17.19(4)(e)"""

from __future__ import annotations

from typing import Any

from django import forms

from escrow.models import Forfeiture
from permits.models import NotNow
from portal import clock
from portal.city import worded
from portal.ordinance import Obstacle

from . import access, deciding, forfeiting
from .forfeit_forms import DecideForfeitureForm, ProposeForfeitureForm
from .release_views import Decide
from .views import AccountAct

__all__ = ["DecideForfeiture", "ProposeForfeiture"]


class ProposeForfeiture(AccountAct):
    """The inspector proposes to forfeit all that is held; part of it cannot be forfeited."""

    act = "propose a forfeiture"
    template = "escrow/forfeit.html"
    confirm_template = "escrow/forfeit_confirm.html"
    done_message = worded("The forfeiture for {{}} is proposed. The {administrator} decides.")

    def may(self, user: Any) -> bool:
        return access.may_find_late(user)

    def make_form(self, data: Any) -> ProposeForfeitureForm:
        return ProposeForfeitureForm(data, permit=self.permit, on=clock.today())

    def why_not(self) -> NotNow | None:
        on = clock.today()
        try:
            deciding.refuse_proposal(self.permit)
        except NotNow as refused:
            return refused
        found = forfeiting.obstacles_to_forfeit(self.permit, on=on)
        if not found and not forfeiting.visits(self.permit, on=on):
            due = forfeiting.deadline(self.permit, on=on)
            assert due is not None  # an obstacle otherwise
            text = "No finished visit after the last day shows that the work is not complete."
            found = [Obstacle("no-visit", text, due.citation, "visit the site")]
        return NotNow("The escrow is not forfeited today.", found) if found else None

    def context(self) -> dict[str, Any]:
        on = clock.today()
        held = deciding.whole(self.permit, on=on)
        return super().context() | {
            "held": held,
            "total": sum(each.held for each in held),
            "due": forfeiting.deadline(self.permit, on=on),
        }

    def run(self, form: forms.Form) -> str:
        answers = form.cleaned_data
        forfeiting.propose(
            self.permit,
            what_is_open=answers["what_is_open"],
            visit=answers["visit"],
            by=self.user,
            on=clock.today(),
        )
        return self.account_url()


class DecideForfeiture(Decide):
    """The administrator approves a forfeiture of exactly what was proposed, or declines it."""

    act = "decide a forfeiture"
    template = "escrow/forfeit_decide.html"
    confirm_template = "escrow/forfeit_decide_confirm.html"
    done_message = "The decision on the forfeiture for {} is recorded."
    model = Forfeiture

    def may(self, user: Any) -> bool:
        return access.may_decide_forfeiture(user)

    def make_form(self, data: Any) -> DecideForfeitureForm:
        return DecideForfeitureForm(
            data, permit=self.permit, on=clock.today(), may_approve=self.may_approve()
        )

    def context(self) -> dict[str, Any]:
        return super().context() | {"due": forfeiting.deadline(self.permit, on=clock.today())}

    def do_approve(self, proposal: Any, form: Any) -> None:
        forfeiting.approve(proposal, by=self.user, on=clock.today(), demands=form.demands())
