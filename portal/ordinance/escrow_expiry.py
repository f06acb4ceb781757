"""The last day of a bond or letter of credit, as its text names it. former § 17.19(4)(c)

The ordinance lets an escrow take these forms and says nothing of their end: the guarantee
must stand until the city releases it, so somebody renews, replaces or draws before that day.
"""

from datetime import date

from .clocks import deadline
from .counting import Count, Unit, Way
from .days import Calendar, Roll
from .editions import Edition, edition_on
from .time import Deadline, Terms
from .wording import long_day


def expiry_deadline(
    received_on: date, expires_on: date, *, calendar: Calendar, edition: Edition | None = None
) -> Deadline:
    """The last day on which an instrument still guarantees. former § 17.19(4)(c)

    Raises ValueError where it ended before it was received.
    """
    if expires_on < received_on:
        raise ValueError("an instrument cannot end before it was received")
    edition = edition or edition_on(received_on)
    terms = Terms(
        key="escrow-expiry",
        title="The last day of a bond or letter of credit",
        bound="city",
        citation=edition.citation("escrow"),
        duty=(
            "The permittee has it renewed or replaced before that day; else the city draws on it, "
            "where the ordinance opens a draw."
        ),
        consequence="After that day it guarantees nothing any more.",
        started=f"Received {long_day(received_on)}.",
        counted=f"The instrument, or its newest renewal, is good until {long_day(expires_on)}.",
        end="The last day is {on}.",
        safe_reason="{last} is the day the instrument names",
        note="A bank's or surety's own day: it moves for no Sunday and no holiday.",
    )
    days = (expires_on - received_on).days
    way = Way(roll=Roll.NONE)
    return deadline(terms, Count(received_on, days, Unit.DAY, plain=way, safe=way), calendar)
