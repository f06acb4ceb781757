"""How days, moments, amounts and sizes are written, on pages and in letters alike."""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

from django.utils import timezone

from portal.ordinance.wording import WEEKDAYS, long_day, short_day

__all__ = ["area", "can_be_called", "file_size", "long_date", "moment", "money", "short_date"]

TELEPHONE = re.compile(r"[\d\s().+/-]*?(?:(?:x|ext\.?|extension)\s*\d{1,6})?", re.ASCII | re.I)
ASK_FOR_TELEPHONE = "Write a telephone number with its area code, such as (555) 010-0199."
SQUARE_FEET_PER_ACRE = 43_560
CENT = Decimal("0.01")


def as_day(value: date | datetime | None) -> date | None:
    """Return the calendar day in the city of a date or a moment."""
    if isinstance(value, datetime):
        return timezone.localdate(value) if timezone.is_aware(value) else value.date()
    return value


def long_date(value: date | datetime | None) -> str:
    """Tuesday, December 8, 2026."""
    day = as_day(value)
    return long_day(day) if day else ""


def short_date(value: date | datetime | None) -> str:
    """Tue, Dec 8."""
    day = as_day(value)
    return f"{WEEKDAYS[day.weekday()][:3]}, {short_day(day)}" if day else ""


def moment(value: datetime | None) -> str:
    """November 28, 2026, 9:12 am CST: a record's time as the city's wall clock showed it."""
    if value is None:
        return ""
    local = timezone.localtime(value) if timezone.is_aware(value) else value
    hour = local.hour % 12 or 12
    half = "am" if local.hour < 12 else "pm"
    day = f"{local:%B} {local.day}, {local.year}"
    return f"{day}, {hour}:{local:%M} {half} {local:%Z}".strip()


def money(value: Decimal | int | str | None) -> str:
    """$2,500.00; a minus sign stands before the dollar."""
    if value is None or value == "":
        return ""
    try:
        amount = Decimal(value).quantize(CENT, rounding=ROUND_HALF_UP)
    except (InvalidOperation, TypeError):
        return ""
    return f"{'−' if amount < 0 else ''}${abs(amount):,.2f}"


def area(value: Decimal | int | float | str | None) -> str:
    """17,424 sq ft (0.4 acre)."""
    if value is None or value == "":
        return ""
    feet = Decimal(str(value))
    acres = (feet / SQUARE_FEET_PER_ACRE).quantize(CENT, rounding=ROUND_HALF_UP)
    text = f"{feet.quantize(Decimal(1), rounding=ROUND_HALF_UP):,} sq ft"
    if not acres:
        return text
    return f"{text} ({acres.normalize():,f} {'acre' if acres <= 1 else 'acres'})"


def file_size(value: int | None) -> str:
    """84 KB, 2.4 MB."""
    size = int(value or 0)
    if size < 1024:
        return "1 byte" if size == 1 else f"{size} bytes"
    if size < 1024 * 1024:
        return f"{round(size / 1024)} KB"
    return f"{size / (1024 * 1024):.1f} MB"


def can_be_called(text: str) -> bool:
    """Whether this is a telephone number with its area code, written as people write it."""
    digits = re.sub(r"\D", "", re.split(r"x|ext", text, flags=re.I)[0], flags=re.ASCII)
    return bool(TELEPHONE.fullmatch(text)) and 10 <= len(digits) <= 15
