"""The life of a maintenance agreement after the permit. former § 17.19(4)(f)(2) and (4) to (7)

Its schedule, the city's look at the practices, the time in which a problem is corrected, and
the day from which the city may do what was not done.
"""

from calendar import monthrange
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from .begin_work import BeginFacts, obstacles_to_begin
from .clocks import deadline, waiting_period
from .counting import Count, Unit, Way
from .days import ONE_DAY, Calendar, Roll
from .editions import Edition, all_editions, edition_on
from .obstacles import Obstacle
from .time import Deadline, Terms, WaitingPeriod
from .wording import counted, long_day

__all__ = [
    "LOOK_MONTHS",
    "NoticeFacts",
    "Schedule",
    "WorkFacts",
    "correction_deadline",
    "due_dates",
    "look_due",
    "months_after",
    "obstacles_to_notice",
    "obstacles_to_work",
    "task_deadline",
    "task_schedule",
    "work_opens",
]

LOOK_MONTHS = 12
"""The city looks at practices in upkeep once a year, and at once where a date has passed."""

REPORT_DAYS = 14
"""So long after a scheduled day the party may still report before the city comes to look."""

ROLL_OF = "stop-work-compliance"
"""A day that the city sets moves as its other last days to comply do."""


# The agreement's schedule -----------------------------------------------------------------


def months_after(day: date, months: int) -> date:
    """The same day of a later month; the month's last day where that month is shorter."""
    years, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    last = monthrange(years, month + 1)[1]
    return date(years, month + 1, min(day.day, last))


def due_dates(start_on: date, every_months: int, first_on: date | None = None) -> Iterator[date]:
    """The days on which a task falls due, one by one. former § 17.19(4)(f)(2)

    From the recording of the agreement, or from the first day that it names. Of a rhythm that
    began earlier, as in an amendment, the days before the recording are passed over: until
    then the agreement bound nobody. Raises ValueError for an interval of no month.
    """
    if every_months < 1:
        raise ValueError("a task recurs after one month at least")
    start, times = (first_on, 0) if first_on else (start_on, 1)
    while months_after(start, times * every_months) < start_on:
        times += 1
    while True:
        yield months_after(start, times * every_months)
        times += 1


@dataclass(frozen=True)
class Schedule:
    """How a task stands: the day it is due next, and the day its period began."""

    period_from: date
    due_on: date
    last_done_on: date | None = None

    def is_late(self, on: date) -> bool:
        """Whether the day has passed and nobody has reported the task done."""
        return on > self.due_on


def task_schedule(
    start_on: date, every_months: int, done: Iterable[date], first_on: date | None = None
) -> Schedule:
    """The next day due, from the days on which the task was done. former § 17.19(4)(f)(2)

    Upkeep brings a task up to date: it meets every day that had come. Where none was open
    it meets the next one, so that work done early counts once; but not within half a period
    of the time before, so that work reported twice takes no day off the schedule.
    """
    days = due_dates(start_on, every_months, first_on)
    before, due, last = start_on, next(days), None
    counted_on = start_on
    for day in sorted(each for each in done if each >= start_on):
        last = day
        early = before < day < due and (day - counted_on) * 2 >= due - before
        if early or day >= due:
            counted_on = day
        if early:
            before, due = due, next(days)
        while due <= day:
            before, due = due, next(days)
    return Schedule(before, due, last)


def task_deadline(
    schedule: Schedule,
    every_months: int,
    *,
    recorded_on: date,
    calendar: Calendar,
    edition: Edition | None = None,
) -> Deadline:
    """The day by which the responsible party does a task of the schedule. (4)(f)(2), (4)"""
    edition = edition or edition_on(recorded_on)
    every = "month" if every_months == 1 else counted(every_months, "month")
    terms = Terms(
        key="upkeep-task",
        title=f"Every {every} by the agreement's schedule",
        bound="responsible party",
        citation=edition.citation("maintenance", "(2)"),
        duty="The responsible party does the upkeep that the recorded agreement schedules.",
        consequence=(
            "A problem that the city finds is told to the responsible party with the time to "
            "correct it. Nothing is ordered by itself."
        ),
        started=f"Agreement recorded {long_day(recorded_on)}.",
        counted=(
            f"The schedule asks for it every {every}; this period runs since "
            f"{long_day(schedule.period_from)}."
        ),
        end="The day of the schedule is {on}.",
        safe_reason="{last} is the day the schedule names",
        note="A day of the recorded agreement: it moves for no Sunday and no holiday.",
    )
    days = (schedule.due_on - schedule.period_from).days
    way = Way(roll=Roll.NONE)
    count = Count(schedule.period_from, days, Unit.DAY, plain=way, safe=way)
    return deadline(terms, count, calendar)


