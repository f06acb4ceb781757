"""The page of a case: where it stands, what may be done, and its whole story."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from escrow import access as money_access
from permits import access
from permits.agreements.access import may_keep as may_keep_agreements
from permits.models import Application, CaseEvent, CasePaper, Site
from permits.views.doors import who
from portal import clock, known
from portal.desk.records import access as records_access
from portal.desk.records.models import Destruction
from portal.models import Upload, User

from .case_file import CaseFile, gather
from .dates import CaseDate, dates_of
from .earlier import earlier_case, find_earlier
from .ladder import Rung, ladder_of
from .ladder_agreements import agreement_rungs
from .ladder_file import file_rungs
from .ladder_money import money_rungs
from .ladder_orders import order_rungs
from .ladder_people import people_rungs
from .ladder_records import records_rungs
from .ladder_site import site_rungs
from .ladder_upkeep import upkeep_rungs
from .links import find_url
from .pages import page_of
from .standing import standing_of
from .standing_stopped import with_orders
from .story import ahead, story_of

__all__ = ["case"]

EVENTS_PER_PAGE = 50
FOR_THE_CITY_ONLY = (CaseEvent.Kind.CITATION_SHEET_MADE,)
"""Facts that tell how the city prepares to go to court."""


@login_required
@require_safe
def case(request: HttpRequest, number: str) -> HttpResponse:
    """Show the case to its holder and to those who work for the city; others find nothing."""
    user, on = who(request), clock.today()
    site = Site.objects.visible_to(user).filter(number=number).first()
    if site is None:
        return what_is_left(user, number)
    with known.reading_once():
        try:
            file = gather(site)
        except LookupError:
            if not user.is_city_staff:
                raise Http404 from None
            if permit := find_earlier(site):
                return earlier_case(request, permit, user=user)
            return redirect("visits", site.number)  # land without an application is known by visits
        return render(request, "case/case.html", case_context(request, file, user=user, on=on))


def what_is_left(user: User, number: str) -> HttpResponse:
    """Lead whoever reads the records to the certificate of a destroyed case; others to nothing."""
    done = Destruction.objects.filter(listed__number=number, erased_at__isnull=False)
    if records_access.may_read_records(user) and done.exists():
        return redirect("destroyed_case", number)
    raise Http404


def case_context(request: HttpRequest, file: CaseFile, *, user: User, on: date) -> dict[str, Any]:
    """Return what the page shows; dates, story and papers are the same for everybody.

    Only what the city prepares for its attorney stays inside.
    """
    holder = file.application.applicant_id == user.pk
    dates = dates_of(file, on=on)
    events = CaseEvent.objects.filter(site=file.site).order_by("-occurred_on", "-sequence")
    if not user.is_city_staff:
        events = events.exclude(kind__in=FOR_THE_CITY_ONLY)
        file.papers = [each for each in file.papers if each.kind not in CasePaper.FOR_THE_CITY_ONLY]
    page = page_of(request, events, per_page=EVENTS_PER_PAGE)
    return {
        "file": file,
        "site": file.site,
        "application": file.application,
        "permit": file.permit,
        "on": on,
        "holder": holder,
        "standing": with_orders(standing_of(file, on=on, holder=holder), file.orders),
        "rungs": rungs_of(file, dates, user=user, on=on),
        "dates": dates,
        "ahead": ahead(dates, on=on) if page.number == 1 else [],
        "story": story_of(page.object_list, file.papers, whole=not page.has_other_pages()),
        "page": page,
        "facts": glance(file),
        "contacts_changed_on": contacts_changed_on(page.object_list),
        "plans": plans(file),
        "compare_url": compare_url(file, user),
        "bills": file.bills,
        "bills_url": bills_url(file, user),
        "agreements_url": agreements_url(file, user),
        "public_url": file.site.get_public_url() if file.site.filed_on else "",
        "fee_office": settings.CITY["office"],
    }


def rungs_of(file: CaseFile, dates: Sequence[CaseDate], *, user: User, on: date) -> list[Rung]:
    """Return what may be done; bills come first to whoever pays them, and last to the city."""
    money = money_rungs(file, dates, user=user, on=on)
    return [
        *order_rungs(file, user=user, on=on),
        *(() if user.is_city_staff else money),
        *upkeep_rungs(file, user=user, on=on),
        *site_rungs(file, user=user, on=on),
        *ladder_of(file, user=user, on=on),
        *agreement_rungs(file, user=user, on=on),
        *people_rungs(file, user=user, on=on),
        *(money if user.is_city_staff else ()),
        *records_rungs(file, user=user),
        *file_rungs(file, user=user),
    ]


def contacts_changed_on(events: Iterable[CaseEvent]) -> date | None:
    """Return the day of the newest report of a changed contact among some events."""
    kind = CaseEvent.Kind.APPLICATION_CORRECTED
    found = (event for event in events if event.kind == kind and event.facts.get("contacts"))
    return next((event.occurred_on for event in found), None)


def glance(file: CaseFile) -> dict[str, Any]:
    """Return the facts that people look for first."""
    application = file.application
    activities = dict(Application.Activity.choices)
    return {
        "number": application.number,
        "permit": file.permit.number if file.permit else "",
        "landowner": file.party("landowner"),
        "activities": [activities[key] for key in application.activities if key in activities],
        "building": application.get_building_display() if application.building else "",
        "area": application.area_sq_ft,
        "volume": application.volume_cu_yd,
        "escrow": file.escrow,
    }


def plans(file: CaseFile) -> list[dict[str, Any]]:
    """Return each plan revision with its files and its decision, the newest first."""
    application = file.application
    return [
        {
            "revision": revision,
            "decision": revision.find_decision(),
            "files": [(sheet, upload_url(sheet.upload)) for sheet in revision.sheets.all()],
            "url": find_url("plan_revision", application.key, revision.number)
            if revision.filed_on
            else "",
            "changes": changes(revision),
        }
        for revision in reversed(file.revisions)
    ]


def bills_url(file: CaseFile, user: User) -> str:
    """Return where whoever works for the city sees every bill of a filed case."""
    reads = file.application.number and money_access.may_read_money(user)
    return f"{find_url('bills')}?list=all&q={file.site.number}" if reads else ""


def agreements_url(file: CaseFile, user: User) -> str:
    """Return where an agreement of paper and a change of owner are entered, for the city."""
    keeps = file.site.filed_on and may_keep_agreements(user)
    return find_url("agreements_of_case", file.site.number) if keeps else ""


def compare_url(file: CaseFile, user: User) -> str:
    """Return where whoever reviews sees two revisions side by side."""
    filed = sum(revision.filed_on is not None for revision in file.revisions)
    sees = filed > 1 and access.may_review(user)
    return find_url("compare", file.application.key) if sees else ""


def changes(revision: Any) -> Sequence[Any]:
    """Return the required changes of the denial of a revision."""
    decision = revision.find_decision()
    return list(decision.changes.all()) if decision else []


def upload_url(upload: Upload) -> str:
    """Return the address of a stored file."""
    return find_url("upload", upload.key)
