"""The notice of maintenance: told with its time, extended, corrected, or left to the city.

Former § 17.19(4)(f)(6). The responsible party gets it by letter, with proof of mailing; an
e-mail goes as a copy. The correction is in `acts.corrections`; what is not corrected in time
opens city work (`acts.work`), (7).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import transaction

from enforcement import upkeep_papers
from enforcement.docketing import settle
from enforcement.models import (
    Addressee,
    UpkeepExtension,
    UpkeepLine,
    UpkeepNotice,
    UpkeepStatus,
)
from enforcement.models.upkeep import CAUSE
from enforcement.persons import Person, persons_of
from enforcement.telling import refuse_without_address, tell, told_of
from inspections.models import UpkeepInspection
from permits.models import (
    AgreementPractice,
    DocketEntry,
    MaintenanceAgreement,
    NotNow,
    current_owner,
)
from portal import city, city_calendar, numbers
from portal.formats import long_date
from portal.models import Mailing, User
from portal.ordinance import Deadline, Obstacle
from portal.ordinance.upkeep import NoticeFacts, correction_deadline, obstacles_to_notice

__all__ = [
    "ADDRESSED",
    "CAUSE",
    "MEANS",
    "Line",
    "demand_standing",
    "end",
    "ended_words",
    "extend",
    "issue",
    "last_day",
    "persons_told",
    "reverse",
    "tell_again",
    "tell_end",
    "why_not_issue",
    "withdraw",
]

MEANS = (Mailing.Means.CERTIFIED, Mailing.Means.US_MAIL)
"""A letter with its proof of mailing; an e-mail goes beside it and takes its place nowhere."""
ADDRESSED = (Addressee.Role.PARTY, Addressee.Role.LANDOWNER)


@dataclass(frozen=True)
class Line:
    """One corrective action: at which practice, what is wrong, what corrects it."""

    practice: AgreementPractice
    problem: str
    what: str


# Facts and reasons ------------------------------------------------------------------------


def ended_words(agreement: MaintenanceAgreement, *, on: date) -> str:
    """Say how an agreement ended, or nothing while it binds."""
    if agreement.recorded_on is None or agreement.is_in_force(on):
        return ""
    return agreement.get_status_display().lower()


def why_not_issue(inspection: UpkeepInspection, *, on: date) -> list[Obstacle]:
    """Return every reason why no notice can be given on an inspection."""
    standing = inspection.notices.exclude(  # type: ignore[attr-defined]
        status__in=[UpkeepStatus.WITHDRAWN, UpkeepStatus.REVERSED]
    ).first()
    finished = UpkeepInspection.objects.filter(
        agreement=inspection.agreement_id, status=UpkeepInspection.Status.FINISHED
    )
    later = finished.filter(begun_at__gt=inspection.begun_at).order_by("-begun_at").first()
    facts = NoticeFacts(
        later=str(later or ""),
        recorded_on=inspection.agreement.recorded_on,
        ended=ended_words(inspection.agreement, on=on),
        problems=len(inspection.problems()),
        running=standing.number if standing else "",
        inspected=inspection.status == UpkeepInspection.Status.FINISHED,
    )
    return obstacles_to_notice(facts, edition=city.edition_on(on))


def persons_told(agreement: MaintenanceAgreement, *, on: date) -> list[Person]:
    """Return whom a notice concerns: the responsible party first, then whoever owns the land."""
    party = agreement.responsible_party(on)
    found = [
        Person(
            role=Addressee.Role.PARTY,
            name=str(party),
            mailing_address=party.mailing_address,
            email=party.email,
            source=f"responsible party of {agreement}",
        )
    ]
    owner = current_owner(agreement.site, on=on)
    known = [] if owner is None else [str(owner)]
    if owner is not None and str(owner) != str(party):
        found.append(
            Person(
                role=Addressee.Role.LANDOWNER,
                name=str(owner),
                mailing_address=owner.mailing_address,
                email=owner.email,
                source=owner.source,
            )
        )
    names = {person.name for person in found} | set(known)
    others = persons_of(agreement.site, agreement.permit)
    return found + [
        person for person in others if person.role in ADDRESSED and person.name not in names
    ]


def last_day(issued_on: date, until: date) -> Deadline:
    """Return the last day of a time that would be set, for the page that asks."""
    return correction_deadline(
        issued_on,
        until,
        calendar=city_calendar.current_calendar(),
        edition=city.edition_on(issued_on),
    )


# The notice -------------------------------------------------------------------------------


@transaction.atomic
def issue(
    inspection: UpkeepInspection,
    *,
    by: User,
    on: date,
    correct_by: date,
    lines: Sequence[Line],
    told: Sequence[tuple[Person, str]],
    why_enough: str = "",
) -> UpkeepNotice:
    """Tell the responsible party what to correct and by when: number, letters, two clocks."""
    agreement = inspection.agreement
    with inspection.acting():
        agreement.refresh_from_db()
        if found := why_not_issue(inspection, on=on):
            raise NotNow("The notice of maintenance cannot be given yet.", found)
        _refuse(agreement, lines, told, correct_by, on)
        notice = UpkeepNotice.objects.create(
            number=numbers.next_number("MN", on=on),
            site=inspection.site,
            agreement=agreement,
            inspection=inspection,
            issued_on=on,
            correct_by=correct_by,
            why_enough=why_enough,
            issued_by=by,
        )
        for number, line in enumerate(lines, start=1):
            UpkeepLine.objects.create(
                notice=notice,
                number=number,
                practice=line.practice,
                problem=line.problem,
                what=line.what,
            )
        settle(notice, on=on)
        _send(notice, told)
        notice.site.record(
            "upkeep.notice_issued",
            by=by,
            on=on,
            section="maintenance",
            facts={
                "notice": notice.number,
                "agreement": agreement.number,
                "inspection": inspection.number,
                "lines": [f"{line.practice}: {line.what}" for line in lines],
                "last_day": notice.correction_deadline().on,
                "told": [person.name for person, _ in told],
            },
        )
        return notice


def _refuse(
    agreement: MaintenanceAgreement,
    lines: Sequence[Line],
    told: Sequence[tuple[Person, str]],
    correct_by: date,
    on: date,
) -> None:
    if correct_by <= on:
        raise NotNow(f"The time to correct ends after today, {long_date(on)}.")
    if not lines:
        raise NotNow("The notice names at least one corrective action.")
    for number, line in enumerate(lines, start=1):
        if line.practice.agreement_id != agreement.pk:
            raise NotNow(f"Line {number} names a practice of another agreement.")
        if not line.what.strip():
            raise NotNow(f"Line {number} says what corrects the problem.")
    refuse_without_address(told, requires_us_mail=True)
    if not any(person.role == Addressee.Role.PARTY for person, _ in told):
        raise NotNow("The responsible party of the agreement is told.")


def _send(notice: UpkeepNotice, told: Sequence[tuple[Person, str]]) -> None:
    """Make a letter for each person told; each waits in the mail room."""
    names = [person for person, _ in told]
    for person, means in told:
        paper = upkeep_papers.letter(notice, person, means, names)
        tell(
            notice,
            [(person, means)],
            cause=f"{CAUSE}:{notice.number}",
            subject_line=f"Notice of maintenance {notice.number}: correct by "
            f"{long_date(notice.correction_deadline().on)}",
            on=notice.issued_on,
            paper=paper,
            template="upkeep_notice",
            requires_us_mail=True,
            notice=notice,
            agreement=notice.agreement,
            lines=list(notice.lines.select_related("practice")),
            clock=notice.correction_deadline(),
            opens=notice.city_work_opens(),
        )
        if notice.paper_id is None:
            notice.paper = paper
    notice.save(update_fields=["paper"])


def extend(notice: UpkeepNotice, *, by: User, on: date, until: date, reason: str) -> None:
    """Give more time by a row of its own; both clocks of the notice move. (4)(f)(6)"""
    with notice.acting():
        demand_standing(notice)
        before = notice.set_until
        if until <= before:
            raise NotNow(
                f"The time is set until {long_date(before)}; more time ends on a later day."
            )
        if until <= on:
            raise NotNow(f"More time ends after today, {long_date(on)}.")
        if not reason.strip():
            raise NotNow("Say why more time is given.")
        UpkeepExtension.objects.create(
            notice=notice, before=before, until=until, reason=reason, on=on, by=by
        )
        DocketEntry.objects.count_again(notice)
        last = notice.correction_deadline()
        notice.site.record(
            "upkeep.time_extended",
            by=by,
            on=on,
            section="maintenance",
            reason=reason,
            facts={"notice": notice.number, "before": before, "until": until, "last_day": last.on},
        )
        extensions = notice.extensions.count()
        tell_again(
            notice,
            f"upkeep_more_time:{notice.number}:{extensions}",
            f"Notice of maintenance {notice.number}: time until {long_date(last.on)}",
            "upkeep_more_time",
            on=on,
            why=reason,
            clock=last,
        )


def demand_standing(notice: UpkeepNotice) -> None:
    if not notice.is_standing:
        raise NotNow(f"Notice {notice} is closed: {notice.get_status_display().lower()}.")


# Other ends -------------------------------------------------------------------------------


def withdraw(notice: UpkeepNotice, *, by: User, on: date, why: str) -> None:
    """Withdraw a notice under which no work was begun; its clocks end."""
    _close(notice, UpkeepStatus.WITHDRAWN, by=by, on=on, why=why)


def reverse(notice: UpkeepNotice, *, by: User, on: date, why: str) -> None:
    """Take note that the board of zoning appeals reversed it. Former § 17.19(8)"""
    _close(notice, UpkeepStatus.REVERSED, by=by, on=on, why=why)


def _close(notice: UpkeepNotice, status: UpkeepStatus, *, by: User, on: date, why: str) -> None:
    with notice.acting():
        notice.demand(status)
        if not why.strip():
            raise NotNow("Say why the notice is withdrawn.")
        if on < notice.issued_on:
            raise NotNow(f"The notice was issued on {long_date(notice.issued_on)}.")
        end(notice, status, by=by, on=on, why=why)
        notice.site.record(
            "upkeep.notice_withdrawn",
            by=by,
            on=on,
            section="appeal" if status == UpkeepStatus.REVERSED else "maintenance",
            reason=why,
            facts={"notice": notice.number, "reversed": status == UpkeepStatus.REVERSED},
        )
        tell_end(notice, on, why)


def end(
    notice: UpkeepNotice,
    status: UpkeepStatus,
    *,
    by: User,
    on: date,
    why: str,
    met_on: date | None = None,
) -> None:
    notice.move_to(status)
    notice.ended_on, notice.ended_by, notice.ended_why = on, by, why
    notice.save(update_fields=["status", "corrected_on", "ended_on", "ended_by", "ended_why"])
    settle(notice, on=on, met_on=met_on)


def tell_end(notice: UpkeepNotice, on: date, why: str) -> None:
    """Tell everybody who has the notice that it does not stand any more."""
    tell_again(
        notice,
        f"upkeep_ended:{notice.number}",
        f"Notice of maintenance {notice.number}: {notice.get_status_display().lower()}",
        "upkeep_ended",
        on=on,
        why=why,
    )


def tell_again(
    notice: UpkeepNotice, cause: str, subject: str, template: str, *, on: date, **context: Any
) -> None:
    """Tell everybody who has the notice what has changed."""
    if people := told_of(notice):
        tell(
            notice,
            people,
            cause=cause,
            subject_line=subject,
            on=on,
            paper=None,
            template=template,
            notice=notice,
            agreement=notice.agreement,
            **context,
        )
