"""Whom a case concerns: recipients are a pure function of its parties."""

from __future__ import annotations

from dataclasses import dataclass

from permits.models import Application, Party
from portal.models import Role, User

__all__ = ["Recipient", "administrators", "inspectors", "notice_parties"]

NOTIFIED = (Party.Role.LANDOWNER, Party.Role.LAND_USER, Party.Role.CONTRACTOR, Party.Role.AGENT)


@dataclass(frozen=True)
class Recipient:
    """Somebody who is told: by e-mail where there is an address, else by mail."""

    name: str
    email: str
    address: str
    role: str


def notice_parties(application: Application) -> list[Recipient]:
    """The applicant, and the landowner, land user, contractor and agent; each once."""
    applicant = application.applicant
    found = [Recipient(str(applicant), applicant.email.lower(), "", "applicant")]
    parties = application.parties.filter(role__in=NOTIFIED).order_by("pk")
    for party in parties:
        found.append(Recipient(str(party), party.email.lower(), party.mailing_address, party.role))
    seen: set[str] = set()
    unique = []
    for person in found:
        mark = person.email or f"{person.name}|{person.address}".lower()
        if mark not in seen:
            seen.add(mark)
            unique.append(person)
    return unique


def inspectors() -> list[Recipient]:
    """Every building inspector with an active account."""
    return _staff(Role.INSPECTOR)


def administrators() -> list[Recipient]:
    """Every city administrator with an active account: told when the city is late."""
    return _staff(Role.ADMINISTRATOR)


def _staff(role: Role) -> list[Recipient]:
    users = User.objects.filter(role=role, is_active=True)
    return [Recipient(str(user), user.email, "", role.value) for user in users]
