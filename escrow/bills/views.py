"""The bills for city work: what is to bill, and the account of each."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from enforcement.models import CityWork
from escrow import access
from escrow.models import Bill, RollCharge
from escrow.models.ground import stayed_by
from permits.models import CasePaper, Site
from permits.views.doors import only
from permits.views.pages import page_of
from portal import clock, known

from . import moving
from .account import standing, statement
from .undone import undone

__all__ = ["bill_page", "bills", "find_bill"]

PAGE = 25
LONGEST_TEXT = 200


# Lists and the account --------------------------------------------------------------------


def _shown(which: str) -> QuerySet[Bill]:
    on = clock.today()
    if which == "paid":
        return Bill.objects.without_clock()
    if which == "late":
        return Bill.objects.delinquent(on)
    if which == "all":
        return Bill.objects.all()
    return Bill.objects.with_running_clock()


def _found(rows: QuerySet[Bill], asked: str) -> QuerySet[Bill]:
    """Return the bills of one number or case, or of a payer or place with these words."""
    if not asked:
        return rows
    return rows.filter(
        Q(number__iexact=asked)
        | Q(site__number__iexact=asked)
        | Q(payer_name__icontains=asked)
        | Q(site__address__icontains=asked)
    )


LISTS = (
    ("open", "To be paid"),
    ("late", "Delinquent"),
    ("paid", "Settled"),
    ("all", "All"),
)


@only(access.may_read_money)
@require_safe
def bills(request: HttpRequest) -> HttpResponse:
    """Show the bills, and the closed city work that is not billed yet."""
    which = request.GET.get("list", "open")
    asked = request.GET.get("q", "").replace("\x00", "").strip()[:LONGEST_TEXT]
    # Balance and last day are asked of the bills of the page alone.
    keys = _found(_shown(which), asked).values_list("pk", flat=True)
    page = page_of(request, keys, per_page=PAGE)
    listed = Bill.objects.filter(pk__in=list(page)).with_balance().with_last_day()  # type: ignore[attr-defined]
    on = clock.today()
    unbilled = CityWork.objects.filter(status=CityWork.Status.CLOSED).exclude(
        bills__status=Bill.Status.STANDING
    )
    context = {
        "page": page,
        "rows": [(bill, _is_late(bill, on)) for bill in listed.select_related("site")],
        "which": which,
        "asked": asked,
        "lists": LISTS,
        "unbilled": list(unbilled.select_related("site").order_by("closed_on")[:PAGE]),
        "may_act": access.may_keep_money(request.user),
        "on": on,
    }
    return render(request, "bills/bills.html", context)


def _is_late(bill: Any, on: Any) -> bool:
    return bool(on > bill.counted_on and bill.owed > 0 and bill.stayed_since is None)


def find_bill(request: HttpRequest, key: Any) -> Bill:
    """Return a bill of a case that the person may see, or 404."""
    rows = Bill.objects.filter(site__in=Site.objects.visible_to(request.user))
    related = ("site", "permit__application", "work", "paper__document", "assessment")
    return get_object_or_404(rows.select_related(*related), key=key)


@only(lambda user: user.is_authenticated)
@require_safe
def bill_page(request: HttpRequest, key: Any) -> HttpResponse:
    """Show the account of a bill: every cent, to staff and to whoever holds the case."""
    bill = find_bill(request, key)
    on = clock.today()
    with known.reading_once():
        now = standing(bill, on=on)
        charged, batch = moving.on_roll(bill)
        charges = RollCharge.objects.filter(bill=bill).select_related("batch", "line")
        context: dict[str, Any] = {
            "bill": bill,
            "site": bill.site,
            "lines": list(bill.lines.all()),
            "statement": statement(bill),
            "now": now,
            "due": bill.due_deadline(),
            "is_late": bill.is_delinquent(on),
            "stayed_by": stayed_by(bill.work, on=on),
            "charged": charged,
            "batch": batch,
            "charges": list(charges.prefetch_related("outcomes")),
            "division": bill.divisions.prefetch_related("shares__parcel").last(),  # type: ignore[attr-defined]
            "several": bill.site.parcels.count() > 1,
            "assessment": getattr(bill, "assessment", None),
            "papers": _papers_of(bill),
            "may_act": access.may_keep_money(request.user) and bill.status == "standing",
            "reads_roll": access.may_read_roll(request.user),
            "staff": access.may_read_money(request.user),
            "undone": undone(bill, on=on) if charged else None,
            "why_not_withdraw": moving.why_not_withdraw(bill),
            "on": on,
        }
        return render(request, "bills/bill.html", context)


def _papers_of(bill: Bill) -> list[CasePaper]:
    kinds = (CasePaper.Kind.BILL, CasePaper.Kind.BILL_STATEMENT, CasePaper.Kind.ASSESSMENT)
    rows = CasePaper.objects.filter(site=bill.site, kind__in=kinds)
    named = rows.filter(document__title__contains=bill.number) | rows.filter(assessment__bill=bill)
    return list(named.distinct().select_related("document").order_by("pk"))
