"""Additional devices by a timetable, because the plan became inadequate. former § 17.19(7)(b)"""

from datetime import date

from .clocks import deadline
from .counting import Count, Unit, Way
from .days import Calendar, Roll
from .editions import Edition, edition_on
from .time import Deadline, Terms
from .wording import long_day

NO_ROLL = Way(roll=Roll.NONE)


def line_deadline(
    issued_on: date, due_on: date, *, calendar: Calendar, edition: Edition | None = None
) -> Deadline:
    """The day by which one additional device is installed, as the timetable sets it. (7)(b)

    Raises ValueError if it lies before the order.
    """
    if due_on < issued_on:
        raise ValueError("a device cannot be due before it was ordered")
    edition = edition or edition_on(issued_on)
    inspector = edition.officer("inspector")
    terms = Terms(
        key="revision-order-line",
        title="The day the timetable of the revision order sets",
        bound="permittee",
        citation=edition.citation("enforcement", "(b)"),
        duty="The permittee installs the additional device.",
        consequence=(
            "A device that is not installed by then leaves the plan, as it was revised, not "
            f"carried out. The {inspector} may issue a stop-work order on that ground. Nothing is "
            "ordered by itself."
        ),
        started=f"Revision order issued {long_day(issued_on)}.",
        counted=f"The {inspector} set {long_day(due_on)}; rain, weekends and holidays included.",
        end="The last day is {on}.",
        safe_reason="{last} is the day the timetable sets",
    )
    days = (due_on - issued_on).days
    return deadline(terms, Count(issued_on, days, Unit.DAY, plain=NO_ROLL), calendar)
