"""Special charges on the tax roll. former § 17.19(7)(e) and Wis. Stat. § 66.0627

A special charge is not payable in installments. It is not an assessment.
"""

from datetime import date

from .citations import statute
from .editions import Edition, edition_on
from .holidays import MONDAY, nth_weekday

CHARGE_STATUTE = statute("Wis. Stat. § 66.0627")
PAYMENT_STATUTE = statute("Wis. Stat. § 74.11", "(3)")
"""Special charges on the roll are paid in full by January 31."""
DELIVERY_STATUTE = statute("Wis. Stat. § 74.03")
"""The clerk hands the roll to the treasurer by December 8, or by the third Monday of December
where the city refunds escrow overpayments within 15 business days."""


def cutoff_on(year: int, *, edition: Edition | None = None, cutoff: date | None = None) -> date:
    """The last day for that year's roll: the council's, or the edition's."""
    if cutoff is not None:
        return date(year, cutoff.month, cutoff.day)
    edition = edition or edition_on(date(year, 12, 31))
    return date(year, *edition.roll_cutoff)


def payable_on(year: int, *, edition: Edition | None = None) -> date:
    """The day by which a charge on that roll is paid in full. § 74.11(3)"""
    edition = edition or edition_on(date(year, 12, 31))
    return date(year + 1, *edition.charge_payable)


def delivery_on(year: int, *, set_to: date | None = None) -> date:
    """When the roll goes to the treasurer: the third Monday of December at the latest. § 74.03

    The council may set an earlier day of the year.
    """
    last = nth_weekday(year, 12, MONDAY, 3)
    return min(date(year, set_to.month, set_to.day), last) if set_to else last
