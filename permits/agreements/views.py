"""The pages of agreements: the list, those of a case, and each of them."""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from permits.models import (
    AgreementStatus,
    MaintenanceAgreement,
    OwnerChange,
    Permit,
    Site,
    current_owner,
)
from permits.views.doors import only
from permits.views.pages import page_of
from permits.views.site_acts import site_of
from portal import clock, counting
from portal.ordinance import Obstacle

from . import access, holding, papers
from .next_step import next_step

__all__ = ["agreement", "agreement_proof", "agreements", "agreements_of_case", "find_agreement"]

Status = AgreementStatus
IN_FORCE = Q(status=Status.RECORDED) & ~Q(kind=MaintenanceAgreement.Kind.RELEASE)
LISTS: dict[str, tuple[str, Q]] = {
    "open": (
        "To be recorded",
        Q(status__in=[Status.DRAFTED, Status.SENT_FOR_SIGNATURE, Status.SIGNED])
        | Q(status=Status.SENT_TO_REGISTER),
    ),
    "drafted": ("Drafts", Q(status=Status.DRAFTED)),
    "signature": ("Out for signature", Q(status=Status.SENT_FOR_SIGNATURE)),
    "signed": ("Signed, to be recorded", Q(status=Status.SIGNED)),
    "register": ("At the register of deeds", Q(status=Status.SENT_TO_REGISTER)),
    "in-force": ("Recorded and in force", IN_FORCE),
    "ended": ("Ended, released or withdrawn", Q(status__in=[Status.ENDED, Status.WITHDRAWN])),
}
MISSING = "missing"
MISSING_HEADING = "Required, and not drafted yet"


@only(access.may_list)
@require_safe
def agreements(request: HttpRequest) -> HttpResponse:
    """List the agreements by where they stand; first those that are still to be recorded."""
    asked = request.GET.get("list", "open")
    asked = asked if asked in LISTS or asked == MISSING else "open"
    on = clock.today()
    missing = asked == MISSING
    rows: QuerySet[Any] = missing_permits(on) if missing else rows_of(asked)
    page = page_of(request, rows)
    listed = list(page.object_list)
    context = {
        "page": page,
        "permits": listed if missing else [],
        "rows": [] if missing else [(each, next_step(each, on=on)) for each in listed],
        "asked": asked,
        "heading": MISSING_HEADING if missing else LISTS[asked][0],
        "lists": tallies(on),
        "may_keep": access.may_keep(request.user),
    }
    return render(request, "agreements/agreements.html", context)


def rows_of(key: str) -> QuerySet[MaintenanceAgreement]:
    """Return the agreements of one list, the newest first."""
    return MaintenanceAgreement.objects.filter(LISTS[key][1]).select_related("site", "permit")


def missing_permits(on: date) -> QuerySet[Permit]:
    """Return permits whose grant requires an agreement that nobody has drafted yet."""
    under_way = MaintenanceAgreement.objects.under_way().filter(permit__isnull=False)
    wanted = holding.awaited(on=on).exclude(pk__in=under_way.values("permit"))
    return wanted.select_related("site", "application").order_by("-pk")


def tallies(on: date) -> list[tuple[str, str, str]]:
    """Return each list with its heading and how long it is, in two statements."""
    found = zip(LISTS.items(), counting.counts(_statement()), strict=True)
    lists = [(key, heading, counting.written(count)) for key, (heading, _), count in _flat(found)]
    (missing,) = counting.counts(counting.statement([missing_permits(on)]))
    return [*lists[:1], (MISSING, MISSING_HEADING, counting.written(missing)), *lists[1:]]


def _flat(found: Any) -> Any:
    return ((key, listed, count) for (key, listed), count in found)


@cache
def _statement() -> counting.Statement:
    rows = MaintenanceAgreement.objects.order_by("-pk")
    return counting.statement([rows.filter(condition) for _, condition in LISTS.values()])


# Of a case --------------------------------------------------------------------------------


