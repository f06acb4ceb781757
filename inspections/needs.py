"""Why a site is worth a visit: reasons open once per site, and close when they fall away.

Each reason is a rule from the facts of an active site and of the day to a need, or to
nothing. What visits and acts have met stays met; a report by the public and the request for
a final inspection are opened by their own acts. Former § 17.19(6)
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from django.db.models import OuterRef, Subquery

from inspections.active import ActiveSite, active_permits, active_sites
from inspections.models import Finding, RainReading, Visit, VisitNeed
from inspections.rain_words import amount
from inspections.upkeep import looks_due
from permits.models import DocketEntry, PlannedActivity
from portal import city
from portal.formats import short_date
from portal.ordinance.days import ONE_DAY
from portal.ordinance.inspection import (
    STOCKPILE_DAYS,
    VISIT_DAYS,
    log_gaps,
    rain_visit_due,
)
from portal.ordinance.wording import month_day

__all__ = ["COMPUTED", "open_needs"]

Reason = VisitNeed.Reason

ACTIVITY_AHEAD = timedelta(days=2)
"""So long before an activity of the timetable begins, its site is worth a visit."""
SEASON_AHEAD = timedelta(days=14)
"""So long before the end of the work or of a season."""
RAIN_REMEMBERED = timedelta(days=366)
"""Rain of a year ago has shown what it could."""
CORRECTION_AHEAD = ONE_DAY
ROWS_AT_ONCE = 500
LONGEST = 300
"""So many characters a reason may have."""


class Need(NamedTuple):
    """What a rule finds: by when to visit, why, and the first day of a visit that meets it."""

    due_on: date
    because: str
    since: date


class Day:
    """What a day asks of every site, each part read once and only if it is asked for."""

    def __init__(self, on: date) -> None:
        self.on = on

    @cached_property
    def rain(self) -> tuple[list[date], list[Decimal]]:
        """Days of trigger rain at any station, and how much fell at most."""
        most: dict[date, Decimal] = {}
        for reading in RainReading.objects.trigger_days(self.on - RAIN_REMEMBERED, self.on):
            most[reading.on] = max(reading.inches, most.get(reading.on, Decimal(0)))
        return list(most), list(most.values())

    @cached_property
    def activities(self) -> dict[int, list[tuple[date, str]]]:
        """Activities of each site's granted plan that begin soon or go on, in their order."""
        rows = PlannedActivity.objects.filter(
            revision__decision__permit__in=active_permits().order_by(),
            starts_on__lte=self.on + ACTIVITY_AHEAD,
            ends_on__gte=self.on,
        ).order_by("starts_on", "pk")
        found: dict[int, list[tuple[date, str]]] = {}
        names = ("revision__decision__permit__site_id", "starts_on", "activity")
        for site, starts_on, activity in rows.values_list(*names).iterator(chunk_size=2000):
            found.setdefault(site, []).append((starts_on, activity))
        return found

    @cached_property
    def season_ends(self) -> list[tuple[date, str]]:
        """Ends of a season within the next two weeks. Former § 17.19(4)(d)"""
        edition = city.edition_on(self.on)
        found = []
        for month, day in (edition.winter_begins, edition.winter_ends, edition.cover_due):
            for year in (self.on.year, self.on.year + 1):
                end = date(year, month, day)
                if self.on <= end <= self.on + SEASON_AHEAD:
                    found.append((end, f"The season ends {month_day(month, day)}."))
        return found


# The rules --------------------------------------------------------------------------------


def new_permit(site: ActiveSite, day: Day) -> Need | None:
    """A permit was issued and nobody has looked before the first disturbance."""
    if site.has_begun(day.on) or site.visited_since(site.issued_on):
        return None
    text = f"{site.permit} issued {short_date(site.issued_on)}; work begins "
    text += f"{short_date(site.begun_on)}."
    return Need(max(site.issued_on, site.begun_on - ONE_DAY), text, site.issued_on)


def week(site: ActiveSite, day: Day) -> Need | None:
    """Seven days have passed since the last visit, or there was none since work began."""
    if not site.has_begun(day.on):
        return None
    if site.last_visit is None:
        text = f"No visit yet; work began {short_date(site.begun_on)}."
        return Need(site.begun_on, text, site.begun_on)
    due = max(site.last_visit + timedelta(days=VISIT_DAYS), site.begun_on)
    if due > day.on:
        return None
    return Need(due, f"Last visit {short_date(site.last_visit)}.", due)


