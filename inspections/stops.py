"""The stops of a round: a site with all its reasons for a visit, however large the city."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from django.db.models import Max, QuerySet

from inspections.models import Visit, VisitNeed
from permits.models import MaintenanceAgreement, Party, Permit, Site

__all__ = ["Contact", "Stop", "by_place", "listed", "stops_of", "with_contacts"]

MOST_BY_PLACE = 200
"""Nobody visits more in a day: the order by place is that of the most urgent ones."""

CALLED = (Party.Role.CONTRACTOR, Party.Role.CONTROLS, Party.Role.EMERGENCY, Party.Role.LANDOWNER)
HOUSE = re.compile(r"\s*((?:[nsew]?\d+){1,2})\S*\s+(.+)", re.IGNORECASE | re.ASCII)

VISIT_REASONS: dict[str, str] = {
    VisitNeed.Reason.STOCKPILE: Visit.Reason.ROUTINE,
    VisitNeed.Reason.LOG_GAP: Visit.Reason.ROUTINE,
    VisitNeed.Reason.WEEK: Visit.Reason.ROUTINE,
    VisitNeed.Reason.UPKEEP: Visit.Reason.ROUTINE,
}
"""What a visit is called that is made for a need; for the others it has the same name."""


@dataclass(frozen=True)
class Contact:
    """Whom the inspector calls from the road."""

    role: str
    name: str
    telephone: str


@dataclass
class Stop:
    """One site of the round; its reasons stand in the order of their urgency."""

    site: Site
    needs: list[VisitNeed]
    permit: Permit | None = None
    last_visit: date | None = None
    open_visit: Visit | None = None
    contacts: list[Contact] = field(default_factory=list)
    agreements: list[MaintenanceAgreement] = field(default_factory=list)

    @property
    def due_on(self) -> date:
        """The day by which to visit for the most urgent reason, which orders the round."""
        return self.needs[0].due_on

    @property
    def visit_reason(self) -> str:
        """What a visit for the most urgent reason is called."""
        return str(VISIT_REASONS.get(self.needs[0].reason, self.needs[0].reason))

    @property
    def case_url(self) -> str:
        """The page of the case; a site without an application has none."""
        return self.site.get_absolute_url() if self.permit or self.agreements else ""

    @property
    def only_upkeep(self) -> bool:
        """Whether nothing but the practices of an agreement waits to be looked at."""
        return all(need.reason == VisitNeed.Reason.UPKEEP for need in self.needs)


def listed(reason: str = "") -> QuerySet[VisitNeed]:
    """One open need for each site of the round, the most urgent first; by index."""
    if reason:
        open_needs = VisitNeed.objects.open().filter(reason=reason)
        return open_needs.order_by("due_on", "pk")
    return VisitNeed.objects.first_of_each_site()


def by_place(needs: QuerySet[VisitNeed]) -> list[VisitNeed]:
    """Return the most urgent of the needs street by street, and along each street."""
    first = needs.select_related("site")[:MOST_BY_PLACE]
    return sorted(first, key=lambda need: _place_key(need.site))


def _place_key(site: Site) -> tuple[str, int, str]:
    found = HOUSE.match(site.place)
    if found is None:
        return (site.place.lower(), 0, site.number)
    digits = int("".join(re.findall(r"\d", found[1])))
    return (found[2].lower(), digits, site.number)


def stops_of(sites: Sequence[int]) -> list[Stop]:
    """Return the stops of sites, in their order; so many queries for one as for many."""
    needs: dict[int, list[VisitNeed]] = defaultdict(list)
    # The bound on urgency excludes nothing: it leads to the index of the open needs.
    for need in VisitNeed.objects.open().filter(site__in=sites, urgency__gte=0):
        needs[need.site_id].append(need)
    permits = _standing_permits(sites)
    visits = Visit.objects.filter(site__in=sites).order_by()
    finished = visits.filter(status=Visit.Status.FINISHED).values_list("site")
    last = dict(finished.annotate(last=Max("visited_on")).values_list("site", "last"))
    begun = {visit.site_id: visit for visit in visits.filter(status=Visit.Status.OPEN)}
    found = Site.objects.prefetch_related("parcels").in_bulk(sites)
    bound = _agreements(needs)
    return [
        Stop(
            found[key],
            by_urgency(needs[key]),
            permits.get(key),
            last.get(key),
            begun.get(key),
            agreements=bound.get(key, []),
        )
        for key in sites
        if key in found and needs[key]
    ]


def _agreements(needs: Mapping[int, Iterable[VisitNeed]]) -> dict[int, list[MaintenanceAgreement]]:
    """Return the recorded agreements of the sites whose practices are to be looked at."""
    upkeep = VisitNeed.Reason.UPKEEP
    sites = [key for key, each in needs.items() if any(need.reason == upkeep for need in each)]
    found: dict[int, list[MaintenanceAgreement]] = defaultdict(list)
    if sites:
        rows = MaintenanceAgreement.objects.filter(site__in=sites, status="recorded")
        for agreement in rows.exclude(kind=MaintenanceAgreement.Kind.RELEASE).order_by("pk"):
            found[agreement.site_id].append(agreement)
    return found


def by_urgency(needs: Iterable[VisitNeed]) -> list[VisitNeed]:
    """Return the needs of a site, the most urgent first."""
    return sorted(needs, key=lambda need: need.urgency)


def _standing_permits(sites: Sequence[int]) -> dict[int, Permit]:
    """Return the newest issued permit of each site.

    Sorted and sifted here: a database asked to do it may walk through all that are issued.
    """
    permits = Permit.objects.filter(site__in=sites).select_related("application").order_by()
    issued = [permit for permit in permits if permit.status == Permit.Status.ISSUED]
    return {permit.site_id: permit for permit in sorted(issued, key=lambda permit: permit.pk)}


def with_contacts(stops: Iterable[Stop]) -> list[Stop]:
    """Give each stop the telephone numbers of its people: for staff, on the road."""
    stops = list(stops)
    applications = [stop.permit.application_id for stop in stops if stop.permit]
    parties: dict[int, list[Party]] = defaultdict(list)
    called = Party.objects.filter(application__in=applications, role__in=CALLED)
    for party in called.exclude(telephone="").order_by("pk"):
        parties[party.application_id].append(party)
    for stop in stops:
        if stop.permit:
            stop.contacts = _contacts(parties[stop.permit.application_id])
    return stops


def _contacts(parties: Iterable[Party]) -> list[Contact]:
    """Each number once, with whoever stands first behind it."""
    found: dict[str, Contact] = {}
    for party in sorted(parties, key=lambda party: CALLED.index(Party.Role(party.role))):
        digits = re.sub(r"\D", "", party.telephone)
        contact = Contact(party.get_role_display(), str(party), party.telephone)
        found.setdefault(f"{digits}{party.name.lower()}", contact)
    return list(found.values())
