"""One batch: shown, certified by a second person, withdrawn, given out again byte for byte."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from escrow import access
from escrow.bills.delivery import delivered_on
from escrow.bills.forms import ReasonForm
from escrow.models import RollBatch, RollFile
from permits.models import NotNow
from permits.views.doors import only, who
from portal import clock

from . import certify, files, outcomes
from .forms import LayoutChoice
from .views import SHOWN, RollAct

__all__ = [
    "AcceptRest",
    "Certify",
    "MakeFile",
    "WithdrawBatch",
    "batch_page",
    "certification",
    "control_sheet",
    "download",
]


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
        "delivered_on": delivered_on(batch.year),
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