def rain(site: ActiveSite, day: Day) -> Need | None:
    """Half an inch or more fell on bare soil, and nobody has looked since."""
    days, inches = day.rain
    place = bisect_left(days, _unseen_from(site))
    if not site.has_begun(day.on) or place == len(days):
        return None
    rained_on, more = days[place], len(days) - place - 1
    text = f"{amount(inches[place])} of rain on {short_date(rained_on)}"
    text += f", and {more} more such day{'s' if more > 1 else ''} since." if more else "."
    return Need(rain_visit_due(rained_on), text, rained_on)


def _unseen_from(site: ActiveSite) -> date:
    """The first day whose rain no visit has seen.

    A visit on the day of the rain counts when it was made for the rain or in it.
    """
    seen = [site.begun_on, site.last_visit or date.min]
    if site.last_rain_visit:
        seen.append(site.last_rain_visit + ONE_DAY)
    return max(seen)


def activity(site: ActiveSite, day: Day) -> Need | None:
    """An activity of the timetable begins within two days, or has begun unseen."""
    for starts_on, name in day.activities.get(site.site, ()):
        since = max(starts_on - ACTIVITY_AHEAD, site.issued_on)
        if not site.visited_since(since):
            verb = "begins" if starts_on > day.on else "began"
            text = f"“{name}” {verb} {short_date(starts_on)}."
            return Need(max(starts_on, site.issued_on), text, since)
    return None


def stockpile(site: ActiveSite, day: Day) -> Need | None:
    """A stockpile seen at the last visit has become older than seven days since.

    Wis. Admin. Code § NR 151.11(6m)(a)
    """
    if site.stockpile_since is None:
        return None
    older_on = site.stockpile_since + timedelta(days=STOCKPILE_DAYS + 1)
    if older_on > day.on or site.visited_since(older_on):
        return None
    text = f"Soil lies in a stockpile since {short_date(site.stockpile_since)}."
    return Need(older_on, text, older_on)


def log_gap(site: ActiveSite, day: Day) -> Need | None:
    """The permittee's log is overdue: weekly, or after rain. § NR 216.48(4)"""
    if not site.has_begun(day.on):
        return None
    last = max(site.last_log or site.begun_on, site.begun_on)
    found = []
    for missed_on, _ in log_gaps([], begun_on=last, until=day.on):
        text = f"The last entry is of {short_date(site.last_log)}."
        found.append(Need(missed_on, text if site.last_log else "No entry yet.", missed_on))
    rained_on = _rain_without_entry(site, day)
    if rained_on:
        overdue = rain_visit_due(rained_on) + ONE_DAY
        text = f"No entry since the rain of {short_date(rained_on)}."
        found.append(Need(overdue, text, overdue))
    return min(found, default=None)


def _rain_without_entry(site: ActiveSite, day: Day) -> date | None:
    days, _ = day.rain
    first = max(site.begun_on, site.last_log + ONE_DAY if site.last_log else date.min)
    place = bisect_left(days, first)
    overdue = place < len(days) and day.on > rain_visit_due(days[place])
    return days[place] if overdue else None


def season(site: ActiveSite, day: Day) -> Need | None:
    """Within two weeks the work or the season ends, and permanent work is open."""
    ends = list(day.season_ends)
    if site.ends_on and day.on <= site.ends_on <= day.on + SEASON_AHEAD:
        ends.append((site.ends_on, f"The work is to end {short_date(site.ends_on)}."))
    unseen = [
        Need(end, text, end - SEASON_AHEAD)
        for end, text in ends
        if site.has_begun(day.on) and not site.visited_since(end - SEASON_AHEAD)
    ]
    return min(unseen, default=None)


RULES: dict[str, Callable[[ActiveSite, Day], Need | None]] = {
    Reason.RAIN: rain,
    Reason.STOCKPILE: stockpile,
    Reason.NEW_PERMIT: new_permit,
    Reason.ACTIVITY: activity,
    Reason.SEASON: season,
    Reason.LOG_GAP: log_gap,
    Reason.WEEK: week,
}
COMPUTED = (*RULES, Reason.CORRECTION, Reason.UPKEEP)
"""The reasons that a day opens and closes; the others are opened by their acts."""


