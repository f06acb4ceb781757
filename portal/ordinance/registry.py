"""Every rule with a clock, by key: the table that pages, command and docket read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from types import MappingProxyType

from . import (
    appeals,
    assessment,
    cease_and_desist,
    city_work,
    cover,
    decision,
    mailed_notice,
    records,
    revocation,
    stop_work,
    upkeep,
)
from .citations import Citation, statute
from .days import Calendar
from .edition_words import words
from .editions import Edition, all_editions, edition_on
from .time import Clock, Kind


class Counting(StrEnum):
    """How a rule's period is counted."""

    WORKING_DAYS = "working days"
    CALENDAR_DAYS = "calendar days"
    FIXED_DATE = "fixed date"
    NOT_BEFORE = "not before"


@dataclass(frozen=True)
class Rule:
    """A rule with a clock: of the ordinance, or of a state law that runs beside it.

    A rule of the state has its statute in `state` and no section of the ordinance.
    """

    key: str
    kind: Kind
    section: str
    paragraph: str
    title: str
    template: str
    starts_with: str
    counting: Counting
    function: Callable[..., Clock | None]
    not_applicable: Callable[[Edition], str] | None = None
    state: str = ""

    @property
    def sentence(self) -> str:
        """The rule in one sentence or two, with the newest edition's numbers."""
        return self.sentence_in(all_editions()[-1])

    def sentence_in(self, edition: Edition) -> str:
        """The rule in one sentence or two, with the numbers of an edition."""
        return self.template.format(**words(edition))

    def compute(
        self, day: date, *, calendar: Calendar, edition: Edition | None = None
    ) -> Clock | None:
        """The clock for a day of the fact; None when the rule does not apply."""
        return self.function(day, calendar=calendar, edition=edition or edition_on(day))

    def why_not(self, day: date, *, edition: Edition | None = None) -> str:
        """Why the rule does not apply to a day, in words."""
        return self.not_applicable(edition or edition_on(day)) if self.not_applicable else ""

    def citation(self, edition: Edition) -> Citation:
        """Where the rule stands written."""
        if self.state:
            return statute(self.state, self.paragraph)
        return edition.citation(self.section, self.paragraph)


