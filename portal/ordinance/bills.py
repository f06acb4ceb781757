"""Paying the bill for city work. former § 17.19(7)(e), (4)(e) and Wis. Stat. § 66.0627(4)

The ordinance gives no time to pay; the council sets it. What is unpaid after it is
delinquent, and a delinquent special charge is a lien from that day.
"""

from datetime import date

from .clocks import deadline
from .counting import Count, Unit, Way
from .days import Calendar
from .editions import Edition, edition_on
from .time import Deadline, Terms
from .wording import capital, counted, long_day


def bill_due(
    billed_on: date,
    days: int,
    resolution: str,
    *,
    calendar: Calendar,
    edition: Edition | None = None,
) -> Deadline:
    """The last day to pay, by the council's resolution. Wis. Stat. § 66.0627(4)

    A payment to a city officer: a last day on a Saturday, Sunday or legal holiday moves on.
    """
    edition = edition or edition_on(billed_on)
    terms = Terms(
        key="bill",
        title=f"{capital(counted(days, 'day'))} to pay",
        bound="payer",
        citation=edition.citation("enforcement", "(e)"),
        duty="The permittee or the landowner pays the bill in full.",
        consequence=(
            "What is unpaid after that day is delinquent from the next day, and goes on the "
            "current or next tax roll."
        ),
        started=f"Billed {long_day(billed_on)}; not counted.",
        end="The {nth} day is {last}. The last day to pay is {on}.",
        safe_reason="a stricter reading ends here",
        note=f"The council set the time to pay by resolution {resolution}.",
    )
    count = Count(billed_on, days, Unit.DAY, plain=Way(roll=edition.roll("bill")))
    return deadline(terms, count, calendar)
