"""The clerk's November: the list of the year, its preview, and its proposal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from escrow import access
from escrow.bills.undone import undone_on_roll
from escrow.models import (
    Path,
    RollBatch,
    RollLayout,
    RollLine,
)
from inspections.views.acting import ActView
from permits.models import NotNow
from permits.views.doors import only
from portal import clock, known

from . import certify, told
from .candidates import Candidate, candidates
from .corrections import Correction, corrections
from .forms import LayoutChoice, current_layouts
from .year import RollYear, roll_year_on

__all__ = ["Propose", "ProposeCorrection", "RollAct", "roll"]

SHOWN = 200
CURES = {
    "divide the bill": "bill_divide",
    "levy the assessment": "bill_levy",
    "withdraw the bill": "bill_withdraw",
}


@dataclass(frozen=True)
class Listed:
    """The list of one instrument on the page of the roll."""

    path: str
    title: str
    found: list[Candidate]
    corrections: list[Correction]
    open_batch: RollBatch | None

    @property
    def ready(self) -> list[Candidate]:
        return [each for each in self.found if not each.stops]

    @property
    def stopped(self) -> list[Candidate]:
        return [each for each in self.found if each.stops]

    @property
    def total(self) -> Any:
        return sum(each.owed for each in self.ready)

    @property
    def shown(self) -> list[tuple[Candidate, list[tuple[Any, str]]]]:
        """The first of the list, each problem with the page that cures it."""
        return [(each, [(p, _cure(each, p.cure)) for p in each.problems]) for each in self._first]

    @property
    def _first(self) -> list[Candidate]:
        return self.found[:SHOWN]

    @property
    def more(self) -> int:
        return max(len(self.found) - SHOWN, 0)


def _cure(found: Candidate, cure: str) -> str:
    """Return the page on which a problem is removed."""
    if cure == "see the parcel" and found.parts:
        return reverse("parcel_note", args=[found.parts[0].parcel.pk])
    if cure == "add the parcel":
        return reverse("parcel_add", args=[found.bill.site.number])
    name = CURES.get(cure)
    return reverse(name, args=[found.bill.key]) if name else ""


def _list(path: str, now: RollYear, layout: RollLayout | None) -> Listed:
    found = candidates(path, cut_off_on=now.list_on, on=clock.today(), layout=layout)
    waiting = RollBatch.objects.filter(instrument=path, status=RollBatch.Status.PROPOSED)
    return Listed(
        path,
        str(Path(path).label),
        found,
        corrections(now.year, path),
        waiting.first(),
    )


def _county() -> RollLayout | None:
    """The layout whose form of parcel numbers is checked: the newest that has one."""
    return next((each for each in reversed(current_layouts()) if each.parcel_form), None)


@only(access.may_read_roll)
@require_safe
def roll(request: HttpRequest) -> HttpResponse:
    """Show the roll's year, everything delinquent on the cut-off day, and the batches."""
    with known.reading_once():
        now = roll_year_on(clock.today())
        layout = _county()
        context = {
            "now": now,
            "lists": [_list(path, now, layout) for path in Path.values],
            "untold": told.untold(on=clock.today()),
            "undone_bills": undone_on_roll(now.year, on=clock.today()),
            "batches": RollBatch.objects.select_related("proposed_by", "decided_by")[:50],
            "may_act": access.may_keep_money(request.user),
            "on": clock.today(),
        }
        return render(request, "roll/roll.html", context)


class RollAct(ActView):
    """An act on the roll: on no single case, so the frame of a site is empty."""

    site: Any = None

    def may(self) -> bool:
        return access.may_keep_money(self.user)


class Propose(RollAct):
    """The clerk looks at the list as it would be exported, and proposes it."""

    act = "propose roll"
    template = "roll/propose.html"
    done_message = "The list is proposed. A second person certifies it."
    path: str
    is_correction = False

    def find(self, key: Any) -> None:
        if key not in Path.values:
            raise Http404
        self.path = key

    def subject(self) -> str:
        return f"{self.path} {self.is_correction}"

    def make_form(self, data: Any) -> forms.Form:
        return LayoutChoice(data)

    def lines(self, now: RollYear) -> list[RollLine]:
        found = candidates(self.path, cut_off_on=now.list_on, on=clock.today(), layout=_county())
        return certify.lines_from(found)

    def context(self) -> dict[str, Any]:
        now = roll_year_on(clock.today())
        lines = self.lines(now)
        return {
            "now": now,
            "path": Path(self.path),
            "is_correction": self.is_correction,
            "lines": lines[:SHOWN],
            "more": max(len(lines) - SHOWN, 0),
            "totals": certify.totals_of(lines),
        }

    def why_not(self) -> NotNow | None:
        if RollBatch.objects.filter(instrument=self.path, status="proposed").exists():
            return NotNow(
                "Another list is proposed and waits for its second person. It is certified or "
                "withdrawn before the next one is made."
            )
        return None

    def run(self, form: Any) -> str:
        now = roll_year_on(clock.today())
        batch = certify.propose(
            self.lines(now),
            year=now.year,
            cut_off_on=now.cut_off_on,
            instrument=self.path,
            layout=form.cleaned_data["layout"],
            by=self.user,
            on=clock.today(),
            signed=self.request.POST.get("signed", ""),
            purpose="correction" if self.is_correction else "charges",
        )
        return batch.get_absolute_url()


class ProposeCorrection(Propose):
    """The clerk proposes what leaves the roll again."""

    act = "propose correction"
    is_correction = True

    def lines(self, now: RollYear) -> list[RollLine]:
        return certify.lines_of_corrections(corrections(now.year, self.path))