_RULES = (
    Rule(
        "decision",
        Kind.DEADLINE,
        "permit",
        "(c)",
        "Decision on an application",
        "The {inspector} has {decision_working_days} working days after the application is "
        "received to grant or deny the permit. A late decision is late; it grants nothing.",
        "the day the application is received: form, plan and fee are all in",
        Counting.WORKING_DAYS,
        decision.decision_deadline,
    ),
    Rule(
        "revision-review",
        Kind.DEADLINE,
        "permit",
        "(c)",
        "Review of a revised plan",
        "The city promises to review a revised plan within {revision_review_working_days} working "
        "days. The ordinance itself sets no time for this.",
        "the day the revised plan is received",
        Counting.WORKING_DAYS,
        decision.revision_review_deadline,
    ),
    Rule(
        "stop-work-compliance",
        Kind.DEADLINE,
        "enforcement",
        "(c)",
        "Complying with a stop-work order",
        "A permittee has {stop_work_period} from the issuing of a stop-work order to stop the "
        "work and follow the plan.",
        "the day the stop-work order is issued",
        Counting.CALENDAR_DAYS,
        stop_work.compliance_deadline,
    ),
    Rule(
        "permit-after-stop-work",
        Kind.DEADLINE,
        "enforcement",
        "(d)",
        "Obtaining a permit after a stop-work order",
        "A person who works without a permit has {stop_work_period} from the issuing of a "
        "stop-work order to obey it or to obtain a permit.",
        "the day the stop-work order is issued",
        Counting.CALENDAR_DAYS,
        stop_work.permit_deadline,
    ),
    Rule(
        "revocation",
        Kind.WAITING,
        "enforcement",
        "(c)",
        "Revoking a permit",
        "The {inspector} may revoke the permit only after the permittee's {stop_work_period} to "
        "comply have passed.",
        "the day the stop-work order is issued",
        Counting.NOT_BEFORE,
        revocation.revocation_opens,
    ),
    Rule(
        "cease-and-desist",
        Kind.WAITING,
        "enforcement",
        "(d)",
        "Asking for a cease and desist order",
        "The {inspector} may ask the {attorney} for a cease and desist order only after the "
        "{stop_work_period} to obey or to obtain a permit have passed.",
        "the day the stop-work order is issued",
        Counting.NOT_BEFORE,
        cease_and_desist.referral_opens,
    ),
    Rule(
        "notice-of-intent",
        Kind.WAITING,
        "enforcement",
        "(e)",
        "Notice of intent to perform work",
        "From {notice_wait_period} after a stop-work order was posted, the {inspector} may give "
        "notice that the city intends to do the work itself.",
        "the day the stop-work order is posted on the site",
        Counting.NOT_BEFORE,
        city_work.notice_of_intent_opens,
    ),
    Rule(
        "city-work",
        Kind.WAITING,
        "enforcement",
        "(e)",
        "City work on the land",
        "The city may go on the land and begin the work only after {entry_wait_period} from the "
        "issuing of its notice of intent.",
        "the day the notice of intent is issued",
        Counting.NOT_BEFORE,
        city_work.city_work_opens,
    ),
    Rule(
        "mailed-notice",
        Kind.WAITING,
        "draws",
        "",
        "Notice by mail before a draw on the escrow",
        "The city may complete the work and draw on the escrow only after {mailed_notice_days} "
        "days' written notice by U.S. mail to the property owner.",
        "the day the notice is deposited in the mail",
        Counting.NOT_BEFORE,
        mailed_notice.draw_opens,
    ),
    Rule(
        "upkeep-work",
        Kind.WAITING,
        "maintenance",
        "(7)",
        "City work under a maintenance agreement",
        "The city may do what its notice of maintenance asks for only after the time that the "
        "notice gives to the responsible party.",
        "the day until which the city's notice of maintenance gives time",
        Counting.NOT_BEFORE,
        upkeep.work_opens,
    ),
    Rule(
        "permanent-cover",
        Kind.DEADLINE,
        "completion",
        "",
        "Permanent cover after a winter certificate",
        "When a certificate of occupancy is issued from {winter_begins} to {winter_ends}, "
        "permanent controls and permanent cover must be complete by the {cover_due} after "
        "that {winter_month}.",
        "the day the certificate of occupancy is issued",
        Counting.FIXED_DATE,
        cover.permanent_cover_deadline,
        cover.why_no_deadline,
    ),
    Rule(
        "assessment-term",
        Kind.DEADLINE,
        "draws",
        "",
        "Term of an assessment",
        "An assessment for work that cost more than the escrow bears interest for at most {years} "
        "from the day it is levied.",
        "the day the assessment is levied",
        Counting.FIXED_DATE,
        assessment.term,
    ),
    Rule(
        "appeal",
        Kind.DEADLINE,
        "appeal",
        "",
        "Appeal to the board",
        "Anyone aggrieved by a permit decision or an order may appeal to the {board} "
        "within the period that the city has set.",
        "the day the decision or order is made known",
        Counting.CALENDAR_DAYS,
        appeals.appeal_deadline,
    ),
    Rule(
        "records-request",
        Kind.DEADLINE,
        "",
        "(4)(a)",
        "Answer to a request for records",
        "A request for public records is answered as soon as practicable and without delay. By "
        "rule of thumb that is 10 working days; the statute itself sets no number.",
        "the day the request is received",
        Counting.WORKING_DAYS,
        records.answer_deadline,
        state=records.REQUESTS,
    ),
    Rule(
        "destruction",
        Kind.WAITING,
        "",
        "(4)(a)",
        "Destroying records after notice to the historical society",
        "Records are destroyed only after sixty days' written notice by mail to the state "
        "historical society, unless the society has waived it.",
        "the day the notice is mailed to the society",
        Counting.NOT_BEFORE,
        records.destruction_opens,
        state=records.RETENTION,
    ),
)

RULES: Mapping[str, Rule] = MappingProxyType({rule.key: rule for rule in _RULES})
"""The rules in the order of a case, by key."""
