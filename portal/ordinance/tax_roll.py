"""The tax roll of a year: its days, and what must be settled before a charge goes on it.

former § 17.19(7)(e), Wis. Stat. § 66.0627(4), ch. 74. The days after the clerk's part bind
the owner and the treasurer; they are shown, not kept, by the portal.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from .citations import Citation, statute
from .days import Calendar
from .editions import Edition, edition_on
from .special_charge import (
    CHARGE_STATUTE,
    DELIVERY_STATUTE,
    PAYMENT_STATUTE,
    cutoff_on,
    delivery_on,
    payable_on,
)
from .wording import dollars

EARLY_DELIVERY = (12, 8)
"""The roll goes to the treasurer by December 8, where no refund policy allows longer. § 74.03"""
GRACE_WORKING_DAYS = 5
"""A payment within five working days after the last day is still in time. § 74.11"""
INTEREST_STATUTE = statute("Wis. Stat. § 74.47")
"""One percent a month or part of a month on what is delinquent, from February 1."""
GRACE_STATUTE = statute("Wis. Stat. § 74.11")


@dataclass(frozen=True)
class RollDay:
    """One day of a roll's year: what is due or happens, for whom, and where it stands."""

    key: str
    on: date
    title: str
    text: str
    citation: Citation


ROLL_DAYS = (
    (
        "cut-off",
        "Cut-off",
        "What is delinquent on this day goes on this roll; what becomes so later, on the next.",
        CHARGE_STATUTE,
    ),
    (
        "early-delivery",
        "Roll to the treasurer",
        "The clerk hands the roll to the treasurer by this day, unless the city refunds escrow "
        "overpayments within 15 business days.",
        DELIVERY_STATUTE,
    ),
    (
        "delivery",
        "Roll to the treasurer, at the latest",
        "The day that the council set; else the third Monday of December, the last day with that "
        "refund policy. From this day nothing is added to it or taken off it here.",
        DELIVERY_STATUTE,
    ),
    (
        "payable",
        "Last day to pay with the tax",
        "A special charge on the roll is paid in full by this day; it has no installments.",
        PAYMENT_STATUTE,
    ),
    (
        "interest",
        "Interest from this day",
        "What is delinquent bears one percent a month or part of a month, and up to half a "
        "percent of penalty. The treasurer computes it.",
        INTEREST_STATUTE,
    ),
    (
        "grace",
        "End of the days of grace",
        "A payment within five working days after the last day is still in time.",
        GRACE_STATUTE,
    ),
)
"""The days of a roll: key, title, sentence and place of each day."""


def roll_days(
    year: int,
    *,
    calendar: Calendar,
    cutoff: date | None = None,
    delivery: date | None = None,
    edition: Edition | None = None,
) -> list[RollDay]:
    """The days of the roll of a year, the first one first; `delivery` as the council set it."""
    edition = edition or edition_on(date(year, 12, 31))
    last = payable_on(year, edition=edition)
    days = {
        "cut-off": cutoff_on(year, edition=edition, cutoff=cutoff),
        "early-delivery": date(year, *EARLY_DELIVERY),
        "delivery": delivery or delivery_on(year),
        "payable": last,
        "interest": date(year + 1, 2, 1),
        "grace": grace_ends(last, calendar),
    }
    found = [RollDay(key, days[key], title, text, place) for key, title, text, place in ROLL_DAYS]
    return sorted(found, key=lambda each: each.on)


def grace_ends(last: date, calendar: Calendar) -> date:
    """The fifth working day after the last day to pay. § 74.11"""
    day, left = last, GRACE_WORKING_DAYS
    while left:
        day += timedelta(days=1)
        left -= calendar.is_working_day(day)
    return day


def roll_open_on(day: date, *, delivery: date | None = None) -> int:
    """The year of the roll on which the clerk works: this year's until it is delivered."""
    return day.year if day < (delivery or delivery_on(day.year)) else day.year + 1


@dataclass(frozen=True)
class ChargeCandidate:
    """What is known of a delinquent bill on the day the list is drawn."""

    owed: Decimal
    parcels: int
    least_part: Decimal
    divided: bool = False
    stayed_by: str = ""
    undone_by: str = ""
    split: str = ""
    retired: str = ""
    odd_number: str = ""
    form_example: str = ""
    owner_changed: str = ""
    needs_levy: bool = False


@dataclass(frozen=True)
class RollProblem:
    """One problem of a line; one that stops keeps the charge off the list until it is cured."""

    key: str
    text: str
    cure: str
    stops: bool = True


@dataclass(frozen=True)
class _Check:
    key: str
    is_there: Callable[[ChargeCandidate], bool]
    text: Callable[[ChargeCandidate], str]
    cure: str
    stops: bool = True


CHECKS: tuple[_Check, ...] = (
    _Check(
        "stayed",
        lambda facts: bool(facts.stayed_by),
        lambda facts: f"Appeal {facts.stayed_by} stays it.",
        "wait for the appeal",
    ),
    _Check(
        "undone",
        lambda facts: bool(facts.undone_by),
        lambda facts: (
            f"On appeal {facts.undone_by} the board reversed what the work was done under."
        ),
        "withdraw the bill",
    ),
    _Check(
        "needs-levy",
        lambda facts: facts.needs_levy,
        lambda facts: f"{dollars(facts.owed)} above the escrow is not assessed by the council yet.",
        "levy the assessment",
    ),
    _Check(
        "no-parcel",
        lambda facts: facts.parcels < 1,
        lambda facts: "The site has no parcel number.",
        "add the parcel",
    ),
    _Check(
        "several-parcels",
        lambda facts: facts.parcels > 1 and not facts.divided,
        lambda facts: f"The site has {facts.parcels} parcels, and it is not said who bears what.",
        "divide the bill",
    ),
    _Check(
        "split",
        lambda facts: bool(facts.split),
        lambda facts: f"Parcel {facts.split} was split.",
        "see the parcel",
    ),
    _Check(
        "retired",
        lambda facts: bool(facts.retired),
        lambda facts: f"The county retired parcel {facts.retired}.",
        "see the parcel",
    ),
    _Check(
        "odd-number",
        lambda facts: bool(facts.odd_number),
        lambda facts: (
            f"Parcel number {facts.odd_number} is not in the county's form"
            + (f", such as {facts.form_example}." if facts.form_example else ".")
        ),
        "see the parcel",
    ),
    _Check(
        "nothing",
        lambda facts: facts.least_part <= 0,
        lambda facts: "A part of nothing falls on a parcel.",
        "divide the bill",
    ),
    _Check(
        "owner-changed",
        lambda facts: bool(facts.owner_changed),
        lambda facts: (
            f"The land belongs to {facts.owner_changed} now; the charge stays with the land."
        ),
        "see the parcel",
        stops=False,
    ),
)
"""What the clerk looks at before anything is certified, in the order of weight."""


def problems(facts: ChargeCandidate) -> list[RollProblem]:
    """Every problem of a charge that would go on the roll."""
    return [
        RollProblem(check.key, check.text(facts), check.cure, check.stops)
        for check in CHECKS
        if check.is_there(facts)
    ]
