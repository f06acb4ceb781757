"""The public's look-up: may they dig here, since when, and how to report a problem.

What these pages show is chosen field by field; nothing else of a case is read here, so
that no name, telephone number, e-mail address or signature can slip out, nor a position
unless the city publishes them (`OPEN_DATA_POSITIONS`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from django import forms
from django.conf import settings
from django.db.models import Exists, OuterRef, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from enforcement.models import StopWorkOrder
from permits.finding import find_site_keys, sites_of
from permits.forms.fields import Line
from permits.models import Application, EarlierPermit, Parcel, Permit, Site
from permits.models.site import SiteQuerySet
from portal import clock, known
from portal.city_calendar import current_calendar
from portal.formats import long_date
from portal.ordinance import Deadline
from portal.ordinance.decision import decision_deadline

from .orders_at import stopped_at
from .pages import page_of

__all__ = ["lookup", "public_site"]

STATUS = Application.Status
READ_OF_APPLICATION = (
    "site_id",
    "number",
    "status",
    "activities",
    "building",
    "area_amount",
    "area_unit",
    "form_received_on",
    "received_on",
    "withdrawn_on",
)
"""All that is read of an application: what anybody may know."""

READ_OF_PERMIT = (
    "site_id",
    "application_id",
    "number",
    "status",
    "granted_on",
    "issued_on",
    "permanent_controls_by",
    "final_inspection_passed_on",
    "closed_on",
)
"""All that is read of a permit."""

READ_OF_EARLIER = (
    "site_id",
    "number",
    "status",
    "applied_on",
    "issued_on",
    "permanent_controls_by",
    "ended_on",
)
"""All that is read of a permit of earlier books."""


@dataclass(frozen=True)
class PublicSite:
    """What the public may know of a site."""

    number: str
    place: str
    parcels: list[str]
    url: str
    may_dig: bool
    answer: str
    permit_number: str = ""
    application_number: str = ""
    activities: list[str] = field(default_factory=list)
    area: Any = None
    building: str = ""
    dates: list[tuple[str, Any]] = field(default_factory=list)
    stopped: list[tuple[str, str, date]] = field(default_factory=list)  # number, page, since
    position: tuple[Decimal, Decimal] | None = None  # only where the city publishes positions


class LookupForm(forms.Form):
    """What somebody knows of the site."""

    q = Line(
        label="Address, parcel number or permit number",
        max_length=200,
        error_messages={"required": "Write an address, a parcel number or a permit number."},
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )


def known_land() -> SiteQuerySet:
    """Land on which the public has an answer; a draft that nobody filed is nobody's business.

    An application was filed, or none was begun and the city itself knows the land (by a report
    or a visit), or work is stopped there.
    """
    begun = Exists(Application.objects.filter(site=OuterRef("pk")))
    stopped = StopWorkOrder.objects.standing().filter(site=OuterRef("pk"))
    kept = Site.objects.filter(destroyed_on__isnull=True)
    return kept.filter(Q(filed_on__isnull=False) | ~begun | Q(Exists(stopped)))


@require_safe
def lookup(request: HttpRequest) -> HttpResponse:
    """Find land that the city knows. Public."""
    asked = "q" in request.GET
    form = LookupForm(request.GET if asked else None)
    context: dict[str, Any] = {"form": form, "asked": asked}
    if asked and form.is_valid():
        keys, more = find_site_keys(form.cleaned_data["q"], known_land())
        page = page_of(request, sites_of(keys))
        found = public_sites(list(page.object_list))
        context |= {"searched": True, "page": page, "found": found, "too_many": more}
    return render(request, "lookup/lookup.html", context)


@require_safe
def public_site(request: HttpRequest, number: str) -> HttpResponse:
    """Answer for one site whether digging is allowed, and since when or why not. Public."""
    site = get_object_or_404(known_land(), number=number)
    on = clock.today()
    with known.reading_once():
        shown = public_sites([site], with_dates=True)[0]
        return render(request, "lookup/site.html", {"shown": shown, "on": on})


def public_sites(sites: Sequence[Site], *, with_dates: bool = False) -> list[PublicSite]:
    """Return what the public may know of some sites: four queries for all of them."""
    keys = [site.pk for site in sites]
    applications = _newest(
        Application.objects.filter(site__in=keys, number__isnull=False)
        .only(*READ_OF_APPLICATION)
        .order_by("pk")
    )
    stopped = stopped_at(keys)
    permits = _newest(Permit.objects.filter(site__in=keys).only(*READ_OF_PERMIT).order_by("pk"))
    parcels: dict[int, list[str]] = {}
    for site_id, parcel in Parcel.objects.filter(site__in=keys).values_list("site_id", "number"):
        parcels.setdefault(site_id, []).append(parcel)
    bare = [key for key in keys if key not in applications]
    earlier = earlier_of(bare) if bare else {}
    return [
        public_of(
            site,
            parcels.get(site.pk, []),
            applications.get(site.pk),
            permits.get(site.pk),
            stopped.get(site.pk, []),
            earlier.get(site.pk),
            with_dates=with_dates,
        )
        for site in sites
    ]


def earlier_of(keys: Sequence[int]) -> dict[int, EarlierPermit]:
    """Return the permits of earlier books on land where nobody applied here."""
    rows = EarlierPermit.objects.filter(site__in=keys).only(*READ_OF_EARLIER)
    return _newest(rows.order_by("pk"))


def _newest(rows: Iterable[Any]) -> dict[int, Any]:
    return {row.site_id: row for row in rows}


def public_of(
    site: Site,
    parcels: list[str],
    application: Application | None,
    permit: Permit | None,
    stopped: Sequence[StopWorkOrder],
    earlier: EarlierPermit | None = None,
    *,
    with_dates: bool,
) -> PublicSite:
    """Return what the public may know of a site, from all that is read of it."""
    if earlier is not None:
        return _public_earlier(site, parcels, earlier, stopped, with_dates=with_dates)
    issued = permit is not None and permit.issued_on is not None
    names = dict(Application.Activity.choices)
    activities = application.activities if application else []
    return PublicSite(
        number=site.number,
        place=place_of(site, parcels, told=application is not None or bool(stopped)),
        parcels=parcels,
        url=site.get_public_url(),
        may_dig=not stopped and permit is not None and permit.status == Permit.Status.ISSUED,
        answer=stop_answer(stopped) or answer(application, permit),
        permit_number=(permit.number or "") if permit and issued else "",
        application_number=(application.number or "") if application else "",
        activities=[str(names[key]) for key in activities if key in names],
        area=application.area_sq_ft if application else None,
        building=application.get_building_display()
        if application and application.building not in ("", "none")
        else "",
        dates=public_dates(application, permit) if with_dates else [],
        stopped=orders_of(stopped),
        position=position_of(site),
    )


def orders_of(stopped: Sequence[StopWorkOrder]) -> list[tuple[str, str, date]]:
    """Return the number, the page and the day of each order that stops the work."""
    return [
        (order.number, reverse("order_public", args=[order.key]), order.issued_on)
        for order in stopped
    ]


def position_of(site: Site) -> tuple[Decimal, Decimal] | None:
    """Return where the site lies, if the city has resolved to publish that."""
    known = site.latitude is not None and site.longitude is not None
    if not known or not settings.CITY["positions"]:
        return None
    assert site.latitude is not None
    assert site.longitude is not None
    return site.latitude, site.longitude


def _public_earlier(
    site: Site,
    parcels: list[str],
    permit: EarlierPermit,
    stopped: Sequence[StopWorkOrder],
    *,
    with_dates: bool,
) -> PublicSite:
    """Return what the public may know of land of which only the earlier books tell."""
    return PublicSite(
        number=site.number,
        place=place_of(site, parcels),
        parcels=parcels,
        url=site.get_public_url(),
        may_dig=not stopped and permit.status == EarlierPermit.Status.ISSUED,
        answer=stop_answer(stopped) or earlier_answer(permit),
        permit_number=permit.number,
        dates=earlier_dates(permit) if with_dates else [],
        stopped=orders_of(stopped),
        position=position_of(site),
    )


def place_of(site: Site, parcels: Sequence[str], *, told: bool = True) -> str:
    """Return where a site is: its address, else its parcels; never what was written freely.

    Where nobody applied and no order stands (`told`), the address may be what somebody wrote in
    a report, so the parcels or the number stand for it.
    """
    if site.address and told:
        return site.address
    if parcels:
        return f"Parcel {', '.join(parcels)}"
    return f"Site {site.number}"


def stop_answer(stopped: Sequence[StopWorkOrder]) -> str:
    """Say since when work is stopped, by the order that stands longest; nothing if none does."""
    if not stopped:
        return ""
    first = stopped[0]
    return f"No. Work is stopped since {long_date(first.issued_on)}, by order {first.number}."


def answer(application: Application | None, permit: Permit | None) -> str:
    """Say since when digging is allowed, or why it is not, in a sentence."""
    if permit is not None and permit.closed_on is not None:
        since = long_date(permit.closed_on)
        return f"No longer. The work is complete, and permit {permit.number} was closed on {since}."
    if permit is not None and permit.status == Permit.Status.REVOKED:
        return f"No. Permit {permit.number} was revoked."
    if permit is not None and permit.issued_on is not None:
        return f"Yes, under permit {permit.number}, since {long_date(permit.issued_on)}."
    if application is None:
        return "No. No permit was applied for here."
    return NOT_YET[application.status]


def earlier_answer(permit: EarlierPermit) -> str:
    """Say in a sentence whether digging is allowed under a permit of earlier books."""
    number, status = permit.number, permit.status
    since = f" on {long_date(permit.ended_on)}" if permit.ended_on else ""
    if status == EarlierPermit.Status.ISSUED:
        issued = f", issued on {long_date(permit.issued_on)}" if permit.issued_on else ""
        return f"Yes, under permit {number} of the city's earlier books{issued}."
    ends = {
        "closed": f"No longer. Permit {number} of the city's earlier books was closed{since}.",
        "expired": f"No. Permit {number} of the city's earlier books expired{since}.",
        "revoked": f"No. Permit {number} of the city's earlier books was revoked{since}.",
        "withdrawn": f"No. Permit {number} of the city's earlier books was withdrawn{since}.",
        "denied": f"No. Permit {number} of the city's earlier books was denied{since}.",
        "applied": f"No. Permit {number} was applied for in the city's earlier books, not issued.",
    }
    unknown = f"No answer. Ask the city whether permit {number} of its earlier books still stands."
    return ends.get(status, unknown)


def earlier_dates(permit: EarlierPermit) -> list[tuple[str, date | Deadline]]:
    """Return the dates of a permit of earlier books that anybody may know."""
    found: list[tuple[str, date | Deadline | None]] = [
        ("Applied for", permit.applied_on),
        ("Issued", permit.issued_on),
        (
            "Permanent cover due by",
            permit.permanent_cover_deadline(calendar=current_calendar()),
        ),
        ("Closed", permit.ended_on if permit.status == EarlierPermit.Status.CLOSED else None),
    ]
    return [(title, day) for title, day in found if day is not None]


NOT_YET: dict[str, str] = {
    STATUS.DRAFT: "No. No permit was applied for here.",
    STATUS.SUBMITTED: "No. A permit is applied for; the fee is still out.",
    STATUS.UNDER_REVIEW: "No. A permit is applied for and the city has not decided yet.",
    STATUS.DENIED: "No. The city asked for changes of the plan; there is no permit.",
    STATUS.GRANTED: "No. The permit is granted but not issued: the escrow comes first.",
    STATUS.WITHDRAWN: "No. The application was withdrawn; there is no permit.",
}


def public_dates(
    application: Application | None, permit: Permit | None
) -> list[tuple[str, date | Deadline]]:
    """Return the dates that anybody may know; one that binds somebody opens into its count."""
    found: list[tuple[str, date | Deadline | None]] = []
    if application is not None:
        found.append(("Applied for", application.form_received_on))
        found.append(("Received in full", application.received_on))
        if application.status == STATUS.UNDER_REVIEW and application.received_on:
            found += _decision_date(application)
        found.append(("Withdrawn", application.withdrawn_on))
    if permit is not None:
        found.append(("Granted", permit.granted_on))
        found.append(("Issued", permit.issued_on))
        if permit.final_inspection_passed_on is None and permit.status == Permit.Status.ISSUED:
            cover = permit.permanent_cover_deadline(calendar=current_calendar())
            found.append(("Permanent cover due by", cover))
        found.append(("Permanent cover complete", permit.final_inspection_passed_on))
        found.append(("Closed", permit.closed_on))
    return [(title, day) for title, day in found if day is not None]


def _decision_date(application: Application) -> list[tuple[str, date | Deadline | None]]:
    """The city's last day to decide; not after a denial, when a promise runs instead."""
    if application.decisions.exists():
        return []
    assert application.received_on is not None
    return [
        ("Decision due by", decision_deadline(application.received_on, calendar=current_calendar()))
    ]
