"""The clerk takes a bill off the tax roll whose ground the board took away."""

from __future__ import annotations

from typing import Any

from django import forms

from permits.models import NotNow
from portal import clock

from . import undone
from .act_views import BillAct
from .forms import ReasonForm

__all__ = ["TakeOffRoll"]


class TakeOffRoll(BillAct):
    """The clerk takes off the roll what the board left without a ground."""

    act = "take bill off roll"
    template = "bills/off_roll.html"
    done_message = "It is off the roll and credited. Propose the correction on the tax roll."

    def why_not(self) -> NotNow | None:
        why = undone.why_not_take_off(self.bill, on=clock.today())
        return super().why_not() or (NotNow(why) if why else None)

    def make_form(self, data: Any) -> forms.Form:
        found = undone.undone(self.bill, on=clock.today())
        return ReasonForm(data, initial={"reason": found.reason if found else ""})

    def context(self) -> dict[str, Any]:
        return {**super().context(), "undone": undone.undone(self.bill, on=clock.today())}

    def run(self, form: Any) -> str:
        reason = form.cleaned_data["reason"]
        undone.take_off_undone(self.bill, reason=reason, by=self.user, on=clock.today())
        return self.bill.get_absolute_url()
