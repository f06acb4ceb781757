"""From words and a count to a clock: the sentences of the count are written here."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from .citations import TIME_STATUTE
from .counting import Count, Reading, Stay, Unit, merged, read
from .days import Calendar, Roll
from .holidays import HOLIDAY_STATUTE, SUNDAY
from .time import Clock, Deadline, Step, Terms, WaitingPeriod
from .wording import (
    capital,
    counted,
    day_list,
    day_ranges,
    long_day,
    number_word,
    ordinal_word,
    short_day,
)

STANDS = {
    Roll.NONE: "",
    Roll.SUNDAY_HOLIDAY: " It is neither a Sunday nor a legal holiday, so it does not move.",
    Roll.FILING: " It is no Saturday, Sunday or legal holiday, so it does not move.",
}
"""Why a last day stays where it is. Wis. Stat. § 990.001(4)"""


def deadline(
    terms: Terms, count: Count, calendar: Calendar, stays: Iterable[Stay] = ()
) -> Deadline:
    """A last day with its count."""
    return Deadline(**facts(terms, count, calendar, tuple(stays)))


def waiting_period(
    terms: Terms, count: Count, calendar: Calendar, stays: Iterable[Stay] = ()
) -> WaitingPeriod:
    """A first day with its count."""
    return WaitingPeriod(**facts(terms, count, calendar, tuple(stays)))


def count_again(clock: Clock, stays: tuple[Stay, ...], calendar: Calendar) -> Clock:
    """The same clock with other stays."""
    if clock.terms is None or clock.count is None:
        raise ValueError("only a clock made by a rule can be counted again")
    return type(clock)(**facts(clock.terms, clock.count, calendar, stays))


def facts(
    terms: Terms, count: Count, calendar: Calendar, stays: tuple[Stay, ...]
) -> dict[str, Any]:
    """The fields of a clock."""
    plain, safe = read(count, calendar, stays)
    return {
        "key": terms.key,
        "on": plain.on,
        "safe_on": safe.on,
        "bound": terms.bound,
        "citation": terms.citation,
        "title": terms.title,
        "duty": terms.duty,
        "steps": tuple(steps(terms, count, calendar, plain, safe, stays)),
        "consequence": terms.consequence,
        "started_on": count.start,
        "note": terms.note,
        "stays": stays,
        "terms": terms,
        "count": count,
    }


def steps(
    terms: Terms,
    count: Count,
    calendar: Calendar,
    plain: Reading,
    safe: Reading,
    stays: tuple[Stay, ...],
) -> Iterable[Step]:
    """Start, days counted, days not counted and why, stays, moves, end, safe date."""
    yield Step(terms.started, count.start, "start")
    yield counted_step(terms, count, plain)
    yield from skipped_steps(count, plain, calendar)
    if stays:
        yield from stay_steps(count, plain, stays)
    if count.hours:
        yield hours_step(count, plain)
    yield from roll_steps(count, plain, calendar)
    yield end_step(terms, count, plain)
    yield from closure_steps(count, plain, calendar)
    yield safe_step(terms, count, plain, safe)


def counted_step(terms: Terms, count: Count, plain: Reading) -> Step:
    """The days of the period, one by one when they are working days."""
    text = terms.counted
    if not text and count.hours:
        text = (
            f"{count.hours} hours, without whole Sundays and legal holidays "
            f"({TIME_STATUTE}(4)(a)): {day_list(plain.counted)}."
        )
    elif not text:
        listed = day_list if count.unit is Unit.WORKING_DAY else day_ranges
        text = f"{capital(counted(count.days, count.unit.value))}: {listed(plain.counted)}."
    return Step(text, None, "counted")


def skipped_steps(count: Count, plain: Reading, calendar: Calendar) -> Iterable[Step]:
    """Each day left out: weekends together, holidays and closures by name."""
    if count.hours:
        yield from hours_skipped(plain, calendar)
        return
    weekend = [day for day in plain.skipped if day.weekday() >= 5]
    if weekend:
        amount = capital(counted(len(weekend), "weekend day"))
        verb = "is" if len(weekend) == 1 else "are"
        yield Step(f"{amount} {verb} not counted: {day_list(weekend)}.", None, "skipped")
    for day in plain.skipped:
        if day.weekday() < 5:
            why = calendar.why_not_working(day)
            yield Step(f"{long_day(day)} is not counted: {why}.", day, "skipped")


def hours_skipped(plain: Reading, calendar: Calendar) -> Iterable[Step]:
    """Each Sunday and holiday that hours leave out. Wis. Stat. § 990.001(4)(a)"""
    for day in plain.skipped:
        holiday = calendar.legal_holiday(day)
        why = f"{holiday}, a legal holiday ({HOLIDAY_STATUTE})" if holiday else "a Sunday"
        yield Step(f"{long_day(day)} is not counted: {why}.", day, "skipped")


def hours_step(count: Count, plain: Reading) -> Step:
    """Why a period in hours is a whole day in the end."""
    text = (
        f"The {count.hours} hours can end in the course of {short_day(plain.last)}. That day is "
        "counted whole: "
    )
    return Step(
        text + ("the city acts only after it." if count.waits else "nothing is late on it."),
        plain.last,
        "counted",
    )


def stay_steps(count: Count, plain: Reading, stays: tuple[Stay, ...]) -> Iterable[Step]:
    """Each stay, with the days that were left when it began."""
    for begin, end in merged(stays):
        span = f"Stayed by an appeal from {long_day(begin)} until {long_day(end)}"
        left = f"with {left_words(count, plain, begin)}; the days that were left run on after it"
        ran_out = "the period had run out before"
        yield Step(f"{span}, {left if begin < plain.on else ran_out}.", begin, "stay")
    for stay in stays:
        if stay.until_on is None:
            yield Step(
                f"Stayed by an appeal since {long_day(stay.from_on)}, with "
                f"{left_words(count, plain, stay.from_on)}. "
                "The date below will be counted again when the stay ends.",
                stay.from_on,
                "stay",
            )


def left_words(count: Count, plain: Reading, begin: date) -> str:
    """How many days of the period are left on a day."""
    left = sum(day > begin for day in plain.counted)
    if count.hours:
        return f"the {count.hours} hours {'not over' if left else 'over but for that day'}"
    return f"{number_word(left)} of {number_word(count.days)} days left"


def roll_steps(count: Count, plain: Reading, calendar: Calendar) -> Iterable[Step]:
    """Each day from which the last day moves on, and why."""
    for day in plain.moved:
        if calendar.moves(day, count.plain.roll):
            holiday = calendar.legal_holiday(day)
            why = f", {holiday}, a legal holiday ({HOLIDAY_STATUTE})" if holiday else ""
            paragraph = "(4)(b)" if holiday or day.weekday() == SUNDAY else "(4)(c)"
            text = f"The last day does not stay on {long_day(day)}{why}; it moves on"
            yield Step(f"{text} ({TIME_STATUTE}{paragraph}).", day, "roll")


def end_step(terms: Terms, count: Count, plain: Reading) -> Step:
    """The date itself."""
    return Step(terms.end.format(**end_words(count, plain)), plain.on, "end")


def end_words(count: Count, plain: Reading) -> dict[str, str]:
    """What the end sentence of a rule may speak of."""
    return {
        "nth": ordinal_word(count.days),
        "ends": ends_words(count, plain),
        "last": long_day(plain.last),
        "rolled": long_day(plain.rolled),
        "on": long_day(plain.on),
        "stands": "" if plain.moved else STANDS[count.plain.roll],
    }


def ends_words(count: Count, plain: Reading) -> str:
    """Where the period itself ends: the tenth day, or the day on which its hours do."""
    if count.hours:
        return f"The {count.hours} hours end on {long_day(plain.last)}"
    return f"The {ordinal_word(count.days)} day is {long_day(plain.last)}"


def closure_steps(count: Count, plain: Reading, calendar: Calendar) -> Iterable[Step]:
    """A closure of city hall moves no last day; whoever must file should know it."""
    name = calendar.closures.get(plain.rolled)
    if count.plain.roll is Roll.FILING and not count.waits and name is not None:
        text = (
            f"City hall is closed on {long_day(plain.rolled)} ({name}), but a closure does not "
            "move the last day."
        )
        yield Step(text, plain.rolled, "end")


def safe_step(terms: Terms, count: Count, plain: Reading, safe: Reading) -> Step:
    """The date that survives the strictest reading."""
    if count.hours and not count.waits:
        text = (
            f"Safe date {long_day(safe.on)}: read by the clock, and with every day counted, the "
            f"{count.hours} hours can end in the course of that day; do not wait for its end."
        )
        return Step(text, safe.on, "safe")
    if safe.on == plain.on:
        held = "opens it later" if count.waits else "calls that late"
        text = f"Safe date {long_day(safe.on)}: no reading of the ordinance {held}."
    else:
        reason = terms.safe_reason.format(**safe_words(plain, safe))
        text = f"Safe date {long_day(safe.on)}: {reason}."
    return Step(text, safe.on, "safe")


def safe_words(plain: Reading, safe: Reading) -> dict[str, str]:
    """What the safe sentence of a rule may speak of."""
    extra = [day for day in safe.counted if day in plain.skipped] if plain.skipped else []
    return {"last": short_day(safe.last), "extra": day_list(extra)}
