"""Asking the city attorney for a cease and desist order. former § 17.19(7)(d)"""

from datetime import date

from .clocks import waiting_period
from .counting import Way, period_count
from .days import Calendar
from .editions import Edition, edition_on
from .time import Terms, WaitingPeriod
from .wording import capital, long_day


def referral_opens(
    issued_on: date, *, calendar: Calendar, edition: Edition | None = None
) -> WaitingPeriod:
    """The day after the last day to obtain a permit. former § 17.19(7)(d)"""
    edition = edition or edition_on(issued_on)
    inspector, attorney = edition.officer("inspector"), edition.officer("attorney")
    terms = Terms(
        key="cease-and-desist",
        title=f"{capital(str(edition.stop_work_period))} without a permit have passed",
        bound=inspector,
        citation=edition.citation("enforcement", "(d)"),
        duty=f"The {inspector} waits before asking for a cease and desist order.",
        consequence=(
            f"From that day the {inspector} may ask the {attorney} for a cease and desist order "
            "if the person has neither obeyed nor obtained a permit."
        ),
        started=f"Stop-work order issued {long_day(issued_on)}; not counted.",
        end=(
            "The last day to obey or to obtain a permit is {rolled}.{stands} "
            "The request may be made from {on}."
        ),
        safe_reason="before it a stricter reading could contest the request",
    )
    way = Way(roll=edition.roll("permit-after-stop-work"), days_after=1)
    period = edition.stop_work_period
    count = period_count(issued_on, period, plain=way, safe=way, waits=True)
    return waiting_period(terms, count, calendar)