@login_required
@require_safe
def agreements_of_case(request: HttpRequest, number: str) -> HttpResponse:
    """Show the agreements of a site, who owns the land, and what is next from whom."""
    site = site_of(request, number)
    on = clock.today()
    rows = MaintenanceAgreement.objects.filter(site=site).select_related("before")
    shown = rows if access.may_list(request.user) else rows.exclude(status=Status.DRAFTED)
    changes = OwnerChange.objects.filter(site=site).select_related("by").order_by("-from_on", "-pk")
    permit = wanting_permit(site)
    context = {
        "site": site,
        "on": on,
        "rows": [(each, next_step(each, on=on)) for each in shown],
        "permit": permit,
        "is_missing": permit is not None
        and holding.recorded_of(permit, on=on) is None
        and not rows.under_way().filter(permit=permit).exists(),
        "practices": list(permit.grant.practices.all()) if permit else [],
        "owner": current_owner(site, on=on),
        "changes": list(changes),
        "staff": access.may_list(request.user),
        "may_keep": access.may_keep(request.user),
        "waits": holding.waiting_in_words(),
    }
    return render(request, "agreements/of_case.html", context)


def wanting_permit(site: Site) -> Permit | None:
    """Return the newest permit of a site whose grant requires an agreement."""
    rows = site.permits.filter(grant__maintenance_agreement=True)
    found = rows.exclude(status=Permit.Status.WITHDRAWN).select_related("grant", "application")
    newest: Permit | None = found.order_by("-pk").first()
    return newest


# Each of them -----------------------------------------------------------------------------

JOINED = ("site", "permit__application__applicant", "before", "map", "signed_scan", "drafted_by")


def find_agreement(request: HttpRequest, key: UUID) -> MaintenanceAgreement:
    """Return an agreement of a case that the person may see; drafts are the city's own."""
    rows = MaintenanceAgreement.objects.visible_to(request.user)
    found = get_object_or_404(rows.select_related(*JOINED, "paper__document"), key=key)
    inside = found.sent_for_signature_on is None and not _is_told(found)
    if inside and not access.may_list(request.user):
        raise Http404
    return found


def _is_told(found: MaintenanceAgreement) -> bool:
    """Whether it was ever more than the city's own draft."""
    return found.entered_as_recorded or found.status not in (Status.DRAFTED, Status.WITHDRAWN)


CURES = {
    "practices and schedule": "agreement_practices",
    "map": "agreement_practices",
    "responsible party": "agreement_party",
    "words of the instrument": "agreement_party",
    "land and signature": "agreement_land",
}
"""The page on which an obstacle of a draft is removed."""


@login_required
@require_safe
def agreement(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show an agreement: where it stands, what is next from whom, and what it says."""
    found = find_agreement(request, key)
    on = clock.today()
    keeps = access.may_keep(request.user)
    drafted = found.status == Status.DRAFTED
    context = {
        "agreement": found,
        "site": found.site,
        "on": on,
        "step": next_step(found, on=on),
        "party": found.responsible_party(on),
        "practices": list(found.practices.prefetch_related("tasks")),
        "provisions": papers.provisions_of(found, on=on),
        "recordings": list(found.recordings.select_related("scan", "by").order_by("-pk")),
        "after": found.after.exclude(status=Status.WITHDRAWN).first(),
        "obstacles": with_cures(found.obstacles_to_send(on=on)) if drafted else [],
        "in_force": found.is_in_force(on),
        "may_keep": keeps,
        "staff": access.may_read_persons(request.user),
    }
    return render(request, "agreements/agreement.html", context)


def with_cures(obstacles: list[Obstacle]) -> list[tuple[Obstacle, str]]:
    """Return each obstacle with the name of the page that removes it."""
    return [(each, CURES.get(each.cure, "")) for each in obstacles]


@only(access.may_list)
@require_safe
def agreement_proof(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the paper as it would be printed now; it is not kept."""
    found = find_agreement(request, key)
    if found.status != Status.DRAFTED:
        raise Http404
    made = papers.make_instrument(found, on=clock.today())
    response = HttpResponse(made.content, content_type="application/pdf")
    response.headers["Content-Disposition"] = f'inline; filename="{found.number} draft.pdf"'
    return response
