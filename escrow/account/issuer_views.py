"""The clerk records what a bank or surety paid on a demand, and takes such a record back."""

from __future__ import annotations

from typing import Any

from django import forms
from django.shortcuts import get_object_or_404

from escrow.bills.forms import PaymentForm
from escrow.models import Demand, IssuerPayment
from permits.forms.review import ReasonForm
from permits.models import NotNow
from permits.views.casework import find_application
from portal import clock
from portal.models import User

from . import issuers
from .views import AccountAct

__all__ = ["IssuerPaid", "OnDemand", "ReverseIssuerPaid"]


class IssuerForm(PaymentForm):
    """What came in on one demand."""

    def __init__(self, data: Any = None, *, demand: Demand) -> None:
        issuer = demand.entry.instrument.issuer
        super().__init__(data, owed=issuers.left_of(demand), payer=issuer)
        self.demand = demand

    def clean(self) -> dict[str, Any]:
        """Refuse more than is out, and a day before the demand."""
        answers = super().clean()
        amount, day = answers.get("amount"), answers.get("received_on")
        if amount is None or day is None:
            return answers
        if why := issuers.why_not_pay(self.demand, amount, received_on=day):
            self.add_error("received_on" if day < self.demand.on else "amount", why)
        return answers


class OnDemand(AccountAct):
    """An act on one demand of the account."""

    demand: Demand

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        number = kwargs.pop("number")
        if isinstance(request.user, User):
            application = find_application(request, kwargs["key"], self.may)
            related = ("entry__instrument", "entry__permit", "entry__draw")
            rows = Demand.objects.select_related(*related)
            found = rows.filter(entry__permit__application=application)
            self.demand = get_object_or_404(found, pk=number)
        return super().dispatch(request, *args, **kwargs)

    def context(self) -> dict[str, Any]:
        return super().context() | {
            "demand": self.demand,
            "instrument": self.demand.entry.instrument,
            "asked": -self.demand.entry.amount,
            "left": issuers.left_of(self.demand),
        }


class IssuerPaid(OnDemand):
    """Record what a bank or surety paid on a demand, in full or in part."""

    act = "record a payment on a demand"
    template = "escrow/issuer_paid.html"
    confirm_template = "escrow/issuer_paid_confirm.html"
    done_message = "The payment on the demand for {} is recorded, and the receipt is made."

    def make_form(self, data: Any) -> IssuerForm:
        return IssuerForm(data, demand=self.demand)

    def why_not(self) -> NotNow | None:
        if issuers.left_of(self.demand) > 0:
            return None
        return NotNow("Nothing is to be paid on this demand any more.")

    def confirm_context(self, form: Any) -> dict[str, Any]:
        left = issuers.left_of(self.demand) - form.cleaned_data["amount"]
        return self.context() | {"left": left}

    def run(self, form: forms.Form) -> str:
        issuers.pay(self.demand, by=self.user, **form.cleaned_data)
        return self.account_url()


class ReverseIssuerPaid(AccountAct):
    """Take back what was recorded as paid by a bank or surety."""

    act = "take back a payment on a demand"
    template = "escrow/issuer_reverse.html"
    confirm_template = "escrow/issuer_reverse_confirm.html"
    done_message = "The payment for {} is taken back. The demand is open again."
    payment: IssuerPayment

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        number = kwargs.pop("number")
        if isinstance(request.user, User):
            application = find_application(request, kwargs["key"], self.may)
            rows = IssuerPayment.objects.select_related("demand__entry__instrument", "receipt")
            found = rows.filter(demand__entry__permit__application=application)
            self.payment = get_object_or_404(found, pk=number)
        return super().dispatch(request, *args, **kwargs)

    def make_form(self, data: Any) -> ReasonForm:
        return ReasonForm(data)

    def why_not(self) -> NotNow | None:
        why = issuers.why_not_reverse(self.payment)
        return NotNow(why) if why else None

    def context(self) -> dict[str, Any]:
        instrument = self.payment.demand.entry.instrument
        return super().context() | {"payment": self.payment, "instrument": instrument}

    def run(self, form: forms.Form) -> str:
        reason = form.cleaned_data["reason"]
        issuers.reverse(self.payment, reason=reason, by=self.user, on=clock.today())
        return self.account_url()
