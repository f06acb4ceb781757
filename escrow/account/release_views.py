"""Release: the clerk proposes, the administrator approves, the clerk gives originals back."""

from __future__ import annotations

from typing import Any

from django import forms

from escrow import access
from escrow.models import Release
from permits.agreements import holding
from permits.models import NotNow
from permits.people import notice_parties
from portal import clock
from portal.city import worded

from . import deciding, releasing
from .access import may_decide_release
from .release_forms import DecideForm, GiveBackForm, ProposeReleaseForm
from .views import AccountAct

__all__ = ["Decide", "DecideRelease", "GiveBack", "ProposeRelease"]


class ProposeRelease(AccountAct):
    """The clerk proposes to release all that is held, once nothing stands in the way."""

    act = "propose a release"
    template = "escrow/release.html"
    confirm_template = "escrow/release_confirm.html"
    done_message = worded("The release for {{}} is proposed. The {administrator} decides.")

    def make_form(self, data: Any) -> ProposeReleaseForm:
        return ProposeReleaseForm(data)

    def why_not(self) -> NotNow | None:
        try:
            deciding.refuse_proposal(self.permit)
        except NotNow as refused:
            return refused
        found = releasing.obstacles_to_release(self.permit, on=clock.today())
        return NotNow("The escrow cannot be released yet.", found) if found else None

    def context(self) -> dict[str, Any]:
        held = deciding.whole(self.permit, on=clock.today())
        return super().context() | {
            "held": held,
            "total": sum(each.held for each in held),
            "payees": releasing.payees(held),
            "agreement": holding.recorded_of(self.permit, on=clock.today()),
        }

    def run(self, form: forms.Form) -> str:
        assert isinstance(form, ProposeReleaseForm)
        releasing.propose(self.permit, by=self.user, on=clock.today())
        return self.account_url()


class Decide(AccountAct):
    """A second person decides about a proposal; whoever proposed it may only take it back."""

    model: type[Any]
    _proposal: Any = None

    def proposal(self) -> Any:
        """The proposal that waits, if there is one."""
        if self._proposal is None:
            self._proposal = deciding.waiting(self.model, self.permit)
        return self._proposal

    def may_approve(self) -> bool:
        """Whether this person is a second one, with the power to approve."""
        proposal = self.proposal()
        return access.may_approve(self.user) and (
            proposal is None or proposal.proposed_by_id != self.user.pk
        )

    def do_approve(self, proposal: Any, form: Any) -> None:
        """Do what was proposed."""
        raise NotImplementedError

    def make_form(self, data: Any) -> DecideForm:
        return DecideForm(data, may_approve=self.may_approve())

    def why_not(self) -> NotNow | None:
        return None if self.proposal() else NotNow("No proposal waits for a decision.")

    def context(self) -> dict[str, Any]:
        held = deciding.whole(self.permit, on=clock.today())
        total = sum(each.held for each in held)
        proposal = self.proposal()
        return super().context() | {
            "proposal": proposal,
            "held": held,
            "total": total,
            "is_void": proposal is not None and proposal.amount != total,
            "payees": releasing.payees(held),
            "recipients": notice_parties(self.application),
        }

    def confirm_context(self, form: Any) -> dict[str, Any]:
        return self.context() | {"approves": form.approves}

    def run(self, form: forms.Form) -> str:
        assert isinstance(form, DecideForm)
        proposal = self.proposal()
        if proposal is None:
            raise NotNow("No proposal waits for a decision.")
        if form.approves:
            self.do_approve(proposal, form)
        else:
            why = form.cleaned_data["why"]
            deciding.decline(proposal, by=self.user, on=clock.today(), why=why)
        return self.account_url()


class DecideRelease(Decide):
    """The administrator approves a release of exactly what was proposed, or declines it."""

    act = "decide a release"
    template = "escrow/release_decide.html"
    confirm_template = "escrow/release_decide_confirm.html"
    done_message = "The decision on the release for {} is recorded."
    model = Release

    def may(self, user: Any) -> bool:
        return may_decide_release(user)

    def do_approve(self, proposal: Any, form: Any) -> None:
        releasing.approve(proposal, by=self.user, on=clock.today())


class GiveBack(AccountAct):
    """The clerk gives the original of a released or replaced instrument back."""

    act = "give an instrument back"
    template = "escrow/give_back.html"
    confirm_template = "escrow/give_back_confirm.html"
    done_message = "The return for {} is recorded, and its receipt is made."

    def make_form(self, data: Any) -> GiveBackForm:
        return GiveBackForm(data, permit=self.permit)

    def why_not(self) -> NotNow | None:
        if releasing.to_give_back(self.permit):
            return None
        return NotNow("No released or replaced bond or letter of credit is still with the city.")

    def run(self, form: forms.Form) -> str:
        answers = form.cleaned_data
        releasing.give_back(
            answers["instrument"],
            to=answers["to"],
            how=answers["how"],
            by=self.user,
            on=clock.today(),
        )
        return self.account_url()
