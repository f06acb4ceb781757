"""Active sites: a permit is issued and its final inspection is still to pass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from django.db.models import OuterRef, Q, QuerySet, Subquery

from inspections.models import LogEntry, Visit, VisitNeed
from permits.models import Permit

__all__ = ["ActiveSite", "active_permits", "active_sites", "disturbed_permits"]

RAIN_WEATHER = (Visit.Weather.RAIN, Visit.Weather.AFTER_RAIN)
"""A visit in this weather saw what the rain of its day did."""


def active_permits() -> QuerySet[Permit]:
    """Permits under which work may go on, oldest first."""
    active = Permit.objects.filter(
        status=Permit.Status.ISSUED, final_inspection_passed_on__isnull=True
    )
    return active.order_by("pk")


def disturbed_permits(on: date) -> QuerySet[Permit]:
    """Active permits whose work has begun by a day, so that soil lies bare."""
    begun = Q(application__starts_on__isnull=True) | Q(application__starts_on__lte=on)
    return active_permits().filter(begun, issued_on__lte=on)


@dataclass(frozen=True, slots=True)
class ActiveSite:
    """What the reasons for a visit ask of a site; visits are those that were finished."""

    site: int
    permit: str
    issued_on: date
    starts_on: date | None
    ends_on: date | None
    last_visit: date | None
    last_rain_visit: date | None
    stockpile_since: date | None
    last_log: date | None

    @property
    def begun_on(self) -> date:
        """The day from which soil may lie bare: never before the permit was issued."""
        return max(self.starts_on or self.issued_on, self.issued_on)

    def has_begun(self, on: date) -> bool:
        """Whether the work has begun by a day."""
        return self.begun_on <= on

    def visited_since(self, day: date) -> bool:
        """Whether a visit was made on the day or later."""
        return self.last_visit is not None and self.last_visit >= day


def active_sites() -> Iterator[ActiveSite]:
    """Every active site with its facts, in one query; a site of two permits comes twice."""
    visits = Visit.objects.filter(site=OuterRef("site"), status=Visit.Status.FINISHED).order_by(
        "-visited_on", "-pk"
    )
    saw_rain = (
        Q(reason=Visit.Reason.RAIN)
        | Q(weather__in=RAIN_WEATHER)
        | Q(needs_met__reason=VisitNeed.Reason.RAIN)
    )
    log = LogEntry.objects.filter(permit=OuterRef("pk")).order_by("-inspected_on", "-pk")
    rows = active_permits().values_list(
        "site_id",
        "number",
        "issued_on",
        "application__starts_on",
        "application__ends_on",
        Subquery(visits.values("visited_on")[:1]),
        Subquery(visits.filter(saw_rain).values("visited_on")[:1]),
        Subquery(visits.values("stockpile_since")[:1]),
        Subquery(log.values("inspected_on")[:1]),
    )
    for row in rows.iterator(chunk_size=2000):
        yield ActiveSite(*row)
