"""Appeals to the board of zoning appeals. former § 17.19(8)"""

from datetime import date

from .citations import statute
from .clocks import deadline
from .counting import Count, Unit, Way
from .days import Calendar
from .editions import Edition, edition_on
from .time import Deadline, Terms
from .wording import capital, counted, long_day

APPEALABLE = ("grant of a permit", "denial of a permit", "any order of the building inspector")
"""former § 17.19(8): what may be appealed; neighbors may appeal a grant as well."""

STAY_STATUTE = statute("Wis. Stat. § 62.23", "(7)(e)5.")
"""An appeal stays what it is taken from, unless imminent peril is certified."""


def appeal_deadline(
    noticed_on: date,
    *,
    calendar: Calendar,
    edition: Edition | None = None,
    days: int | None = None,
) -> Deadline:
    """The board's period from notice of the decision. former § 17.19(8)"""
    edition = edition or edition_on(noticed_on)
    days = edition.appeal_days if days is None else days
    board = edition.officer("board")
    terms = Terms(
        key="appeal",
        title=f"{capital(counted(days, 'day'))} after notice of the decision or order",
        bound="person aggrieved",
        citation=edition.citation("appeal"),
        duty=f"A person aggrieved files an appeal with the {board}.",
        consequence=f"After that day the {board} may refuse the appeal as too late.",
        started=f"Notice of the decision or order {long_day(noticed_on)}; not counted.",
        end="The last day to file an appeal is {on}.{stands}",
        safe_reason="the period ends on {last} itself if the move is not allowed",
        note="The ordinance sets no period; this one is set by the city for its board.",
    )
    count = Count(noticed_on, days, Unit.DAY, plain=Way(roll=edition.roll("appeal")))
    return deadline(terms, count, calendar)
