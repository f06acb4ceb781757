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
    """Return where the agreement of a permit stands and who is next; nothing where none is due."""
    required = bool(file.permit and file.decision and file.decision.maintenance_agreement)
    newest = _newest(file)
    if newest is None and not required:
        return []
    text, label, first = _words(newest, on=on)
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


def _newest(file: CaseFile) -> MaintenanceAgreement | None:
    """Return the newest instrument; one that binds the land was read with its schedule."""
    if file.newest_instrument is None:
        return None
    read = {each.pk: each for each in file.agreements}
    found = read.get(file.newest_instrument)
    return found or MaintenanceAgreement.objects.get(pk=file.newest_instrument)


def _words(newest: MaintenanceAgreement | None, *, on: date) -> tuple[str, str, bool]:
    """Return what is said, the words of the link, and whether it is what comes first."""
    if newest is None:
        waits = holding.waiting_in_words()
        text = f"It is required, and the city drafts it. Until it is recorded, {waits} waits."
        return text, "See what is next", True
    step = next_step(newest, on=on)
    text = f"{newest.number}: {step.standing}. Next: {step.who} {step.what}"
    return text, "See the agreement", newest.is_open
