"""Completion, the final inspection and certificates of occupancy. Former § 17.19(4)(d)"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.db import transaction

from inspections import notices
from inspections.models import Certificate, CompletionReport, FinalInspection, Visit, VisitNeed
from permits import holds
from permits.models import DocketEntry, NotNow, Permit
from portal import city
from portal.city import say
from portal.formats import long_date
from portal.models import User
from portal.ordinance import Deadline
from portal.ordinance.cover import Completion, why_no_deadline

__all__ = [
    "Control",
    "Effect",
    "effect_of",
    "final_of",
    "planned_controls",
    "record_certificate",
    "record_final",
    "report_complete",
    "why_not_certificate",
    "why_not_complete",
    "why_not_final",
]


HELD = "This waits while work is stopped on the site."
FINAL_HELD = "A final inspection cannot pass while work is stopped on the site."


# Completion and the final inspection ------------------------------------------------------


def why_not_complete(permit: Permit) -> str:
    """Say why work cannot be reported complete now, or nothing."""
    if permit.status != Permit.Status.ISSUED:
        return "Only work under an issued permit can be reported complete."
    if permit.final_inspection_passed_on is not None:
        return "The final inspection has passed already."
    asked = VisitNeed.objects.open().filter(site=permit.site_id, reason=VisitNeed.Reason.FINAL)
    if need := asked.first():
        since = long_date(need.since)
        coming = say("the {inspector_short} comes for the final inspection")
        return f"It was reported complete on {since}; {coming}."
    return ""


@transaction.atomic
def report_complete(permit: Permit, *, by: User, on: date, text: str = "") -> CompletionReport:
    """Report the work complete and ask for the final inspection; the inspectors are told."""
    with permit.acting():
        if why := why_not_complete(permit):
            raise NotNow(why)
        permit.refuse(holds.holds(permit.site, holds.Act.REPORT_COMPLETE, on=on), HELD)
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
        notices.tell_complete(report)
        return report


@dataclass(frozen=True)
class Control:
    """A permanent control that the plan names; the final inspection asks for each."""

    key: str
    label: str
    place: str = ""


def planned_controls(permit: Permit) -> list[Control]:
    """Return each permanent device and procedure of the granted plan. Former § 17.19(4)(d)"""
    plan = permit.plan_in_force()
    found = [
        Control(f"device-{device.pk}", device.get_device_display(), device.place)
        for device in plan.devices.all()
        if device.permanent
    ]
    for activity in plan.activities.all():
        if activity.permanent.strip():
            found.append(Control(f"activity-{activity.pk}", activity.permanent, activity.activity))
    return found


def why_not_final(visit: Visit) -> str:
    """Say why a final inspection cannot be recorded at a visit, or nothing."""
    permit = visit.permit
    if permit is None:
        return "A final inspection needs a permit."
    if permit.status not in (Permit.Status.ISSUED, Permit.Status.REVOKED):
        return f"{permit} is {permit.get_status_display().lower()}."
    if FinalInspection.objects.filter(visit=visit).exists():
        return "The final inspection of this visit is recorded already."
    if permit.final_inspection_passed_on is not None:
        return f"It passed on {long_date(permit.final_inspection_passed_on)} already."
    if permit.issued_on is not None and visit.visited_on < permit.issued_on:
        return "The visit was made before the permit was issued."
    return ""


def final_of(visit: Visit, **answers: object) -> FinalInspection:
    """Return the final inspection that these answers would make, not saved."""
    final = FinalInspection(
        permit=visit.permit, visit=visit, inspected_on=visit.visited_on, **answers
    )
    final.passed = final.would_pass()
    return final


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
    controls: Mapping[str, bool] | None = None,
) -> FinalInspection:
    """Record each permanent control and the cover; 70 per cent or more is established.

    `controls` tells of each of `planned_controls`, by key, whether it is in place.
    """
    if not 0 <= density_percent <= 100:
        raise NotNow("The density of the cover lies between 0 and 100 per cent.")
    if visit.permit is None:
        raise NotNow(why_not_final(visit))
    permit = visit.permit
    with permit.acting():
        if why := why_not_final(visit):
            raise NotNow(why)
        final = final_of(
            visit,
            by=by,
            controls_complete=controls_complete and all((controls or {}).values()),
            perennial=perennial,
            density_percent=density_percent,
            method=method,
            note=note,
            controls=seen_controls(visit.permit, controls or {}),
        )
        if final.passed:
            held = holds.holds(permit.site, holds.Act.FINAL_INSPECTION, on=visit.visited_on)
            permit.refuse(held, FINAL_HELD)
        final.save(force_insert=True)
        _note_final(final, by)
        notices.tell_final(final)
        return final


def seen_controls(permit: Permit, controls: Mapping[str, bool]) -> list[dict[str, object]]:
    """Return the controls as they are kept with the inspection: named, placed, in place or not."""
    return [
        {"label": each.label, "place": each.place, "in_place": controls[each.key]}
        for each in planned_controls(permit)
        if each.key in controls
    ]


def _note_final(final: FinalInspection, by: User) -> None:
    """End the clocks if it passed; the request for the inspection is met either way."""
    permit, on = final.permit, final.inspected_on
    if final.passed:
        permit.note_final_inspection(on=on)
        for certificate in permit.certificates.all():
            DocketEntry.objects.close(certificate, "permanent-cover", met_on=on)
    VisitNeed.objects.open().filter(
        site=permit.site, reason=VisitNeed.Reason.FINAL, since__lte=on
    ).update(closed_on=on, met_by=final.visit)
    permit.site.record(
        "final_inspection.recorded",
        by=by,
        on=on,
        section="completion",
        facts={
            "permit": permit.number,
            "passed": final.passed,
            "controls_complete": final.controls_complete,
            "controls": final.controls,
            "perennial": final.perennial,
            "density_percent": final.density_percent,
            "method": final.method,
        },
    )


# Certificates of occupancy ----------------------------------------------------------------


@dataclass(frozen=True)
class Effect:
    """What a certificate would do, shown before it is saved."""

    completion: Completion
    deadline: Deadline | None
    work_open: bool  # on the day of the certificate
    blocked: bool  # outside the winter, with permanent work open: only as irregular
    needs_choice: str
    due_of_this_building: str
    choices: list[tuple[str, str]]  # what each choice would mean for the permit's own date


def effect_of(permit: Permit, issued_on: date) -> Effect:
    """Return what a certificate of occupancy issued on a day does to the permit's dates."""
    passed_on = permit.final_inspection_passed_on
    was_open = work_open(permit, issued_on)
    draft = Certificate(permit=permit, building="", issued_on=issued_on, work_open=was_open)
    made = draft.completion(complete_on=passed_on)
    return Effect(
        completion=made,
        deadline=next(iter(draft.clocks()), None),
        work_open=was_open,
        blocked=was_open and not draft.is_in_winter(),
        needs_choice=made.choice if passed_on is None else "",
        due_of_this_building=draft.what_is_due,
        choices=_choices(draft),
    )


