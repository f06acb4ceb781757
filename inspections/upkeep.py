"""What the recorded agreements ask for, and when: tasks with their days, looks that are due.

Nothing of it is stored: the schedule is in the agreement, what was done in the reports, and
late is a question with a day. Former § 17.19(4)(f)(2), (4) and (5)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from django.db.models import F, Max, QuerySet

from inspections.models import UpkeepInspection, UpkeepReport
from permits.models import AgreementTask, MaintenanceAgreement, Site
from portal import city, city_calendar
from portal.formats import short_date
from portal.ordinance import Deadline
from portal.ordinance.upkeep import Schedule, look_due, task_deadline, task_schedule

__all__ = [
    "LookDue",
    "TaskStanding",
    "agreements_at",
    "due_within",
    "is_to_be_inspected",
    "looks_due",
    "next_look",
    "standing_of_task",
    "tasks_at",
    "tasks_of",
]

AT_ONCE = 500


@dataclass(frozen=True)
class TaskStanding:
    """A task of a schedule with its next day, and what was reported of it, newest first."""

    task: AgreementTask
    agreement: MaintenanceAgreement
    schedule: Schedule
    reports: list[UpkeepReport] = field(default_factory=list)

    @property
    def due_on(self) -> date:
        """The day of the schedule that comes next, or that has passed."""
        return self.schedule.due_on

    def is_late(self, on: date) -> bool:
        """Whether the day has passed and nothing was reported."""
        return self.schedule.is_late(on)

    @property
    def every(self) -> str:
        """How often, in words."""
        months = self.task.every_months
        if months % 12 == 0:
            years = months // 12
            return "every year" if years == 1 else f"every {years} years"
        return "every month" if months == 1 else f"every {months} months"

    def deadline(self) -> Deadline:
        """Return the day with its count. (4)(f)(2)"""
        recorded_on = _recorded(self.agreement)
        return task_deadline(
            self.schedule,
            self.task.every_months,
            recorded_on=recorded_on,
            calendar=city_calendar.current_calendar(),
            edition=city.edition_on(recorded_on),
        )


def _recorded(agreement: MaintenanceAgreement) -> date:
    assert agreement.recorded_on is not None  # it is in force
    return agreement.recorded_on


def agreements_at(site: Site, *, on: date) -> QuerySet[MaintenanceAgreement]:
    """Return the agreements that bind the land of a site on a day."""
    return MaintenanceAgreement.objects.filter(site=site).in_force(on).order_by("pk")


def tasks_of(
    agreements: Iterable[MaintenanceAgreement], *, with_reports: bool = True
) -> list[TaskStanding]:
    """Return every task of some agreements with how it stands: two queries for all.

    Without the reports themselves it is one: only the days on which something was done.
    """
    by_key = {each.pk: each for each in agreements if each.recorded_on is not None}
    tasks = AgreementTask.objects.filter(practice__agreement__in=by_key).select_related("practice")
    tasks = tasks.order_by("practice__agreement_id", "practice__number", "number")
    if not with_reports:
        return _from_days(tasks, by_key)
    reports: dict[int, list[UpkeepReport]] = defaultdict(list)
    rows = UpkeepReport.objects.filter(task__practice__agreement__in=by_key).select_related("by")
    for report in rows.prefetch_related("files__previews"):
        reports[report.task_id].append(report)
    return [_standing(task, by_key[task.practice.agreement_id], reports[task.pk]) for task in tasks]


def tasks_at(site: Site) -> list[TaskStanding]:
    """Return every task that a recorded agreement asks for at a site, with it: one query."""
    bound = {"practice__agreement__site": site, "practice__agreement__status": "recorded"}
    tasks = AgreementTask.objects.filter(**bound).select_related("practice__agreement")
    ordered = tasks.order_by("practice__agreement_id", "practice__number", "number")
    return _from_days(ordered.exclude(practice__agreement__kind="release"))


def _from_days(
    tasks: QuerySet[AgreementTask], by_key: dict[int, MaintenanceAgreement] | None = None
) -> list[TaskStanding]:
    """Return the tasks in one query, a row for each day on which one was done."""
    found: dict[int, tuple[AgreementTask, list[date]]] = {}
    rows: Any = tasks.annotate(done_on=F("reports__done_on"))
    for task in rows:
        _, days = found.setdefault(task.pk, (task, []))
        if task.done_on is not None:
            days.append(task.done_on)
    known = dict(by_key or {})
    standings = []
    for task, days in found.values():
        key = task.practice.agreement_id
        agreement = known.get(key) or known.setdefault(key, task.practice.agreement)
        standings.append(TaskStanding(task, agreement, _schedule(task, agreement, days)))
    return standings


def standing_of_task(task: AgreementTask) -> TaskStanding:
    """Return how one task stands."""
    rows = task.reports.select_related("by")  # type: ignore[attr-defined]
    return _standing(task, task.practice.agreement, list(rows))


def _standing(
    task: AgreementTask, agreement: MaintenanceAgreement, reports: list[UpkeepReport]
) -> TaskStanding:
    done = [report.done_on for report in reports]
    return TaskStanding(task, agreement, _schedule(task, agreement, done), reports)


def _schedule(
    task: AgreementTask, agreement: MaintenanceAgreement, done: Iterable[date]
) -> Schedule:
    return task_schedule(_recorded(agreement), task.every_months, done, task.first_due_on)


def due_within(standings: Iterable[TaskStanding], *, until: date) -> list[TaskStanding]:
    """Return the tasks that are due by a day, the earliest first."""
    due = [each for each in standings if each.due_on <= until]
    return sorted(due, key=lambda each: (each.due_on, each.task.pk))


# The city's look --------------------------------------------------------------------------


class LookDue(NamedTuple):
    """When and why the city looks at the practices of an agreement."""

    agreement: MaintenanceAgreement
    due_on: date
    because: str


def next_look(
    agreement: MaintenanceAgreement, standings: Sequence[TaskStanding], last: date | None
) -> LookDue:
    """Return the day from which the city looks again, and why. (4)(f)(5)"""
    due = look_due(_recorded(agreement), last, [each.due_on for each in standings])
    late = [each for each in standings if each.due_on < due]
    if late:
        first = min(late, key=lambda each: (each.due_on, each.task.pk))
        return LookDue(
            agreement,
            due,
            f"{agreement}: “{first.task.what}” was due {short_date(first.due_on)}, "
            "and nothing was reported.",
        )
    seen = f"last looked at {short_date(last)}" if last else "not looked at yet"
    return LookDue(agreement, due, f"{agreement}: the practices were {seen}.")


def looks_due(on: date) -> Iterator[LookDue]:
    """Yield each agreement whose practices the city should look at on a day."""
    rows = MaintenanceAgreement.objects.in_force(on).order_by("pk")
    chunk: list[MaintenanceAgreement] = []
    for agreement in rows.iterator(chunk_size=AT_ONCE):
        chunk.append(agreement)
        if len(chunk) == AT_ONCE:
            yield from _due_of(chunk, on)
            chunk = []
    yield from _due_of(chunk, on)


def _due_of(agreements: Sequence[MaintenanceAgreement], on: date) -> Iterator[LookDue]:
    if not agreements:
        return
    standings: dict[int, list[TaskStanding]] = defaultdict(list)
    for standing in tasks_of(agreements, with_reports=False):
        standings[standing.agreement.pk].append(standing)
    last = last_looks(agreements)
    for agreement in agreements:
        look = next_look(agreement, standings[agreement.pk], last.get(agreement.pk))
        if look.due_on <= on:
            yield look


def last_looks(agreements: Iterable[MaintenanceAgreement]) -> dict[int, date]:
    """Return when the practices of some agreements were inspected last."""
    finished = UpkeepInspection.objects.filter(
        agreement__in=[each.pk for each in agreements],
        status=UpkeepInspection.Status.FINISHED,
    )
    rows = finished.order_by().values_list("agreement").annotate(last=Max("inspected_on"))
    return dict(rows.values_list("agreement", "last"))


def is_to_be_inspected(agreement: MaintenanceAgreement, *, on: date) -> bool:
    """Whether the city should look at the practices of an agreement on a day."""
    return any(True for _ in _due_of([agreement], on))
