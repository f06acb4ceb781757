"""Ten days' written notice by U.S. mail to the property owner. former § 17.19(4)(e)"""

from datetime import date

from .clocks import waiting_period
from .counting import Count, Unit, Way
from .days import Calendar
from .editions import Edition, edition_on
from .time import Terms, WaitingPeriod
from .wording import capital, counted, long_day, number_word


def draw_opens(
    deposited_on: date, *, calendar: Calendar, edition: Edition | None = None
) -> WaitingPeriod:
    """After ten days from the day the post accepts the notice. former § 17.19(4)(e)"""
    edition = edition or edition_on(deposited_on)
    days = edition.mailed_notice_days
    accepted_on = calendar.next_postal_day(deposited_on)
    terms = Terms(
        key="mailed-notice",
        title=f"{capital(counted(days, 'day'))} after notice by U.S. mail",
        bound="city",
        citation=edition.citation("draws"),
        duty="The city waits before it completes the work and draws on the escrow.",
        consequence=(
            "From that day the city may complete the work and draw on the escrow for its cost. "
            "Nothing is drawn by itself."
        ),
        started=mailing_words(deposited_on, accepted_on, calendar),
        end="The {nth} day is {last}. The city may act after it, from {on}.",
        safe_reason=f"{number_word(edition.mail_days)} days are added for the letter to arrive",
        note=(
            "The notice goes to the property owner, who may be somebody other than the permittee. "
            "A notice of intent to perform work does not take its place."
        ),
    )
    count = Count(
        accepted_on,
        days,
        Unit.DAY,
        plain=Way(days_after=1),
        safe=Way(extra_days=edition.mail_days, days_after=1),
        waits=True,
    )
    return waiting_period(terms, count, calendar)


def mailing_words(deposited_on: date, accepted_on: date, calendar: Calendar) -> str:
    """The day of mailing, and why it is not the day the letter was handed in."""
    if deposited_on == accepted_on:
        return f"Accepted by the post {long_day(accepted_on)}; not counted."
    return (
        f"Handed in on {long_day(deposited_on)}, {calendar.why_not_postal(deposited_on)}. The post "
        f"accepts it on {long_day(accepted_on)}; that day is not counted."
    )
