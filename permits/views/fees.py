"""The fee at the counter, and its reversal when it did not come in. § 40-886(b)"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.urls import reverse

from permits import access, acts
from permits.forms.review import FeeForm, ReasonForm
from permits.models import Application, FeeEntry, NotNow
from permits.people import notice_parties
from portal import clock
from portal.ordinance import completeness

from .casework import ActView

__all__ = ["ReverseFee", "TakeFee"]


class TakeFee(ActView):
    """The clerk records the fee; form, plan and fee are then all in. § 40-886(b)"""

    act = "take fee"
    template = "review/fee.html"
    confirm_template = "review/fee_confirm.html"
    done_message = "The fee of {} is recorded. The parties are told when the city decides."

    def may(self, user: Any) -> bool:
        return access.may_take_fee(user)

    def make_form(self, data: Any) -> FeeForm:
        return FeeForm(data, initial={"received_on": clock.today()})

    def why_not(self) -> NotNow | None:
        """Say that the fee is in already, or that nothing is filed yet."""
        application = self.application
        if application.status == Application.Status.SUBMITTED:
            return None
        if application.fee_received_on is not None:
            return NotNow("The fee of this application is recorded already.")
        return NotNow(application.why_not(Application.Status.UNDER_REVIEW))

    def context(self) -> dict[str, Any]:
        today = clock.today()
        return {
            "fee": self.application.fee_due(on=today),
            "if_today": self.application.decision_if_received(today),
        }

    def confirm_context(self, form: Any) -> dict[str, Any]:
        application, fee = self.application, form.cleaned_data
        received_on = completeness.received_on(
            application.form_received_on, application.plan_received_on, fee["received_on"]
        )
        deadline = application.decision_if_received(received_on or clock.today())
        return {
            "entry": FeeEntry(**self.fee_of(form)),
            "received_on": received_on,
            "deadline": deadline,
            "is_late": deadline.is_late(clock.today()),
            "recipients": notice_parties(application),
        }

    def fee_of(self, form: Any) -> dict[str, Any]:
        """Return the entry; the amount is the fee due, and nothing when it is waived."""
        fee = dict(form.cleaned_data)
        waived = fee["means"] == FeeEntry.Means.WAIVER
        due = self.application.fee_due(on=fee["received_on"])
        return {**fee, "amount": Decimal("0.00") if waived else due}

    def run(self, form: Any) -> str:
        acts.record_fee(self.application, by=self.user, on=clock.today(), **self.fee_of(form))
        return reverse("receipt", args=[self.application.key])


class ReverseFee(ActView):
    """The clerk reverses a fee that did not come in; the ten working days never began."""

    act = "reverse fee"
    template = "review/fee_reverse.html"
    confirm_template = "review/fee_reverse_confirm.html"
    done_message = "The fee of {} is reversed. The parties are told that it is still due."

    def may(self, user: Any) -> bool:
        return access.may_take_fee(user)

    def make_form(self, data: Any) -> ReasonForm:
        return ReasonForm(data)

    def why_not(self) -> NotNow | None:
        """Say that no fee is in, or that the application is decided."""
        application = self.application
        undecided = application.decided_at() is None
        if application.status == Application.Status.UNDER_REVIEW and undecided:
            return None
        return NotNow("Only a fee on which nothing was decided yet can be reversed.")

    def context(self) -> dict[str, Any]:
        application = self.application
        entry = application.fee_entries.filter(reverses=None, reversed_by=None).last()
        return {"entry": entry, "deadline": application.decision_deadline()}

    def confirm_context(self, form: Any) -> dict[str, Any]:
        return {**self.context(), "recipients": notice_parties(self.application)}

    def run(self, form: Any) -> str:
        acts.reverse_fee(self.application, by=self.user, on=clock.today(), **form.cleaned_data)
        return reverse("receipt", args=[self.application.key])
