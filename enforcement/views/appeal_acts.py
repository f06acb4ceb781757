"""Acts on an appeal: fee, peril, record, hearing, decision, withdrawal."""

from __future__ import annotations

from typing import Any

from django import forms

from enforcement import appeal_access, stays_on_docket, transmittal
from enforcement.acts import appeals as acts
from enforcement.acts import board
from enforcement.appeal_telling import appellant_of, concerned_by
from enforcement.forms.appeal import (
    CarryOutForm,
    DecisionForm,
    FeeForm,
    HearingForm,
    PerilForm,
    WithdrawForm,
)
from enforcement.models import Appeal
from inspections.views.acting import ActView
from permits.models import NotNow
from portal import clock

from .appeals import find_appeal

__all__ = ["CarryOut", "CertifyPeril", "Decide", "Pay", "SetHearing", "Transmit", "Withdraw"]


class AppealAct(ActView):
    """What the acts on an appeal have in common."""

    appeal: Appeal
    heading = ""
    button = ""
    lede = ""

    def find(self, key: Any) -> None:
        self.appeal = find_appeal(self.request, key)
        self.site = self.appeal.site

    def subject(self) -> str:
        return str(self.appeal.key)

    def why_not(self) -> NotNow | None:
        if self.appeal.is_open:
            return None
        return NotNow(f"The appeal is {self.appeal.get_status_display().lower()}.")

    def context(self) -> dict[str, Any]:
        return {
            "appeal": self.appeal,
            "staff": appeal_access.may_see_appeals(self.user),
            "heading": self.heading,
            "button": self.button,
            "lede": self.lede,
        }


class OfInspector(AppealAct):
    """An act of the building inspector."""

    def may(self) -> bool:
        return appeal_access.may_answer_board(self.user)


class OfBoard(AppealAct):
    """An act of the board's secretary."""

    def may(self) -> bool:
        return appeal_access.may_keep_hearings(self.user)


class CertifyPeril(OfInspector):
    """The inspector certifies imminent peril, which ends the stay."""

    act = "appeal peril"
    template = "appeals/act.html"
    confirm_template = "appeals/peril_shown.html"
    done_message = "The certificate is on record. The stay has ended, and everybody is told."
    heading = "Certify imminent peril"
    button = "Go on: see what will happen"
    lede = (
        "An appeal stays what would follow from the act, unless you certify to the board, by "
        "facts, that the stay would cause imminent peril to life or property."
    )

    def make_form(self, data: Any) -> PerilForm:
        return PerilForm(data)

    def why_not(self) -> NotNow | None:
        why = board.why_no_peril(self.appeal)
        return NotNow(why) if why else None

    def confirm_context(self, form: Any) -> dict[str, Any]:
        return {"clocks": stays_on_docket.clocks_of(self.appeal.subject)}

    def run(self, form: Any) -> str:
        board.certify_peril(
            self.appeal, by=self.user, on=clock.today(), facts=form.cleaned_data["facts"]
        )
        return self.appeal.get_absolute_url()


class Transmit(OfInspector):
    """The inspector transmits the record of the act to the board."""

    act = "appeal transmit"
    template = "appeals/transmit.html"
    done_message = "The record is transmitted; the board's secretary and the attorney are told."

    def make_form(self, data: Any) -> forms.Form:
        return forms.Form(data)

    def why_not(self) -> NotNow | None:
        if self.appeal.transmittal_id is not None:
            return NotNow("The record was transmitted already.")
        return super().why_not()

    def context(self) -> dict[str, Any]:
        return {**super().context(), "pieces": transmittal.record_of(self.appeal)}

    def run(self, form: Any) -> str:
        board.transmit(self.appeal, by=self.user, on=clock.today())
        return self.appeal.get_absolute_url()


