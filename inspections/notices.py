"""What the parties and the inspectors are told of a site, within the act that causes it.

Each has a mailing on record and an e-mail in the outbox; see `permits.notices`.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse

from inspections.models import (
    Certificate,
    Complaint,
    CompletionReport,
    FinalInspection,
    Finding,
    FindingAnswer,
    OpenCover,
    Visit,
    VisitNeed,
    open_cover,
)
from permits.models import CasePaper, Permit
from permits.notices import tell_inspectors, tell_parties
from permits.people import inspectors, notice_parties
from portal import outbox
from portal.formats import long_date, short_date
from portal.models import OutboxMessage
from portal.ordinance.inspection import LOG_DAYS, STATE_LOG_RULE

__all__ = [
    "remind_of_logs",
    "tell_answer",
    "tell_certificate",
    "tell_closed",
    "tell_complete",
    "tell_confirmed",
    "tell_dropped",
    "tell_final",
    "tell_finding",
    "tell_refused",
    "tell_report",
    "tell_report_by_public",
    "tell_season",
    "tell_violation",
]


# Visits -----------------------------------------------------------------------------------


def tell_report(visit: Visit, paper: CasePaper) -> bool:
    """Send the report of a visit to the parties. False where nobody applied."""
    application = paper.application
    if application is None:
        return False
    findings = list(visit.findings.order_by("number"))
    due = min((finding.correct_by for finding in findings), default=None)
    tell_parties(
        application,
        f"visit_report:{visit.number}",
        subject=f"Report of visit {visit.number}",
        on=visit.visited_on,
        paper=paper,
        visit=visit,
        findings=findings,
        first_due=due,
        report_url=_full(reverse("visit_report", args=[visit.key])),
    )
    return True


def tell_season(permit: Permit, paper: CasePaper, cover: OpenCover, *, on: date) -> None:
    """Send the season letter to the parties of a permit whose cover is open."""
    tell_parties(
        permit.application,
        f"season_letter:{on.isoformat()}",
        subject=f"Permanent cover due by {short_date(cover.deadlines[0].on)}",
        on=on,
        paper=paper,
        permit=permit,
        cover=cover,
    )


# Findings ---------------------------------------------------------------------------------


def tell_finding(finding: Finding) -> bool:
    """Tell the parties at once what is wrong and by when it must be corrected.

    False where nobody applied: there is nobody with an address to tell.
    """
    subject = f"Correct by {short_date(finding.correct_by)}: finding {finding.number}"
    return _tell(
        finding, "finding", subject, finding.found_on, deadline=finding.correction_deadline()
    )


def tell_violation(finding: Finding, *, on: date) -> bool:
    """Tell the parties that a finding, seen again, counts as a violation from that day."""
    return _tell(
        finding,
        "finding_violation",
        f"Finding {finding.number} is a violation since {short_date(on)}",
        on,
        seen_on=on,
        deadline=finding.correction_deadline(),
    )


def tell_confirmed(finding: Finding, *, on: date) -> bool:
    """Tell the parties that the finding is corrected, and how that was confirmed."""
    return _tell(finding, "finding_confirmed", f"Finding {finding.number} is corrected", on)


def tell_refused(finding: Finding, *, on: date, reason: str) -> bool:
    """Tell the parties that their answer does not show the correction, and why."""
    last = finding.answers.order_by("-pk").values_list("pk", flat=True).first()
    return _tell(
        finding,
        "finding_refused",
        f"Finding {finding.number} is still open",
        on,
        which=last,
        reason=reason,
        deadline=finding.correction_deadline(),
    )


def tell_dropped(finding: Finding, *, on: date, reason: str) -> bool:
    """Tell the parties that the finding was recorded in error."""
    subject = f"Finding {finding.number} falls away"
    return _tell(finding, "finding_dropped", subject, on, reason=reason)


def _tell(
    finding: Finding, kind: str, subject: str, on: date, *, which: object = None, **context: Any
) -> bool:
    application = finding.application
    if application is None:
        return False
    cause = f"{kind}:{finding.number}" + (f":{which}" if which else "")
    tell_parties(application, cause, subject=subject, on=on, **_about(finding), **context)
    return True


def _about(finding: Finding) -> dict[str, Any]:
    return {"finding": finding, "finding_url": _full(finding.get_absolute_url())}


def _full(path: str) -> str:
    return f"{settings.PUBLIC_URL}{path}"


def tell_answer(answer: FindingAnswer, *, on: date) -> None:
    """Tell the inspectors what the permittee says was done."""
    finding = answer.finding
    if (application := finding.application) is not None:
        tell_inspectors(
            application,
            f"finding_answered:{finding.number}:{answer.pk}",
            subject=f"Finding {finding.number} is answered",
            on=on,
            answer=answer,
            photos=answer.photos.count(),
            **_about(finding),
        )


# Reports by the public --------------------------------------------------------------------


def tell_report_by_public(complaint: Complaint) -> int:
    """Tell the inspectors of a new report; what was written stays behind the sign-in."""
    people = inspectors()
    for person in people:
        context = {"person": person, "complaint": complaint, "city": settings.CITY}
        context["report_url"] = _full(reverse("report_case", args=[complaint.key]))
        outbox.queue(
            key=f"{complaint.number}:report:{person.email}",
            recipient=person.email,
            subject=f"Report {complaint.number}: {complaint.get_what_display().lower()}",
            body=render_to_string("mail/report_staff.txt", context),
            cause="report-by-public",
        )
    return len(people)


# Completion, certificates, the end --------------------------------------------------------


def tell_complete(report: CompletionReport) -> None:
    """Tell the inspectors that a permittee asks for the final inspection."""
    tell_inspectors(
        report.permit.application,
        f"completion:{report.pk}",
        subject=f"{report.permit}: work reported complete",
        on=report.reported_on,
        permit=report.permit,
        report=report,
    )


def tell_final(final: FinalInspection) -> None:
    """Tell the parties whether the final inspection passed, and why not if it did not."""
    permit = final.permit
    word = "passed" if final.passed else "not passed"
    tell_parties(
        permit.application,
        f"final:{final.pk}",
        subject=f"Final inspection {word}: {permit}",
        on=final.inspected_on,
        permit=permit,
        final=final,
        shortcomings=final.shortcomings(),
        complete_url=_full(reverse("complete", args=[permit.site.number])),
        cover=open_cover(permit),
    )


def tell_certificate(certificate: Certificate, *, on: date) -> None:
    """Tell the parties what a certificate of occupancy does to the dates of the permit."""
    tell_parties(
        certificate.application,
        f"certificate:{certificate.pk}",
        subject=f"Certificate of occupancy, {certificate.building}",
        on=on,
        permit=certificate.permit,
        certificate=certificate,
        deadline=next(iter(certificate.clocks()), None),
        winter=certificate.is_in_winter(),
        what_is_due=certificate.what_is_due,
    )


def tell_closed(permit: Permit) -> None:
    """Tell the parties that the permit is closed."""
    assert permit.closed_on is not None
    tell_parties(
        permit.application,
        "closed",
        subject=f"Permit {permit} is closed",
        on=permit.closed_on,
        permit=permit,
    )


# The log ----------------------------------------------------------------------------------

RECENT = timedelta(days=14)
"""A gap that nobody was told of within two weeks is left to the page and to the visit."""


def remind_of_logs(on: date) -> int:
    """Remind the person who holds a case, once for each gap in the log. NR 216.48(4)"""
    recent = VisitNeed.objects.open().filter(
        reason=VisitNeed.Reason.LOG_GAP, due_on__range=(on - RECENT, on)
    )
    needs = recent.select_related("site").order_by("pk")
    return sum(_remind_of_log(need) for need in needs.iterator(chunk_size=500))


def _remind_of_log(need: VisitNeed) -> int:
    permit = need.site.permits.filter(status=Permit.Status.ISSUED).order_by("-pk").first()
    if permit is None:
        return 0
    site, cause = need.site, f"log_due:{need.since.isoformat()}"
    person = notice_parties(permit.application)[0]
    key = f"{site.number}:{cause}:{person.email}"
    if OutboxMessage.objects.filter(key=key).exists():
        return 0
    context = {
        "person": person,
        "site": site,
        "permit": permit,
        "because": need.because,
        "days": LOG_DAYS,
        "rule": STATE_LOG_RULE,
        "city": settings.CITY,
        "log_url": _full(reverse("log_add", args=[site.number])),
        "url": _full(reverse("log", args=[site.number])),
    }
    outbox.queue(
        key=key,
        recipient=person.email,
        subject=f"The log is due since {long_date(need.since)} [{site.number}]",
        body=render_to_string("mail/log_due.txt", context),
        reference=site.number,
        cause=cause,
    )
    return 1
