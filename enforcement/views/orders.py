"""The pages of stop-work orders: one order, what may be done, a site's, all that stand."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from enforcement import access, holding, ladder
from enforcement.appeal_access import may_enter_appeal
from enforcement.models import Addressee, OrderStatus, StopWorkOrder
from inspections.access import holds
from inspections.acts.visits import standing_permit
from inspections.views.acting import site_of
from permits.models import CasePaper, DocketEntry
from permits.views.doors import only
from permits.views.pages import page_of
from portal import clock, known
from portal.models import Mailing
from portal.ordinance.next_steps import STEPS_BY_KEY, StepKey

from .rows import find_order

__all__ = ["order", "order_next", "order_public", "orders", "orders_of_case"]

TONES = {
    OrderStatus.STANDING: "late",
    OrderStatus.LIFTED: "good",
    OrderStatus.WITHDRAWN: "shut",
    OrderStatus.REVERSED: "shut",
}


@login_required
@require_safe
def order(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show an order to the holder of the case and to those who work for the city."""
    found = find_order(request, key)
    with known.reading_once():
        return render(request, "enforcement/order.html", order_context(request, found))


def order_context(request: HttpRequest, found: StopWorkOrder) -> dict[str, Any]:
    """Return what the page of an order shows."""
    user, on = request.user, clock.today()
    enforces = access.may_enforce(user)
    others = [each for each in holding.standing_orders(found.site) if each.pk != found.pk]
    return {
        "order": found,
        "site": found.site,
        "on": on,
        "tone": TONES[OrderStatus(found.status)],
        "clocks": found.clocks(),
        "postings": list(
            found.postings.select_related("posted_by", "corrected_by").prefetch_related("photos")
        ),
        "violations": [(each, each.documented_days()) for each in found.violations.all()],
        "told": told_rows(found),
        "papers": papers_of(found),
        "others": others,
        "staff": access.may_see_enforcement(user),
        "may_act": enforces and found.is_standing,
        "may_serve": access.may_record_service(user),
        "holder": holds(user, found.site),
        "revocation": getattr(found, "revocation", None),
        "request_made": getattr(found, "request", None),
        "notices": list(found.notices.all()),
        "nobody_told": not found.site.filed_on,
    }


def told_rows(found: StopWorkOrder) -> list[tuple[Addressee, list[Any], bool]]:
    """Return each addressee with the proofs of service, and whether one is still to come."""
    rows = Addressee.objects.of(found).select_related("mailing").prefetch_related("services__proof")
    told = []
    for row in rows:
        services = list(row.services.all())
        told.append((row, services, row.means == Mailing.Means.PERSONAL and not services))
    return told


def papers_of(found: StopWorkOrder) -> list[CasePaper]:
    """Return the papers of the order: the order, its placard, its end."""
    keys = {each.pk for each in (found.paper, found.placard) if each is not None}
    mails = Mailing.objects.filter(addressee_row__in=Addressee.objects.of(found))
    documents = mails.exclude(document=None).values("document")
    papers = CasePaper.objects.filter(document__in=documents) | CasePaper.objects.filter(
        pk__in=keys
    )
    return list(papers.select_related("document").order_by("pk").distinct())


@only(access.may_see_enforcement)
@require_safe
def order_next(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show for each next step what opens it, what is missing, and the evidence so far."""
    found, on = find_order(request, key), clock.today()
    with known.reading_once():
        steps = ladder.steps(found, on=on)
        context = {
            "order": found,
            "site": found.site,
            "on": on,
            "tone": TONES[OrderStatus(found.status)],
            "steps": steps,
            "open_steps": [step for step in steps if step.is_open],
            "may_act": access.may_enforce(request.user),
            "without_permit": found.permit_id is None,
            "owner_notice": StepKey.OWNER_NOTICE,
            "notice_of_intent": StepKey.NOTICE_OF_INTENT,
            "nobody_told": not found.site.filed_on,
        }
        return render(request, "enforcement/order_next.html", context)


@require_safe
def order_public(request: HttpRequest, key: UUID) -> HttpResponse:
    """What everybody may know of an order: where, why, since when, whether it stands. Public.

    No name, no address of a person and nothing that was written freely.
    """
    rows = StopWorkOrder.objects.select_related("site", "permit")
    found = get_object_or_404(rows, key=key)
    others = [each for each in holding.standing_orders(found.site) if each.pk != found.pk]
    parcels = list(found.site.parcels.values_list("number", flat=True))
    context = {
        "order": found,
        "place": found.site.address or ", ".join(f"parcel {each}" for each in parcels),
        "parcels": parcels,
        "others": others,
        "site_url": found.site.get_public_url() if found.site.filed_on else "",
    }
    return render(request, "enforcement/order_public.html", context)


@login_required
@require_safe
def orders_of_case(request: HttpRequest, number: str) -> HttpResponse:
    """List the violations and orders of a site, the standing ones first."""
    site, user = site_of(request, number), request.user
    found = site.stop_work_orders.select_related("permit").order_by("status", "-issued_on", "-pk")
    standing = [each for each in found if each.is_standing]
    ended = [each for each in found if not each.is_standing]
    staff = access.may_see_enforcement(user)
    context = {
        "site": site,
        "on": clock.today(),
        "orders": [(each, TONES[OrderStatus(each.status)]) for each in [*standing, *ended]],
        "violations": list(site.violations.order_by("-number")) if staff else [],
        "revocations": list(site.revocations.select_related("permit")),
        "revision_orders": list(site.revision_orders.all()),
        "appeals": list(site.appeals.all()),
        "staff": staff,
        "may_act": access.may_enforce(user),
        "may_order_devices": standing_permit(site) is not None,
        "may_enter_appeal": may_enter_appeal(user),
        "nobody_told": not site.filed_on,
    }
    return render(request, "enforcement/of_case.html", context)


@only(access.may_see_enforcement)
@require_safe
def orders(request: HttpRequest) -> HttpResponse:
    """List the orders that stand, the newest first, with the step that opens next."""
    rows = StopWorkOrder.objects.standing().select_related("site", "permit")
    page = page_of(request, rows.order_by("-issued_on", "-pk"))
    shown = list(page.object_list)
    context = {
        "page": page,
        "rows": with_openings(shown, on=clock.today()),
        "may_see_requests": access.may_see_requests(request.user),
    }
    return render(request, "enforcement/orders.html", context)


@dataclass(frozen=True)
class Opening:
    """One step that an order opens, as the docket has its first day."""

    title: str
    entry: DocketEntry
    on: date

    @property
    def is_stayed(self) -> bool:
        """Whether an appeal holds it still."""
        return self.entry.stayed_since is not None

    @property
    def is_open(self) -> bool:
        """Whether its first day has come."""
        return not self.is_stayed and self.entry.on <= self.on


def with_openings(
    shown: list[StopWorkOrder], *, on: date
) -> list[tuple[StopWorkOrder, list[Opening]]]:
    """Return each order with the steps it opens, read from the docket in one query."""
    of: dict[int, list[Opening]] = {each.pk: [] for each in shown}
    entries = DocketEntry.objects.running().filter(
        subject_type__app_label="enforcement",
        subject_type__model="stopworkorder",
        subject_pk__in=of,
        kind=DocketEntry.Kind.WAITING,
    )
    for entry in entries.order_by("on", "pk"):
        title = STEPS_BY_KEY[StepKey(entry.rule)].title
        of[entry.subject_pk].append(Opening(title, entry, on))
    return [(each, of[each.pk]) for each in shown]
