"""What the common council has set by resolution, as it stands on a day."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

from portal import clock, known
from portal.city import edition_on
from portal.models import CouncilValue

__all__ = ["appeal_days", "appeal_fee", "fee", "find", "find_text", "revision_review_days"]


def find(key: str, *, on: date | None = None, as_of: datetime | None = None) -> CouncilValue | None:
    """Return the row in force on a day, or None where the council has set nothing."""
    day = on or (clock.local_day(as_of) if as_of else clock.today())
    if read := known.rows():
        return next((row for row in read.values if _in_force(row, key, day, as_of)), None)
    rows = CouncilValue.objects.filter(key=key, effective_on__lte=day)
    if as_of is not None:
        rows = rows.filter(entered_at__lte=as_of)
    return rows.order_by("-effective_on", "-pk").first()


def _in_force(row: CouncilValue, key: str, day: date, as_of: datetime | None) -> bool:
    known_then = as_of is None or row.entered_at <= as_of
    return row.key == key and row.effective_on <= day and known_then


def find_text(key: str, *, on: date | None = None, as_of: datetime | None = None) -> str | None:
    """Return the value in force on a day, or None where the council has set nothing."""
    row = find(key, on=on, as_of=as_of)
    return row.value if row else None


def fee(*, on: date) -> Decimal:
    """Return the application fee in dollars: the council's, else the ordinance's. § 40-886(b)"""
    text = find_text(CouncilValue.Key.FEE, on=on)
    return Decimal(text) if text is not None else edition_on(on).fee


def revision_review_days(*, on: date) -> int:
    """Return the working days in which the city promises to review a revision."""
    text = find_text(CouncilValue.Key.REVISION_REVIEW_DAYS, on=on)
    return int(text) if text is not None else edition_on(on).revision_review_working_days


def appeal_days(*, on: date) -> int:
    """Return the days to appeal to the board of zoning appeals."""
    text = find_text(CouncilValue.Key.APPEAL_DAYS, on=on)
    return int(text) if text is not None else edition_on(on).appeal_days


def appeal_fee(*, on: date) -> Decimal:
    """Return the fee for an appeal in dollars; none unless the council has set one."""
    text = find_text(CouncilValue.Key.APPEAL_FEE, on=on)
    return Decimal(text) if text is not None else Decimal("0.00")
