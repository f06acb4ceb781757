"""What the roll did with a charge, what is said of a parcel, and the layouts of the file."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from escrow import access
from escrow.bills.forms import ReasonForm
from escrow.models import Bill, ParcelNote, RollCharge, RollLayout, RollOutcome
from inspections.views.acting import ActView, site_of
from permits.models import NotNow, Parcel, Site
from permits.views.doors import only
from portal import clock

from . import outcomes, told
from .forms import (
    CollectForm,
    LayoutForm,
    ParcelForm,
    ParcelNoteForm,
    SettleForm,
    current_layouts,
)
from .views import SHOWN, RollAct

__all__ = [
    "AddParcel",
    "ChangeLayout",
    "Collect",
    "NoteParcel",
    "Reject",
    "Settle",
    "TakeBack",
    "layouts",
]


class ChargeAct(RollAct):
    """What the roll did with one charge."""

    charge: RollCharge

    def find(self, key: Any) -> None:
        rows = RollCharge.objects.select_related("batch", "line", "bill__site")
        self.charge = get_object_or_404(rows, number=key)

    def subject(self) -> str:
        return self.charge.number

    def context(self) -> dict[str, Any]:
        return {
            "charge": self.charge,
            "batch": self.charge.batch,
            "net": outcomes.net(self.charge),
            "told": list(self.charge.outcomes.select_related("reversed_by")),
        }


class Reject(ChargeAct):
    """The clerk records that the roll did not take a charge, and why."""

    act = "reject charge"
    template = "roll/reject.html"
    done_message = "Recorded. The bill owes the amount again and comes on the next list."

    def make_form(self, data: Any) -> forms.Form:
        return ReasonForm(data)

    def run(self, form: Any) -> str:
        reason = form.cleaned_data["reason"]
        outcomes.reject(self.charge, reason=reason, by=self.user, on=clock.today())
        return self.charge.batch.get_absolute_url()


class Collect(ChargeAct):
    """The clerk records what was collected of a charge with the tax."""

    act = "collect charge"
    template = "roll/collect.html"
    done_message = "Recorded."

    def context(self) -> dict[str, Any]:
        return {**super().context(), "paid_aside": outcomes.paid_aside(self.charge)}

    def make_form(self, data: Any) -> forms.Form:
        left = outcomes.uncollected(self.charge)
        return CollectForm(data, initial={"amount": left, "on": clock.today()})

    def run(self, form: Any) -> str:
        outcomes.collect(self.charge, by=self.user, **form.cleaned_data)
        return self.charge.batch.get_absolute_url()


class TakeBack(RollAct):
    """The clerk takes back what was recorded as collected."""

    act = "take back collected"
    template = "roll/uncollect.html"
    done_message = "Taken back. The charge is open again by this amount."
    outcome: RollOutcome

    def find(self, key: Any) -> None:
        rows = RollOutcome.objects.filter(kind=RollOutcome.Kind.COLLECTED)
        related = ("charge__batch", "charge__line", "charge__bill__site")
        self.outcome = get_object_or_404(rows.select_related(*related), pk=key)

    def subject(self) -> str:
        return str(self.outcome.pk)

    def why_not(self) -> NotNow | None:
        why = outcomes.why_not_uncollect(self.outcome)
        return NotNow(why) if why else None

    def make_form(self, data: Any) -> forms.Form:
        return ReasonForm(data)

    def context(self) -> dict[str, Any]:
        charge = self.outcome.charge
        return {"outcome": self.outcome, "charge": charge, "batch": charge.batch}

    def run(self, form: Any) -> str:
        reason = form.cleaned_data["reason"]
        outcomes.uncollect(self.outcome, reason=reason, by=self.user, on=clock.today())
        return self.outcome.charge.batch.get_absolute_url()


class Settle(ChargeAct):
    """The clerk records what the treasurer did with what no certified batch told the roll."""

    act = "settle charge"
    template = "roll/settle.html"
    done_message = "Recorded."

    def why_not(self) -> NotNow | None:
        why = told.why_not_settle(self.charge, on=clock.today())
        return NotNow(why) if why else None

    def make_form(self, data: Any) -> forms.Form:
        return SettleForm(data, again=not told.untold_of(self.charge))

    def context(self) -> dict[str, Any]:
        return {**super().context(), "untold": told.untold_of(self.charge)}

    def run(self, form: Any) -> str:
        told.settle(self.charge, by=self.user, today=clock.today(), **form.cleaned_data)
        return reverse("roll")


class AddParcel(ActView):
    """The clerk adds a parcel of the county's map to a site that is charged without one."""

    act = "add parcel"
    template = "roll/parcel_new.html"
    done_message = "The parcel is added to the case."

    def find(self, key: Any) -> None:
        self.site = site_of(self.request, key)

    def may(self) -> bool:
        return access.may_keep_money(self.user)

    def subject(self) -> str:
        return self.site.number

    def make_form(self, data: Any) -> forms.Form:
        return ParcelForm(data, site=self.site)

    def context(self) -> dict[str, Any]:
        return {"parcels": list(self.site.parcels.all())}

    def run(self, form: Any) -> str:
        number = form.cleaned_data["number"]
        parcel = outcomes.add_parcel(self.site, number, by=self.user, on=clock.today())
        return reverse("parcel_note", args=[parcel.pk])


class NoteParcel(ActView):
    """The clerk writes down what the county or the owner says of a parcel."""

    act = "note parcel"
    template = "roll/parcel.html"
    done_message = "Recorded."
    parcel: Parcel

    def find(self, key: Any) -> None:
        rows = Parcel.objects.filter(site__in=Site.objects.visible_to(self.request.user))
        self.parcel = get_object_or_404(rows.select_related("site"), pk=key)
        self.site = self.parcel.site

    def may(self) -> bool:
        return access.may_keep_money(self.user)

    def subject(self) -> str:
        return str(self.parcel.pk)

    def make_form(self, data: Any) -> forms.Form:
        return ParcelNoteForm(data, initial={"on": clock.today()})

    def context(self) -> dict[str, Any]:
        notes = ParcelNote.objects.filter(parcel=self.parcel).select_related("by")
        bills = Bill.objects.filter(site=self.site).with_balance()
        return {"parcel": self.parcel, "notes": list(notes), "bills": list(bills[:SHOWN])}

    def run(self, form: Any) -> str:
        outcomes.note_parcel(self.parcel, by=self.user, **form.cleaned_data)
        return reverse("parcel_note", args=[self.parcel.pk])


@only(access.may_read_roll)
@require_safe
def layouts(request: HttpRequest) -> HttpResponse:
    """Show the layouts in use."""
    context = {
        "layouts": current_layouts(),
        "may_act": access.may_keep_money(request.user),
    }
    return render(request, "roll/layouts.html", context)


class ChangeLayout(RollAct):
    """The clerk changes a layout, or makes another from it: always a new row."""

    act = "change layout"
    template = "roll/layout.html"
    done_message = "The layout is kept. Files that were made before stay as they are."
    layout: RollLayout

    def find(self, key: Any) -> None:
        self.layout = get_object_or_404(RollLayout, pk=key)

    def subject(self) -> str:
        return str(self.layout.pk)

    def make_form(self, data: Any) -> Any:
        return LayoutForm(data, instance=self.layout)

    def context(self) -> dict[str, Any]:
        return {"layout": self.layout}

    def run(self, form: Any) -> str:
        form.layout(self.user)
        return reverse("roll_layouts")
