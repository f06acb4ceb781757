"""Whom an order or notice concerns: the ordinance's persons, as the city knows them.

From the parties of the application, and from each change of owner since; and, also where
nobody applied, from what earlier orders and notices of the site have recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from enforcement.models import Addressee
from enforcement.models.service import addressee_title
from permits.models import Application, OwnerChange, Party, Permit, Site
from portal import clock
from portal.formats import long_date

__all__ = ["Person", "persons_of", "plain"]

Role = Addressee.Role
ROLE_OF_PARTY = {
    Party.Role.LANDOWNER: Role.LANDOWNER,
    Party.Role.LAND_USER: Role.LAND_USER,
    Party.Role.CONTRACTOR: Role.CONTRACTOR,
}
"""The ordinance speaks of three persons; in this order a permit is made out to one of them."""


ELSEWHERE = (Role.ATTORNEY, Role.APPELLANT)
"""Who is told of an act and is no person of the site for that."""


def plain(name: str) -> str:
    """A name without regard to capitals and spaces."""
    return " ".join(name.lower().split())


@dataclass(frozen=True)
class Person:
    """One of the ordinance's persons with what is needed to reach them.

    `is_permittee` marks the person to whom the permit is made out, whatever the role;
    an addressee of role "permittee" is the account that holds the case, or who owned the land
    when the permit was made out. `source` says how the city knows, `told_at` when an
    earlier act told them.
    """

    role: str
    name: str
    mailing_address: str = ""
    email: str = ""
    parcel_number: str = ""
    is_permittee: bool = False
    source: str = ""
    told_at: datetime | None = None

    @property
    def title(self) -> str:
        """The role in words: "Landowner", "Permittee and landowner"."""
        label = addressee_title(self.role)
        if self.is_permittee and self.role != Role.PERMITTEE:
            return f"Permittee and {label.lower()}"
        return label

    @property
    def parcel_note(self) -> str:
        """The parcel of the person, in words."""
        return f"parcel {self.parcel_number}" if self.parcel_number else ""

    @property
    def mark(self) -> tuple[str, str, str]:
        """What makes two entries the same person in the same role for the same parcel."""
        return (self.role, self.plain_name, self.parcel_number.strip())

    @property
    def plain_name(self) -> str:
        """The name without regard to capitals and spaces."""
        return plain(self.name)


def persons_of(site: Site, permit: Permit | None = None) -> list[Person]:
    """Return everybody an act at the site concerns, each once.

    Whoever was told of an act at this site before stays on the list beside a successor:
    where the land has changed hands, both are told, and the one who owns it now as the owner.
    """
    change = OwnerChange.objects.standing(site, on=clock.today())
    known = [*_of_application(site, permit)]
    told = [*_told_before(site)]
    if change is not None:
        known, told = _since_sold(change, known, told)
    found: dict[tuple[str, str, str], Person] = {}
    for person in (*known, *told):
        found.setdefault(person.mark, person)
    return list(found.values())


def _since_sold(
    change: OwnerChange, known: list[Person], told: list[Person]
) -> tuple[list[Person], list[Person]]:
    """Put the new owner first, and the one before in the role that is left.

    The permit stays made out to whoever had it, so that one answers as its permittee; without
    a permit, as the one who used the land. Owners of single parcels stay owners: the change
    does not say which parcels it leaves out, and a letter too many takes nothing from anybody.
    """
    new = _new_owner(change)
    stays = any(person.is_permittee for person in known if person.mark == new.mark)
    new = replace(new, is_permittee=stays)
    before = [
        replace(person, role=Role.PERMITTEE if person.is_permittee else Role.LAND_USER)
        if _was_owner(person, change)
        else person
        for person in known
        if person.mark != new.mark
    ]
    names = {person.plain_name for person in before}
    earlier = [
        replace(person, role=Role.LAND_USER) if _was_owner(person, change) else person
        for person in told
        if not (_was_owner(person, change) and person.plain_name in names)
    ]
    return [new, *before], earlier


def _new_owner(change: OwnerChange) -> Person:
    owner = change.owner
    return Person(
        role=Role.LANDOWNER,
        name=str(owner),
        mailing_address=owner.mailing_address,
        email=owner.email,
        source=f"owner since {long_date(change.from_on)} ({change.source})",
    )


def _was_owner(person: Person, change: OwnerChange) -> bool:
    """Whether somebody else is known as owner of all the land, from before the city learned."""
    if person.role != Role.LANDOWNER or person.parcel_number.strip():
        return False
    if person.mark == _new_owner(change).mark:
        return False
    return person.told_at is None or person.told_at < change.at


def _of_application(site: Site, permit: Permit | None) -> Iterator[Person]:
    application = permit.application if permit else _filed_application(site)
    if application is None:
        return
    parties = _persons(application, permit)
    holder = application.applicant
    known = {person.email for person in parties} | {person.name for person in parties}
    if holder.email.lower() not in known and str(holder) not in known:
        yield Person(
            role=Role.PERMITTEE if permit else Role.LAND_USER,
            name=str(holder),
            mailing_address=_address_of(application, holder.email, str(holder)),
            email=holder.email.lower(),
            source=f"holds the case of {application}",
        )
    yield from parties


def _filed_application(site: Site) -> Application | None:
    filed = site.applications.filter(number__isnull=False)  # type: ignore[attr-defined]
    newest: Application | None = filed.order_by("-pk").first()
    return newest


def _persons(application: Application, permit: Permit | None) -> list[Person]:
    parties = {party.role: party for party in application.parties.all()}
    found = [
        Person(
            role=role,
            name=str(parties[party_role]),
            mailing_address=parties[party_role].mailing_address,
            email=parties[party_role].email.lower(),
            source=f"named in {application}",
        )
        for party_role, role in ROLE_OF_PARTY.items()
        if party_role in parties
    ]
    if permit and found:
        found[0] = replace(found[0], is_permittee=True)
    return found


def _address_of(application: Application, email: str, name: str) -> str:
    """The mailing address of the account's person, if any party of the application is that."""
    parties: Iterable[Party] = application.parties.all()
    for party in parties:
        if party.email.lower() == email.lower() or name in (party.name, party.organization):
            return party.mailing_address
    return ""


def _told_before(site: Site) -> Iterator[Person]:
    """Whoever was told of an act at this site, the newest entry of each first."""
    rows = Addressee.objects.filter(site=site).exclude(role__in=ELSEWHERE).order_by("-pk")
    for row in rows:
        yield Person(
            role=row.role,
            name=row.name,
            mailing_address=row.mailing_address,
            email=row.email.lower(),
            parcel_number=row.parcel_number,
            source=f"told on {row.created_at:%B %-d, %Y}",
            told_at=row.created_at,
        )
