"""Batches of letters for the printer: asked for by the clerk, made by the worker."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from permits import access
from permits.views.doors import only, who
from portal import files, letter_batches, operations
from portal.models import LetterBatch, Mailing

from .acting import act_once
from .mail_act import chosen_letters
from .pages import page_of

__all__ = ["batch_again", "batch_pdf", "mail_batch", "mail_batches", "mail_print"]


@only(access.may_mail)
@require_POST
def mail_print(request: HttpRequest) -> HttpResponse:
    """Ask for one PDF of the letters that were marked, behind a list with their names.

    It may be asked for as often as needed: a cover letter is made once, and printing says
    nothing of mailing.
    """
    chosen = chosen_letters(request)
    if not chosen:
        messages.warning(request, "Choose at least one letter to print.")
        return redirect("mailroom")
    two_sided = "two_sided" in request.POST

    def run() -> str:
        return letter_batches.ask(chosen, by=who(request), two_sided=two_sided).get_absolute_url()

    return act_once(request, "mail.print", run)


@only(access.may_see_mail)
@require_safe
def mail_batches(request: HttpRequest) -> HttpResponse:
    """List the batches that were asked for, the newest first."""
    page = page_of(request, LetterBatch.objects.select_related("by", "document"))
    shown = list(page.object_list)
    states = letter_batches.states_of(shown)
    rows = [(batch, states[batch.pk]) for batch in shown]
    return render(request, "mailroom/batches.html", {"page": page, "rows": rows})


@only(access.may_see_mail)
@require_safe
def mail_batch(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Show how far a batch is, what was left out and why, and where its PDF is."""
    batch = _find(key)
    lines = batch.lines.select_related("mailing").order_by("position")
    may_mail = access.may_mail(request.user)
    waiting = batch.lines.filter(mailing__stage=Mailing.Stage.WAITING, trouble="")
    context = {
        "batch": batch,
        "state": letter_batches.state_of(batch),
        "left_out": list(lines.exclude(trouble="")),
        "by_hand": list(lines.filter(by_hand=True, trouble="")),
        "to_deposit": list(waiting.values_list("mailing_id", flat=True)) if may_mail else [],
        "may_mail": may_mail,
        "operation": operations.new_token(),
    }
    return render(request, "mailroom/batch.html", context)


@only(access.may_see_mail)
@require_safe
def batch_pdf(request: HttpRequest, key: uuid.UUID) -> HttpResponseBase:
    """Hand out the PDF of a batch that is made."""
    batch = _find(key)
    if batch.document is None:
        raise Http404
    return files.serve(request, batch.document, inline="download" not in request.GET)


@only(access.may_mail)
@require_POST
def batch_again(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Ask once more for a batch that was not made."""
    batch = _find(key)

    def run() -> str:
        letter_batches.again(batch)
        return batch.get_absolute_url()

    return act_once(request, "mail.print.again", run)


def _find(key: uuid.UUID) -> LetterBatch:
    return get_object_or_404(LetterBatch.objects.select_related("by", "document"), key=key)
