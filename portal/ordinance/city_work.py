"""The city's own work: notice of intent, then the work. former § 17.19(7)(e)"""

from datetime import date

from .clocks import waiting_period
from .counting import Way, period_count
from .days import Calendar
from .editions import Edition, edition_on
from .time import Terms, WaitingPeriod
from .wording import capital, long_day

SAFE_REASON = "before it a stricter reading could contest the act"


def notice_of_intent_opens(
    posted_on: date, *, calendar: Calendar, edition: Edition | None = None
) -> WaitingPeriod:
    """Ten days after the order was posted on the site. former § 17.19(7)(e)"""
    edition = edition or edition_on(posted_on)
    period = edition.notice_wait_period
    inspector = edition.officer("inspector")
    terms = Terms(
        key="notice-of-intent",
        title=f"{capital(str(period))} after posting",
        bound=inspector,
        citation=edition.citation("enforcement", "(e)"),
        duty=f"The {inspector} waits before giving notice of intent to perform work.",
        consequence=(
            f"From that day the {inspector} may issue the notice to the permittee, the landowner "
            "or the land user. No notice goes out by itself."
        ),
        started=f"Stop-work order posted on the site {long_day(posted_on)}; not counted.",
        end="{ends}. The notice may be issued from {on}.",
        safe_reason=SAFE_REASON,
    )
    count = period_count(
        posted_on,
        period,
        safe=Way(roll=edition.roll("notice-of-intent"), days_after=1),
        waits=True,
    )
    return waiting_period(terms, count, calendar)


def city_work_opens(
    notice_issued_on: date, *, calendar: Calendar, edition: Edition | None = None
) -> WaitingPeriod:
    """After 14 days from issuing the notice of intent. former § 17.19(7)(e)"""
    edition = edition or edition_on(notice_issued_on)
    period = edition.entry_wait_period
    inspector = edition.officer("inspector")
    terms = Terms(
        key="city-work",
        title=f"After {period} from issuing the notice of intent",
        bound=inspector,
        citation=edition.citation("enforcement", "(e)"),
        duty=f"The {inspector} waits before going on the land.",
        consequence=(
            f"From that day the {inspector} may go on the land and do the work that the ordinance "
            "requires. The cost is billed to the permittee or the landowner."
        ),
        started=f"Notice of intent issued {long_day(notice_issued_on)}; not counted.",
        end="{ends}. Work may begin after it, from {on}.",
        safe_reason=SAFE_REASON,
    )
    count = period_count(
        notice_issued_on,
        period,
        plain=Way(days_after=1),
        safe=Way(roll=edition.roll("city-work"), days_after=1),
        waits=True,
    )
    return waiting_period(terms, count, calendar)
