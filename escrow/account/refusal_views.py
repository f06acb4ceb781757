"""The clerk records what a bank or surety refused of a demand, and takes such a record back."""

from __future__ import annotations

from typing import Any

from django import forms
from django.shortcuts import get_object_or_404

from escrow.models import EscrowEntry
from permits.forms.review import ReasonForm
from permits.models import NotNow
from permits.views.casework import find_application
from portal import clock
from portal.models import User

from . import issuers, refusing
from .issuer_views import OnDemand
from .views import AccountAct

__all__ = ["IssuerRefused", "ReverseRefusal"]


class IssuerRefused(OnDemand):
    """Record that a bank or surety refuses what is left of a demand."""

    act = "record a refusal of a demand"
    template = "escrow/issuer_refused.html"
    confirm_template = "escrow/issuer_refused_confirm.html"
    done_message = "The refusal for {} is recorded. The rest of the cost may be billed."

    def make_form(self, data: Any) -> ReasonForm:
        form = ReasonForm(data)
        form.fields["reason"].label = "Why does it refuse, and how did it say so?"
        return form

    def why_not(self) -> NotNow | None:
        why = refusing.why_not_refuse(self.demand)
        return NotNow(why) if why else None

    def context(self) -> dict[str, Any]:
        shown = super().context()
        return shown | {"paid": issuers.paid_on(self.demand)}

    def run(self, form: forms.Form) -> str:
        reason = form.cleaned_data["reason"]
        refusing.refuse(self.demand, reason=reason, by=self.user, on=clock.today())
        return self.account_url()


class ReverseRefusal(AccountAct):
    """Take back that a bank or surety refused the rest of a demand."""

    act = "take back a refusal of a demand"
    template = "escrow/refusal_reverse.html"
    confirm_template = "escrow/refusal_reverse_confirm.html"
    done_message = "The refusal for {} is taken back. The demand is open again."
    refusal: EscrowEntry

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        number = kwargs.pop("number")
        if isinstance(request.user, User):
            application = find_application(request, kwargs["key"], self.may)
            rows = EscrowEntry.objects.filter(kind=EscrowEntry.Kind.REFUSED)
            found = rows.filter(permit__application=application)
            related = ("instrument", "draw", "demand_refused", "permit")
            self.refusal = get_object_or_404(found.select_related(*related), pk=number)
        return super().dispatch(request, *args, **kwargs)

    def make_form(self, data: Any) -> ReasonForm:
        return ReasonForm(data)

    def why_not(self) -> NotNow | None:
        why = refusing.why_not_take_back(self.refusal)
        return NotNow(why) if why else None

    def context(self) -> dict[str, Any]:
        shown = {"refusal": self.refusal, "instrument": self.refusal.instrument}
        return super().context() | shown

    def run(self, form: forms.Form) -> str:
        reason = form.cleaned_data["reason"]
        refusing.take_back(self.refusal, reason=reason, by=self.user, on=clock.today())
        return self.account_url()
