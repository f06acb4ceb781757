"""The rules once more, slowly and in another way, only to check the quick ones.

Nothing of `portal.ordinance` is used. Holidays are recognized from the day alone,
and every date is found by trying days until the condition holds.
"""

from collections.abc import Callable, Collection
from datetime import date, datetime, time, timedelta

DAY = timedelta(1)
NUMBERS: dict[str, dict[str, int]] = {
    "example": {"decide": 10, "review": 10, "entry": 14, "mailed": 10, "years": 1, "appeal": 30},
    "neighbor": {"decide": 15, "review": 5, "entry": 7, "mailed": 12, "years": 2, "appeal": 20},
}
"""What the two cities differ in, typed by hand from their texts."""
WINTER = {
    "example": ((10, 15), (4, 15), (7, 15)),
    "neighbor": ((10, 1), (4, 30), (7, 31)),
}
OPEN = frozenset({"feb", "oct", "nov11", "primary", "election"})


def which(day: date) -> str | None:
    """The legal holiday that falls on a day of the calendar, before any move."""
    week = (day.day + 6) // 7
    monday, tuesday, thursday = (day.isoweekday() == n for n in (1, 2, 4))
    fixed = {(1, 1): "jan1", (6, 19): "jun19", (7, 4): "jul4", (11, 11): "nov11", (12, 25): "dec25"}
    if (day.month, day.day) in fixed:
        return fixed[day.month, day.day]
    mondays = {(1, 3): "jan", (2, 3): "feb", (9, 1): "sep", (10, 2): "oct"}
    if monday and (day.month, week) in mondays:
        return mondays[day.month, week]
    if monday and day.month == 5 and (day + 7 * DAY).month == 6:
        return "may"
    if thursday and (day.month, week) == (11, 4):
        return "thanks"
    if tuesday and day.year % 2 == 0:
        if (day.month, week) == (8, 2):
            return "primary"
        if day.month == 11 and 2 <= day.day <= 8:
            return "election"
    return None


def holiday(day: date) -> str | None:
    """The legal holiday kept on a day: a Sunday's is kept on the Monday."""
    if day.isoweekday() == 7:
        return None
    if day.isoweekday() == 1 and which(day - DAY):
        return which(day - DAY)
    return which(day)


def working(day: date, closures: Collection[date]) -> bool:
    return day.isoweekday() <= 5 and holiday(day) is None and day not in closures


def office(day: date, closures: Collection[date]) -> bool:
    shut = holiday(day) is not None and holiday(day) not in OPEN
    return day.isoweekday() <= 5 and not shut and day not in closures


def first(start: date, holds: Callable[[date], bool]) -> date:
    """The first day from start on for which something holds."""
    return next(day for n in range(2000) if holds(day := start + n * DAY))


def how_many(start: date, end: date, counts: Callable[[date], bool]) -> int:
    """Days that count after start up to end."""
    return len([n for n in range(1, (end - start).days + 1) if counts(start + n * DAY)])


def decision(day: date, closures: Collection[date] = (), days: int = 10) -> tuple[date, date]:
    on = first(day, lambda d: how_many(day, d, lambda x: working(x, closures)) == days)
    safe = first(day, lambda d: how_many(day, d, lambda x: office(x, closures)) == days)
    return on, safe


def rolled(day: date, saturday: bool = False) -> date:
    last = 5 if saturday else 6
    return first(day, lambda d: d.isoweekday() <= last and holiday(d) is None)


def latest_end(day: date, hours: int) -> date:
    """The day on which hours end that began in the last half hour of a day.

    Half an hour at a time, those of Sundays and legal holidays left out.
    """
    half = timedelta(minutes=30)
    moment, left = datetime.combine(day, time(23, 30)), 2 * hours
    while True:
        if moment.isoweekday() != 7 and holiday(moment.date()) is None:
            left -= 1
            if not left:
                return moment.date()
        moment += half


def earliest_end(day: date, hours: int) -> date:
    """The day on which hours by the clock can end that began with the day."""
    return (datetime.combine(day, time(0)) + timedelta(hours=hours)).date()


def neighbors_compliance(day: date) -> tuple[date, date]:
    return rolled(latest_end(day, 24)), earliest_end(day, 24)


