"""The case record of a large city: the events that the acts would have left, sealed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from itertools import chain
from typing import Any, cast
from zoneinfo import ZoneInfo

from django.conf import settings

from permits.models import Application, CaseEvent, Permit
from permits.models.record import GENESIS
from portal.models import User

from .stories import Story

__all__ = ["Happening", "Sealed", "Staff", "at", "seal"]

Happening = tuple[str, date, User, dict[str, Any]]
SECTIONS = {
    "escrow": "escrow",
    "visit": "inspection",
    "finding": "devices",
    "log": "",
    "stop_work": "enforcement",
    "bill": "maintenance",
}
"""Under which section the events of a subject stand; the others stand under the permit."""


@dataclass(frozen=True)
class Staff:
    """Who decides, and who takes the money."""

    inspector: User
    clerk: User


class Sealed:
    """An event as the table takes it, without the cost of a model; its seal is the model's own."""

    def __init__(self, **values: Any) -> None:
        self.__dict__ = {"reason": "", **values}

    @property
    def told(self) -> tuple[str, date, datetime]:
        """What it is, its day and its moment, for whoever is told of it."""
        held = self.__dict__
        return held["kind"], held["occurred_on"], held["recorded_at"]

    def sealed_text(self) -> str:
        """The text that is sealed, as the model writes it."""
        return CaseEvent.sealed_text(cast(CaseEvent, self))

    def close(self) -> str:
        """Compute the seal, keep it, and return it."""
        found = CaseEvent.compute_hash(cast(CaseEvent, self))
        self.__dict__["hash"] = found
        return found


@lru_cache(maxsize=100_000)
def at(day: date, minutes: int = 0) -> datetime:
    """A moment of that day's morning."""
    morning = datetime.combine(day, time(8, 30), ZoneInfo(settings.TIME_ZONE))
    return morning + timedelta(minutes=minutes)


def seal(
    application: Application,
    story: Story,
    permit: Permit | None,
    staff: Staff,
    due: date | None,
    later: Iterable[Happening] = (),
) -> Iterator[Sealed]:
    """Yield the chain of one site; `due` is the last day of its decision.

    What happened on the site comes `later`.
    """
    before = GENESIS
    people = (application.applicant, staff.inspector, staff.clerk)
    signatures = {person.pk: person.signature for person in people}
    happened = chain(happenings(application, story, permit, staff, due), later)
    for sequence, (kind, on, actor, facts) in enumerate(happened, start=1):
        event = Sealed(
            site_id=application.site_id,
            sequence=sequence,
            kind=kind,
            occurred_on=on,
            recorded_at=at(on, sequence),
            actor_id=actor.pk,
            actor_name=signatures[actor.pk],
            section=SECTIONS.get(kind.partition(".")[0], "permit"),
            facts=facts,
            previous_hash=before,
        )
        before = event.close()
        yield event


def happenings(
    application: Application, story: Story, permit: Permit | None, staff: Staff, due: date | None
) -> Iterator[Happening]:
    """Yield what happened, in order."""
    holder, number = application.applicant, application.number
    yield "application.begun", story.begun, holder, {}
    if story.filed:
        signed = {"signed_name": application.signed_name, "signed_capacity": "Landowner"}
        facts = {"application": number, **signed, "fee_due": "25.00"}
        yield "application.submitted", story.filed, holder, facts
    if story.received and due:
        yield "fee.recorded", story.received, staff.clerk, _fee(application)
        yield "application.received", story.received, staff.clerk, _receipt(application, due)
        yield from _decisions(application, story, staff, due)
    if permit is not None and story.posted:
        total = {"total": str(permit.escrow_amount), "receipt": f"E-{number}", "forms": ["Cash"]}
        yield "escrow.posted", story.posted, staff.clerk, total
        if story.issued:
            facts = {
                "permit": permit.number,
                "application": number,
                "permanent_controls_by": permit.permanent_controls_by.isoformat(),
            }
            yield "permit.issued", story.posted, staff.clerk, facts
    if story.withdrawn:
        yield "application.withdrawn", story.withdrawn, holder, {"application": number}


def _decisions(
    application: Application, story: Story, staff: Staff, due: date
) -> Iterator[Happening]:
    known = {"application": application.number, "due": due.isoformat()}
    if story.denied:
        facts = {**known, "revision": 1, "late": story.denied > due, "changes_count": 1}
        yield "application.denied", story.denied, staff.inspector, facts
    if story.revised:
        yield (
            "revision.filed",
            story.revised,
            application.applicant,
            {"application": application.number, "revision": 2},
        )
    if story.granted:
        facts = {**known, "revision": 2 if story.revised else 1, "escrow_amount": "2500.00"}
        yield "application.granted", story.granted, staff.inspector, facts


def _fee(application: Application) -> dict[str, Any]:
    number = application.number
    return {"application": number, "means": "cash", "amount": "25.00", "receipt": f"R-{number}"}


def _receipt(application: Application, due: date) -> dict[str, Any]:
    days = {
        "form_on": application.form_received_on,
        "plan_on": application.plan_received_on,
        "fee_on": application.fee_received_on,
        "decide_by": due,
    }
    facts = {key: day.isoformat() for key, day in days.items() if day}
    return {"application": application.number, **facts}
