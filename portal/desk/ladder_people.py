"""What may be done about the people of a case: change a contact, hand it over, withdraw."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from permits import access, handover
from permits.models import Application, NotNow
from portal.city import say
from portal.models import User
from portal.ordinance import Citation

from .case_file import CaseFile
from .ladder import Rung
from .links import find_url

__all__ = ["people_rungs"]


def people_rungs(file: CaseFile, *, user: User, on: date) -> list[Rung]:
    """Return the acts on the people of a case that are open to one person, or why not."""
    application = file.application
    found = list(_contacts(file)) if access.may_correct(user, application) else []
    holder = access.may_edit(user, application) and not user.is_city_staff
    if holder and application.status != Application.Status.WITHDRAWN:
        found += [_hand_over(file, on), _withdraw(file)]
    return found


def _contacts(file: CaseFile) -> Iterator[Rung]:
    """After the decision only how people are reached can be changed."""
    if not file.application.why_not_change_contacts():
        yield Rung(
            "contacts",
            "Report a changed contact",
            "The 24-hour number, who looks after the control devices, a telephone or an address.",
            find_url("correct_contacts", file.application.key),
            "Report it",
        )


def _hand_over(file: CaseFile, on: date) -> Rung:
    title = "Hand the case to somebody else"
    held = handover.why_held(file.application, on=on)
    if file.offer is not None:  # taking it back is never held
        text = f"It is offered to {file.offer.email}, who has not accepted yet."
        if held:
            text = f"{text} {held.sentence}"
        url = find_url("hand_over", file.application.key)
        return Rung("hand-over", title, text, url, "See the offer")
    if held:
        return Rung("hand-over", title, "", why_not=held.sentence, citation=_cited(held))
    text = "They accept by signing in; until then the case stays yours."
    return Rung("hand-over", title, text, find_url("hand_over", file.application.key), "Hand over")


def _withdraw(file: CaseFile) -> Rung:
    application, permit = file.application, file.permit
    title, url = "Withdraw the application", find_url("withdraw", application.key)
    if permit is not None and permit.issued_on is not None:
        why = f"Permit {permit.number} is issued; an issued permit cannot be withdrawn here."
        return Rung("withdraw", title, "", why_not=why)
    if permit is not None and permit.escrow_posted_on is not None:
        why = say("The escrow is posted; the {clerk} must reverse it first.")
        return Rung("withdraw", title, "", why_not=why)
    text = "It stays on record, and its dates end."
    return Rung("withdraw", title, text, url, "Withdraw")


def _cited(held: NotNow) -> Citation | None:
    """Return the section of the first reason."""
    return held.obstacles[0].citation if held.obstacles else None
