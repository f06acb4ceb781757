"""How the sites of a large city stand: for each the days of its acts, in the order of time."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from portal.ordinance import Calendar

__all__ = ["Story", "WorkingDays", "make_stories"]

OLDEST = date(2021, 2, 1)
"""The first working day after the ordinance's edition came into force."""
YEARS = 8
MIX: dict[str, int] = {
    "draft": 40,
    "filed": 20,
    "review": 50,
    "denied": 30,
    "revised": 20,
    "granted": 30,
    "posted": 10,
    "withdrawn": 40,
    "issued": 680,
    "issued_after_denial": 80,
}
"""Of each thousand sites how many stand so: most of a city's cases are long issued."""


@dataclass
class Story:
    """The days on which the acts of one site happened; None where one did not."""

    begun: date
    filed: date | None = None
    received: date | None = None
    denied: date | None = None
    revised: date | None = None
    granted: date | None = None
    posted: date | None = None
    issued: bool = False
    withdrawn: date | None = None
    cover: date | None = None

    @property
    def status(self) -> str:
        """The status of the application."""
        if self.withdrawn:
            return "withdrawn"
        if self.granted:
            return "granted"
        if self.denied and not self.revised:
            return "denied"
        if self.received:
            return "under_review"
        return "submitted" if self.filed else "draft"


class WorkingDays:
    """Every working day of some years, in a list, so that counting is looking up."""

    def __init__(self, calendar: Calendar, today: date) -> None:
        self.today = today
        self.first = max(OLDEST, date(today.year - YEARS, 1, 2))
        span = (today - self.first).days
        days = (self.first + timedelta(n) for n in range(span + 1))
        self.days = [day for day in days if calendar.is_working_day(day)]

    def ago(self, number: int) -> date:
        """The day so many working days before today; the first day of all at the most."""
        return self.days[max(len(self.days) - 1 - number, 0)]

    def before(self, day: date, number: int) -> date:
        """The working day so many working days before a day."""
        place = bisect_right(self.days, day) - 1 - number
        return self.days[max(place, 0)]


def make_stories(number: int, days: WorkingDays, chance: Random) -> list[Story]:
    """Return so many stories, the oldest first; the same for the same chance."""
    states = chance.choices(list(MIX), list(MIX.values()), k=number)
    stories = [_make(state, days, chance) for state in states]
    return sorted(stories, key=lambda story: story.begun)


def _make(state: str, days: WorkingDays, chance: Random) -> Story:
    if state == "draft":
        return Story(days.ago(chance.randrange(0, 120)))
    if state == "filed":
        return _filed(days, days.ago(chance.randrange(0, 20)))
    if state == "review":
        late = chance.random() < 0.06
        return _received(days, days.ago(chance.randrange(11, 14) if late else chance.randrange(10)))
    if state == "withdrawn":
        story = _received(days, days.ago(chance.randrange(9, len(days.days) - 20)))
        assert story.received
        story.withdrawn = story.received + timedelta(4)
        return story
    if state in ("denied", "revised"):
        return _answered(state, days, chance)
    return _granted(state, days, chance)


def _filed(days: WorkingDays, on: date) -> Story:
    return Story(days.before(on, 3), on)


def _received(days: WorkingDays, on: date) -> Story:
    story = _filed(days, days.before(on, 1))
    story.received = on
    return story


def _answered(state: str, days: WorkingDays, chance: Random) -> Story:
    revised = days.ago(chance.randrange(12)) if state == "revised" else None
    denied = days.before(revised, 5) if revised else days.ago(chance.randrange(1, 60))
    story = _received(days, days.before(denied, 7))
    story.denied, story.revised = denied, revised
    return story


def _granted(state: str, days: WorkingDays, chance: Random) -> Story:
    """Granted lately and waiting, or issued at any time since the first day."""
    waiting = state in ("granted", "posted")
    ago = chance.randrange(2, 40) if waiting else chance.randrange(6, len(days.days) - 40)
    granted = days.ago(ago)
    if state == "issued_after_denial":
        denied = days.before(granted, 11)
        story = _received(days, days.before(denied, 7))
        story.denied, story.revised = denied, days.before(granted, 5)
    else:
        story = _received(days, days.before(granted, 6))
    story.granted = granted
    if state != "granted":
        story.posted = days.before(granted, -4) if ago > 4 else days.ago(0)
    story.issued = state.startswith("issued")
    story.cover = _cover(story, days, chance)
    return story


def _cover(story: Story, days: WorkingDays, chance: Random) -> date:
    """The date for permanent cover: ahead for nearly all, since no permit is closed yet."""
    assert story.granted
    if not story.issued:
        return story.granted + timedelta(240)
    if chance.random() < 0.01 and story.posted and story.posted < days.today - timedelta(60):
        return days.today - timedelta(chance.randrange(1, 40))
    return days.today + timedelta(chance.randrange(1, 400))
