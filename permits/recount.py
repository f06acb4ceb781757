"""What a change of the city's calendar moves: shown first, then done and told once.

Open clocks are counted again; decided cases keep the count by which they were decided.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from django.db import transaction

from permits import notices
from permits.models import Application, DocketEntry
from portal import city_calendar
from portal.models import Closure, CouncilValue, User
from portal.ordinance import Calendar, Deadline

__all__ = ["Move", "change_closure", "change_open_holidays", "moves_if", "moves_if_open"]

COUNTED_IN_WORKING_DAYS = ("decision", "revision-review")


@dataclass(frozen=True)
class Move:
    """An open date that a changed calendar moves."""

    entry: DocketEntry
    before: date
    after: Deadline


def moves_if(day: date, *, name: str, closed: bool) -> list[Move]:
    """Return the open dates that move if city hall is closed (or open again) on a day."""
    known = city_calendar.closures()
    if closed:
        known[day] = name
    else:
        known.pop(day, None)
    current = city_calendar.current_calendar()
    changed = Calendar(closures=known, city_hall_open=current.city_hall_open)
    return list(_moved(changed))


def _moved(calendar: Calendar) -> Iterator[Move]:
    running = (
        DocketEntry.objects.running()
        .filter(rule__in=COUNTED_IN_WORKING_DAYS, bound=DocketEntry.Bound.INSPECTOR)
        .select_related("site")
        .prefetch_related("subject")
    )
    for entry in running.iterator(chunk_size=500):
        after = counted_by(entry, calendar)
        if after and (after.on, after.safe_on) != (entry.on, entry.safe_on):
            yield Move(entry, entry.on, after)


def counted_by(entry: DocketEntry, calendar: Calendar) -> Deadline | None:
    """Return the entry's deadline by another calendar."""
    subject = entry.subject
    method = {"decision": "decision_deadline", "revision-review": "review_deadline"}[entry.rule]
    deadline: Deadline | None = getattr(subject, method)(calendar=calendar)
    return deadline


def case_of(entry: DocketEntry) -> Application:
    """Return the application whose clock an entry is."""
    subject = entry.subject
    return subject if isinstance(subject, Application) else subject.application  # type: ignore[union-attr]


@transaction.atomic
def change_closure(
    day: date, *, name: str, closed: bool, resolution: str, by: User, on: date
) -> list[Move]:
    """Enter the council's act, move the open dates, record why, and tell the parties once."""
    moves = moves_if(day, name=name, closed=closed)
    closure = Closure.objects.create(
        day=day, name=name, closed=closed, resolution=resolution, entered_by=by
    )
    verb = "closed" if closed else "open again"
    reason = f"City hall is {verb} on {day:%A, %B} {day.day}, {day.year}: {name} ({resolution})."
    for move in moves:
        _carry_out(move, by=by, on=on, reason=reason)
        notices.tell_parties(
            case_of(move.entry),
            f"date_moved:{closure.pk}:{move.entry.pk}",
            subject=f"A date has moved: {move.entry.title}",
            on=on,
            entry=move.entry,
            before=move.before,
            deadline=move.after,
            reason=reason,
        )
    return moves


def _carry_out(move: Move, *, by: User, on: date, reason: str) -> None:
    """Write the new date on the docket and why on the record of the case."""
    entry = move.entry
    entry.site.lock()
    DocketEntry.objects.filter(pk=entry.pk).update(on=move.after.on, safe_on=move.after.safe_on)
    entry.site.record(
        "date.moved",
        by=by,
        on=on,
        section=move.after.citation.section,
        reason=reason,
        facts={
            "rule": entry.rule,
            "from": move.before,
            "to": move.after.on,
            "safe_to": move.after.safe_on,
        },
    )


def moves_if_open(holidays: frozenset[str]) -> list[Move]:
    """Return the open dates of which the safe date moves if city hall opens on other holidays."""
    return list(_moved(Calendar(closures=city_calendar.closures(), city_hall_open=holidays)))


@transaction.atomic
def change_open_holidays(
    holidays: frozenset[str], *, resolution: str, by: User, on: date
) -> list[Move]:
    """Enter on which legal holidays city hall is open, and count the open dates again.

    Legal holidays are no working days either way: only safe dates move, so nobody is told.
    """
    moves = moves_if_open(holidays)
    CouncilValue.objects.create(
        key=CouncilValue.Key.OPEN_HOLIDAYS,
        value=",".join(sorted(holidays)),
        effective_on=on,
        resolution=resolution,
        entered_by=by,
    )
    for move in moves:
        reason = f"City hall is open on other legal holidays from this day ({resolution})."
        _carry_out(move, by=by, on=on, reason=reason)
    return moves
