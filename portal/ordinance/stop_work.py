"""Stop-work orders: three grounds, and ten days to comply or to get a permit.

former § 17.19(7)(a), (c) and (d)
"""

from dataclasses import dataclass
from datetime import date

from .citations import Citation
from .clocks import deadline
from .counting import Count, Way, period_count
from .days import Calendar
from .editions import Edition, edition_on
from .time import Deadline, Terms
from .wording import capital, long_day


@dataclass(frozen=True)
class Ground:
    """A reason for which work may be stopped."""

    key: str
    title: str
    sentence: str
    paragraph: str

    def citation(self, edition: Edition) -> Citation:
        """Where the ground stands written."""
        return edition.citation("enforcement", self.paragraph)


GROUNDS: tuple[Ground, ...] = (
    Ground(
        "no-permit",
        "Work without a permit",
        "Land is disturbed in a way that needs a permit, and there is no permit.",
        "(a)(1)",
    ),
    Ground(
        "plan-not-followed",
        "Plan not followed in good faith",
        "The erosion control plan, or a revision of it, is not being carried out in good faith.",
        "(a)(2)",
    ),
    Ground(
        "conditions-not-met",
        "Conditions of the permit not met",
        "The permit has conditions, and they are not being met.",
        "(a)(3)",
    ),
)
"""former § 17.19(7)(a): the only three grounds of a stop-work order."""

GROUNDS_BY_KEY = {ground.key: ground for ground in GROUNDS}

SAFE_REASON = "the period ends on {last} itself if the move is not allowed"


def compliance_deadline(
    issued_on: date, *, calendar: Calendar, edition: Edition | None = None
) -> Deadline:
    """Cease or comply within ten days of issuance. former § 17.19(7)(c)"""
    edition = edition or edition_on(issued_on)
    period = str(edition.stop_work_period)
    inspector = edition.officer("inspector")
    terms = Terms(
        key="stop-work-compliance",
        title=f"{capital(period)} of issuance",
        bound="permittee",
        citation=edition.citation("enforcement", "(c)"),
        duty="The permittee stops the activity and follows the erosion control plan.",
        consequence=f"After that day the {inspector} may revoke the permit.",
        started=f"Stop-work order issued {long_day(issued_on)}; not counted.",
        end="The last day to comply is {on}.{stands}",
        safe_reason=SAFE_REASON,
    )
    return deadline(terms, order_count(issued_on, edition, "stop-work-compliance"), calendar)


def permit_deadline(
    issued_on: date, *, calendar: Calendar, edition: Edition | None = None
) -> Deadline:
    """Obey the order or obtain a permit within ten days. former § 17.19(7)(d)"""
    edition = edition or edition_on(issued_on)
    period = str(edition.stop_work_period)
    inspector, attorney = edition.officer("inspector"), edition.officer("attorney")
    terms = Terms(
        key="permit-after-stop-work",
        title=f"{capital(period)} to obey or to obtain a permit",
        bound="person without a permit",
        citation=edition.citation("enforcement", "(d)"),
        duty="The person without a permit obeys the stop-work order or obtains a permit.",
        consequence=(
            f"After that day the {inspector} may ask the {attorney} for a cease and desist order."
        ),
        started=f"Stop-work order issued {long_day(issued_on)}; not counted.",
        end="The last day to obey or to obtain a permit is {on}.{stands}",
        safe_reason=SAFE_REASON,
        note=(
            "Review of an application can take longer than that. A complete application "
            "filed in time is a reason to wait with the request."
        ),
    )
    return deadline(terms, order_count(issued_on, edition, "permit-after-stop-work"), calendar)


def order_count(issued_on: date, edition: Edition, rule: str) -> Count:
    """From issuing; the safe reading does not move the last day."""
    return period_count(issued_on, edition.stop_work_period, plain=Way(roll=edition.roll(rule)))