class SetHearing(OfBoard):
    """The board's secretary sets the day of the hearing, or another one."""

    act = "appeal hearing"
    template = "appeals/act.html"
    confirm_template = "appeals/hearing_shown.html"
    done_message = "The hearing is set, and the parties get notice by letter and e-mail."
    heading = "Set the hearing"
    button = "Go on: see who gets notice"

    def make_form(self, data: Any) -> HearingForm:
        return HearingForm(data)

    def confirm_context(self, form: Any) -> dict[str, Any]:
        return {
            "people": [appellant_of(self.appeal), *concerned_by(self.appeal)],
            "before": self.appeal.next_hearing(),
        }

    def run(self, form: Any) -> str:
        board.set_hearing(
            self.appeal,
            by=self.user,
            on=clock.today(),
            held_on=form.cleaned_data["held_on"],
            at=form.time,
            place=form.cleaned_data["place"],
        )
        return self.appeal.get_absolute_url()


class Decide(OfBoard):
    """The board's secretary records the decision by the day on which it was filed."""

    act = "appeal decide"
    template = "appeals/decide.html"
    confirm_template = "appeals/decide_shown.html"
    takes_photos = True
    done_message = "The decision is on record, and everybody is told which days run on."

    def make_form(self, data: Any) -> DecisionForm:
        return DecisionForm(data, appeal=self.appeal)

    def confirm_context(self, form: Any) -> dict[str, Any]:
        ended = Appeal.objects.get(pk=self.appeal.pk)
        ended.outcome = form.cleaned_data["outcome"]
        return {
            "outcome": ended.get_outcome_display(),
            "reversed": ended.outcome == Appeal.Outcome.REVERSED,
            "is_task": ended.orders_something,
        }

    def run(self, form: Any) -> str:
        answers = form.cleaned_data
        board.decide(
            self.appeal,
            by=self.user,
            on=clock.today(),
            filed_on=answers["filed_on"],
            outcome=answers["outcome"],
            text=answers["text"],
            files=self.photos.uploads,
        )
        return self.appeal.get_absolute_url()


class Withdraw(AppealAct):
    """Whoever filed it withdraws it, or the board's secretary enters the letter."""

    act = "appeal withdraw"
    template = "appeals/act.html"
    confirm_template = "appeals/withdraw_shown.html"
    done_message = "The appeal is withdrawn, and everybody is told which days run on."
    heading = "Withdraw the appeal"
    button = "Go on: see what will happen"

    def may(self) -> bool:
        return appeal_access.may_withdraw_appeal(self.user, self.appeal)

    @property
    def by_letter(self) -> bool:
        """Whether somebody else enters what the appellant wrote."""
        return appeal_access.may_keep_hearings(self.user)

    def make_form(self, data: Any) -> WithdrawForm:
        return WithdrawForm(data, appeal=self.appeal, by_letter=self.by_letter)

    def run(self, form: Any) -> str:
        answers = form.cleaned_data
        acts.withdraw(
            self.appeal,
            by=self.user,
            on=clock.today(),
            reason=answers["reason"],
            withdrawn_on=answers.get("withdrawn_on"),
        )
        return self.appeal.get_absolute_url()


class Pay(AppealAct):
    """The clerk records that the fee came in."""

    act = "appeal fee"
    template = "appeals/act.html"
    done_message = "The fee is recorded."
    heading = "Record the fee"
    button = "Record the fee"

    def may(self) -> bool:
        return appeal_access.may_take_appeal_fee(self.user)

    def make_form(self, data: Any) -> FeeForm:
        return FeeForm(data)

    def why_not(self) -> NotNow | None:
        return None if self.appeal.owes_fee else NotNow("No fee is due on this appeal.")

    def run(self, form: Any) -> str:
        acts.pay(self.appeal, by=self.user, on=clock.today(), **form.cleaned_data)
        return self.appeal.get_absolute_url()


class CarryOut(OfInspector):
    """The inspector records what was done about the board's decision."""

    act = "appeal carried out"
    template = "appeals/act.html"
    done_message = "It is on record."
    heading = "Record what was done"
    button = "Record it"

    def make_form(self, data: Any) -> CarryOutForm:
        return CarryOutForm(data)

    def why_not(self) -> NotNow | None:
        if self.appeal.is_a_task:
            return None
        return NotNow("The decision leaves nothing to be done, or it was done already.")

    def run(self, form: Any) -> str:
        board.carry_out(self.appeal, by=self.user, on=clock.today(), how=form.cleaned_data["how"])
        return self.appeal.get_absolute_url()
