"""The council's dated values: shown to staff, entered by the clerk, never changed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from permits import access, recount
from permits.forms.fields import DayField, Line
from permits.views.doors import only, who
from portal import clock, council, drafts, known
from portal.city import edition_on
from portal.formats import long_date
from portal.models import CouncilValue, User

from .acting import CONFIRM, act_once, step_of, token_of
from .council_values import KINDS, ValueKind, judged_since

__all__ = ["InForce", "council_page", "council_value", "values_in_force"]

OPEN_HOLIDAYS = CouncilValue.Key.OPEN_HOLIDAYS
NOT_SET = "not set yet"


@dataclass(frozen=True)
class InForce:
    """One value as it stands on a day: the council's, else the ordinance's."""

    kind: ValueKind
    value: str
    since: date | None
    resolution: str

    @property
    def is_set(self) -> bool:
        """Whether anybody set it at all."""
        return self.value != NOT_SET


def values_in_force(*, on: date) -> list[InForce]:
    """Return what stands on a day."""
    edition = edition_on(on)
    found = []
    for key, kind in KINDS.items():
        if not kind.offered:
            continue
        row = council.find(key, on=on)
        text = row.value if row else kind.default(edition)
        shown = kind.show(text) if text or row else NOT_SET
        found.append(
            InForce(kind, shown, row.effective_on if row else None, row.resolution if row else "")
        )
    return found


@only(access.may_see_desk)
@require_safe
def council_page(request: HttpRequest) -> HttpResponse:
    """Show every value in force, what is still to come, and all that was set before."""
    on = clock.today()
    with known.reading_once():
        values = values_in_force(on=on)
    rows = CouncilValue.objects.select_related("entered_by").order_by("-effective_on", "-pk")[:200]
    context = {
        "values": values,
        "history": [(KINDS[row.key], row, KINDS[row.key].show(row.value)) for row in rows],
        "may_edit": access.may_keep_calendar(request.user),
        "on": on,
    }
    return render(request, "calendar/council.html", context)


class ValueForm(forms.Form):
    """A value, the day from which it holds, and the resolution that set it."""

    def __init__(self, data: Any, *, kind: ValueKind, on: date) -> None:
        super().__init__(data)
        self.kind, self.on = kind, on
        self.fields["value"] = kind.field()
        if kind.key == OPEN_HOLIDAYS:
            text = council.find_text(kind.key, on=on)
            now = kind.default(edition_on(on)) if text is None else text
            self.fields["value"].initial = now.split(",")
        if kind.key != OPEN_HOLIDAYS:
            self.fields["effective_on"] = DayField(label="In force from")
        self.fields["resolution"] = Line(
            label="Number of the resolution", max_length=60, help_text="Such as 2026-118."
        )

    def clean_effective_on(self) -> date:
        """Refuse a day on or after which something was judged by the value before."""
        day: date = self.cleaned_data["effective_on"]
        judged = judged_since(self.kind.key, day) if day <= self.on else ""
        if judged:
            raise forms.ValidationError(
                f"By the value before, {judged} on or after {long_date(day)}; what was told "
                f"then stands. Choose a later day, at the earliest tomorrow."
            )
        return day

    @property
    def text(self) -> str:
        """The value as the row keeps it."""
        return self.kind.keep(self.cleaned_data["value"])

    @property
    def day(self) -> date:
        """The day from which it holds."""
        found: date = self.cleaned_data.get("effective_on", self.on)
        return found


@only(access.may_keep_calendar)
@require_http_methods(["GET", "HEAD", "POST"])
def council_value(request: HttpRequest, key: str) -> HttpResponse:
    """Enter a value: asked, shown with what it means, entered once."""
    kind = KINDS.get(key)
    if kind is None or not kind.offered:
        raise Http404
    on = clock.today()
    form = ValueForm(drafts.data_for(request), kind=kind, on=on)
    context = {"form": form, "kind": kind, "operation": token_of(request), "on": on}
    if request.method != "POST" or step_of(request) == "change" or not form.is_valid():
        return render(request, "calendar/council_value.html", context)
    if step_of(request) == CONFIRM:
        return act_once(request, f"council.{key}", lambda: enter(request, form, by=who(request)))
    with known.reading_once():
        moves = recount.moves_if_open(chosen(form)) if key == OPEN_HOLIDAYS else []
    context |= {"shown": kind.show(form.text), "day": form.day, "moves": moves}
    return render(request, "calendar/council_confirm.html", context)


def chosen(form: ValueForm) -> frozenset[str]:
    """Return the keys of the holidays that were marked."""
    return frozenset(form.cleaned_data["value"])


def enter(request: HttpRequest, form: ValueForm, *, by: User) -> str:
    """Enter the value; safe dates are counted again where it moves them."""
    resolution: str = form.cleaned_data["resolution"]
    if form.kind.key == OPEN_HOLIDAYS:
        recount.change_open_holidays(chosen(form), resolution=resolution, by=by, on=form.on)
    else:
        CouncilValue.objects.create(
            key=form.kind.key,
            value=form.text,
            effective_on=form.day,
            resolution=resolution,
            entered_by=by,
        )
    title = form.kind.title
    messages.success(request, f"{title}: {form.kind.show(form.text)}, from {long_date(form.day)}.")
    return reverse("council")
