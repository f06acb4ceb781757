"""The cells of a row, each read for what it is; what cannot surely be meant is refused."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal, InvalidOperation

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from portal.ordinance.wording import MONTHS

__all__ = ["CellError", "as_acres", "as_day", "as_degrees", "as_email", "as_parcels", "as_text"]

EARLIEST_YEAR = 1950
LATEST_YEAR = 2100
CLOCK = r"(?:[T ]+(\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s?[AaPp][Mm])?)\s?(Z|[+-]\d{2}:?\d{2})?)?"
ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})" + CLOCK, re.ASCII)
AMERICAN = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})" + CLOCK, re.ASCII)
NAMED = re.compile(r"([A-Za-z]{3,9})\.?\s+(\d{1,2}),?\s+(\d{4})" + CLOCK, re.ASCII)
DAY_FIRST_NAMED = re.compile(r"(\d{1,2})[- ]([A-Za-z]{3,9})\.?[- ](\d{4})" + CLOCK, re.ASCII)
MIDNIGHT = re.compile(r"0{1,2}:00(?::00(?:\.0+)?)?|12:00(?::00)?\s?[Aa][Mm]")
AREA = re.compile(
    r"((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d*)?|\.\d+)\s*"
    r"(acres?|ac\.?|sq\.?\s?ft\.?|square\s+feet|sf)?",
    re.ASCII | re.IGNORECASE,
)
SQUARE_FEET_PER_ACRE = Decimal(43_560)
MOST_ACRES = Decimal(99_999)
THREE_PLACES, SIX_PLACES = Decimal("0.001"), Decimal("0.000001")
WRITE_DAY = "Write the month first, such as 12/31/2020, or 2020-12-31."


class CellError(ValueError):
    """A cell that is not taken; says why in plain words."""


def shown(text: str) -> str:
    """Return a cell's text as a sentence quotes it."""
    short = " ".join(text.split())
    return f"“{short[:60]}…”" if len(short) > 60 else f"“{short}”"


def as_text(text: str, *, most: int) -> str:
    """Return a text as it was typed, if it is short enough to be kept whole."""
    kept = text.strip()
    if len(kept) > most:
        raise CellError(f"The text has {len(kept):,} characters; {most:,} can be kept.")
    return kept


def as_day(text: str, *, today: date | None = None) -> date | None:
    """Return a day, never guessed; with `today` a day that is still to come is refused."""
    text = " ".join(text.split())
    if not text:
        return None
    year, month, day = _parts(text)
    try:
        found = date(year, month, day)
    except ValueError:
        raise CellError(f"{shown(text)} is no day of the calendar. {WRITE_DAY}") from None
    if not EARLIEST_YEAR <= found.year <= LATEST_YEAR:
        raise CellError(f"{shown(text)}: the year cannot be meant.")
    if today is not None and found > today:
        raise CellError(f"{shown(text)} is still to come.")
    return found


def _parts(text: str) -> tuple[int, int, int]:
    if found := ISO.fullmatch(text):
        _check_clock(text, found[4], found[5])
        return int(found[1]), int(found[2]), int(found[3])
    if found := AMERICAN.fullmatch(text):
        _check_clock(text, found[4], found[5])
        return int(found[3]), int(found[1]), int(found[2])
    if found := NAMED.fullmatch(text):
        _check_clock(text, found[4], found[5])
        return int(found[3]), _month(found[1], text), int(found[2])
    if found := DAY_FIRST_NAMED.fullmatch(text):
        _check_clock(text, found[4], found[5])
        return int(found[3]), _month(found[2], text), int(found[1])
    if text.isdigit() and len(text) == 5:
        raise CellError(
            f"{shown(text)} is a number and no day. Give the column the format of a date in the "
            "spreadsheet, and save it anew."
        )
    if re.fullmatch(r"\d{1,2}[/-]\d{1,2}[/-]\d{2}", text, re.ASCII):
        raise CellError(f"{shown(text)}: write the year with four digits.")
    raise CellError(f"{shown(text)} cannot be read as a day. {WRITE_DAY}")


def _check_clock(text: str, clock: str | None, zone: str | None) -> None:
    """An hour of another time zone may lie on another day here."""
    if zone and not MIDNIGHT.fullmatch(clock or ""):
        raise CellError(f"{shown(text)} is a moment in another time zone. Write the day alone.")


def _month(word: str, text: str) -> int:
    for number, name in enumerate(MONTHS, start=1):
        if name.casefold().startswith(word.casefold()) or word.casefold() == name[:4].casefold():
            return number
    raise CellError(f"{shown(text)}: {word} is no month. {WRITE_DAY}")


def as_acres(text: str) -> Decimal | None:
    """Return an area in acres; without a unit it is acres."""
    text = text.strip()
    if not text:
        return None
    found = AREA.fullmatch(text)
    if found is None:
        raise CellError(f"{shown(text)} is no area. Write acres, such as 0.4, or 17,424 sq ft.")
    amount = Decimal(found[1].replace(",", ""))
    if (found[2] or "a").lower().startswith("s"):
        amount /= SQUARE_FEET_PER_ACRE
    if amount > MOST_ACRES:
        raise CellError(f"{shown(text)}: so many acres cannot be meant.")
    return amount.quantize(THREE_PLACES)


def as_degrees(text: str, *, most: int) -> Decimal | None:
    """Return a latitude or longitude in degrees."""
    text = text.strip().replace("−", "-")
    if not text:
        return None
    try:
        found = Decimal(text) if len(text) <= 30 else Decimal("NaN")
    except InvalidOperation:
        found = Decimal("NaN")
    if not found.is_finite() or abs(found) > most:
        raise CellError(f"{shown(text)} is no number of degrees, such as 43.0389 or -87.9065.")
    return found.quantize(SIX_PLACES)


def as_email(text: str) -> str:
    """Return an e-mail address, if it is one."""
    kept = as_text(text, most=254)
    try:
        if kept:
            validate_email(kept)
    except ValidationError:
        raise CellError(f"{shown(text)} is no e-mail address.") from None
    return kept


def as_parcels(text: str, *, most: int) -> tuple[str, ...]:
    """Return parcel numbers as they were written, each once."""
    found = (as_text(part, most=most) for part in re.split(r"[;\r\n]", text))
    return tuple(dict.fromkeys(part for part in found if part))
