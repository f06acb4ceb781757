"""Open data, row by row: what the public look-up page shows of a permit, and nothing more.

The columns are those of the BLDS permit standard (Building and Land Development Specification),
with a few of our own behind them. Every row is made of the same `PublicSite` as the page.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet

from enforcement.models import StopWorkOrder
from inspections.active import active_permits
from permits.models import Application, EarlierPermit, Parcel, Permit

from .lookup import READ_OF_APPLICATION, READ_OF_EARLIER, READ_OF_PERMIT, PublicSite, public_of

__all__ = ["DATASETS", "Dataset", "rows_of"]

Row = dict[str, Any]
CHUNK = 2000
READ_OF_SITE = ("number", "address", "latitude", "longitude")
PERMIT, EARLIER = Permit.Status, EarlierPermit.Status
STANDS = {
    PERMIT.ISSUED: ("Issued", "Permit Issued"),
    PERMIT.CLOSED: ("Closed", "Permit Finaled"),
    PERMIT.REVOKED: ("Revoked", "Permit Cancelled"),
}
EARLIER_STANDS = {
    EARLIER.ISSUED: ("Issued", "Permit Issued"),
    EARLIER.CLOSED: ("Closed", "Permit Finaled"),
    EARLIER.EXPIRED: ("Expired", "Permit Cancelled"),
    EARLIER.REVOKED: ("Revoked", "Permit Cancelled"),
    EARLIER.WITHDRAWN: ("Withdrawn", "Permit Cancelled"),
}
CLASSES = {"dwelling": "Residential", "public": "Non-Residential"}


@dataclass(frozen=True)
class Dataset:
    """One list that anybody may have."""

    slug: str
    title: str
    text: str
    active: bool = False

    def permits(self) -> QuerySet[Permit]:
        """Return the permits of the list."""
        rows = active_permits() if self.active else Permit.objects.all()
        rows = rows.filter(site__destroyed_on__isnull=True)
        return rows.filter(issued_on__isnull=False)

    def earlier(self) -> QuerySet[EarlierPermit]:
        """Return the permits of earlier books of the list; those of which a day is known."""
        kept = EarlierPermit.objects.filter(site__destroyed_on__isnull=True)
        if self.active:
            return kept.filter(status=EARLIER.ISSUED)
        return kept.filter(Q(issued_on__isnull=False) | Q(status=EARLIER.ISSUED))


DATASETS = {
    each.slug: each
    for each in (
        Dataset(
            "permits",
            "Issued permits",
            "Every erosion control permit that was issued, also those closed or revoked since, and "
            "the issued permits of the city's earlier books.",
        ),
        Dataset(
            "active-sites",
            "Active sites",
            "The permits under which work may still go on or its soil is not covered yet; work "
            "that an order has stopped is among them and says so.",
            active=True,
        ),
    )
}


def rows_of(dataset: Dataset) -> Iterator[Row]:
    """Yield the rows of a list: five queries however many there are, and flat memory."""
    stopped: dict[int, list[StopWorkOrder]] = {}
    orders = StopWorkOrder.objects.standing().order_by("issued_on", "pk")
    for order in orders.only("key", "number", "site_id", "issued_on", "status"):
        stopped.setdefault(order.site_id, []).append(order)
    yield from _permits(dataset, stopped)
    yield from _earlier(dataset, stopped)


def _permits(dataset: Dataset, stopped: dict[int, list[StopWorkOrder]]) -> Iterator[Row]:
    permits = dataset.permits().select_related("site", "application").order_by("site_id", "pk")
    read = permits.only(
        *READ_OF_PERMIT,
        *(f"site__{name}" for name in READ_OF_SITE),
        *(f"application__{name}" for name in READ_OF_APPLICATION),
    )
    parcels = _Parcels()
    for permit in read.iterator(chunk_size=CHUNK):
        site, application = permit.site, permit.application
        shown = public_of(
            site,
            parcels.of(site.pk),
            application,
            permit,
            stopped.get(site.pk, []),
            with_dates=False,
        )
        stands = STANDS[PERMIT(permit.status)]
        applied, ended = application.form_received_on, permit.closed_on
        yield _row(shown, stands, applied, permit.issued_on, ended, application=application)


def _earlier(dataset: Dataset, stopped: dict[int, list[StopWorkOrder]]) -> Iterator[Row]:
    rows = dataset.earlier().select_related("site").order_by("site_id", "pk")
    read = rows.only(*READ_OF_EARLIER, *(f"site__{name}" for name in READ_OF_SITE))
    parcels = _Parcels()
    for permit in read.iterator(chunk_size=CHUNK):
        site = permit.site
        shown = public_of(
            site,
            parcels.of(site.pk),
            None,
            None,
            stopped.get(site.pk, []),
            permit,
            with_dates=False,
        )
        stands = EARLIER_STANDS.get(EARLIER(permit.status), ("Not known", ""))
        closed = permit.ended_on if permit.status == EARLIER.CLOSED else None
        yield _row(shown, stands, permit.applied_on, permit.issued_on, closed)


class _Parcels:
    """The parcels of sites that are asked for in their order, read alongside in one query."""

    def __init__(self) -> None:
        rows = Parcel.objects.order_by("site_id", "pk").values_list("site_id", "number")
        self.rows = rows.iterator(chunk_size=CHUNK)
        self.held: tuple[int, str] | None = next(self.rows, None)
        self.site, self.found = 0, list[str]()

    def of(self, site: int) -> list[str]:
        """Return the parcels of a site; never of one before the last that was asked for."""
        if site == self.site:
            return self.found
        self.site, self.found = site, []
        while self.held is not None and self.held[0] <= site:
            if self.held[0] == site:
                self.found.append(self.held[1])
            self.held = next(self.rows, None)
        return self.found


def _row(
    shown: PublicSite,
    stands: tuple[str, str],
    applied: date | None,
    issued: date | None,
    completed: date | None,
    *,
    application: Application | None = None,
) -> Row:
    """Return a row, its values by the names of the columns and in their order."""
    building = application.building if application else ""
    latitude, longitude = shown.position or (None, None)
    values: dict[str, Any] = {
        "PermitNum": shown.permit_number,
        "Description": "; ".join(shown.activities),
        "AppliedDate": applied,
        "IssuedDate": issued,
        "CompletedDate": completed,
        "StatusCurrent": "Work stopped" if shown.stopped else stands[0],
        "StatusCurrentMapped": stands[1],
        "OriginalAddress1": shown.place,
        "OriginalCity": str(settings.CITY["name"]).removeprefix("City of "),
        "OriginalState": settings.CITY["state"],
        "Jurisdiction": settings.CITY["name"],
        "PermitClass": shown.building,
        "PermitClassMapped": CLASSES.get(building, ""),
        "PermitType": "Erosion control",
        "PermitTypeMapped": "Grading",
        "TotalSqFt": _whole(shown.area),
        "PIN": "; ".join(shown.parcels),
        "Latitude": latitude,
        "Longitude": longitude,
        "Link": settings.PUBLIC_URL + shown.url,
        "Publisher": settings.CITY["name"],
        "SiteNum": shown.number,
        "ApplicationNum": shown.application_number,
        "WorkAllowed": shown.may_dig,
        "Answer": shown.answer,
    }
    return values


def _whole(area: Decimal | None) -> int | None:
    return round(area) if area is not None else None
