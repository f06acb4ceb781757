"""Upkeep under a recorded agreement: the party's reports, the city's look at each practice.

Former § 17.19(4)(f)(4) and (5)
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from django.db import transaction

from inspections import upkeep_papers, upkeep_telling
from inspections.models import PracticeLook, UpkeepInspection, UpkeepReport, VisitNeed
from permits.models import AgreementPractice, AgreementTask, MaintenanceAgreement, NotNow
from portal import city, clock, numbers
from portal.formats import long_date
from portal.models import Upload, User
from portal.ordinance import Obstacle

__all__ = ["begin", "discard", "finish", "look", "report", "why_not_finish", "why_not_report"]


# What the party reports -------------------------------------------------------------------


def why_not_report(agreement: MaintenanceAgreement, *, on: date) -> list[Obstacle]:
    """Return every reason why nothing can be reported under an agreement."""
    if agreement.is_in_force(on):
        return []
    citation = city.edition_on(on).citation("maintenance")
    text = f"Agreement {agreement} is not in force: {agreement.get_status_display().lower()}."
    return [Obstacle("not-in-force", text, citation, "see the agreement")]


@transaction.atomic
def report(
    task: AgreementTask,
    *,
    by: User,
    on: date,
    done_on: date,
    what: str,
    done_by: str = "",
    files: Sequence[Upload] = (),
) -> UpkeepReport:
    """Report that a task of the schedule was done; the inspectors are told. (4)(f)(4)"""
    agreement = task.practice.agreement
    with agreement.acting():
        if found := why_not_report(agreement, on=on):
            raise NotNow("Nothing can be reported under this agreement.", found)
        _refuse_report(agreement, done_on, what, on)
        made = UpkeepReport.objects.create(
            site=agreement.site,
            task=task,
            done_on=done_on,
            what=what,
            done_by=done_by,
            on=on,
            by=by,
        )
        made.files.set(files)
        agreement.site.record(
            "upkeep.reported",
            by=by,
            on=done_on,
            section="maintenance",
            facts={
                "agreement": agreement.number,
                "practice": str(task.practice),
                "task": task.what,
                "what": what,
                "done_by": done_by,
                "files": [upload.sha256 for upload in files],
            },
        )
        upkeep_telling.tell_report(made, on=on)
        return made


def _refuse_report(agreement: MaintenanceAgreement, done_on: date, what: str, on: date) -> None:
    if done_on > on:
        raise NotNow(f"{long_date(done_on)} is still to come.")
    recorded_on = agreement.recorded_on
    if recorded_on is not None and done_on < recorded_on:
        raise NotNow(
            f"The agreement was recorded on {long_date(recorded_on)}; its schedule runs since then."
        )
    if not what.strip():
        raise NotNow("Say what was done.")


# The city's look --------------------------------------------------------------------------


@transaction.atomic
def begin(agreement: MaintenanceAgreement, *, by: User, on: date) -> UpkeepInspection:
    """Begin to look at the practices, or go on with what is being written already."""
    with agreement.acting():
        if found := why_not_report(agreement, on=on):
            raise NotNow("The practices are not inspected under this agreement.", found)
        standing = agreement.inspections.filter(  # type: ignore[attr-defined]
            status=UpkeepInspection.Status.OPEN
        ).first()
        if isinstance(standing, UpkeepInspection):
            return standing
        return UpkeepInspection.objects.create(
            site=agreement.site, agreement=agreement, inspected_on=on, inspector=by
        )


@transaction.atomic
def look(
    inspection: UpkeepInspection,
    practice: AgreementPractice,
    *,
    by: User,
    result: str,
    words: str = "",
    correction: str = "",
    photos: Sequence[Upload] = (),
) -> PracticeLook:
    """Write how a practice is; written again, the last one counts.

    It is on record once the inspection is finished, like the lines of a visit.
    """
    with inspection.acting():
        _demand_open(inspection)
        if practice.agreement_id != inspection.agreement_id:
            raise NotNow("The practice belongs to another agreement.")
        if result == PracticeLook.Result.PROBLEM and not words.strip():
            raise NotNow("Say what the problem is.")
        made = PracticeLook.objects.create(
            inspection=inspection,
            practice=practice,
            result=result,
            words=words,
            correction=correction if result == PracticeLook.Result.PROBLEM else "",
            by=by,
        )
        made.photos.set(photos)
        return made


def _demand_open(inspection: UpkeepInspection) -> None:
    if inspection.status != UpkeepInspection.Status.OPEN:
        raise NotNow(f"Inspection {inspection} is finished; what it says stands.")


def why_not_finish(inspection: UpkeepInspection) -> list[Obstacle]:
    """Return every practice that nobody has looked at yet."""
    citation = city.edition_on(inspection.inspected_on).citation("maintenance", "(5)")
    if inspection.status == UpkeepInspection.Status.FINISHED:
        text = f"Inspection {inspection} is finished already."
        return [Obstacle("finished", text, citation, "see the report")]
    seen = inspection.newest_looks()
    practices = list(inspection.agreement.practices.all())
    if not practices:
        text = "The agreement names no practice, so there is nothing to look at."
        return [Obstacle("no-practice", text, citation, "see the agreement")]
    return [
        Obstacle(
            f"practice-{practice.number}",
            f"Nobody has written how this one is: {practice}.",
            citation,
            "look at the practice",
        )
        for practice in practices
        if practice.pk not in seen
    ]


@transaction.atomic
def finish(inspection: UpkeepInspection, *, by: User, on: date, note: str = "") -> UpkeepInspection:
    """Finish the inspection: its number and report are made, and the party gets it. (4)(f)(5)"""
    with inspection.acting():
        _demand_open(inspection)
        if found := why_not_finish(inspection):
            raise NotNow("The inspection cannot be finished yet.", found)
        inspection.move_to(UpkeepInspection.Status.FINISHED)
        inspection.number = numbers.next_number("MI", on=inspection.inspected_on)
        inspection.note, inspection.finished_at = note, clock.now()
        inspection.save(update_fields=["status", "number", "note", "finished_at"])
        VisitNeed.objects.open().filter(
            site=inspection.site, reason=VisitNeed.Reason.UPKEEP
        ).update(closed_on=on)
        inspection.report = upkeep_papers.report(inspection)
        inspection.save(update_fields=["report"])
        problems = inspection.problems()
        inspection.site.record(
            "upkeep.inspected",
            by=by,
            on=inspection.inspected_on,
            section="maintenance",
            facts={
                "inspection": inspection.number,
                "agreement": inspection.agreement.number,
                "practices": len(inspection.newest_looks()),
                "problems": [str(look.practice) for look in problems],
            },
        )
        upkeep_telling.tell_inspected(inspection, problems, on=on)
        return inspection


@transaction.atomic
def discard(inspection: UpkeepInspection) -> None:
    """Take back an inspection that was begun by mistake, while nothing is written in it."""
    with inspection.acting():
        _demand_open(inspection)
        if inspection.looks.exists():
            raise NotNow("Something is written already; finish the inspection instead.")
        inspection.delete()
