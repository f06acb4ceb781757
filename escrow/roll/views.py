"""The clerk's November: the list, its batches, their files, and what the roll did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from escrow import access
from escrow.bills.forms import ReasonForm
from escrow.models import (
    Bill,
    ParcelNote,
    Path,
    RollBatch,
    RollCharge,
    RollFile,
    RollLayout,
    RollLine,
)
from inspections.views.acting import ActView
from inspections.views.doors import only, who
from permits.models import NotNow, Parcel, Site
from portal import clock, known
from portal.ordinance.special_charge import delivery_on

from . import certify, files, outcomes
from .candidates import Candidate, candidates
from .corrections import Correction, corrections
from .forms import CollectForm, LayoutChoice, LayoutForm, ParcelNoteForm, current_layouts
from .year import RollYear, roll_year_on

__all__ = [
    "AcceptRest",
    "Certify",
    "ChangeLayout",
    "Collect",
    "MakeFile",
    "NoteParcel",
    "Propose",
    "ProposeCorrection",
    "Reject",
    "WithdrawBatch",
    "batch_page",
    "certification",
    "control_sheet",
    "download",
    "layouts",
    "roll",
]

SHOWN = 200
CURES = {
    "divide the bill": "bill_divide",
    "levy the assessment": "bill_levy",
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


# One batch --------------------------------------------------------------------------------


def find_batch(key: Any) -> RollBatch:
    """Return a batch by its key, or 404."""
    related = ("layout", "proposed_by", "decided_by", "certification")
    return get_object_or_404(RollBatch.objects.select_related(*related), key=key)


@only(access.may_read_roll)
@require_safe
def batch_page(request: HttpRequest, key: Any) -> HttpResponse:
    """Show a batch: its control figures, lines, files, and what the roll did with them."""
    batch, user = find_batch(key), who(request)
    lines = batch.lines.select_related("bill", "charge").prefetch_related("charge__outcomes")
    is_open = batch.status == RollBatch.Status.PROPOSED
    is_certified = batch.status == RollBatch.Status.CERTIFIED
    context = {
        "batch": batch,
        "lines": list(lines.order_by("position")[:SHOWN]),
        "more": max(batch.count - SHOWN, 0),
        "files": list(batch.files.select_related("document", "layout")),
        "is_open": is_open,
        "is_certified": is_certified,
        "may_certify": is_open and access.may_certify(user) and batch.proposed_by_id != user.pk,
        "may_act": access.may_keep_money(user),
        "choice": LayoutChoice(),
        "delivered_on": delivery_on(batch.year),
        "on": clock.today(),
    }
    return render(request, "roll/batch.html", context)


class BatchAct(RollAct):
    """An act on one batch."""

    batch: RollBatch

    def find(self, key: Any) -> None:
        self.batch = find_batch(key)

    def subject(self) -> str:
        return str(self.batch)

    def context(self) -> dict[str, Any]:
        return {"batch": self.batch}

    def make_form(self, data: Any) -> forms.Form:
        return forms.Form(data)


class Certify(BatchAct):
    """A second person certifies exactly what was proposed."""

    act = "certify roll"
    template = "roll/certify.html"
    done_message = "Certified. The file and the certification are made and never change."

    def may(self) -> bool:
        return access.may_certify(self.user)

    def why_not(self) -> NotNow | None:
        if self.batch.status != RollBatch.Status.PROPOSED:
            return NotNow(f"Batch {self.batch} is {self.batch.get_status_display().lower()}.")
        if self.batch.proposed_by_id == self.user.pk:
            return NotNow("You proposed this list. A second person certifies it.")
        return None

    def context(self) -> dict[str, Any]:
        lines = self.batch.lines.select_related("bill").order_by("position")
        return {**super().context(), "lines": list(lines[:SHOWN])}

    def run(self, form: Any) -> str:
        signed = self.request.POST.get("signed", "")
        certify.certify(self.batch, signed=signed, by=self.user, on=clock.today())
        return self.batch.get_absolute_url()


class WithdrawBatch(BatchAct):
    """The clerk withdraws a list that is not certified."""

    act = "withdraw roll"
    template = "roll/withdraw.html"
    done_message = "The list is withdrawn. Nothing of it was exported."

    def make_form(self, data: Any) -> forms.Form:
        return ReasonForm(data)

    def why_not(self) -> NotNow | None:
        if self.batch.status != RollBatch.Status.PROPOSED:
            return NotNow(f"Batch {self.batch} is {self.batch.get_status_display().lower()}.")
        return None

    def run(self, form: Any) -> str:
        reason = form.cleaned_data["reason"]
        certify.withdraw(self.batch, reason=reason, by=self.user, on=clock.today())
        return reverse("roll")


class MakeFile(BatchAct):
    """The clerk makes the file of a certified batch in another layout, once."""

    act = "make roll file"
    template = "roll/file.html"

    def make_form(self, data: Any) -> forms.Form:
        return LayoutChoice(data)

    def run(self, form: Any) -> str:
        layout = form.cleaned_data["layout"]
        files.make_another(self.batch, layout, by=self.user)
        return self.batch.get_absolute_url()


class AcceptRest(BatchAct):
    """The clerk records that the roll took every charge that was not rejected."""

    act = "accept roll"
    template = "roll/accept.html"
    done_message = "Recorded: the roll took the charges."

    def run(self, form: Any) -> str:
        outcomes.accept_rest(self.batch, by=self.user, on=clock.today())
        return self.batch.get_absolute_url()


@only(access.may_read_roll)
@require_safe
def download(request: HttpRequest, key: Any) -> HttpResponseBase:
    """Give out a file of a certified batch, byte for byte."""
    found = get_object_or_404(RollFile.objects.select_related("document"), key=key)
    return FileResponse(
        found.document.file.open("rb"),
        as_attachment=True,
        filename=found.name,
        content_type="application/octet-stream",
    )


@only(access.may_read_roll)
@require_safe
def certification(request: HttpRequest, key: Any) -> HttpResponseBase:
    """Give out the certification of a batch, for signature."""
    batch = find_batch(key)
    if batch.certification is None:
        raise Http404
    return FileResponse(
        batch.certification.file.open("rb"),
        filename=f"certification-{batch}.pdf",
        content_type="application/pdf",
    )


@only(access.may_read_roll)
@require_safe
def control_sheet(request: HttpRequest, key: Any) -> HttpResponse:
    """Give out the control sheet as plain text, to go with the file."""
    batch = find_batch(key)
    context = {"batch": batch, "files": list(batch.files.select_related("document"))}
    return render(request, "roll/control.txt", context, content_type="text/plain; charset=utf-8")


# Charges, parcels, layouts ----------------------------------------------------------------


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
            "told": list(self.charge.outcomes.all()),
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

    def make_form(self, data: Any) -> forms.Form:
        left = outcomes.net(self.charge) - outcomes.collected(self.charge)
        return CollectForm(data, initial={"amount": left, "on": clock.today()})

    def run(self, form: Any) -> str:
        outcomes.collect(self.charge, by=self.user, **form.cleaned_data)
        return self.charge.batch.get_absolute_url()


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
