"""What is wrong, or only odd, with a file that is to be an edition, in plain words.

A fault keeps the file from being read; an oddity is for the city attorney to look at.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from typing import Any

from .days import FIRST_YEAR, LAST_YEAR, Roll
from .editions import (
    FIRST_CITY,
    NUMBER_NAMES,
    OFFICER_ROLES,
    PERIODS,
    SECTION_KEYS,
    Edition,
    all_editions,
    read_edition,
)
from .numbers import NUMBERS
from .periods import read_period

__all__ = ["ROLL_RULES", "Findings", "check"]

ROLL_RULES = (
    "stop-work-compliance",
    "permit-after-stop-work",
    "notice-of-intent",
    "city-work",
    "permanent-cover",
    "appeal",
)
"""The rules that ask the edition how their last day moves."""

TOP = ("key", "title", "in_force_on", "officers", "short", "labels", "numbers")
MAY = ("former", "paragraphs", "rolls")
DAYS_OF_THE_YEAR = ("winter_begins", "winter_ends", "cover_due", "roll_cutoff", "charge_payable")
AMOUNTS = ("fee", "forfeiture_min", "forfeiture_max", "soil_loss_limit", "rain_trigger_inches")
AT_LEAST_ONE = ("decision_working_days", "revision_review_working_days", "appeal_days")
MOST = {"days": 3650, "hours": 8760, "years": 100}
"""Beyond these a length of time cannot be meant, and no calendar would count it."""
OF_THE_STATE = tuple(number.name for number in NUMBERS if number.state)
"""Numbers that a city takes from the state's own rules."""


@dataclass
class Findings:
    """What was found: faults, oddities, and the edition where there is no fault."""

    faults: list[str]
    oddities: list[str]
    edition: Edition | None = None


