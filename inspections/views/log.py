"""The permittee's log: shown with its gaps to both sides, written by the holder."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from inspections import access
from inspections.acts import log as acts
from inspections.forms.log import LogForm
from inspections.logbook import logbook_of
from inspections.models import LogEntry, LogLine
from permits.models import NotNow, Permit, Site
from permits.views.pages import page_of
from portal import clock, known
from portal.ordinance.inspection import STATE_LOG_RULE

from .acting import ActView, issued_permit, site_of

__all__ = ["Add", "entry", "log"]

KEY = "key"
MOST_GAPS = 20


@login_required
@require_safe
def log(request: HttpRequest, number: str) -> HttpResponse:
    """Show the log of a permit: what is due, what is missing, and every entry."""
    site = site_of(request, number)
    permit = issued_permit(site)
    with known.reading_once():
        book = logbook_of(permit, on=clock.today())
    entries = permit.log_entries.select_related("entered_by").prefetch_related(
        "lines", "photos__previews"
    )
    page = page_of(request, entries)
    holder = access.holds(request.user, site)
    context = {
        "site": site,
        "permit": permit,
        "book": book,
        "gaps": book.gaps[:MOST_GAPS],
        "more_gaps": max(len(book.gaps) - MOST_GAPS, 0),
        "page": page,
        "rows": [(each, work_of(each)) for each in page.object_list],
        "holder": holder,
        "may_add": holder and not acts.why_not_enter(permit),
        "rule": STATE_LOG_RULE,
        "on": clock.today(),
    }
    return render(request, "log/log.html", context)


def work_of(found: LogEntry) -> list[LogLine]:
    """Return the practices that need a modification."""
    return [line for line in found.lines.all() if line.needs_modification == LogLine.Needs.YES]


@login_required
@require_safe
def entry(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Show one entry with all its answers."""
    seen = Site.objects.visible_to(request.user)
    rows = LogEntry.objects.filter(permit__site__in=seen).select_related(
        "permit__site", "entered_by"
    )
    found = get_object_or_404(rows.prefetch_related("lines", "photos__previews"), key=key)
    lines = list(found.lines.all())
    context = {
        "entry": found,
        "site": found.permit.site,
        "permit": found.permit,
        "work": work_of(found),
        "fine": [each for each in lines if each.needs_modification == LogLine.Needs.NO],
        "absent": [each for each in lines if each.needs_modification == "na"],
        "photos": list(found.photos.all()),
    }
    return render(request, "log/entry.html", context)


class Add(ActView):
    """The holder of the case writes one self-inspection into the log."""

    act = "log add"
    template = "log/add.html"
    takes_photos = True
    done_message = "The inspection is in the log."
    permit: Permit

    def find(self, key: Any) -> None:
        self.site = site_of(self.request, key)
        self.permit = issued_permit(self.site)

    def may(self) -> bool:
        return access.holds(self.user, self.site)

    def subject(self) -> str:
        return self.site.number

    def why_not(self) -> NotNow | None:
        why = acts.why_not_enter(self.permit)
        return NotNow(why) if why else None

    def make_form(self, data: Any) -> LogForm:
        last = self.permit.log_entries.prefetch_related("lines").first()
        return LogForm(data, permit=self.permit, last=last)

    def context(self) -> dict[str, Any]:
        return {
            "permit": self.permit,
            "key": self.key(),
            "rule": STATE_LOG_RULE,
            "book": logbook_of(self.permit, on=clock.today()),
        }

    def key(self) -> uuid.UUID:
        """The key of the entry: made with the form, the same however often it is sent."""
        try:
            return uuid.UUID(self.request.POST.get(KEY, ""))
        except ValueError:
            return uuid.uuid4()

    def run(self, form: Any) -> str:
        acts.enter(
            self.permit,
            by=self.user,
            today=clock.today(),
            key=self.key(),
            inspected_on=form.cleaned_data["inspected_on"],
            answers=form.answers(),
            lines=form.lines(),
            photos=self.photos.uploads,
        )
        return reverse("log", args=[self.site.number])
