"""Findings: recorded, seen again, answered, confirmed. Former § 17.19(6) and (7)(a)"""

from __future__ import annotations

from datetime import date

from django.db import transaction

from inspections import notices
from inspections.models import ChecklistLine, DocumentedDay, Finding, FindingAnswer, Visit
from permits.models import DocketEntry, NotNow, Site
from portal.models import Upload, User

__all__ = ["answer", "confirm", "drop", "record", "refuse_answer", "see_again"]


@transaction.atomic
def record(
    visit: Visit,
    *,
    by: User,
    what: str,
    section: str,
    correct_by: date,
    who: str = Finding.Who.PERMITTEE,
    line: ChecklistLine | None = None,
    is_violation: bool = False,
) -> Finding:
    """Record what is wrong and by when it must be corrected; the permittee is told at once."""
    site: Site = visit.site.lock()
    if correct_by < visit.visited_on:
        raise NotNow("The day to correct it cannot lie before the visit.")
    last = site.findings.order_by("-number").values_list("number", flat=True).first()
    finding = Finding.objects.create(
        site=site,
        permit=visit.permit,
        visit=visit,
        line=line,
        number=(last or 0) + 1,
        what=what,
        section=section,
        who=who,
        found_on=visit.visited_on,
        correct_by=correct_by,
        is_violation=is_violation,
        recorded_by=by,
    )
    if is_violation:
        _document(finding, visit, by)
    site.record(
        "finding.recorded",
        by=by,
        on=visit.visited_on,
        section=section,
        facts={
            "finding": finding.number,
            "what": what,
            "correct_by": correct_by,
            "violation": is_violation,
        },
    )
    DocketEntry.objects.start(
        finding,
        finding.correction_deadline(),
        title=f"Correct finding {finding.number}: {what[:120]}",
    )
    notices.tell_finding(finding)
    return finding


def _document(finding: Finding, visit: Visit, by: User) -> bool:
    """Count the day once, however many visits saw the violation on it."""
    _, created = DocumentedDay.objects.get_or_create(
        finding=finding, on=visit.visited_on, defaults={"visit": visit, "recorded_by": by}
    )
    return created


@transaction.atomic
def see_again(finding: Finding, visit: Visit, *, by: User) -> bool:
    """Document at a later visit that a finding still stands; returns whether the day is new.

    What was no violation when it was found becomes one with the first documented day, and
    the parties are told. Former § 17.19(9)
    """
    with finding.acting():
        if finding.status not in (Finding.Status.OPEN, Finding.Status.ANSWERED):
            raise NotNow("This finding is closed.")
        if visit.site_id != finding.site_id:
            raise NotNow("The visit was to another site.")
        if visit.visited_on < finding.found_on:
            raise NotNow("That visit was made before the finding was recorded.")
        turned = not finding.is_violation
        if turned:
            finding.is_violation = True
            finding.save(update_fields=["is_violation"])
        new = _document(finding, visit, by)
        if new:
            finding.site.record(
                "finding.seen_again",
                by=by,
                on=visit.visited_on,
                section=finding.section,
                facts={"finding": finding.number, "became_violation": turned},
            )
        if turned:
            notices.tell_violation(finding, on=visit.visited_on)
        return new


@transaction.atomic
def answer(
    finding: Finding, *, by: User, on: date, text: str, photos: list[Upload]
) -> FindingAnswer:
    """Say what was done, with photos; the inspector confirms it or does not."""
    with finding.acting():
        if finding.status == Finding.Status.OPEN:
            finding.move_to(Finding.Status.ANSWERED)
            finding.save(update_fields=["status"])
        elif finding.status != Finding.Status.ANSWERED:
            raise NotNow("This finding is closed; there is nothing left to answer.")
        given = FindingAnswer.objects.create(finding=finding, text=text, by=by)
        given.photos.set(photos)
        finding.site.record(
            "finding.answered",
            by=by,
            on=on,
            section=finding.section,
            facts={"finding": finding.number, "text": text, "photos": len(photos)},
        )
        notices.tell_answer(given, on=on)
        return given


@transaction.atomic
def confirm(finding: Finding, *, by: User, on: date, how: str, corrected_on: date) -> None:
    """Confirm, at a visit or from the photos, that the finding is corrected."""
    with finding.acting():
        if not finding.found_on <= corrected_on <= on:
            raise NotNow("It was corrected between the day it was found and today.")
        finding.move_to(Finding.Status.CORRECTED)
        finding.corrected_on, finding.confirmed_by, finding.confirmed_how = corrected_on, by, how
        finding.save(update_fields=["status", "corrected_on", "confirmed_by", "confirmed_how"])
        DocketEntry.objects.close(finding, "correction", met_on=corrected_on)
        finding.site.record(
            "finding.corrected",
            by=by,
            on=on,
            section=finding.section,
            facts={"finding": finding.number, "corrected_on": corrected_on, "how": how},
        )
        notices.tell_confirmed(finding, on=on)


@transaction.atomic
def refuse_answer(finding: Finding, *, by: User, on: date, reason: str) -> None:
    """Say that an answer does not show the correction; the finding is open again."""
    with finding.acting():
        if finding.status != Finding.Status.ANSWERED:
            raise NotNow("There is no answer to refuse.")
        finding.move_to(Finding.Status.OPEN)
        finding.save(update_fields=["status"])
        finding.site.record(
            "finding.not_confirmed",
            by=by,
            on=on,
            section=finding.section,
            reason=reason,
            facts={"finding": finding.number},
        )
        notices.tell_refused(finding, on=on, reason=reason)


@transaction.atomic
def drop(finding: Finding, *, by: User, on: date, reason: str) -> None:
    """Drop a finding recorded in error; the row and its reason stay on record."""
    with finding.acting():
        finding.move_to(Finding.Status.DROPPED)
        finding.save(update_fields=["status"])
        DocketEntry.objects.drop(finding, on=on)
        finding.site.record(
            "finding.dropped",
            by=by,
            on=on,
            section=finding.section,
            reason=reason,
            facts={"finding": finding.number},
        )
        notices.tell_dropped(finding, on=on, reason=reason)
