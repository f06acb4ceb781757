"""All cases, for those who work for the city: by status, by what is typed, in pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import django_filters
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from enforcement.models import StopWorkOrder
from permits import access
from permits.finding import find_site_keys
from permits.models import Application, Permit, Site
from permits.views.doors import only

from .earlier import earlier_rows, found_earlier
from .orders_at import stopped_at
from .pages import page_of
from .rows import works

__all__ = ["cases"]

Rows = QuerySet[Application]


def _status(status: str) -> Callable[[Rows], Rows]:
    return lambda rows: rows.filter(status=status)


def _permit(**wanted: Any) -> Callable[[Rows], Rows]:
    return lambda rows: rows.filter(**{f"permit__{name}": value for name, value in wanted.items()})


def _stopped(rows: Rows) -> Rows:
    return rows.filter(site__in=StopWorkOrder.objects.standing().values("site"))


AWAITING = Permit.Status.AWAITING_ESCROW
LISTS: dict[str, tuple[str, Callable[[Rows], Rows]]] = {
    "stopped": ("Work stopped", _stopped),
    "submitted": ("Filed, waiting for the fee", _status("submitted")),
    "under_review": ("Under review", _status("under_review")),
    "denied": ("Denied, changes required", _status("denied")),
    "escrow": (
        "Granted, waiting for the escrow",
        _permit(status=AWAITING, escrow_posted_on__isnull=True),
    ),
    "posted": (
        "Escrow posted, not issued",
        _permit(status=AWAITING, escrow_posted_on__isnull=False),
    ),
    "issued": ("Permit issued", _permit(status=Permit.Status.ISSUED)),
    "revoked": ("Permit revoked", _permit(status=Permit.Status.REVOKED)),
    "closed": ("Permit closed", _permit(status=Permit.Status.CLOSED)),
    "withdrawn": ("Withdrawn", _status("withdrawn")),
    "draft": ("Being written", _status("draft")),
}
"""What may be asked for: each answers from one index."""

READ = (
    *("number", "status", "site__number", "site__address", "site__survey_description"),
    *("permit__number", "permit__status", "permit__issued_on", "permit__escrow_posted_on"),
    "permit__closed_on",
)
"""What a line of the list is made of."""

BY_PERMIT = ("escrow", "posted", "issued", "revoked", "closed")
STOPPED = ("Work stopped", "late")

EARLIER_SHOWN = 10

SORTS = {"newest": "Newest first", "oldest": "Oldest first"}


class CaseFilter(django_filters.FilterSet):
    """What may be asked of the list; an answer that is not offered is ignored."""

    status = django_filters.ChoiceFilter(
        choices=[(key, label) for key, (label, _) in LISTS.items()]
    )
    sort = django_filters.ChoiceFilter(choices=list(SORTS.items()))
    q = django_filters.CharFilter(max_length=200, strip=True)

    class Meta:
        model = Application
        fields = ()


@only(access.may_see_desk)
@require_safe
def cases(request: HttpRequest) -> HttpResponse:
    """List the cases that fit, in pages."""
    form = CaseFilter(request.GET, queryset=Application.objects.none()).form
    form.is_valid()
    asked = {name: form.cleaned_data.get(name) or "" for name in ("status", "sort", "q")}
    keys, more = find_site_keys(asked["q"], Site.objects.all()) if asked["q"] else ([], False)
    rows = found(asked, keys)
    page = page_of(request, rows)
    shown = list(page.object_list)
    of_shown = Application.objects.filter(pk__in=[each.pk for each in shown])
    work = {each.pk: each for _site, each in works(of_shown)}
    stopped = stopped_at(each.site_id for each in shown)
    context = {
        "page": page,
        "rows": [
            (each, str(work[each.pk]), STOPPED if each.site_id in stopped else state_of(each))
            for each in shown
        ],
        "asked": asked,
        "too_many": more,
        "statuses": [(key, label) for key, (label, _) in LISTS.items()],
        "sorts": SORTS.items(),
        "earlier": earlier_found(keys),
    }
    return render(request, "desk/cases.html", context)


def earlier_found(keys: Sequence[int]) -> list[Any]:
    """Return the permits of earlier books that a search finds, for a list beside the cases."""
    if not keys:
        return []
    return found_earlier(list(earlier_rows().filter(site_id__in=keys)[:EARLIER_SHOWN]))


def found(asked: dict[str, str], keys: Sequence[int]) -> Rows:
    """Return the applications that fit; of a search those of the sites it found."""
    rows = Application.objects.select_related("site", "permit").only(*READ)
    rows = rows.filter(site__destroyed_on__isnull=True)
    if asked["q"]:
        rows = rows.filter(site_id__in=keys)
    by_permit = False
    if asked["status"]:
        rows = LISTS[asked["status"]][1](rows)
        by_permit = asked["status"] in BY_PERMIT
    order = "permit__pk" if by_permit else "pk"
    return rows.order_by(order if asked["sort"] == "oldest" else f"-{order}")


def state_of(application: Application) -> tuple[str, str]:
    """Return where a case stands in a few words, and a tone for the eye."""
    permit: Permit | None = getattr(application, "permit", None)
    if permit is not None and application.status == Application.Status.GRANTED:
        if permit.closed_on:
            return "Permit closed", "shut"
        if permit.status == Permit.Status.REVOKED:
            return "Permit revoked", "late"
        if permit.issued_on:
            return "Permit issued", "good"
        if permit.escrow_posted_on:
            return "Escrow posted, not issued", "soon"
        return "Waiting for the escrow", "soon"
    tones = {"denied": "soon", "submitted": "soon", "withdrawn": "shut", "draft": "shut"}
    return application.get_status_display(), tones.get(application.status, "")
