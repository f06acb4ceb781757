"""How long records are kept: the schedule, and the holds that win over it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from permits.models import NotNow
from permits.views.doors import only
from permits.views.pages import page_of
from portal import clock
from portal.desk.records import access
from portal.desk.records.acts import holds
from portal.desk.records.facts import retention_for
from portal.desk.records.forms.keeping import EndHoldForm, HoldForm
from portal.desk.records.models import Hold
from portal.desk.records.ways import tabs
from portal.formats import long_date
from portal.ordinance.retention import schedule

from .acting import RecordsAct

__all__ = ["EndHold", "PlaceHold", "all_holds", "retention_schedule"]


@only(access.may_read_records)
@require_safe
def retention_schedule(request: HttpRequest) -> HttpResponse:
    """Show the schedule as data, with its sources and the day on which it expires."""
    found, on = schedule(), clock.today()
    context = {
        "tabs": tabs(request.path),
        "schedule": found,
        "rows": list(found.series.values()),
        "warns": found.warns(on),
        "expired": found.has_expired(on),
        "on": on,
    }
    return render(request, "records/schedule.html", context)


@only(access.may_read_records)
@require_safe
def all_holds(request: HttpRequest) -> HttpResponse:
    """Show the holds that stand, or those that were ended."""
    which = "ended" if request.GET.get("list") == "ended" else "standing"
    rows = Hold.objects.standing() if which == "standing" else Hold.objects.exclude(end=None)
    related = ("site", "by", "end__by")
    context = {
        "tabs": tabs(request.path),
        "page": page_of(request, rows.select_related(*related)),
        "which": which,
        "lists": (("standing", "Standing"), ("ended", "Ended")),
        "may_hold": access.may_hold(request.user),
    }
    return render(request, "records/holds.html", context)


class PlaceHold(RecordsAct):
    """Clerk or attorney hold a case."""

    act = "place hold"
    title = "Place a legal hold"
    lede = "A held case is not destroyed, whatever the schedule says, until somebody ends the hold."
    button = "Hold the case"
    done_message = "The case is held."

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        return super().dispatch(request, *args, **{**kwargs, "key": ""})

    def find(self, key: Any) -> None:
        return None

    def may(self) -> bool:
        return access.may_hold(self.user)

    def subject(self) -> str:
        return ""

    def back(self) -> str:
        return reverse("holds")

    def make_form(self, data: Any) -> forms.Form:
        form = HoldForm(data)
        form.fields["numbers"].initial = self.request.GET.get("case", "")[:40]
        return form

    def will_happen(self, form: Any) -> list[str]:
        [site] = form.cleaned_data["numbers"]
        kept = retention_for(site, on=clock.today())
        until = long_date(kept.until) if kept.until else "no day yet"
        return [
            f"Case {site.number}, {site.place}, is held from today.",
            f"By the schedule it would be kept until: {until}. The hold wins over it.",
            "It stands on the record of the case, with your name and your reason.",
        ]

    def run(self, form: Any) -> str:
        [site] = form.cleaned_data["numbers"]
        reason = form.cleaned_data["reason"]
        holds.place(site, reason=reason, by=self.user, on=clock.today())
        return self.back()


class EndHold(RecordsAct):
    """Clerk or attorney end a hold."""

    act = "end hold"
    title = "End the hold on case"
    lede = "Whatever else holds the case goes on holding it."
    button = "End the hold"
    done_message = "The hold is ended."
    hold: Hold

    def find(self, key: Any) -> None:
        related = ("site", "by", "end")
        self.hold = get_object_or_404(Hold.objects.select_related(*related), pk=key)

    def may(self) -> bool:
        return access.may_hold(self.user)

    def subject(self) -> str:
        return str(self.hold.pk)

    def name(self) -> str:
        return f"{self.title} {self.hold.site.number}"

    def back(self) -> str:
        return reverse("holds")

    def why_not(self) -> NotNow | None:
        return None if self.hold.is_standing else NotNow("This hold was ended already.")

    def make_form(self, data: Any) -> forms.Form:
        return EndHoldForm(data)

    def context(self) -> dict[str, Any]:
        return {**super().context(), "hold": self.hold}

    def will_happen(self, form: Any) -> list[str]:
        return [
            f"The hold of {long_date(self.hold.on)} ends today: {self.hold.reason}",
            "From then on the case is kept as long as the schedule says.",
        ]

    def run(self, form: Any) -> str:
        reason = form.cleaned_data["reason"]
        holds.end(self.hold, reason=reason, by=self.user, on=clock.today())
        return self.back()
