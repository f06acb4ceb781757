"""What the register of deeds asks of an instrument. Wis. Stat. § 59.43 and ch. 706

The measures are in inches of the sheet. There is no rule on the size of letters.
"""

import re
from dataclasses import dataclass
from datetime import date

from .citations import Citation, statute
from .obstacles import Obstacle

FORMAT = statute("Wis. Stat. § 59.43", "(2m)")
SOCIAL_SECURITY = statute("Wis. Stat. § 59.43", "(1m)(a)")
DRAFTER = statute("Wis. Stat. § 59.43", "(5)(a)")
CONVEYANCE = statute("Wis. Stat. § 706.02", "(1)")
BINDING = statute("Wis. Stat. § 706.08", "(1)(a)")


@dataclass(frozen=True)
class FirstPage:
    """Where things stand on the first page, in inches. Wis. Stat. § 59.43(2m)(a)"""

    width: float = 8.5
    height: float = 11.0
    top_margin: float = 0.5
    other_margin: float = 0.25
    title_from: float = 0.5
    title_to: float = 3.0
    number_height: float = 0.5
    number_width: float = 2.0
    number_within: float = 3.0
    recording_side: float = 3.0
    return_height: float = 1.0
    return_width: float = 3.0


FIRST_PAGE = FirstPage()

_GAP = r"[ \t\r\n\u00a0\u2007\u2009\u202f]"
_DASH = r"[-\u2010-\u2015\u2212\uFE58\uFE63\uFF0D./]"
_SHAPE = re.compile(
    rf"(?<!\d)(?<!\d{_DASH})"
    rf"(?:\d{{9}}|\d{{3}}(?:{_DASH}|{_GAP})\d{{2}}(?:{_DASH}|{_GAP})\d{{4}})"
    rf"(?!{_DASH}?\d)",
    re.ASCII,
)
_LOOSE = re.compile(rf"{_GAP}*({_DASH}){_GAP}*")
_GAPS = re.compile(rf"{_GAP}+")


def find_social_security(text: str, *, known: tuple[str, ...] = ()) -> str:
    """What looks like a social security number in a text, or nothing. Wis. Stat. § 59.43(1m)(a)

    Three, two and four digits with a blank or a sign between them, or nine digits in a row.
    `known` are numbers that may look alike and are none: parcel numbers as they are on record.
    """
    for number in sorted(filter(None, known), key=len, reverse=True):
        text = text.replace(number, "#")
    closed = _GAPS.sub(" ", _LOOSE.sub(r"\1", text))
    found = _SHAPE.search(closed)
    return found[0] if found else ""


@dataclass(frozen=True)
class RecordFacts:
    """What is said of a recording, and what was before it."""

    recorded_on: date
    signed_on: date | None
    today: date
    after: date | None = None
    """The recording of what this one amends or releases."""


def obstacles_to_record(facts: RecordFacts) -> list[Obstacle]:
    """Why a recording cannot have been as it is told. Wis. Stat. § 706.08(1)(a)"""
    found = []
    if facts.recorded_on > facts.today:
        text = "The day of recording lies after today."
        found.append(Obstacle("future", text, BINDING, "write the day on the stamp"))
    if facts.signed_on is not None and facts.recorded_on < facts.signed_on:
        text = "The day of recording lies before the day of the last signature."
        found.append(Obstacle("order", text, BINDING, "write the day on the stamp"))
    if facts.after is not None and facts.recorded_on < facts.after:
        text = "The day lies before the recording of what it amends or releases."
        found.append(Obstacle("order", text, BINDING, "write the day on the stamp"))
    return found


def citations() -> tuple[Citation, ...]:
    """The places of state law on which the paper rests, as the portal shows them."""
    return (FORMAT, SOCIAL_SECURITY, DRAFTER, CONVEYANCE, BINDING)
