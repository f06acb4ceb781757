"""How rain is written, and what entering it has changed."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING

from portal.city import say
from portal.formats import short_date
from portal.ordinance.inspection import rain_visit_due
from portal.ordinance.wording import figure

if TYPE_CHECKING:
    from inspections.acts.rain import Change, Saved
    from inspections.rain_duties import Duties

__all__ = ["amount", "said_of_day", "said_of_file"]

MOST_NAMED = 10


def amount(inches: Decimal) -> str:
    """0.62 inch, 1 inch, 1.2 inches."""
    return f"{figure(inches)} inch{'es' if inches > 1 else ''}"


def said_of_day(saved: Saved) -> str:
    """Say in sentences what entering a day has changed."""
    if not saved.changes:
        return f"That figure stood there already for {saved.station}; nothing was changed."
    (change,) = saved.changes
    return " ".join([said_of(change), *_said_of_duties(saved.duties)])


def said_of_file(saved: Saved) -> list[str]:
    """Say in sentences what a file has changed."""
    count = len(saved.corrections)
    found = [
        f"{saved.station}: {days(saved.new)} new, {count} corrected, {saved.same} as they were."
    ]
    found += [said_of(change) for change in saved.corrections[:MOST_NAMED]]
    if count > MOST_NAMED:
        found.append(f"And {count - MOST_NAMED} more figures were corrected.")
    return [*found, *_said_of_duties(saved.duties)]


def days(count: int) -> str:
    """1 day, 12 days."""
    return f"{count} day{'' if count == 1 else 's'}"


def said_of(change: Change) -> str:
    """Say what one figure is now, and what that makes of its day."""
    day = short_date(change.on)
    if change.before is None:
        text = f"{day}: {amount(change.after)} entered."
    else:
        text = f"{day}: corrected from {amount(change.before)} to {amount(change.after)}."
    if change.becomes_trigger:
        due = short_date(rain_visit_due(change.on))
        text += (
            say(" It is a day of {rain} or more: visits and log entries are due by ") + f"{due}."
        )
    elif change.ceases_trigger:
        text += say(" It is no longer a day of {rain} or more.")
    elif change.is_trigger and change.corrects:
        text += say(" It stays a day of {rain} or more.")
    return text


def _said_of_duties(duties: Duties) -> Iterator[str]:
    if duties.opened:
        verb = "is" if duties.opened == 1 else "are"
        yield f"{sites(duties.opened)} with bare soil {verb} to be visited."
    if duties.closed:
        verb = "fell" if duties.closed != 1 else "falls"
        yield f"The visit to {sites(duties.closed)} that nobody had made yet {verb} away."


def sites(count: int) -> str:
    """1 site, 12 sites."""
    return f"{count} site{'' if count == 1 else 's'}"
