"""Pages of the escrow account: the account itself, and what its acts have in common."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet, prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from enforcement.models import CityWork
from escrow import access
from escrow.models import CENT, ApprovalStatus, Draw, Forfeiture, Release
from escrow.waiting import proposals
from permits.models import Application, NotNow, Permit
from permits.views.casework import ActView, find_application
from portal import clock
from portal import known as reading

from . import deciding, drawing, expiry, forfeiting, issuers, releasing
from .access import may_find_late, may_read_account
from .held import Line, account, refused, statement, total
from .releasable import Known

__all__ = ["AccountAct", "account_page", "waiting_page"]

DEMANDED = {"drawn", "forfeited"}
UNPAID = {"refused", "reversed"}
GONE = {"released", "replaced"}
"""Kinds of entries: what may be demanded of an issuer, what may say that it refused, and after
which an original goes back."""
MOST_WORKS = 3
"""So many works that are not drawn are looked at; there is hardly ever a second one."""


def find_permit(application: Application) -> Permit:
    """Return the permit of an application; there is no account before the grant."""
    permits = Permit.objects.select_related("site", "application__site", "grant")
    permit = permits.filter(application=application).first()
    if permit is None:
        raise Http404
    return permit


@login_required
@require_safe
def account_page(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show what is held, of which instrument, whose it is, and every entry with its balance."""
    application = find_application(request, key, may_read_account)
    with reading.reading_once():
        return _account(request, application)


def _account(request: HttpRequest, application: Application) -> HttpResponse:
    permit, on = find_permit(application), clock.today()
    prefetch_related_objects([permit], "certificates")
    known = Known.read(permit, on=on)
    held, lines = known.held, statement(permit)
    # Only what an entry tells of is asked for: most accounts were never drawn on.
    kinds = {line.entry.kind for line in lines}
    context = {
        "application": application,
        "site": application.site,
        "permit": permit,
        "held": held,
        "total": total(held),
        "lines": lines,
        "promised": any(each.is_held and not each.instrument.is_cash for each in held),
        "whose": known.whose,
        "works": drawing.drawable(permit),
        "draws": _draws(lines),
        "refused": refused(permit) if kinds & UNPAID else set(),
        "release": deciding.waiting(Release, permit),
        "releases": _releases(permit) if "released" in kinds else [],
        "forfeiture": deciding.waiting(Forfeiture, permit),
        "forfeitures": _forfeitures(permit) if "forfeited" in kinds else [],
        "finds_late": may_find_late(request.user),
        "is_late": not forfeiting.obstacles_to_forfeit(permit, on=on, held=held),
        "bills": known.bills,
        "to_give_back": releasing.to_give_back(permit) if kinds & GONE else [],
        "approves": access.may_approve(request.user),
        "staff": access.may_read_money(request.user),
        "keeps": access.may_keep_money(request.user),
        "demands": issuers.demands_of(permit, (line.entry for line in lines))
        if kinds & DEMANDED
        else [],
        "revocation": _revocation(permit),
        "on": on,
    }
    if context["staff"] and context["total"]:
        context |= _why_not(permit, context["works"], known, on)
    return render(request, "escrow/account.html", context)


def _draws(lines: Sequence[Line]) -> list[Draw]:
    """Return the draws of a statement, each once, the newest first."""
    found = {line.entry.draw_id: line.entry.draw for line in lines if line.entry.draw}
    return [draw for _, draw in sorted(found.items(), reverse=True)]


def _releases(permit: Permit) -> QuerySet[Release]:
    rows = Release.objects.filter(permit=permit, status=ApprovalStatus.APPROVED)
    return rows.select_related("letter__document")


def _forfeitures(permit: Permit) -> QuerySet[Forfeiture]:
    rows = Forfeiture.objects.filter(permit=permit, status=ApprovalStatus.APPROVED)
    return rows.select_related("letter__document", "proposed_by", "decided_by")


def _revocation(permit: Permit) -> Any:
    """Return the revocation that stands; a permit that is issued has none."""
    if permit.status == Permit.Status.ISSUED:
        return None
    return permit.revocations.filter(reversed_on__isnull=True).first()


def _why_not(permit: Permit, works: Sequence[CityWork], known: Known, on: date) -> dict[str, Any]:
    """Say what holds the escrow today, as the acts themselves would."""
    release = releasing.obstacles_to_release(permit, on=on, known=known)
    return {
        "why_not_release": release,
        "why_not_draw": [
            (work, drawing.obstacles_to_draw(work, CENT, on=on), drawing.opens(work))
            for work in works[:MOST_WORKS]
        ],
    }


@login_required
@require_safe
def waiting_page(request: HttpRequest) -> HttpResponse:
    """List what lapses, and what waits for a second person."""
    if not access.may_read_money(request.user):
        raise Http404
    on = clock.today()
    rows = expiry.expiring(on=on).select_related("permit__application", "permit__site")
    pages = Paginator(rows, 25)
    context = {
        "expiring": pages.get_page(request.GET.get("page")),
        "proposals": proposals(request.user),
        "on": on,
    }
    return render(request, "escrow/waiting.html", context)


class AccountAct(ActView):
    """One act on the escrow account, asked, shown, done once; back to the account."""

    _permit: Permit | None = None

    def may(self, user: Any) -> bool:
        return access.may_keep_money(user)

    @property
    def permit(self) -> Permit:
        """The permit whose account this is."""
        if self._permit is None:
            self._permit = find_permit(self.application)
        return self._permit

    def account_url(self) -> str:
        """The account, where every act ends."""
        return reverse("escrow_account", args=[self.application.key])

    def context(self) -> dict[str, Any]:
        return {
            "permit": self.permit,
            "held": account(self.permit, on=clock.today()),
            "account_url": self.account_url(),
        }

    def confirm_context(self, form: Any) -> dict[str, Any]:
        return self.context()

    def why_not(self) -> NotNow | None:
        return None
