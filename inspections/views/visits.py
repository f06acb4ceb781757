"""Visits: begun from a case or for a place without a permit, written, finished, read."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from inspections import access
from inspections.acts import visits as acts
from inspections.forms.visit import BeginForm, PlaceForm, SearchForm
from inspections.models import Finding, Visit, VisitNeed
from permits.finding import find_site_keys, sites_of
from permits.holds import Act, holds
from permits.models import NotNow, Party, Site
from permits.views.doors import act_once, only, token_of, who
from permits.views.pages import page_of
from permits.views.ways import see_other
from portal import clock, drafts, operations
from portal.models import User

from .visit_page import VisitPage
from .visit_saving import attach_kept

__all__ = [
    "find_visit",
    "show_writing",
    "unpermitted_visit",
    "visit",
    "visit_begin",
    "visit_discard",
    "visit_finish",
    "visits_of_site",
]

MOST_FOUND = 10
KEEP_OFFLINE = "Keep-Offline"
"""The header that tells the service worker to keep the page for hours without signal."""


def find_visit(request: HttpRequest, key: uuid.UUID, *, to_write: bool = False) -> Visit:
    """Return a visit that the person may see, or write; for others there is none.

    City staff see every visit, the holder of the case those that are finished.
    """
    visits = Visit.objects.select_related("site", "permit__application", "inspector")
    found = get_object_or_404(visits, key=key, site__in=Site.objects.visible_to(request.user))
    if to_write and not access.may_inspect(request.user):
        raise Http404
    if not access.may_see_visits(request.user) and found.status != Visit.Status.FINISHED:
        raise Http404
    return found


# Beginning --------------------------------------------------------------------------------


@only(access.may_inspect)
def visit_begin(request: HttpRequest, number: str) -> HttpResponse:
    """Ask why the site is visited, and begin the visit or join the one of the day."""
    site = get_object_or_404(Site, number=number, destroyed_on__isnull=True)
    if request.method == "POST":
        form = BeginForm(request.POST)
        if form.is_valid():
            return _begin(request, form, lambda: site) or _ask(request, site, form, status=409)
        return _ask(request, site, form)
    reasons = [request.GET.get("reason", ""), _reason_of(site)]
    reason = next((each for each in reasons if each in Visit.Reason.values), Visit.Reason.ROUTINE)
    initial = {"reason": reason, "visited_on": clock.today(), "key": uuid.uuid4()}
    return _ask(request, site, BeginForm(drafts.data_for(request), initial=initial))


def _reason_of(site: Site) -> str:
    """Return the most urgent of the reasons that stand for a visit, as visits are called."""
    first = VisitNeed.objects.open().filter(site=site).order_by("urgency").first()
    return str(first.reason) if first else ""


def _begin(request: HttpRequest, form: BeginForm, find: Any) -> HttpResponse | None:
    """Begin the visit once; None when the day cannot be meant, with the reason at the day."""
    user, today = who(request), clock.today()
    asked = form.cleaned_data

    def run() -> str:
        found, begun = acts.begin_or_join(
            find(),
            by=user,
            on=asked["visited_on"] or today,
            today=today,
            reason=asked["reason"],
            key=asked["key"],
        )
        if not begun and found.inspector != user:
            messages.info(request, f"{found.inspector} has begun this visit; you write it too.")
        return found.get_absolute_url()

    try:
        return act_once(request, "visit.begin", run)
    except NotNow as refused:
        form.add_error("visited_on", refused.sentence)
        return None


def _ask(request: HttpRequest, site: Site, form: BeginForm, *, status: int = 200) -> HttpResponse:
    context = {
        "site": site,
        "form": form,
        "operation": token_of(request),
        "permit": acts.standing_permit(site),
        "needs": VisitNeed.objects.open().filter(site=site).order_by("urgency"),
        "open_visits": site.visits.filter(status=Visit.Status.OPEN).select_related("inspector"),
    }
    return render(request, "visits/begin.html", context, status=status)


@only(access.may_inspect)
def unpermitted_visit(request: HttpRequest) -> HttpResponse:
    """Find a site by place or parcel, or open one where the city knows none, and visit it."""
    search = SearchForm(request.GET or None)
    text = search.cleaned_data["q"].strip() if search.is_valid() else ""
    initial = {"reason": Visit.Reason.NO_PERMIT, "place": text, "key": uuid.uuid4()}
    form = PlaceForm(drafts.data_for(request), initial=initial)
    status = 200
    if request.method == "POST" and form.is_valid():
        if response := _begin(request, form, lambda: _open_site(form)):
            return response
        status = 409
    found = find_site_keys(text, Site.objects.all()).keys if text else []
    context = {
        "search": search,
        "text": text,
        "found": sites_of(found[:MOST_FOUND]),
        "more": len(found) > MOST_FOUND,
        "form": form,
        "asked": bool(text) or form.is_bound,
        "operation": token_of(request),
        "begin_operation": operations.new_token(),
    }
    return render(request, "visits/place.html", context, status=status)


def _open_site(form: PlaceForm) -> Site:
    """Open the site; the same form sent twice is caught before."""
    asked = form.cleaned_data
    return acts.open_site(asked["place"], parcels=asked["parcels"], on=clock.today())


# Writing and reading ----------------------------------------------------------------------


@login_required
@require_safe
def visit(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Show the visit: to be written by inspectors while it is open, else to be read."""
    found, user = find_visit(request, key), who(request)
    if found.status == Visit.Status.OPEN and access.may_inspect(user):
        save_url = reverse("visit_save", args=[key])
        kept = drafts.kept(request, save_url)
        if kept is not None:
            attach_kept(request, found, save_url, kept.getlist("line"))
        page = VisitPage(found, user, kept)
        response = show_writing(request, page)
        response.headers[KEEP_OFFLINE] = "yes"
        return response
    page = VisitPage(found, user)
    return render(request, "visits/read.html", page.context())


