"""The date for permanent controls that the permit itself names. former § 17.19(4)(d)"""

from datetime import date

from .clocks import deadline
from .counting import Count, Unit, Way
from .days import Calendar
from .editions import Edition, edition_on
from .time import Deadline, Terms
from .wording import long_day, month_day


def completion_deadline(
    permit_date: date, *, started_on: date, calendar: Calendar, edition: Edition | None = None
) -> Deadline:
    """The permit's date, as long as no certificate of occupancy is issued before it.

    `started_on` is the day the permit was issued. former § 17.19(4)(d)
    """
    edition = edition or edition_on(started_on)
    terms = Terms(
        key="permanent-cover",
        title="The date in the permit for permanent controls",
        bound="permittee",
        citation=edition.citation("completion"),
        duty="The permittee completes the permanent controls and the permanent cover.",
        consequence=(
            "A certificate of occupancy issued before that day makes the controls due before the "
            f"certificate, or by {month_day(*edition.cover_due)} when it is issued in winter. Work "
            "not completed in time may cost the escrow."
        ),
        started=f"Permit issued {long_day(started_on)}.",
        counted=f"The permit names {long_day(permit_date)} for its permanent controls.",
        end="The last day is {on}.{stands}",
        safe_reason="{last} is the day the permit names",
    )
    days = (permit_date - started_on).days
    way = Way(roll=edition.roll("permanent-cover"))
    return deadline(terms, Count(started_on, days, Unit.DAY, plain=way), calendar)
