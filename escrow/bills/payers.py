"""Who may be billed: the permittee or the landowner. Former § 17.19(7)(e)"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from enforcement.models import Addressee, CityWork
from permits.models import Application, Party, Permit, Site, current_owner

__all__ = ["Payer", "application_of", "payers"]


@dataclass(frozen=True)
class Payer:
    """Somebody the ordinance lets the city bill, as the case knows them."""

    role: str
    name: str
    address: str
    email: str = ""


def application_of(site: Site, permit: Permit | None) -> Application | None:
    """Return the application whose parties are asked: the permit's, else the newest filed."""
    if permit is not None:
        return permit.application
    filed = site.applications.filter(number__isnull=False)  # type: ignore[attr-defined]
    found: Application | None = filed.order_by("-pk").first()
    return found


def payers(
    site: Site, permit: Permit | None, work: CityWork | None = None, *, on: date | None = None
) -> list[Payer]:
    """Return the permittee (where there is a permit) and the landowner, as far as known.

    Work under a maintenance agreement is charged to the land: whoever owns it on the day of
    the bill is asked, beside the responsible party that was told. Without a day it is the one
    on which the work was closed.

    Else whom the notice of the work told that they would bear its cost is among them: for land
    where nobody applied the case knows no one else. A landowner comes last, and so stands in
    the form.
    """
    if work is not None and work.upkeep_notice_id is not None:
        return _of_agreement(work, on=on or work.closed_on or work.begun_on)
    found = _of_case(site, permit)
    names = {payer.name for payer in found}
    told = work.payers() if work is not None else []
    found += [_told(row) for row in told if row.role in BILLED and row.name not in names]
    return sorted(found, key=lambda payer: payer.role == Addressee.Role.LANDOWNER)


def _of_agreement(work: CityWork, *, on: date) -> list[Payer]:
    """Return the party told, and last the owner of the land on a day. (4)(f)(7)"""
    told = {row.role: _told(row) for row in work.payers() if row.role == Addressee.Role.PARTY}
    found = list(told.values())
    owner = current_owner(work.site, on=on)
    if owner is not None:
        found.append(
            Payer(Addressee.Role.LANDOWNER, str(owner), owner.mailing_address, owner.email)
        )
    return found


BILLED = (Addressee.Role.PERMITTEE, Addressee.Role.LANDOWNER)
"""The ordinance bills nobody else. Former § 17.19(7)(e)"""


def _told(row: Addressee) -> Payer:
    return Payer(row.role, row.name, row.mailing_address, row.email.lower())


def _of_case(site: Site, permit: Permit | None) -> list[Payer]:
    application = application_of(site, permit)
    if application is None:
        return []
    parties = {party.role: party for party in application.parties.all()}
    landowner = parties.get(Party.Role.LANDOWNER)
    found = []
    if permit is not None:
        for role in (Party.Role.LANDOWNER, Party.Role.LAND_USER, Party.Role.CONTRACTOR):
            if role in parties:
                found.append(_payer("permittee", parties[role]))
                break
    if landowner is not None:
        found.append(_payer("landowner", landowner))
    return found


def _payer(role: str, party: Party) -> Payer:
    return Payer(role, str(party), party.mailing_address, party.email.lower())
