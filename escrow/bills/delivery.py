"""The day on which the tax roll of a year goes to the treasurer. Wis. Stat. § 74.03"""

from __future__ import annotations

from datetime import date

from portal import council
from portal.models import CouncilValue
from portal.ordinance.special_charge import delivery_on

__all__ = ["delivered_on"]

LEAP_YEAR = 2000


def delivered_on(year: int) -> date:
    """Return the council's day as it stood on December 1, else the last possible one.

    From this day nothing is put on that roll or taken off it here.
    """
    text = council.find_text(CouncilValue.Key.ROLL_DELIVERY, on=date(year, 12, 1))
    if text is None:
        return delivery_on(year)
    month, _, day = text.partition("-")
    return delivery_on(year, set_to=date(LEAP_YEAR, int(month), int(day)))
