"""Revoking a permit after a stop-work order. former § 17.19(7)(c)"""

from datetime import date

from .clocks import waiting_period
from .counting import Way, period_count
from .days import Calendar
from .editions import Edition, edition_on
from .time import Terms, WaitingPeriod
from .wording import capital, long_day


def revocation_opens(
    issued_on: date, *, calendar: Calendar, edition: Edition | None = None
) -> WaitingPeriod:
    """The day after the permittee's last day to comply. former § 17.19(7)(c)"""
    edition = edition or edition_on(issued_on)
    inspector = edition.officer("inspector")
    terms = Terms(
        key="revocation",
        title=f"{capital(str(edition.stop_work_period))} of issuance have passed",
        bound=inspector,
        citation=edition.citation("enforcement", "(c)"),
        duty=f"The {inspector} waits before revoking the permit.",
        consequence=(
            f"From that day the {inspector} may revoke the permit if the permittee has neither "
            "stopped nor followed the plan. Nothing is revoked by itself."
        ),
        started=f"Stop-work order issued {long_day(issued_on)}; not counted.",
        end=(
            "The permittee's last day to comply is {rolled}.{stands} "
            "The permit may be revoked from {on}."
        ),
        safe_reason="before it a permittee who files on the next day the city takes filings "
        "could still claim to be in time",
    )
    count = period_count(
        issued_on,
        edition.stop_work_period,
        plain=Way(roll=edition.roll("stop-work-compliance"), days_after=1),
        safe=Way(roll=edition.roll("permit-after-stop-work"), days_after=1),
        waits=True,
    )
    return waiting_period(terms, count, calendar)
