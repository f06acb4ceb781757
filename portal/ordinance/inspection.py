"""Visits, corrections, rain and the log of the permittee. former § 17.19(6) and state rules"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from .citations import statute
from .clocks import deadline
from .counting import Count, Unit, Way
from .days import ONE_DAY, Calendar, Roll
from .editions import Edition, edition_on
from .time import Deadline, Terms
from .wording import long_day

STATE_LOG_RULE = statute("Wis. Admin. Code § NR 216.48", "(4)")
"""The permittee inspects weekly and within 24 hours after rain of half an inch."""

LOG_DAYS = 7
"""Wis. Admin. Code § NR 216.48(4): at least one inspection in every seven days."""

STOCKPILE_DAYS = 7
"""Wis. Admin. Code § NR 151.11(6m)(a): a stockpile older than this must be covered or seeded."""

VISIT_DAYS = 7
"""The city's own rhythm for active sites; the ordinance leaves it to the inspector."""

MILLIMETRES_PER_INCH = Decimal("25.4")
"""Exact, by definition of the inch; 12.7 mm is half an inch."""

NO_ROLL = Way(roll=Roll.NONE)


def is_rain_trigger(inches: Decimal, edition: Edition) -> bool:
    """Whether a day's rain asks for an inspection: half an inch or more."""
    return inches >= edition.rain_trigger_inches


def correction_deadline(
    found_on: date, correct_by: date, *, calendar: Calendar, edition: Edition | None = None
) -> Deadline:
    """The day by which a finding must be corrected, as the inspector set it.

    Raises ValueError if it lies before the finding.
    """
    if correct_by < found_on:
        raise ValueError("a correction cannot be due before it was found")
    edition = edition or edition_on(found_on)
    inspector = edition.called("inspector")
    terms = Terms(
        key="correction",
        title=f"The day the {inspector} set for the correction",
        bound="permittee",
        citation=edition.citation("inspection"),
        duty=f"The finding is corrected and the answer sent to the {inspector}.",
        consequence=(
            "A finding that stays open can be a ground for a stop-work order. Each day on which "
            "a violation is documented is a violation of its own."
        ),
        started=f"Found {long_day(found_on)}.",
        counted=(
            f"The {inspector} set {long_day(correct_by)}; rain, weekends and holidays included."
        ),
        end="The last day is {on}.",
        safe_reason=f"{{last}} is the day the {inspector} set",
        note=(
            "The ordinance sets no time; the state's rules ask for repair within "
            f"{edition.rain_inspection_hours} hours ({STATE_LOG_RULE})."
        ),
    )
    days = (correct_by - found_on).days
    return deadline(terms, Count(found_on, days, Unit.DAY, plain=NO_ROLL), calendar)


def rain_visit_due(rained_on: date) -> date:
    """The day by which a site is visited after trigger rain: the next, whatever day it is."""
    return rained_on + ONE_DAY


def log_gaps(entries: Iterable[date], *, begun_on: date, until: date) -> list[tuple[date, date]]:
    """Stretches of more than seven days without an entry in the permittee's log.

    Each is (first day missed, last day without an entry), both included.
    """
    gaps = []
    last = begun_on
    for day in [*sorted({e for e in entries if begun_on <= e <= until}), until + ONE_DAY]:
        if (day - last).days > LOG_DAYS:
            first_missed = date.fromordinal(last.toordinal() + LOG_DAYS + 1)
            end = day - ONE_DAY
            if first_missed <= end:
                gaps.append((first_missed, end))
        last = day
    return gaps


@dataclass(frozen=True)
class Cover:
    """The permanent cover as it was seen: perennial plants and their density in per cent."""

    perennial: bool
    density_percent: int

    def __post_init__(self) -> None:
        if not 0 <= self.density_percent <= 100:
            raise ValueError("a density lies between 0 and 100 per cent")

    def is_established(self, edition: Edition) -> bool:
        """Perennial, and dense enough. Wis. Admin. Code § SPS 321.125(1)"""
        return self.perennial and self.density_percent >= edition.cover_density_percent
