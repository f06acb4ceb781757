"""The paper of a notice of maintenance. Former § 17.19(4)(f)(6)"""

from __future__ import annotations

from collections.abc import Sequence

from enforcement.models import UpkeepNotice
from enforcement.papers import store
from enforcement.persons import Person
from permits.models import CasePaper
from portal.models import Mailing

__all__ = ["letter"]


def letter(notice: UpkeepNotice, person: Person, means: str, told: Sequence[Person]) -> CasePaper:
    """The notice to one of those who are told, for the window of its envelope. (4)(f)(6)"""
    return store(
        notice.site,
        CasePaper.Kind.UPKEEP_NOTICE,
        f"Notice of maintenance {notice.number} to {person.name}"[:200],
        on=notice.issued_on,
        reference=notice.number,
        application=notice.application,
        persons=[person],
        delivery=f"By {Mailing.Means(means).label.replace('Certified', 'certified')}",
        notice=notice,
        agreement=notice.agreement,
        inspection=notice.inspection,
        lines=list(notice.lines.select_related("practice")),
        person=person,
        told=told,
        clock=notice.correction_deadline(),
        opens=notice.city_work_opens(),
        appeal=notice.appeal_deadline(),
    )
