"""Where an agreement stands, and what is next from whom. Former § 17.19(4)(f)"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.conf import settings

from permits.models import AgreementStatus, MaintenanceAgreement

__all__ = ["Next", "next_step"]

Status = AgreementStatus


@dataclass(frozen=True)
class Next:
    """How it stands in a word, in which tone, and the next step with who takes it."""

    standing: str
    tone: str
    who: str
    what: str
    act: str = ""
    button: str = ""


def next_step(agreement: MaintenanceAgreement, *, on: date) -> Next:
    """Return the next step of an agreement on a day."""
    register = f"{settings.CITY['county']} register of deeds"
    steps = {
        Status.DRAFTED: Next(
            "draft",
            "soon",
            "The city",
            "completes the draft and sends it for signature.",
            "agreement_send",
            "Send it for signature",
        ),
        Status.SENT_FOR_SIGNATURE: Next(
            "out for signature",
            "soon",
            "The owner",
            "signs before a notary and brings the original to the city.",
            "agreement_sign",
            "Record the signatures",
        ),
        Status.SIGNED: Next(
            "signed",
            "soon",
            "The city",
            f"sends the signed original to the {register}.",
            "agreement_register",
            "Record that it went to the register",
        ),
        Status.SENT_TO_REGISTER: Next(
            "at the register",
            "soon",
            f"The {register}",
            "records it; the city then enters the document number.",
            "agreement_record",
            "Record the document number",
        ),
        Status.ENDED: Next("ended", "shut", "Nobody", "has anything to do under it."),
        Status.WITHDRAWN: Next("withdrawn", "shut", "Nobody", "has anything to do under it."),
    }
    return steps.get(Status(agreement.status)) or _recorded(agreement, on)


def _recorded(agreement: MaintenanceAgreement, on: date) -> Next:
    if agreement.kind == agreement.Kind.RELEASE:
        return Next("recorded", "good", "Nobody", "has anything to do: the land is released.")
    if agreement.party_kind == agreement.PartyKind.OWNER:
        party = "The owner"  # whoever it is today: a list asks nobody's name row by row
    else:
        party = str(agreement.responsible_party(on)) or "The responsible party"
    return Next("recorded", "good", party, "maintains the practices by the schedule.")