def look_due(recorded_on: date, last_look: date | None, due: Iterable[date]) -> date:
    """The day from which the city looks at the practices of an agreement. (4)(f)(5)

    "As necessary": once a year, and sooner where a scheduled day has passed without a report.
    `due` are the days of its tasks that are open. After a look the same open day asks for no
    second one before the year is over.
    """
    yearly = months_after(last_look or recorded_on, LOOK_MONTHS)
    grace = timedelta(REPORT_DAYS)
    unseen = (day + grace + ONE_DAY for day in due if last_look is None or day >= last_look)
    return min([yearly, *unseen])


# The time to correct ----------------------------------------------------------------------


@dataclass(frozen=True)
class NoticeFacts:
    """What is known of an agreement whose practices have a problem."""

    recorded_on: date | None = None
    ended: str = ""  # "released", "amended": why the agreement does not stand any more
    problems: int = 0  # seen at the inspection, and named in no notice yet
    running: str = ""  # the number of a notice on the same inspection
    inspected: bool = True
    later: str = ""  # the number of a later finished inspection of the same practices


def obstacles_to_notice(facts: NoticeFacts, *, edition: Edition | None = None) -> list[Obstacle]:
    """Why the responsible party cannot be told to correct anything yet. (4)(f)(6)"""
    edition = edition or all_editions()[-1]
    citation = edition.citation("maintenance", "(6)")
    if facts.recorded_on is None:
        text = "The agreement is not recorded, so it binds nobody yet."
        filed = edition.citation("maintenance")
        return [Obstacle("not-recorded", text, filed, "record the maintenance agreement")]
    if facts.ended:
        text = f"The agreement does not stand any more: it is {facts.ended}."
        return [Obstacle("agreement-ended", text, citation, "see the agreement")]
    if facts.running:
        text = f"Notice {facts.running} was given on this inspection already."
        return [Obstacle("running", text, citation, "see the notice")]
    if not facts.inspected:
        text = "The inspection is not finished, so there is no report that the notice rests on."
        return [Obstacle("not-finished", text, citation, "finish the inspection")]
    if facts.later:
        text = f"The practices were inspected again since, by {facts.later}; it says how they are."
        return [Obstacle("inspected-again", text, citation, "see the later inspection")]
    if not facts.problems:
        text = "The inspection found every practice in order; there is nothing to correct."
        return [Obstacle("no-problem", text, citation, "inspect the practices")]
    return []


def correction_deadline(
    issued_on: date, correct_by: date, *, calendar: Calendar, edition: Edition | None = None
) -> Deadline:
    """The last day of the reasonable time that the city set. former § 17.19(4)(f)(6)

    Raises ValueError where it does not lie after the notice.
    """
    edition = edition or edition_on(issued_on)
    terms = Terms(
        key="upkeep-correction",
        title="The time that the notice of maintenance sets",
        bound="responsible party",
        citation=edition.citation("maintenance", "(6)"),
        duty="The responsible party does the corrective actions that the notice specifies.",
        consequence=(
            "What is not corrected by then the city may do itself; the cost goes on the tax roll "
            "as a special charge against the property. Nothing is done by itself."
        ),
        started=f"Notice of maintenance issued {long_day(issued_on)}; not counted.",
        counted=_set_words(issued_on, correct_by),
        end="The last day to correct it is {on}.{stands}",
        safe_reason="the time ends on {last} itself if the move is not allowed",
        note="The ordinance says “a reasonable time frame as set by the city”; no number is in it.",
    )
    count = _count(issued_on, correct_by, plain=Way(roll=edition.roll(ROLL_OF)))
    return deadline(terms, count, calendar)


