"""Finds what only the first city's ordinance says, in whatever another city's portal shows."""

from __future__ import annotations

import re

__all__ = ["first_citys_words"]

OFFICERS = (
    r"building inspectors?|inspectors?|city clerk|(?:city )?administrator|city attorney|"
    r"(?:board of )?zoning appeals|common council"
)
SECTIONS = r"§ ?40-\d+|17\.19"
PERIODS = (
    r"(?:ten|10) (?:working |calendar )?days?|ten-day|tenth (?:working )?day|"
    r"(?:fourteen|14) days|one year at most|at most one year"
)
NUMBERS = r"\$(?:25|50)\.00|4,000 square|400 cubic yards or|300 feet or|70 (?:percent|per cent|%)"
SEASON = r"July 15(?!,? \d)|October 15(?!,? \d)|April 15(?!,? \d)"
WORDS = re.compile(rf"\b(?:{OFFICERS}|{PERIODS}|{SEASON})\b|{SECTIONS}|{NUMBERS}", re.IGNORECASE)

OTHERWISE = re.compile(
    r"Sam (?:Inspector|Administrator)|(?:inspector|administrator)@|"  # names of the small city
    r"the city's inspectors|"  # whoever visits sites for the city
    r"ten working days after the request|ten working days: |the tenth working day is|"
    r"rule of thumb that is 10 working days",  # requests for records, by the state's law
    re.IGNORECASE,
)
"""What says such a word for a reason of its own."""

TAGS = re.compile(r"<(script|style)\b.*?</\1>|<[^>]+>", re.DOTALL)


def first_citys_words(text: str) -> list[str]:
    """Return each such word with what stands around it; tags are no text."""
    text = OTHERWISE.sub("somebody", " ".join(TAGS.sub(" ", text).split()))
    return [text[max(0, m.start() - 60) : m.end() + 40] for m in WORDS.finditer(text)]
