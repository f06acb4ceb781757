"""What the responsible party is told of upkeep: reports of inspections, and what is due.

By e-mail where there is an address, else by letter. The holder of the case is told by
e-mail as well, where that is somebody else. Former § 17.19(4)(f)(2), (5)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import Any

from django.conf import settings
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse

from inspections import upkeep_papers
from inspections.models import PracticeLook, UpkeepInspection, UpkeepReport
from inspections.upkeep import TaskStanding, due_within, tasks_of
from permits.models import CasePaper, MaintenanceAgreement
from permits.people import Recipient, inspectors
from portal import city_calendar, mailroom, outbox
from portal.formats import long_date
from portal.models import Mailing, OutboxMessage

__all__ = ["AHEAD", "recipients", "remind", "tell_inspected", "tell_report", "tell_the_inspectors"]

AHEAD = timedelta(days=30)
"""So long before a day of the schedule its party is reminded, and once when it has passed."""
RECENT = timedelta(days=60)
"""A day that passed longer ago is left to the page and to the city's look."""
AT_ONCE = 500


def recipients(agreement: MaintenanceAgreement, *, on: date) -> list[Recipient]:
    """Return the responsible party, and who holds the case where that is somebody else.

    A party that holds the case itself is told as its holder, whom its pages are open to.
    """
    party = agreement.responsible_party(on)
    application = upkeep_papers.application_of(agreement)
    holder = application.applicant if application is not None else None
    email = holder.email.lower() if holder is not None and holder.is_active else ""
    holds = bool(email) and email == party.email.lower()
    role = "applicant" if holds else "party"
    found = [Recipient(str(party), party.email, party.mailing_address, role)]
    if email and not holds:
        found.append(Recipient(str(holder), email, "", "applicant"))
    return found


def tell_inspected(
    inspection: UpkeepInspection, problems: Sequence[PracticeLook], *, on: date
) -> None:
    """Send the report of an inspection, whether it found a problem or none."""
    what = "in order" if not problems else f"{len(problems)} with a problem"
    _tell(
        inspection.agreement,
        f"upkeep_inspected:{inspection.number}",
        "upkeep_inspected",
        subject=f"Your practices were inspected: {what}",
        on=on,
        paper=inspection.report,
        inspection=inspection,
        problems=problems,
        page_url=settings.PUBLIC_URL + inspection.get_absolute_url(),
    )


def tell_report(report: UpkeepReport, *, on: date) -> None:
    """Tell the inspectors what the party says was done."""
    agreement = report.task.practice.agreement
    tell_the_inspectors(
        agreement,
        f"upkeep_reported:{report.pk}",
        "upkeep_reported",
        subject=f"Upkeep reported: {report.task.what}",
        on=on,
        report=report,
        page_url=settings.PUBLIC_URL + reverse("upkeep", args=[agreement.key]),
    )


def tell_the_inspectors(
    agreement: MaintenanceAgreement,
    cause: str,
    template: str,
    *,
    subject: str,
    on: date,
    **context: Any,
) -> None:
    """Tell the building inspectors, by e-mail; also where nobody applied for the land."""
    for person in inspectors():
        body = _body(person, agreement, template, on, context)
        _queue(person, agreement, cause, subject, body, None)


# What is due ------------------------------------------------------------------------------


def remind(on: date) -> int:
    """Remind of what falls due within a month, and once of what has passed; returns how often.

    Once for each agreement, day of the schedule and stage: run again, it sends nothing.
    """
    rows = MaintenanceAgreement.objects.in_force(on).select_related("site", "permit__application")
    sent = 0
    for chunk in _chunks(rows.order_by("pk").iterator(chunk_size=AT_ONCE)):
        for agreement, due in _due_of(chunk, on):
            sent += _remind(agreement, due, on)
    return sent


def _chunks(rows: Iterable[MaintenanceAgreement]) -> Iterator[list[MaintenanceAgreement]]:
    chunk: list[MaintenanceAgreement] = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == AT_ONCE:
            yield chunk
            chunk = []
    yield chunk


