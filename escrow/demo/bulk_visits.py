"""Writes what happened on the sites of a large city: visits, findings, needs, logs, reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from functools import cache
from random import Random
from typing import Any
from uuid import uuid4

from django.contrib.contenttypes.models import ContentType
from django.db import models

from inspections.models import (
    ChecklistLine,
    Complaint,
    DocumentedDay,
    Finding,
    LineAnswer,
    LogEntry,
    RainReading,
    Visit,
    VisitNeed,
)
from permits.models import DocketEntry, Permit
from permits.models.docket import bound_to
from portal.city import edition_on
from portal.models import User
from portal.ordinance import Calendar, Deadline
from portal.ordinance.inspection import correction_deadline
from portal.ordinance.site import STANDARDS

from . import crowd
from .outings import Outing, Rain, outings
from .quick import Table, settle_keys
from .seals import Happening, Staff, at

__all__ = ["SiteYears"]

KEYED: tuple[type[models.Model], ...] = (Visit, ChecklistLine, Finding)
LEAVES: tuple[type[models.Model], ...] = (
    LineAnswer,
    DocumentedDay,
    VisitNeed,
    LogEntry,
    DocketEntry,
    Complaint,
    RainReading,
)
OPEN_TURN = 50
"""Every 50th issued site is being visited today."""
REPORT_TURN = 100
"""Of every 100th site somebody reported something; each fifth report is still open."""
LOGGED = 0.9
PHASES = [phase for phase in Visit.Phase.values if phase != Visit.Phase.NOT_BEGUN]
DEVICES = (("Silt fence", "Front line"), ("Tracking pad", "Drive"))
WRONG = "The silt fence is down over some 20 feet."
Number = Callable[[str, date], str]


class SiteYears:
    """The years of every issued site, each as the acts of the inspections would leave them."""

    def __init__(
        self, *, staff: Staff, calendar: Calendar, today: date, number: Number, chance: Random
    ) -> None:
        self.staff, self.today, self.number, self.chance = staff, today, number, chance
        self.tables = {model: Table(model, keyed=True) for model in KEYED}
        self.tables |= {model: Table(model) for model in LEAVES}
        self.finding_type = ContentType.objects.get_for_model(Finding).pk
        self.correction = cache(lambda found, by: _correction(found, by, calendar))
        self.rain = Rain(today, chance)
        self.sites = 0
        for day, inches in self.rain.inches.items():
            source = {"station": "Waterworks", "source": "file", "entered_by_id": staff.clerk.pk}
            self._add(RainReading, on=day, inches=inches, entered_at=at(day), **source)

    def live(self, permit: Permit, issued: date, holder: User) -> list[Happening]:
        """Take the rows of one site, and return what of them belongs in its record."""
        self.sites += 1
        happened: list[Happening] = []
        found = list(outings(issued, self.today, self.rain, self.chance))
        findings = 0
        for outing in found:
            findings += outing.wrong
            happened += self._visit(permit, outing, findings, last=outing is found[-1])
        if self.sites % OPEN_TURN == 1:
            self._lines(self._begin(permit, self.today), self.today, answered=False)
        if self.sites % REPORT_TURN == 1:
            self._report(permit)
        if self.chance.random() < LOGGED:
            happened += self._log(permit, issued, holder)
        return sorted(happened, key=lambda each: each[1])

    def see(self, permit: Permit, on: date) -> tuple[int, Happening]:
        """Take a visit that found all in order; return its key and what is on record."""
        number = self.number("IN", on)
        visit = self._begin(permit, on, number=number, reason="routine")
        facts = {"visit": number, "reason": "routine", "findings": 0, "photos": 0}
        return visit, ("visit.finished", on, self.staff.inspector, facts)

    def write(self) -> None:
        """Write the rows that wait."""
        for table in self.tables.values():
            table.write()
        settle_keys(KEYED)

    # Visits -------------------------------------------------------------------------------

    def _visit(
        self, permit: Permit, outing: Outing, findings: int, *, last: bool
    ) -> Iterator[Happening]:
        number = self.number("IN", outing.on)
        reason = "rain" if outing.rained_on else "routine"
        visit = self._begin(permit, outing.on, number=number, reason=reason)
        if last:
            self._lines(visit, outing.on, answered=True)
        if outing.rained_on and outing.due_on:
            because = f"Rain on {outing.rained_on:%B} {outing.rained_on.day}."
            self._add(
                VisitNeed,
                site_id=permit.site_id,
                reason="rain",
                since=outing.rained_on,
                due_on=outing.due_on,
                because=because,
                closed_on=outing.on,
                met_by_id=visit,
            )
        if outing.wrong:
            yield from self._find(permit, outing, findings, visit)
        facts = {"visit": number, "reason": reason, "findings": int(outing.wrong), "photos": 0}
        yield "visit.finished", outing.on, self.staff.inspector, facts

    def _begin(self, permit: Permit, on: date, **finished: Any) -> int:
        began = at(on, 30)
        if finished:
            finished |= {"status": "finished", "ended_at": began + timedelta(minutes=25)}
        return self._add(
            Visit,
            key=uuid4(),
            site_id=permit.site_id,
            permit_id=permit.pk,
            inspector_id=self.staff.inspector.pk,
            visited_on=on,
            began_at=began,
            weather="after_rain" if finished.get("reason") == "rain" else "dry",
            phase=self.chance.choice(PHASES),
            **finished,
        )

    def _lines(self, visit: int, on: date, *, answered: bool) -> None:
        """The checklist; at this scale of the newest visits alone."""
        devices = [("device", label, place, "plan") for label, place in DEVICES]
        standards = [("standard", rule.title, "", "site") for rule in STANDARDS]
        for position, (kind, label, place, section) in enumerate([*devices, *standards], start=1):
            line = self._add(
                ChecklistLine,
                visit_id=visit,
                position=position,
                kind=kind,
                label=label,
                place=place,
                section=section,
            )
            if answered:
                self._answer(line, at(on, 30 + position))

    def _answer(self, line: int, moment: datetime) -> None:
        moments = {"answered_at": moment, "received_at": moment}
        by = self.staff.inspector.pk
        self._add(LineAnswer, key=uuid4(), line_id=line, by_id=by, outcome="in_place", **moments)

    # Findings -----------------------------------------------------------------------------

    def _find(self, permit: Permit, outing: Outing, number: int, visit: int) -> Iterator[Happening]:
        inspector, corrected = self.staff.inspector, outing.corrected_on
        how = {"confirmed_by_id": inspector.pk, "confirmed_how": "Seen."} if corrected else {}
        finding = self._add(
            Finding,
            key=uuid4(),
            site_id=permit.site_id,
            permit_id=permit.pk,
            visit_id=visit,
            number=number,
            what=WRONG,
            section="devices",
            found_on=outing.on,
            correct_by=outing.correct_by,
            is_violation=outing.violation,
            status="corrected" if corrected else "open",
            recorded_by_id=inspector.pk,
            recorded_at=at(outing.on, 40),
            corrected_on=corrected,
            **how,
        )
        if outing.violation:
            seen = {"on": outing.on, "visit_id": visit, "recorded_by_id": inspector.pk}
            self._add(DocumentedDay, finding_id=finding, **seen)
        self._clock(permit, outing, finding, number)
        assert outing.correct_by
        facts = {"what": WRONG, "correct_by": outing.correct_by.isoformat()}
        facts |= {"finding": number, "violation": outing.violation}  # type: ignore[dict-item]
        yield "finding.recorded", outing.on, inspector, facts
        if corrected:
            done = {"finding": number, "corrected_on": corrected.isoformat(), "how": "Seen."}
            yield "finding.corrected", corrected, inspector, done

    def _clock(self, permit: Permit, outing: Outing, finding: int, number: int) -> None:
        count = self.correction(outing.on, outing.correct_by)
        self._add(
            DocketEntry,
            site_id=permit.site_id,
            subject_type_id=self.finding_type,
            subject_pk=finding,
            title=f"Correct finding {number}: {WRONG}",
            rule=count.key,
            kind=count.kind.value,
            bound=str(bound_to(count)),
            started_on=count.started_on,
            on=count.on,
            safe_on=count.safe_on,
            met_on=outing.corrected_on,
            closed_on=outing.corrected_on,
        )

    # The log, and reports by the public ---------------------------------------------------

    def _log(self, permit: Permit, issued: date, holder: User) -> Iterator[Happening]:
        """The newest entry of the permittee's log, of these days for nearly all."""
        on = max(issued, self.today - timedelta(self.chance.randrange(0, 9)))
        self._add(
            LogEntry,
            key=uuid4(),
            permit_id=permit.pk,
            kind="weekly",
            inspected_on=on,
            inspectors=holder.name,
            weather="Dry",
            phase="Grading",
            entered_by_id=holder.pk,
            entered_at=at(on, 50),
        )
        facts = {"permit": permit.number, "kind": "weekly", "inspectors": holder.name}
        yield "log.entered", on, holder, {**facts, "modifications": [], "photos": 0}

    def _report(self, permit: Permit) -> None:
        on = self.today - timedelta(self.chance.randrange(0, 700))
        is_open = self.sites % (5 * REPORT_TURN) == 1
        answer: dict[str, Any] = {"answer": "Swept.", "answered_on": on}
        answer["answered_by_id"] = self.staff.inspector.pk
        self._add(
            Complaint,
            key=uuid4(),
            number=self.number("RP", on),
            what="mud",
            place=permit.site.address,
            latitude=permit.site.latitude,
            longitude=permit.site.longitude,
            name=crowd.person(self.chance),
            received_on=on,
            received_at=at(on),
            **({} if is_open else answer),
        )

    def _add(self, model: type[models.Model], **values: Any) -> int:
        return self.tables[model].add(**values)


def _correction(found: date, by: date, calendar: Calendar) -> Deadline:
    return correction_deadline(found, by, calendar=calendar, edition=edition_on(found))
