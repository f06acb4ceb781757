"""Completion, the final inspection and certificates of occupancy. Former § 17.19(4)(d)"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db import transaction

from inspections.models import Certificate, CompletionReport, FinalInspection, Visit, VisitNeed
from permits.models import DocketEntry, NotNow, Permit
from portal.models import User
from portal.ordinance import Deadline
from portal.ordinance.cover import Completion

__all__ = ["Effect", "effect_of", "record_certificate", "record_final", "report_complete"]


@transaction.atomic
def report_complete(permit: Permit, *, by: User, on: date, text: str = "") -> CompletionReport:
    """Report the work complete and ask for the final inspection."""
    with permit.acting():
        if permit.status != Permit.Status.ISSUED:
            raise NotNow("Only work under an issued permit can be reported complete.")
        if permit.final_inspection_passed_on is not None:
            raise NotNow("The final inspection has passed already.")
        report = CompletionReport.objects.create(permit=permit, reported_on=on, text=text, by=by)
        VisitNeed.objects.raise_once(
            permit.site,
            VisitNeed.Reason.FINAL,
            since=on,
            due_on=on,
            because=f"The permittee reported the work complete on {on:%B} {on.day}.",
        )
        permit.site.record(
            "completion.reported",
            by=by,
            on=on,
            section="completion",
            facts={"permit": permit.number, "text": text},
        )
        return report


@transaction.atomic
def record_final(
    visit: Visit,
    *,
    by: User,
    controls_complete: bool,
    perennial: bool,
    density_percent: int,
    method: str,
    note: str = "",
) -> FinalInspection:
    """Record each permanent control and the cover; 70 per cent or more is established."""
    if not 0 <= density_percent <= 100:
        raise NotNow("The density of the cover lies between 0 and 100 per cent.")
    permit = visit.permit
    if permit is None:
        raise NotNow("A final inspection needs a permit.")
    with permit.acting():
        final = FinalInspection(
            permit=permit,
            visit=visit,
            inspected_on=visit.visited_on,
            controls_complete=controls_complete,
            perennial=perennial,
            density_percent=density_percent,
            method=method,
            note=note,
            by=by,
        )
        final.passed = final.would_pass()
        final.save(force_insert=True)
        if final.passed:
            permit.note_final_inspection(on=visit.visited_on)
            for certificate in permit.certificates.all():
                DocketEntry.objects.close(certificate, "permanent-cover", met_on=visit.visited_on)
        permit.site.record(
            "final_inspection.recorded",
            by=by,
            on=visit.visited_on,
            section="completion",
            facts={
                "permit": permit.number,
                "passed": final.passed,
                "controls_complete": controls_complete,
                "perennial": perennial,
                "density_percent": density_percent,
                "method": method,
            },
        )
        return final


@dataclass(frozen=True)
class Effect:
    """What a certificate would do, shown before it is saved."""

    completion: Completion
    deadline: Deadline | None
    blocked: bool  # outside the winter, with permanent work open: only as irregular
    needs_choice: str


def effect_of(permit: Permit, issued_on: date) -> Effect:
    """Return what a certificate of occupancy issued on a day does to the permit's dates."""
    draft = Certificate(permit=permit, building="", issued_on=issued_on, work_open=True)
    passed_on = permit.final_inspection_passed_on
    made = draft.completion(complete_on=passed_on)
    open_work = passed_on is None
    return Effect(
        completion=made,
        deadline=draft.cover_deadline() if open_work else None,
        blocked=open_work and not draft.is_in_winter(),
        needs_choice=made.choice if open_work else "",
    )


@transaction.atomic
def record_certificate(
    permit: Permit,
    *,
    by: User,
    on: date,
    building: str,
    issued_on: date,
    irregular_reason: str = "",
    choice: str = "",
    choice_reason: str = "",
) -> Certificate:
    """Record a certificate of occupancy; in winter it creates the July 15 deadline.

    Outside the winter it is refused while permanent work is open, unless it is recorded as
    irregular with a reason: the work is then due at once.
    """
    with permit.acting():
        if permit.status != Permit.Status.ISSUED:
            raise NotNow("A certificate belongs to an issued permit.")
        if not permit.issued_on or not permit.issued_on <= issued_on <= on:
            raise NotNow("The certificate was issued between the permit's issue and today.")
        effect = effect_of(permit, issued_on)
        if effect.blocked and not irregular_reason:
            raise NotNow(
                "Permanent work is open and the certificate lies outside October 15 to April 15: "
                "record it as irregular, with the reason, or complete the work first."
            )
        if effect.needs_choice and not choice:
            raise NotNow(effect.needs_choice)
        certificate = Certificate.objects.create(
            permit=permit,
            building=building,
            issued_on=issued_on,
            work_open=permit.final_inspection_passed_on is None,
            irregular_reason=irregular_reason,
            choice=choice,
            choice_reason=choice_reason,
            recorded_by=by,
        )
        permit.site.record(
            "certificate.recorded",
            by=by,
            on=on,
            section="completion",
            reason=irregular_reason,
            facts={
                "permit": permit.number,
                "building": building,
                "issued_on": issued_on,
                "due": effect.completion.limit_on,
                "irregular": effect.blocked,
                "choice": choice,
            },
        )
        for count in certificate.clocks():
            DocketEntry.objects.start(
                certificate, count, title=f"Permanent cover due, {building}, permit {permit.number}"
            )
        return certificate
