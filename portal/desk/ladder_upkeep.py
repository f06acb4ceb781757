"""What may be done under a recorded agreement: reports, inspections, notices, city work."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from enforcement import access
from enforcement.acts import work
from enforcement.models import UpkeepNotice
from inspections.upkeep import due_within
from permits.models import MaintenanceAgreement
from portal.city import edition_on
from portal.formats import long_date
from portal.models import User
from portal.ordinance.wording import counted

from .case_file import CaseFile
from .ladder import Reason, Rung, policy
from .links import find_url

__all__ = ["upkeep_rungs"]


def upkeep_rungs(file: CaseFile, *, user: User, on: date) -> list[Rung]:
    """Return the acts of upkeep, for one person on one day."""
    if not (user.is_city_staff or file.application.applicant_id == user.pk):
        return []
    rungs = [rung for each in file.upkeep_notices for rung in _notice(each, user, on)]
    return [*rungs, *(_schedule(file, each, user, on) for each in file.agreements)]


def _schedule(file: CaseFile, agreement: MaintenanceAgreement, user: User, on: date) -> Rung:
    mine = [each for each in file.upkeep if each.agreement.pk == agreement.pk]
    late = [each for each in mine if each.is_late(on)]
    year = due_within(mine, until=date(on.year, 12, 31))
    if late:
        text = f"{counted(len(late), 'task').capitalize()} of the schedule passed without a report."
    elif year:
        text = f"Next: {year[0].task.what}, by {long_date(year[0].due_on)}."
    else:
        first = min((each.due_on for each in mine), default=None)
        text = "Nothing more is due this year."
        text += f" Next on {long_date(first)}." if first else ""
    return Rung(
        f"upkeep-{agreement}",
        f"Upkeep under agreement {agreement}",
        text,
        find_url("upkeep", agreement.key),
        "The schedule" if user.is_city_staff else "See and report",
        citation=edition_on(on).citation("maintenance", "(2)"),
        first=bool(late) and not user.is_city_staff,
    )


def _notice(notice: UpkeepNotice, user: User, on: date) -> Iterator[Rung]:
    last = notice.correction_deadline()
    late = last.is_late(on)
    yield Rung(
        f"notice-{notice}",
        f"Notice of maintenance {notice}",
        f"{'It was' if late else 'It is'} to be corrected by {long_date(last.on)}.",
        notice.get_absolute_url(),
        "See the notice",
        citation=edition_on(on).citation("maintenance", "(6)"),
        first=not user.is_city_staff,
    )
    if user.is_city_staff:
        may = access.may_enforce(user)
        yield Rung(
            f"upkeep-work-{notice}",
            f"Do what notice {notice} asks for",
            "The time is over; the cost is billed, and unpaid it becomes a special charge.",
            find_url("city_work_new", notice.key),
            "Begin the work",
            obstacles=tuple(Reason(each) for each in work.why_not_begin(notice, on=on)),
            why_not="" if may else policy(access.may_enforce),
            citation=edition_on(on).citation("maintenance", "(7)"),
        )
