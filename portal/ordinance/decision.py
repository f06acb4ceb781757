"""The decision on an application, and the review of a revised plan. § 40-886(c)"""

from datetime import date

from .clocks import deadline
from .counting import Count, Unit, Way
from .days import Calendar
from .editions import Edition, edition_on
from .time import Deadline, Terms
from .wording import capital, counted, long_day

SAFE_REASON = (
    "city hall is open on {extra}, and a stricter reader may count such a day as a working day"
)


def decision_deadline(
    received_on: date, *, calendar: Calendar, edition: Edition | None = None
) -> Deadline:
    """Granted or denied within ten working days after receipt. § 40-886(c)"""
    edition = edition or edition_on(received_on)
    days = edition.decision_working_days
    inspector = edition.officer("inspector")
    terms = Terms(
        key="decision",
        title=f"{capital(counted(days, 'working day'))} after receipt",
        bound=inspector,
        citation=edition.citation("permit", "(c)"),
        duty=f"The {inspector} grants or denies the permit.",
        consequence="After that day the decision is late. Nothing is deemed granted.",
        started=f"Received {long_day(received_on)} (form, plan and fee); not counted.",
        end="The {nth} working day is {on}, the last day to decide.",
        safe_reason=SAFE_REASON,
    )
    return deadline(terms, working_days_count(received_on, days), calendar)


def revision_review_deadline(
    received_on: date,
    *,
    calendar: Calendar,
    edition: Edition | None = None,
    working_days: int | None = None,
) -> Deadline:
    """The city's own promise for a revised plan; the ordinance sets none. § 40-886(c)"""
    edition = edition or edition_on(received_on)
    days = edition.revision_review_working_days if working_days is None else working_days
    inspector = edition.officer("inspector")
    terms = Terms(
        key="revision-review",
        title=f"{capital(counted(days, 'working day'))} after a revised plan is received",
        bound=inspector,
        citation=edition.citation("permit", "(c)"),
        duty=f"The {inspector} reviews the revised plan.",
        consequence="After that day the review is late. Nothing is deemed granted.",
        started=f"Revised plan received {long_day(received_on)}; not counted.",
        end="The {nth} working day is {on}, the last day to review the revision.",
        safe_reason=SAFE_REASON,
        note=(
            "This is the city's own promise: the ordinance sets no time for a revised plan. "
            "It says only that the permit is issued once the revision is satisfactory."
        ),
    )
    return deadline(terms, working_days_count(received_on, days), calendar)


def working_days_count(received_on: date, days: int) -> Count:
    """Working days; read strictly, a holiday with city hall open is one as well."""
    return Count(received_on, days, Unit.WORKING_DAY, safe=Way(open_holidays_count=True))