def corrections(day: Day) -> dict[int, Need]:
    """Sites with a correction or an ordered device due by tomorrow, not looked at today."""
    visits = Visit.objects.filter(site=OuterRef("site"), status=Visit.Status.FINISHED)
    last_visit = visits.order_by("-visited_on").values("visited_on")[:1]
    rows = Finding.objects.filter(
        status__in=[Finding.Status.OPEN, Finding.Status.ANSWERED],
        correct_by__lte=day.on + CORRECTION_AHEAD,
    ).order_by("correct_by", "number")
    found: dict[int, Need] = {}
    names = ("site_id", "number", "correct_by", Subquery(last_visit))
    for site, number, correct_by, seen_on in rows.values_list(*names).iterator(chunk_size=2000):
        since = correct_by - CORRECTION_AHEAD
        if seen_on:
            since = max(since, seen_on + ONE_DAY)
        if since <= day.on and site not in found:
            text = f"Finding {number} is to be corrected by {short_date(correct_by)}."
            found[site] = Need(correct_by, text, since)
    for site, need in _ordered(day, last_visit):
        if site not in found or need < found[site]:
            found[site] = need
    return found


def _ordered(day: Day, last_visit: Any) -> Iterator[tuple[int, Need]]:
    """Sites where a device of a revision order is due by tomorrow. Former § 17.19(7)(b)"""
    rows = (
        DocketEntry.objects.running()
        .not_stayed()
        .filter(
            bound=DocketEntry.Bound.PERMITTEE,
            rule="revision-order-line",
            on__lte=day.on + CORRECTION_AHEAD,
        )
    )
    names = ("site_id", "title", "on", Subquery(last_visit))
    for site, title, due_on, seen_on in rows.order_by("on", "pk").values_list(*names):
        since = max(due_on - CORRECTION_AHEAD, seen_on + ONE_DAY if seen_on else date.min)
        if since <= day.on:
            yield site, Need(due_on, f"By {short_date(due_on)}: {title}."[:LONGEST], since)


def upkeep(day: Day) -> dict[int, Need]:
    """Sites whose practices the city should look at under a recorded agreement.

    Former § 17.19(4)(f)(5)
    """
    found: dict[int, Need] = {}
    for look in looks_due(day.on):
        need = Need(look.due_on, look.because[:LONGEST], look.due_on)
        site = look.agreement.site_id
        if site not in found or need < found[site]:
            found[site] = need
    return found


# What is wanted against what stands -------------------------------------------------------


def open_needs(on: date, *, reasons: Iterable[str] = COMPUTED) -> int:
    """Open and close the needs of a day; returns how many were opened, moved or closed.

    Safe to run again: the second time it finds everything as it should be.
    """
    day, reasons = Day(on), tuple(reasons)
    wanted: dict[str, dict[int, Need]] = {reason: {} for reason in reasons}
    rules = [(RULES[reason], wanted[reason]) for reason in reasons if reason in RULES]
    for site in active_sites():
        for rule, found in rules:
            need = rule(site, day)
            if need and (site.site not in found or need < found[site.site]):
                found[site.site] = need
    if Reason.CORRECTION in wanted:
        wanted[Reason.CORRECTION] = corrections(day)
    if Reason.UPKEEP in wanted:
        wanted[Reason.UPKEEP] = upkeep(day)
    return sum(_settle(reason, wanted[reason], on) for reason in reasons)


def _settle(reason: str, wanted: dict[int, Need], on: date) -> int:
    """Make the open needs of one reason equal to what is wanted."""
    standing = VisitNeed.objects.open().filter(reason=reason)
    moved, fallen = [], []
    for need in standing.order_by().iterator(chunk_size=2000):
        found = wanted.pop(need.site_id, None)
        if found is None:
            fallen.append(need.pk)
        elif found != (need.due_on, need.because, need.since):
            need.due_on, need.because, need.since = found
            moved.append(need)
    new = (
        VisitNeed(site_id=site, reason=reason, **found._asdict()) for site, found in wanted.items()
    )
    for rows in _in_chunks(new):
        VisitNeed.objects.bulk_create(rows, ignore_conflicts=True)
    for rows in _in_chunks(moved):
        VisitNeed.objects.bulk_update(rows, ["due_on", "because", "since"])
    for keys in _in_chunks(fallen):
        VisitNeed.objects.open().filter(pk__in=keys).update(closed_on=on)
    return len(wanted) + len(moved) + len(fallen)


T = TypeVar("T")


def _in_chunks(rows: Iterable[T]) -> Iterator[list[T]]:
    left = iter(rows)
    while chunk := list(islice(left, ROWS_AT_ONCE)):
        yield chunk