def _due_of(
    agreements: Sequence[MaintenanceAgreement], on: date
) -> Iterator[tuple[MaintenanceAgreement, list[TaskStanding]]]:
    """Yield each agreement with the tasks of one day of its schedule that is near."""
    near = due_within(tasks_of(agreements, with_reports=False), until=on + AHEAD)
    near = [each for each in near if each.due_on >= on - RECENT]
    near.sort(key=lambda each: (each.agreement.pk, each.due_on, each.task.pk))
    for (_, _), group in groupby(near, key=lambda each: (each.agreement.pk, each.due_on)):
        due = list(group)
        yield due[0].agreement, due


def _remind(agreement: MaintenanceAgreement, due: Sequence[TaskStanding], on: date) -> int:
    day = due[0].due_on
    late = day < on
    cause = f"upkeep_{'late' if late else 'due'}:{agreement.number}:{day.isoformat()}"
    with transaction.atomic():
        if _was_told(agreement, cause):
            return 0
        reached = [each for each in recipients(agreement, on=on) if each.email or each.address]
        if not reached:
            return 0  # the page of the agreement says that the address is missing
        needs_letter = not reached[0].email
        _tell(
            agreement,
            cause,
            "upkeep_due",
            subject=f"Upkeep {'was due' if late else 'is due by'} {long_date(day)}",
            on=on,
            paper=upkeep_papers.letter(agreement, due, on=on) if needs_letter else None,
            due=due,
            day=day,
            late=late,
            page_url=settings.PUBLIC_URL + reverse("upkeep", args=[agreement.key]),
        )
    return 1


def _was_told(agreement: MaintenanceAgreement, cause: str) -> bool:
    """Whether anybody was told of this cause already, by e-mail or by letter."""
    number = agreement.site.number
    if OutboxMessage.objects.filter(reference=number, cause=cause).exists():
        return True
    return Mailing.objects.filter(reference=number, cause=cause).exists()


# Telling ----------------------------------------------------------------------------------


def _tell(
    agreement: MaintenanceAgreement,
    cause: str,
    template: str,
    *,
    subject: str,
    on: date,
    paper: CasePaper | None,
    **context: Any,
) -> None:
    """Tell the party and the holder; a mailing on record for each, and the e-mail."""
    document = paper.document if paper else None
    for person in recipients(agreement, on=on):
        if not person.email and not person.address.strip():
            continue  # nobody knows where: the page of the agreement says that it is missing
        body = _body(person, agreement, template, on, context)
        told: dict[str, Any] = {"document": document}
        if not person.email:
            go_by = mailroom.next_mail_day(on, calendar=city_calendar.current_calendar())
            told |= {"subject": subject, "text": "" if document else body, "go_by": go_by}
        Mailing.objects.create(
            reference=agreement.site.number,
            cause=cause,
            means=Mailing.Means.EMAIL if person.email else Mailing.Means.US_MAIL,
            addressee=person.name,
            address=person.email or person.address,
            **told,
        )
        if person.email:
            _queue(person, agreement, cause, subject, body, paper)


def _body(
    person: Recipient,
    agreement: MaintenanceAgreement,
    template: str,
    on: date,
    context: dict[str, Any],
) -> str:
    site = agreement.site
    return render_to_string(
        f"mail/{template}.txt",
        {
            "person": person,
            "agreement": agreement,
            "site": site,
            "city": settings.CITY,
            "url": settings.PUBLIC_URL + site.get_absolute_url(),
            "public_url": settings.PUBLIC_URL + site.get_public_url() if site.filed_on else "",
            "by_mail": not person.email,
            "on": on,
            **context,
        },
    )


def _queue(
    person: Recipient,
    agreement: MaintenanceAgreement,
    cause: str,
    subject: str,
    body: str,
    paper: CasePaper | None,
) -> None:
    outbox.queue(
        key=f"{agreement.site.number}:{cause}:{person.email}",
        recipient=person.email,
        subject=f"{subject} [{agreement.site.number}]",
        body=body,
        reference=agreement.site.number,
        cause=cause,
        attachment=paper.document if paper else None,
    )
