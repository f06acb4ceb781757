"""Appeals to the board of zoning appeals. former § 17.19(8)"""

from datetime import date

from .citations import statute
from .clocks import deadline
from .counting import Count, Unit, Way
from .days import Calendar, Roll
from .editions import Edition, edition_on
from .time import Deadline, Terms
from .wording import capital, counted, long_day

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


FURTHER_REVIEW_DAYS = 30
"""Wis. Stat. § 62.23(7)(e)10: certiorari within 30 days after the filing of the decision."""

REVIEW_STATUTE = statute("Wis. Stat. § 62.23", "(7)(e)10.")


def further_review_deadline(
    filed_on: date, *, calendar: Calendar, edition: Edition | None = None
) -> Deadline:
    """The last day to ask a court to review the board. Wis. Stat. § 62.23(7)(e)10."""
    edition = edition or edition_on(filed_on)
    board = edition.officer("board")
    terms = Terms(
        key="further-review",
        title=f"{capital(counted(FURTHER_REVIEW_DAYS, 'day'))} after the decision was filed",
        bound="person aggrieved",
        citation=REVIEW_STATUTE,
        duty=f"A person aggrieved by the decision of the {board} asks the circuit court to review "
        "it (certiorari).",
        consequence="After that day the court may refuse the review as too late.",
        started=f"Decision of the board filed {long_day(filed_on)}; not counted.",
        end="The last day is {on}.{stands}",
        safe_reason="the period ends on {last} itself if the move is not allowed",
        note="A state law sets this period, not the ordinance. Ask a lawyer before you rely on it.",
    )
    way = Way(roll=Roll.FILING)
    count = Count(filed_on, FURTHER_REVIEW_DAYS, Unit.DAY, plain=way)
    return deadline(terms, count, calendar)
