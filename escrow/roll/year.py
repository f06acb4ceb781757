"""The roll on which the clerk works: its year, its cut-off by the council, and its days."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from escrow.bills.delivery import delivered_on
from portal import city, city_calendar, council
from portal.models import CouncilValue
from portal.ordinance.special_charge import cutoff_on
from portal.ordinance.tax_roll import RollDay, roll_days, roll_open_on

__all__ = ["RollYear", "cut_off", "roll_year_on"]

LEAP_YEAR = 2000


@dataclass(frozen=True)
class RollYear:
    """One roll as it stands on a day.

    `list_on` is the day for which the list is drawn: today until the cut-off, then the
    cut-off itself.
    """

    year: int
    cut_off_on: date
    list_on: date
    delivered_on: date
    days: tuple[RollDay, ...]


def cut_off(year: int) -> date:
    """Return the cut-off of a year: the council's as of that autumn, else the edition's."""
    edition = city.edition_on(date(year, 12, 31))
    usual = cutoff_on(year, edition=edition)
    text = council.find_text(CouncilValue.Key.ROLL_CUTOFF, on=usual)
    if text is None:
        return usual
    month, _, day = text.partition("-")
    set_to = date(LEAP_YEAR, int(month), int(day))
    return cutoff_on(year, edition=edition, cutoff=set_to)


def roll_year_on(day: date) -> RollYear:
    """Return the roll that is open on a day. § 66.0627(4): current or next"""
    year = roll_open_on(day, delivery=delivered_on(day.year))
    last, delivery = cut_off(year), delivered_on(year)
    calendar = city_calendar.current_calendar()
    days = roll_days(year, calendar=calendar, cutoff=last, delivery=delivery)
    return RollYear(year, last, min(day, last), delivery, tuple(days))
