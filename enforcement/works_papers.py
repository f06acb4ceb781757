"""Papers of the city's notices and of its work. Former § 17.19(7)(e), (4)(e)"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from enforcement.models import CityWork, NoticeOfIntent, OwnerNotice, UpkeepNotice
from enforcement.papers import store
from enforcement.persons import Person
from permits.models import Application, CasePaper
from portal.city import edition_on
from portal.models import Mailing
from portal.ordinance.wording import counted

__all__ = ["days_of", "letter_of_intent", "owner_letter", "statement"]

SENT = {
    Mailing.Means.US_MAIL: "By U.S. mail",
    Mailing.Means.CERTIFIED: "By certified mail",
    Mailing.Means.PERSONAL: "By personal service",
}
"""How a letter goes, as its head says."""


def letter_of_intent(
    notice: NoticeOfIntent, person: Person, means: str, told: Sequence[Person]
) -> CasePaper:
    """The notice of intent to one of its addressees, for the window of its envelope. (7)(e)"""
    return store(
        notice.site,
        CasePaper.Kind.NOTICE_OF_INTENT,
        f"Notice of intent {notice.number} to {person.name}"[:200],
        on=notice.issued_on,
        reference=notice.number,
        application=application_of(notice),
        persons=[person],
        delivery=SENT[Mailing.Means(means)],
        notice=notice,
        order=notice.order,
        clock=notice.city_work_opens(),
        appeal=notice.appeal_deadline(),
        told=told,
    )


def owner_letter(notice: OwnerNotice, person: Person, means: str) -> CasePaper:
    """The ten-day notice to one owner, for the window of its envelope. Former § 17.19(4)(e)"""
    return store(
        notice.site,
        CasePaper.Kind.OWNER_NOTICE,
        f"Notice to the property owner {notice.number} to {person.name}"[:200],
        on=notice.made_on,
        reference=notice.number,
        application=application_of(notice),
        persons=[person],
        delivery=SENT[Mailing.Means(means)],
        notice=notice,
        person=person,
        permit=notice.permit,
        **days_of(notice),
    )


def days_of(notice: OwnerNotice) -> dict[str, Any]:
    """How many days the notice gives and the mail takes, in words. Former § 17.19(4)(e)"""
    edition = edition_on(notice.made_on)
    return {
        "days": counted(edition.mailed_notice_days, "day"),
        "mail_days": counted(edition.mail_days, "day"),
    }


def statement(work: CityWork, *, on: date) -> CasePaper:
    """The statement of city work: every cost with its proof, and the total."""
    return store(
        work.site,
        CasePaper.Kind.WORK_STATEMENT,
        f"Statement of city work under notice {work.notice.number}",
        on=on,
        reference=work.notice.number,
        application=application_of(work.notice),
        work=work,
        notice=work.notice,
        costs=list(work.costs.select_related("proof")),
        payers=work.payers(),
        before=list(work.photos_before.all()),
        after=list(work.photos_after.all()),
    )


def application_of(notice: NoticeOfIntent | OwnerNotice | UpkeepNotice) -> Application | None:
    """The application in whose case the paper lies; None where nobody applied."""
    if isinstance(notice, UpkeepNotice):
        return notice.application
    permit = notice.permit if isinstance(notice, OwnerNotice) else notice.order.permit
    return permit.application if permit else None
