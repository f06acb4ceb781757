"""Recorded agreements and their upkeep for tests, made by the acts where there is one."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from django.db import transaction

from enforcement.acts import upkeep as notice_acts
from enforcement.models import UpkeepNotice
from inspections.acts import upkeep as acts
from inspections.models import UpkeepInspection
from permits import mailroom
from permits.models import MaintenanceAgreement, Site
from portal import numbers
from portal.models import Upload
from tests import factory

__all__ = ["agreement", "inspected", "mailed", "notice"]

RECORDED = date(2026, 1, 12)
PARTY: dict[str, Any] = {
    "party_kind": "association",
    "party_name": "Ida Lund",
    "party_organization": "Reed Bend Homeowners Association",
    "party_address": "4 Reed Bend\nExample, WI 54999",
    "party_email": "reeds@example.test",
}
PRACTICES = (
    ("Wet basin", "Behind lot 4", "Clean the outlet", 6),
    ("Grassed swale", "Along Reed Bend", "Mow and take the cuttings away", 12),
)
_serial = itertools.count(1)


@transaction.atomic
def agreement(
    site: Site,
    *,
    recorded_on: date = RECORDED,
    practices: Sequence[tuple[str, str, str, int]] = PRACTICES,
    **facts: Any,
) -> MaintenanceAgreement:
    """An agreement as it was entered from the register of deeds."""
    made = MaintenanceAgreement.objects.create(
        number=numbers.next_number("MA", on=recorded_on),
        site=site,
        permit=site.permits.order_by("pk").last(),
        status="recorded",
        entered_as_recorded=True,
        drafted_on=recorded_on,
        drafted_by=factory.inspector(),
        recorded_on=recorded_on,
        document_number=f"44{next(_serial):05d}",
        county="Example County",
        **(PARTY | facts),
    )
    for number, (name, place, task, months) in enumerate(practices, start=1):
        made.practices.create(
            number=number, name=name, place=place, drainage_area=f"The lots of row {number}"
        ).tasks.create(number=1, what=task, every_months=months, by_whom="the association")
    made.recordings.create(
        recorded_on=made.recorded_on,
        document_number=made.document_number,
        county=made.county,
        by=made.drafted_by,
        on=recorded_on,
    )
    return made


def inspected(
    bound: MaintenanceAgreement,
    *,
    on: date,
    problems: Sequence[int] = (1,),
    photos: Sequence[Upload] = (),
) -> UpkeepInspection:
    """A finished inspection with a problem at the practices of these numbers."""
    begun = acts.begin(bound, by=factory.inspector(), on=on)
    for practice in bound.practices.all():
        wrong = practice.number in problems
        acts.look(
            begun,
            practice,
            by=factory.inspector(),
            result="problem" if wrong else "fine",
            words=f"The {practice.name.lower()} is choked with reeds." if wrong else "",
            correction="Cut the reeds and clean the outlet." if wrong else "",
            photos=photos,
        )
    return acts.finish(begun, by=factory.inspector(), on=on)


def notice(
    found: UpkeepInspection, *, on: date, correct_by: date | None = None, mail: bool = True
) -> UpkeepNotice:
    """A notice of maintenance on an inspection; the post has its letters the same day."""
    lines = [
        notice_acts.Line(look.practice, look.words, look.correction) for look in found.problems()
    ]
    told = [
        (person, "certified")
        for person in notice_acts.persons_told(found.agreement, on=on)
        if person.role == "party"
    ]
    made = notice_acts.issue(
        found,
        by=factory.inspector(),
        on=on,
        correct_by=correct_by or on + timedelta(days=21),
        lines=lines,
        told=told,
    )
    if mail:
        mailed(made, on=on)
    return made


def mailed(made: UpkeepNotice, *, on: date) -> None:
    """Hand every letter of a notice to the post, which takes it that day."""
    letters = made.letters()
    mailroom.deposit(letters, by=factory.clerk(), on=on, today=on)
    mailroom.accept(letters, by=factory.clerk(), on=on, today=on)