def show_writing(
    request: HttpRequest, page: VisitPage, *, refused: NotNow | None = None, status: int = 200
) -> HttpResponse:
    """Show the page on which a visit is written."""
    found = page.visit
    context = page.context() | {
        "refused": refused,
        "earlier": page.earlier(),
        "people": _people(found),
        "operation": operations.new_token(),
        "is_empty": not page.descriptions and all(part.is_blank for part in page.parts),
    }
    return render(request, "visits/write.html", context, status=status)


def _people(found: Visit) -> list[Party]:
    """Return whom the inspector may want to call from the site."""
    if found.permit is None:
        return []
    parties = found.permit.application.parties.exclude(telephone="")
    return list(parties.order_by("pk"))


# Finishing --------------------------------------------------------------------------------


@only(access.may_inspect)
def visit_finish(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Show what will be reported, then finish the visit. Former § 17.19(6)"""
    found, user = find_visit(request, key, to_write=True), who(request)
    if request.method == "POST":
        try:
            return act_once(request, f"visit.finish {key}", lambda: _finish(request, found, user))
        except NotNow as refused:
            return _confirm(request, found, user, refused.sentence, status=409)
    if found.status == Visit.Status.FINISHED:
        return see_other(found.get_absolute_url())
    return _confirm(request, found, user, acts.why_not_finish(found))


def _finish(request: HttpRequest, found: Visit, user: User) -> str:
    found.site.lock()
    found.refresh_from_db()
    if found.status == Visit.Status.OPEN and (why := acts.why_not_finish(found)):
        raise NotNow(why)
    acts.finish(found, by=user)
    messages.success(request, f"Visit {found.number} is finished and on record.")
    return found.get_absolute_url()


def _confirm(
    request: HttpRequest, found: Visit, user: User, why_not: str, *, status: int = 200
) -> HttpResponse:
    page = VisitPage(found, user)
    findings = found.findings.order_by("number")
    context = page.context() | {
        "why_not": why_not,
        "counts": page.counts(),
        "findings": findings,
        "photos": found.photos.count(),
        "still_open": Finding.objects.filter(
            site=found.site, status__in=[Finding.Status.OPEN, Finding.Status.ANSWERED]
        ).exclude(visit=found),
        "needs": VisitNeed.objects.open().filter(site=found.site, since__lte=found.visited_on),
        "operation": token_of(request),
    }
    return render(request, "visits/finish.html", context, status=status)


@only(access.may_inspect)
def visit_discard(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Ask, then take back a visit that was begun by mistake and has nothing in it."""
    found = find_visit(request, key, to_write=True)
    why_not, status = acts.why_not_discard(found), 200
    if request.method == "POST":
        try:
            acts.discard(found)
        except NotNow as refused:
            why_not, status = refused.sentence, 409
        else:
            messages.success(request, "The visit is taken back; nothing was recorded in it.")
            return see_other(reverse("visits", args=[found.site.number]))
    context = {"visit": found, "site": found.site, "why_not": why_not}
    return render(request, "visits/discard.html", context, status=status)


# The visits of a site ---------------------------------------------------------------------


@login_required
@require_safe
def visits_of_site(request: HttpRequest, number: str) -> HttpResponse:
    """List the visits of a site: all for city staff, the finished ones for its holder."""
    user = who(request)
    site = get_object_or_404(Site.objects.visible_to(user), number=number)
    rows = site.visits.select_related("inspector", "permit").order_by("-visited_on", "-pk")
    if not access.may_see_visits(user):
        rows = rows.filter(status=Visit.Status.FINISHED)
    context = {
        "site": site,
        "page": page_of(request, rows),
        "may_inspect": access.may_inspect(user),
        "has_case": site.applications.exists(),
        "stopped": holds(site, Act.REPORT_COMPLETE, on=clock.today()),
        "operation": operations.new_token(),
    }
    return render(request, "visits/list.html", context)
