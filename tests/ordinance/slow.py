"""The rules once more, slowly and in another way, only to check the quick ones.

Nothing of `portal.ordinance` is used. Holidays are recognized from the day alone,
and every date is found by trying days until the condition holds.
"""

from collections.abc import Callable, Collection
from datetime import date, timedelta

DAY = timedelta(1)
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


def decision(day: date, closures: Collection[date] = ()) -> tuple[date, date]:
    on = first(day, lambda d: how_many(day, d, lambda x: working(x, closures)) == 10)
    safe = first(day, lambda d: how_many(day, d, lambda x: office(x, closures)) == 10)
    return on, safe


def rolled(day: date, saturday: bool = False) -> date:
    last = 5 if saturday else 6
    return first(day, lambda d: d.isoweekday() <= last and holiday(d) is None)


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


def entry(day: date) -> tuple[date, date]:
    return day + 15 * DAY, rolled(day + 14 * DAY) + DAY


def mailed(day: date) -> tuple[date, date]:
    def taken(d: date) -> bool:
        return d.isoweekday() != 7 and holiday(d) in (None, "primary", "election")

    accepted = first(day, taken)
    return accepted + 11 * DAY, accepted + 14 * DAY


def cover(day: date) -> tuple[date, date] | None:
    winter = {10: day.day >= 15, 11: True, 12: True, 1: True, 2: True, 3: True, 4: day.day <= 15}
    if not winter.get(day.month):
        return None
    july = first(day, lambda d: (d.month, d.day) == (7, 15))
    return rolled(july), july


def term(day: date) -> tuple[date, date]:
    ends = first(
        day + 300 * DAY,
        lambda d: (
            (d.month, d.day) == (day.month, day.day)
            or ((day.month, day.day) == (2, 29) and (d + DAY).month == 3)
        ),
    )
    return ends, ends


def appeal(day: date) -> tuple[date, date]:
    return rolled(day + 30 * DAY, saturday=True), day + 30 * DAY


def society(day: date) -> tuple[date, date]:
    return day + 61 * DAY, day + 64 * DAY


def answer(rule: str, day: date, closures: Collection[date] = ()) -> tuple[date, date] | None:
    """The date and the safe date of any rule."""
    if rule in ("decision", "revision-review", "records-request"):
        return decision(day, closures)
    return {
        "stop-work-compliance": compliance,
        "permit-after-stop-work": permit,
        "revocation": revocation,
        "cease-and-desist": referral,
        "notice-of-intent": notice,
        "city-work": entry,
        "mailed-notice": mailed,
        "permanent-cover": cover,
        "assessment-term": term,
        "appeal": appeal,
        "destruction": society,
    }[rule](day)
