"""What may be done on the site of an issued permit: log, findings, cover, certificates, end."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from inspections import access
from inspections.acts.closing import obstacles_to_close
from inspections.acts.cover import why_not_complete
from permits.holds import Act, holds
from permits.models import Permit
from portal.city import edition_on, say
from portal.models import User
from portal.ordinance.wording import counted

from .case_file import CaseFile
from .ladder import Reason, Rung, policy
from .links import find_url

__all__ = ["site_rungs"]


def site_rungs(file: CaseFile, *, user: User, on: date) -> list[Rung]:
    """Return the acts on the site of an issued permit, for one person on one day."""
    permit = file.permit
    if permit is None or permit.issued_on is None:
        return []
    rungs = [_findings(file), _log(file, user)]
    if file.application.applicant_id == user.pk:
        rungs.append(_complete(file, permit, on))
    if access.may_see_visits(user):
        rungs += _for_staff(file, permit, user, on)
    return [rung for rung in rungs if rung is not None]


def _findings(file: CaseFile) -> Rung | None:
    count = len(file.findings)
    url = find_url("findings", file.site.number)
    if not count:
        return None
    verb = "is" if count == 1 else "are"
    return Rung(
        "findings",
        "Findings",
        f"{counted(count, 'finding').capitalize()} {verb} open.",
        url,
        "See the findings",
        first=True,
    )


def _log(file: CaseFile, user: User) -> Rung:
    mine = file.application.applicant_id == user.pk
    text = "You write it" if mine else "The permittee writes it"
    return Rung(
        "log",
        "Self-inspection log",
        text + say(" every week, and within {rain_hours} hours of {rain} of rain."),
        find_url("log", file.site.number),
        "The log",
    )


def _held(file: CaseFile, act: Act, on: date) -> tuple[Reason, ...]:
    """Return why an act waits while work is stopped on the site."""
    if not file.orders:
        return ()
    return tuple(Reason(each) for each in holds(file.site, act, on=on))


def _complete(file: CaseFile, permit: Permit, on: date) -> Rung | None:
    if permit.status != Permit.Status.ISSUED:
        return None
    return Rung(
        "complete",
        "Report the work complete",
        say("The {inspector_short} then comes for the final inspection."),
        find_url("complete", file.site.number),
        "Report it",
        obstacles=_held(file, Act.REPORT_COMPLETE, on),
        why_not=why_not_complete(permit),
        citation=edition_on(permit.issued_on or permit.granted_on).citation("completion"),
    )


def _for_staff(file: CaseFile, permit: Permit, user: User, on: date) -> Iterator[Rung]:
    number, edition = file.site.number, edition_on(on)
    yield Rung(
        "visits",
        "Visits",
        "What was seen and when; a new visit begins there.",
        find_url("visits", number),
        "Visits",
    )
    if permit.status != Permit.Status.ISSUED:
        return
    yield Rung(
        "certificate",
        "Record a certificate of occupancy",
        "You see what it does to the dates before it is saved.",
        find_url("certificate", number),
        "Record it",
        obstacles=_held(file, Act.CERTIFICATE, on),
        why_not=""
        if access.may_record_certificate(user)
        else policy(access.may_record_certificate),
        citation=edition.citation("completion"),
    )
    yield Rung(
        "close",
        "Close the permit",
        "Its controls and cover are complete, and no finding is open.",
        find_url("permit_close", number),
        "Close it",
        obstacles=tuple(
            Reason(each) for each in obstacles_to_close(permit, on=on, findings=file.findings)
        ),
        why_not="" if access.may_close(user) else policy(access.may_close),
        citation=edition.citation("escrow"),
    )
