"""The receipt of an application, its date for people's calendars, and the case's papers."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from permits import access
from permits.calendar_file import calendar_file
from permits.models import Application, CasePaper, FeeEntry
from portal import clock, files
from portal.ordinance import Deadline

from .casework import find_application

__all__ = ["paper", "receipt", "receipt_calendar"]


@require_safe
@login_required
def receipt(request: HttpRequest, key: UUID) -> HttpResponse:
    """What is in and when, the date of the decision, and what comes next; the same for all."""
    application = find_application(request, key)
    today = clock.today()
    deadline = application.decision_deadline()
    first = application.decisions.select_related("decided_by").order_by("pk").first()
    papers = CasePaper.objects.filter(application=application, kind="receipt")
    context: dict[str, Any] = {
        "application": application,
        "site": application.site,
        "on": today,
        "missing": application.missing_to_receive(on=today),
        "fee": application.fee_due(on=today),
        "entry": _fee_in(application),
        "deadline": deadline,
        "is_late": deadline is not None and first is None and deadline.is_late(today),
        "if_today": None if deadline else application.decision_if_received(today),
        "decision": first,
        "running": _running(application),
        "paper": papers.select_related("document").last(),
        "takes_fees": access.may_take_fee(request.user),
    }
    return render(request, "review/receipt.html", context)


def _fee_in(application: Application) -> FeeEntry | None:
    """The fee that stands: neither a reversal nor reversed."""
    return application.fee_entries.filter(reverses=None, reversed_by=None).last()


def _running(application: Application) -> list[tuple[str, Deadline]]:
    """The dates that bind the city on this application, each with its title."""
    found = [(f"Decision on application {application.number}", d) for d in application.clocks()]
    revision = application.filed_revision()
    if revision is not None:
        title = f"Review of plan revision {revision.number} of {application.number}"
        found += [(title, promise) for promise in revision.clocks()]
    return found


@require_safe
@login_required
def receipt_calendar(request: HttpRequest, key: UUID) -> HttpResponse:
    """The date of the decision as a calendar file; none before all is received."""
    application = find_application(request, key)
    deadline = application.decision_deadline()
    if deadline is None:
        raise Http404
    title = f"Decision on application {application.number}"
    dates = _running(application) or [(title, deadline)]
    response = HttpResponse(
        calendar_file(application, dates), content_type="text/calendar; charset=utf-8"
    )
    name = f"decision-{application.number}.ics"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@require_safe
@login_required
def paper(request: HttpRequest, key: UUID) -> HttpResponseBase:
    """A paper of a case, for whoever may see the case."""
    papers = CasePaper.objects.readable_by(request.user).select_related("document")
    found = get_object_or_404(papers, document__key=key)
    return files.serve(request, found.document, inline="download" not in request.GET)