def check(text: str, *, file_name: str = "") -> Findings:
    """Look at the text of a file; each finding is a sentence that says what to do."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return Findings([f"The file is no TOML: {error}. Compare it with the example."], [])
    faults = [*_names(data), *_heading(data), *_texts(data), *_numbers(data), *_rolls(data)]
    if faults:
        return Findings(faults, [])
    edition = read_edition(text)
    return Findings([], [*_odd(edition, file_name)], edition)


# Faults -----------------------------------------------------------------------------------


def _names(data: Mapping[str, Any]) -> Iterator[str]:
    """Names that are missing or that nobody knows, with the one that was probably meant."""
    yield from _compared("the top of the file", data, TOP, MAY)
    for table, wanted in (
        ("officers", OFFICER_ROLES),
        ("short", OFFICER_ROLES),
        ("labels", SECTION_KEYS),
        ("numbers", NUMBER_NAMES),
    ):
        if isinstance(data.get(table), dict):
            yield from _compared(f"[{table}]", data[table], wanted)
        elif table in data:
            yield f"{table} must be a table: write [{table}] on a line of its own."
    for table, known in (("rolls", ROLL_RULES), ("former", SECTION_KEYS)):
        yield from _compared(f"[{table}]", _table(data, table), (), known)
    yield from _compared("[paragraphs]", _table(data, "paragraphs"), (), SECTION_KEYS)


def _compared(
    where: str, found: Iterable[str], wanted: Iterable[str], may: Iterable[str] = ()
) -> Iterator[str]:
    names, known = list(found), [*wanted, *may]
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            yield f"{where}: {name} is unknown{f'; did you mean {near[0]}?' if near else '.'}"
    for name in wanted:
        if name not in names:
            yield f"{where}: {name} is missing."


def _heading(data: Mapping[str, Any]) -> Iterator[str]:
    day = data.get("in_force_on")
    if day is not None and (not isinstance(day, date) or isinstance(day, datetime)):
        yield "in_force_on must be a day without quotes, such as 2027-01-01."
    elif day is not None and not FIRST_YEAR <= day.year <= LAST_YEAR:
        yield f"in_force_on: the year {day.year} cannot be meant."
    for name in ("key", "title"):
        if name in data and not _is_text(data[name]):
            yield f"{name} must be a text in quotes."


def _texts(data: Mapping[str, Any]) -> Iterator[str]:
    for table in ("officers", "short", "labels", "former"):
        for name, value in _table(data, table).items():
            if not _is_text(value):
                yield f"[{table}]: {name} must be a text in quotes, and not empty."
    for section, own in _table(data, "paragraphs").items():
        if not isinstance(own, dict) or not all(map(_is_text, own.values())):
            yield f'[paragraphs.{section}] must be lines such as "(c)" = "(3)".'


def _numbers(data: Mapping[str, Any]) -> Iterator[str]:
    numbers = _table(data, "numbers")
    for name in (name for name in NUMBER_NAMES if name in numbers):
        if wrong := _wrong(name, numbers[name]):
            yield f"[numbers]: {name} {wrong}"
    least, most = (_amount(numbers.get(f"forfeiture_{end}")) for end in ("min", "max"))
    if least is not None and most is not None and least > most:
        yield "[numbers]: forfeiture_min is more than forfeiture_max."


def _wrong(name: str, value: Any) -> str:
    """What is wrong with one number; nothing when it can be read."""
    if name in PERIODS:
        return _wrong_period(value)
    if name in DAYS_OF_THE_YEAR:
        return _wrong_day(value)
    if name in AMOUNTS:
        amount = _amount(value)
        if amount is None:
            return f'is {value!r}; write it in quotes, such as "25.00".'
        return "must not be negative." if amount < 0 else ""
    if not isinstance(value, int) or isinstance(value, bool):
        return f"is {value!r}; write a whole number without quotes."
    if value < 0:
        return "must not be negative."
    if name == "cover_density_percent" and value > 100:
        return "is more than 100 percent."
    if value > MOST.get(name.rpartition("_")[2], value):
        return f"is {value:,}; so long a time cannot be meant."
    return "must be 1 or more." if name in AT_LEAST_ONE and not value else ""


def _wrong_period(value: Any) -> str:
    try:
        period = read_period(value)
    except ValueError:
        return f'is {value!r}; write "10 days" or "24 hours".'
    if period.number > MOST[f"{period.measure.value}s"]:
        return f"is {period.figures}; so long a time cannot be meant."
    return "" if period.number else "must be 1 or more."


def _wrong_day(value: Any) -> str:
    month, _, day = str(value).partition("-")
    try:
        date(2001, int(month), int(day))  # a day that every year has
    except ValueError:
        return f'is {value!r}, no day of every year; write month and day, such as "07-15".'
    return "" if isinstance(value, str) else f'is {value!r}; write it in quotes, such as "07-15".'


def _rolls(data: Mapping[str, Any]) -> Iterator[str]:
    ways = [roll.value for roll in Roll]
    for rule, way in _table(data, "rolls").items():
        if way not in ways:
            yield f"[rolls]: {rule} is {way!r}; write one of {', '.join(ways)}."


# Oddities ---------------------------------------------------------------------------------


def _odd(edition: Edition, file_name: str) -> Iterator[str]:
    """What can be meant, and is worth a second look."""
    named = edition.in_force_on.isoformat()
    if file_name and file_name != f"{named}.toml":
        yield f"The file is called {file_name}; by custom it is {named}.toml."
    if edition.key != named:
        yield f"key is {edition.key}; by custom it is the day in_force_on, {named}."
    state = all_editions(FIRST_CITY)[-1]
    for number in (number for number in NUMBERS if number.name in OF_THE_STATE):
        if number.value(edition) != number.value(state):
            yield (
                f"{number.name} is {number.text(edition)}; {number.state} has "
                f"{number.text(state)}. Is the city's own text stricter?"
            )
    yield from _odd_texts(edition)
    if not edition.winter_ends < edition.cover_due < edition.winter_begins:
        yield "cover_due does not lie between winter_ends and winter_begins of one year."
    for rule in ROLL_RULES:
        if rule not in edition.rolls:
            yield f"[rolls] does not name {rule}: its last day will not move, whatever day it is."


def _odd_texts(edition: Edition) -> Iterator[str]:
    labels = list(edition.labels.values())
    for label in sorted({label for label in labels if labels.count(label) > 1}):
        yield f"{label} is the label of more than one section."
    for role, title in edition.officers.items():
        if title != title.strip() or title[:1].isupper():
            yield f"[officers]: {role} is {title!r}; it is used inside sentences, without capital."


def _table(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = data.get(name, {})
    return found if isinstance(found, dict) else {}


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _amount(value: Any) -> Decimal | None:
    if value is None or isinstance(value, (float, bool)):
        return None
    try:
        amount = Decimal(str(value))
    except InvalidOperation:
        return None
    return amount if amount.is_finite() else None
