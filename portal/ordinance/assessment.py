"""Assessing what the escrow did not cover. former § 17.19(4)(e) and ch. 66

This is not the special charge of § 66.0627: an assessment needs the council's
resolution first, may bear interest for one year, and takes the council's fee.
"""

from calendar import isleap
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

from .clocks import deadline
from .counting import Count, Unit
from .days import Calendar
from .editions import Edition, edition_on
from .obstacles import Obstacle
from .time import Deadline, Terms
from .wording import capital, counted, long_day

CENT = Decimal("0.01")
DAYS_IN_A_YEAR = 365
"""Interest is simple, by the day, over 365; the ordinance does not say."""


def anniversary(day: date, years: int = 1) -> date:
    """The same day in a later year; February 29 becomes February 28."""
    year = day.year + years
    if (day.month, day.day) == (2, 29) and not isleap(year):
        return date(year, 2, 28)
    return day.replace(year=year)


def term(levied_on: date, *, calendar: Calendar, edition: Edition | None = None) -> Deadline:
    """At most one year from the levy. former § 17.19(4)(e)"""
    edition = edition or edition_on(levied_on)
    ends_on = anniversary(levied_on, edition.assessment_years)
    years = counted(edition.assessment_years, "year")
    terms = Terms(
        key="assessment-term",
        title=f"At most {years} from the levy",
        bound="city",
        citation=edition.citation("draws"),
        duty="The city charges interest on the assessment for no longer than this.",
        consequence="After that day no more interest is added.",
        started=f"Levied {long_day(levied_on)}; not counted.",
        counted=f"{capital(years)} by the calendar.",
        end="The last day on which interest may run is {on}." + leap_words(levied_on, ends_on),
        safe_reason="the strictest reading ends here",
    )
    count = Count(levied_on, (ends_on - levied_on).days, Unit.DAY)
    return deadline(terms, count, calendar)


def leap_words(levied_on: date, ends_on: date) -> str:
    """Why February 29 ends on February 28."""
    if levied_on.day == ends_on.day:
        return ""
    return " That year has no February 29, so the term ends on February 28."


def interest(
    principal: Decimal,
    rate: Decimal,
    levied_on: date,
    until: date,
    *,
    edition: Edition | None = None,
) -> Decimal:
    """Simple interest to a day, at most to the anniversary. former § 17.19(4)(e)

    `rate` is the council's, in percent a year (Decimal("5.5") is 5.5 percent).
    The day of the levy bears none; the last day does. Half a cent rounds up.
    """
    edition = edition or edition_on(levied_on)
    last = min(until, anniversary(levied_on, edition.assessment_years))
    days = max((last - levied_on).days, 0)
    raw = principal * rate * days / (100 * DAYS_IN_A_YEAR)
    return raw.quantize(CENT, ROUND_HALF_UP)


def interest_between(
    principal: Decimal,
    rate: Decimal,
    levied_on: date,
    since: date,
    until: date,
    *,
    edition: Edition | None = None,
) -> Decimal:
    """Simple interest from one day to another, at most to the anniversary of the levy.

    For a principal that payments lower: `since` is the day up to which interest is booked
    already and bears none; `until` does. former § 17.19(4)(e)
    """
    edition = edition or edition_on(levied_on)
    last = min(until, anniversary(levied_on, edition.assessment_years))
    days = max((last - max(since, levied_on)).days, 0)
    raw = principal * rate * days / (100 * DAYS_IN_A_YEAR)
    return raw.quantize(CENT, ROUND_HALF_UP)


@dataclass(frozen=True)
class LevyFacts:
    """What the city knows when it wants to levy an assessment."""

    is_escrow_path: bool
    unpaid: Decimal
    due_on: date
    levied_before: bool = False
    rate: Decimal | None = None
    fee: Decimal | None = None
    stayed_by: str = ""  # the appeal that stays what the work was done under
    undone_by: str = ""  # the appeal on which the board reversed it


@dataclass(frozen=True)
class LevyCheck:
    """One thing that stands against a levy while it holds."""

    key: str
    stops: Callable[[LevyFacts, date], bool]
    text: str
    cure: str


LEVY_CHECKS = (
    LevyCheck(
        "other-path",
        lambda facts, on: not facts.is_escrow_path,
        "Work after a notice of intent becomes a special charge; it is never assessed.",
        "enter it on the tax roll",
    ),
    LevyCheck(
        "levied",
        lambda facts, on: facts.levied_before,
        "This bill is assessed already.",
        "see the assessment",
    ),
    LevyCheck(
        "paid", lambda facts, on: facts.unpaid <= 0, "Nothing is left unpaid.", "nothing to assess"
    ),
    LevyCheck(
        "stayed",
        lambda facts, on: bool(facts.stayed_by),
        "Appeal {stayed_by} stays the levy until the board has decided.",
        "wait for the appeal",
    ),
    LevyCheck(
        "undone",
        lambda facts, on: bool(facts.undone_by),
        "On appeal {undone_by} the board reversed what the work was done under: its cost cannot "
        "be assessed.",
        "withdraw the bill",
    ),
    LevyCheck(
        "not-due",
        lambda facts, on: on <= facts.due_on,
        "The bill may be paid until {due}.",
        "wait until the bill is due",
    ),
    LevyCheck(
        "no-rate",
        lambda facts, on: facts.rate is None,
        "The {council}'s resolution on the interest rate of assessments is not on file, so no "
        "interest can be computed.",
        "enter the interest rate",
    ),
    LevyCheck(
        "no-fee",
        lambda facts, on: facts.fee is None,
        "The {council}'s resolution on the administrative fee of assessments is not on file, so "
        "no fee can be computed.",
        "enter the administrative fee",
    ),
)
"""former § 17.19(4)(e): what must be settled before anything is assessed."""


def obstacles_to_levy(
    facts: LevyFacts, *, on: date, edition: Edition | None = None
) -> list[Obstacle]:
    """Why nothing is assessed yet; without the council nothing is computed. (4)(e)"""
    edition = edition or edition_on(on)
    words = {
        "council": edition.officer("council"),
        "due": long_day(facts.due_on),
        "stayed_by": facts.stayed_by,
        "undone_by": facts.undone_by,
    }
    return [
        Obstacle(each.key, each.text.format(**words), edition.citation("draws"), each.cure)
        for each in LEVY_CHECKS
        if each.stops(facts, on)
    ]


@dataclass(frozen=True)
class Assessment:
    """What is levied: the cost above the escrow and the council's fee."""

    cost: Decimal
    fee: Decimal

    @property
    def principal(self) -> Decimal:
        """The fee is added to the assessment and becomes part of it."""
        return self.cost + self.fee