def work_opens(
    correct_by: date,
    *,
    calendar: Calendar,
    edition: Edition | None = None,
    issued_on: date | None = None,
) -> WaitingPeriod:
    """The day after the time to correct: the city may do the work. former § 17.19(4)(f)(7)

    `issued_on` is the day of the notice, so that an appeal finds the days that were left.
    """
    edition = edition or edition_on(issued_on or correct_by)
    start = issued_on or correct_by
    count = _count(
        start,
        correct_by,
        plain=Way(roll=edition.roll(ROLL_OF), days_after=1),
        safe=Way(roll=Roll.FILING, days_after=1),
        waits=True,
    )
    return waiting_period(_terms_of_work(start, correct_by, edition), count, calendar)


def _terms_of_work(start: date, correct_by: date, edition: Edition) -> Terms:
    inspector = edition.officer("inspector")
    return Terms(
        key="upkeep-work",
        title="After the time that the notice of maintenance sets",
        bound="city",
        citation=edition.citation("maintenance", "(7)"),
        duty="The city waits for the responsible party before it does the corrections itself.",
        consequence=(
            f"From that day the {inspector}, or a designee of the city, may do the corrective "
            "actions of the inspection report. The cost is billed and goes on the tax roll as a "
            "special charge. Nothing is begun by itself."
        ),
        started=f"The notice gives time until {long_day(correct_by)}.",
        counted=_set_words(start, correct_by),
        end="The last day to correct it is {rolled}. The city may act after it, from {on}.",
        safe_reason="before it a stricter reading could contest the act",
    )


def _count(
    start: date, until: date, *, plain: Way, safe: Way | None = None, waits: bool = False
) -> Count:
    if until < start:
        raise ValueError("a correction cannot be due before it was asked for")
    days = (until - start).days
    return Count(start, days, Unit.DAY, plain=plain, safe=safe or Way(), waits=waits)


def _set_words(start: date, until: date) -> str:
    days = (until - start).days
    if not days:
        return "Weekends and holidays are included."
    length = counted(days, "day")
    return f"The city set {long_day(until)}, {length} after it; weekends and holidays included."


# The city's own work ----------------------------------------------------------------------


@dataclass(frozen=True)
class WorkFacts:
    """What is known of a notice of maintenance under which the city would work."""

    begin: BeginFacts
    agreement_ended: str = ""
    reported_on: date | None = None  # a report of the party that nobody has answered
    accepted_on: date | None = None  # when the post had the last letter
    last_day: date | None = None  # the last day to correct


def obstacles_to_work(
    facts: WorkFacts, *, on: date, edition: Edition | None = None
) -> list[Obstacle]:
    """Why the city may not do the corrections yet. former § 17.19(4)(f)(7)"""
    edition = edition or all_editions()[-1]
    found = obstacles_to_begin(facts.begin, on=on, edition=edition)
    if facts.begin.begun or facts.begin.ended:
        return found
    citation = edition.citation("maintenance", "(7)")
    if facts.agreement_ended:
        text = f"The agreement does not stand any more: it is {facts.agreement_ended}."
        found.append(Obstacle("agreement-ended", text, citation, "withdraw the notice"))
    if facts.reported_on is not None:
        text = (
            f"The responsible party reported the correction on {long_day(facts.reported_on)}; "
            "nobody has looked at it yet."
        )
        told = edition.citation("maintenance", "(6)")
        found.append(Obstacle("reported", text, told, "confirm or refuse the report"))
    if facts.accepted_on and facts.last_day and facts.accepted_on >= facts.last_day:
        text = (
            f"The post accepted the notice on {long_day(facts.accepted_on)}, when the time it "
            "gives was over. Nobody could correct anything in it."
        )
        told = edition.citation("maintenance", "(6)")
        found.append(Obstacle("mailed-late", text, told, "extend the time"))
    return found