def _choices(draft: Certificate) -> list[tuple[str, str]]:
    """Say of each choice what it means, in the words that mail and letter use later."""
    found = []
    for choice in (Certificate.Choice.CONDITION, Certificate.Choice.LIMIT):
        draft.choice = choice
        found.append((str(choice.label), draft.beside()))
    return found


def work_open(permit: Permit, on: date) -> bool:
    """Whether permanent work was still open on a day: the final inspection had not passed."""
    passed_on = permit.final_inspection_passed_on
    return passed_on is None or passed_on > on


def why_not_certificate(permit: Permit) -> str:
    """Say why no certificate can be recorded for a permit, or nothing."""
    if permit.status != Permit.Status.ISSUED:
        return f"A certificate belongs to an issued permit; {permit} is not one."
    return ""


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
        effect = effect_of(permit, issued_on)
        _refuse_certificate(permit, effect, building, issued_on, on)
        if effect.blocked and not irregular_reason.strip():
            raise NotNow(f"{BLOCKED} {why_no_deadline(city.edition_on(issued_on))}")
        if effect.needs_choice and not choice:
            raise NotNow(effect.needs_choice)
        certificate = Certificate.objects.create(
            permit=permit,
            building=building,
            issued_on=issued_on,
            work_open=effect.work_open,
            irregular_reason=irregular_reason if effect.blocked else "",
            choice=choice if effect.needs_choice else "",
            choice_reason=choice_reason if effect.needs_choice else "",
            recorded_by=by,
        )
        _record_certificate(certificate, effect, by=by, on=on)
        notices.tell_certificate(certificate, on=on)
        return certificate


BLOCKED = (
    "Permanent work is open: complete it first, or record the certificate as irregular, with the "
    "reason."
)


def _refuse_certificate(
    permit: Permit, effect: Effect, building: str, issued_on: date, on: date
) -> None:
    if why := why_not_certificate(permit):
        raise NotNow(why)
    permit.refuse(holds.holds(permit.site, holds.Act.CERTIFICATE, on=on), HELD)
    if not permit.issued_on or not permit.issued_on <= issued_on <= on:
        raise NotNow("The certificate was issued between the permit's issue and today.")
    if permit.certificates.filter(building__iexact=building).exists():
        raise NotNow(f"A certificate for {building} is recorded already.")


def _record_certificate(certificate: Certificate, effect: Effect, *, by: User, on: date) -> None:
    permit, building = certificate.permit, certificate.building
    permit.site.record(
        "certificate.recorded",
        by=by,
        on=on,
        section="completion",
        reason=certificate.irregular_reason or certificate.choice_reason,
        facts={
            "permit": permit.number,
            "building": building,
            "issued_on": certificate.issued_on,
            "due": effect.deadline.on if effect.deadline else None,
            "irregular": effect.blocked,
            "choice": certificate.choice,
        },
    )
    for count in certificate.clocks():
        DocketEntry.objects.start(
            certificate,
            count,
            title=f"Permanent cover due, {building[:80]}, permit {permit.number}",
        )
