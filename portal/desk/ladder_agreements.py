"""What is to be done about the maintenance agreement of a case. Former § 17.19(4)(f)"""

from __future__ import annotations

from datetime import date

from permits.agreements import access, holding
from permits.agreements.next_step import next_step
from permits.models import MaintenanceAgreement
from portal.city import edition_on
from portal.models import User

from .case_file import CaseFile
from .ladder import Rung
from .links import find_url

__all__ = ["agreement_rungs"]

TITLE = "Maintenance agreement"


def agreement_rungs(file: CaseFile, *, user: User, on: date) -> list[Rung]:
    """Return where the agreement of a permit stands and who is next; nothing where none is due.

    The page of the agreements also takes a change of owner and an agreement of paper.
    """
    permit = file.permit
    if permit is None:
        return []
    required = bool(file.decision and file.decision.maintenance_agreement)
    newest = MaintenanceAgreement.objects.filter(site=file.site).order_by("-pk").first()
    if newest is None and not required and not access.may_keep(user):
        return []
    newest = None if newest is not None and newest.status == "withdrawn" else newest
    text, label, first = _words(newest, required=required, on=on)
    return [
        Rung(
            "agreement",
            TITLE,
            text,
            find_url("agreements_of_case", file.site.number),
            label,
            citation=edition_on(on).citation("maintenance"),
            first=first and access.may_keep(user),
        )
    ]


def _words(
    newest: MaintenanceAgreement | None, *, required: bool, on: date
) -> tuple[str, str, bool]:
    """Return what is said, the words of the link, and whether it is what comes first."""
    if newest is None and required:
        waits = holding.waiting_in_words()
        text = f"It is required, and the city drafts it. Until it is recorded, {waits} waits."
        return text, "See what is next", True
    if newest is None:
        text = "None is required here. One of paper can be entered, and a change of owner."
        return text, "Agreements and owner", False
    step = next_step(newest, on=on)
    text = f"{newest.number}: {step.standing}. Next: {step.who} {step.what}"
    return text, "See the agreement", newest.is_open
