"""Special charges on the tax roll. former § 17.19(7)(e) and Wis. Stat. § 66.0627

A special charge is not payable in installments. It is not an assessment.
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from .citations import statute
from .editions import Edition, all_editions, edition_on
from .holidays import MONDAY, nth_weekday
from .obstacles import Obstacle
from .wording import dollars

CHARGE_STATUTE = statute("Wis. Stat. § 66.0627")
PAYMENT_STATUTE = statute("Wis. Stat. § 74.11", "(3)")
"""Special charges on the roll are paid in full by January 31."""
DELIVERY_STATUTE = statute("Wis. Stat. § 74.03")
"""The clerk hands the roll to the treasurer by the third Monday of December."""


def cutoff_on(year: int, *, edition: Edition | None = None, cutoff: date | None = None) -> date:
    """The last day for that year's roll: the council's, or the edition's."""
    if cutoff is not None:
        return date(year, cutoff.month, cutoff.day)
    edition = edition or edition_on(date(year, 12, 31))
    return date(year, *edition.roll_cutoff)


def roll_year(
    unpaid_on: date, *, edition: Edition | None = None, cutoff: date | None = None
) -> int:
    """The current roll up to the cut-off day, after it the next. § 66.0627"""
    last = cutoff_on(unpaid_on.year, edition=edition, cutoff=cutoff)
    return unpaid_on.year if unpaid_on <= last else unpaid_on.year + 1


def payable_on(year: int, *, edition: Edition | None = None) -> date:
    """The day by which a charge on that roll is paid in full. § 74.11(3)"""
    edition = edition or edition_on(date(year, 12, 31))
    return date(year + 1, *edition.charge_payable)


def delivery_on(year: int) -> date:
    """The third Monday of December, when the roll goes to the treasurer. § 74.03"""
    return nth_weekday(year, 12, MONDAY, 3)


@dataclass(frozen=True)
class ChargeFacts:
    """What the clerk knows of a bill for city work."""

    billed_on: date | None
    due_on: date | None
    amount: Decimal
    paid: Decimal = Decimal("0.00")
    parcels: int = 0
    entered_before: bool = False


def obstacles_to_enter(
    facts: ChargeFacts, *, on: date, edition: Edition | None = None
) -> list[Obstacle]:
    """Why a bill cannot be entered on the tax roll yet. former § 17.19(7)(e)"""
    edition = edition or all_editions()[-1]
    citation = edition.citation("enforcement", "(e)")
    unpaid = facts.amount - facts.paid
    checks = (
        (
            facts.billed_on is None,
            "not-billed",
            "The cost has not been billed yet.",
            "bill the cost",
        ),
        (
            facts.billed_on is not None and (facts.due_on is None or on <= facts.due_on),
            "not-due",
            "The time to pay the bill has not passed.",
            "wait until the bill is due",
        ),
        (unpaid <= 0, "paid", "Nothing is left unpaid.", "no charge is needed"),
        (facts.parcels < 1, "no-parcel", "The site has no parcel number.", "add the parcel"),
        (
            facts.entered_before,
            "entered",
            f"The charge of {dollars(facts.amount)} was entered before.",
            "see the tax roll",
        ),
    )
    return [Obstacle(key, text, citation, cure) for stops, key, text, cure in checks if stops]
