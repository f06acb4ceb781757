"""Whom an agreement concerns, and telling them. Former § 17.19(4)(f)"""

from __future__ import annotations

from datetime import date

from permits import notices
from permits.models import CasePaper, MaintenanceAgreement, OwnerChange, current_owner
from permits.people import Recipient
from portal.models import User

__all__ = ["concerned", "tell", "tell_new_owner"]


def concerned(agreement: MaintenanceAgreement, *, on: date) -> list[Recipient]:
    """The owner who signs, who is responsible, and who holds the case; each once."""
    found = []
    owner = current_owner(agreement.site, on=on)
    if owner is not None:
        found.append(Recipient(str(owner), owner.email, owner.mailing_address, "landowner"))
    party = agreement.responsible_party(on)
    if str(party):
        found.append(Recipient(str(party), party.email, party.mailing_address, "responsible"))
    holder: User | None = agreement.permit.application.applicant if agreement.permit else None
    if holder is not None:
        found.append(Recipient(str(holder), holder.email.lower(), "", "applicant"))
    seen: set[str] = set()
    unique = []
    for person in found:
        mark = person.email or f"{person.name}|{person.address}".lower()
        if mark not in seen and (person.email or person.address):
            seen.add(mark)
            unique.append(person)
    return unique


def tell(
    agreement: MaintenanceAgreement,
    what: str,
    *,
    subject: str,
    on: date,
    paper: CasePaper | None = None,
    **context: object,
) -> None:
    """Tell everybody whom the agreement concerns; `what` names `templates/mail/<what>.txt`."""
    notices.tell_people(
        agreement.site,
        concerned(agreement, on=on),
        f"{what}:{agreement.number}",
        subject=subject,
        on=on,
        paper=paper,
        agreement=agreement,
        party=agreement.responsible_party(on),
        **context,
    )


def tell_new_owner(change: OwnerChange, paper: CasePaper, *, on: date, **context: object) -> None:
    """Send the letter to the new owner by U.S. mail, and a copy by e-mail where there is one."""
    owner = change.owner
    people = [Recipient(str(owner), "", owner.mailing_address, "landowner")]
    if owner.email:
        people.append(Recipient(str(owner), owner.email, owner.mailing_address, "landowner"))
    notices.tell_people(
        change.site,
        people,
        f"agreement_duty:{change.pk}",
        subject="The duty to maintain goes with the land",
        on=on,
        paper=paper,
        change=change,
        **context,
    )
