"""What a person's land has to have done under recorded agreements, for their home page."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta

from enforcement.models import UpkeepNotice
from enforcement.models.stays import read_stays
from inspections.upkeep import TaskStanding, due_within, tasks_of
from permits.models import MaintenanceAgreement, Site
from portal.city_calendar import current_calendar
from portal.models import User
from portal.ordinance import Deadline

__all__ = ["UpkeepOf", "upkeep_of"]

AHEAD = timedelta(days=60)
SHOWN = 10


@dataclass(frozen=True)
class UpkeepOf:
    """Notices that stand, and tasks that are near or have passed, the earliest first."""

    notices: list[tuple[UpkeepNotice, Deadline, bool]] = field(default_factory=list)
    tasks: list[tuple[TaskStanding, bool]] = field(default_factory=list)


def upkeep_of(user: User, *, on: date) -> UpkeepOf:
    """Return what is due on a person's land; where no agreement is, nothing more is read."""
    sites = Site.objects.visible_to(user).values("pk")
    rows = MaintenanceAgreement.objects.in_force(on).filter(site__in=sites)
    agreements = list(rows.select_related("site").order_by("pk"))
    if not agreements:
        return UpkeepOf()
    found = UpkeepNotice.objects.filter(agreement__in=agreements).standing().soonest_first()
    notices = list(found.select_related("site")[:SHOWN])
    read_stays(notices)
    calendar = current_calendar()
    told = []
    for notice in notices:
        last = notice.correction_deadline(calendar=calendar)
        told.append((notice, last, last.is_late(on)))
    due = due_within(tasks_of(agreements, with_reports=False), until=on + AHEAD)[:SHOWN]
    return UpkeepOf(told, [(each, each.is_late(on)) for each in due])