def neighbors_permit(day: date) -> tuple[date, date]:
    return rolled(latest_end(day, 24), saturday=True), earliest_end(day, 24)


def neighbors_revocation(day: date) -> tuple[date, date]:
    return neighbors_compliance(day)[0] + DAY, neighbors_permit(day)[0] + DAY


def neighbors_referral(day: date) -> tuple[date, date]:
    return neighbors_permit(day)[0] + DAY, neighbors_permit(day)[0] + DAY


def neighbors_notice(day: date) -> tuple[date, date]:
    return latest_end(day, 24) + DAY, rolled(latest_end(day, 24)) + DAY


def compliance(day: date) -> tuple[date, date]:
    return rolled(day + 10 * DAY), day + 10 * DAY


def permit(day: date) -> tuple[date, date]:
    return rolled(day + 10 * DAY, saturday=True), day + 10 * DAY


def revocation(day: date) -> tuple[date, date]:
    return compliance(day)[0] + DAY, permit(day)[0] + DAY


def referral(day: date) -> tuple[date, date]:
    return permit(day)[0] + DAY, permit(day)[0] + DAY


def notice(day: date) -> tuple[date, date]:
    return day + 10 * DAY, rolled(day + 10 * DAY) + DAY


def entry(day: date, days: int) -> tuple[date, date]:
    return day + (days + 1) * DAY, rolled(day + days * DAY) + DAY


def mailed(day: date, days: int) -> tuple[date, date]:
    def taken(d: date) -> bool:
        return d.isoweekday() != 7 and holiday(d) in (None, "primary", "election")

    accepted = first(day, taken)
    return accepted + (days + 1) * DAY, accepted + (days + 4) * DAY


def upkeep(day: date) -> tuple[date, date]:
    return rolled(day) + DAY, rolled(day, saturday=True) + DAY


def cover(day: date, city: str) -> tuple[date, date] | None:
    begins, ends, due = WINTER[city]
    if ends < (day.month, day.day) < begins:
        return None
    july = first(day, lambda d: (d.month, d.day) == due)
    return rolled(july), july


def term(day: date, years: int) -> tuple[date, date]:
    ends = first(
        day + (365 * years - 65) * DAY,
        lambda d: (
            (d.month, d.day) == (day.month, day.day)
            or ((day.month, day.day) == (2, 29) and (d + DAY).month == 3)
        ),
    )
    return ends, ends


def appeal(day: date, days: int) -> tuple[date, date]:
    return rolled(day + days * DAY, saturday=True), day + days * DAY


def society(day: date) -> tuple[date, date]:
    return day + 61 * DAY, day + 64 * DAY


LADDER: dict[str, dict[str, Callable[[date], tuple[date, date]]]] = {
    "example": {
        "stop-work-compliance": compliance,
        "permit-after-stop-work": permit,
        "revocation": revocation,
        "cease-and-desist": referral,
        "notice-of-intent": notice,
    },
    "neighbor": {
        "stop-work-compliance": neighbors_compliance,
        "permit-after-stop-work": neighbors_permit,
        "revocation": neighbors_revocation,
        "cease-and-desist": neighbors_referral,
        "notice-of-intent": neighbors_notice,
    },
}
"""The steps that ten days open in one city and 24 hours in the other."""


def answer(
    rule: str, day: date, closures: Collection[date] = (), city: str = "example"
) -> tuple[date, date] | None:
    """The date and the safe date of any rule in either city."""
    if rule in LADDER[city]:
        return LADDER[city][rule](day)
    number = NUMBERS[city]
    return {
        "decision": lambda: decision(day, closures, number["decide"]),
        "revision-review": lambda: decision(day, closures, number["review"]),
        "city-work": lambda: entry(day, number["entry"]),
        "mailed-notice": lambda: mailed(day, number["mailed"]),
        "upkeep-work": lambda: upkeep(day),
        "permanent-cover": lambda: cover(day, city),
        "assessment-term": lambda: term(day, number["years"]),
        "appeal": lambda: appeal(day, number["appeal"]),
        "records-request": lambda: decision(day, closures, 10),
        "destruction": lambda: society(day),
    }[rule]()
