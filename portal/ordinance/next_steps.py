"""What may be done after a stop-work order, and why not yet. former § 17.19(7), (4)(e)

Pure: a `Situation` of facts and the waiting period in, every `Obstacle` out. The branch
follows the person: a permittee can be revoked, a person without a permit who neither stops
nor files in time goes to the attorney. Nothing happens by itself: the law says "may".
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from .citations import Citation
from .editions import Edition, edition_on
from .obstacles import Obstacle
from .time import Deadline, WaitingPeriod
from .wording import capital, long_day

__all__ = [
    "STEPS",
    "STEPS_BY_KEY",
    "NextStep",
    "Situation",
    "StepKey",
    "held_by_application",
    "obstacles_to",
]


class StepKey(StrEnum):
    """The steps that may follow a stop-work order."""

    REVOCATION = "revocation"
    CEASE_AND_DESIST = "cease-and-desist"
    NOTICE_OF_INTENT = "notice-of-intent"
    CITY_WORK = "city-work"
    OWNER_NOTICE = "owner-notice"


@dataclass(frozen=True)
class NextStep:
    """A step that the ordinance allows: its words and where it stands written."""

    key: StepKey
    title: str
    ground: str
    section: str
    paragraph: str
    first_day: str

    def citation(self, edition: Edition) -> Citation:
        """Where the step stands written."""
        return edition.citation(self.section, self.paragraph)

    def ground_of(self, edition: Edition) -> str:
        """The ground as a sentence, with the numbers of that edition."""
        return capital(
            self.ground.format(
                order_days=edition.stop_work_period,
                posted_days=edition.notice_wait_period,
                entry_days=edition.entry_wait_period,
            )
        )


STEPS: tuple[NextStep, ...] = (
    NextStep(
        StepKey.REVOCATION,
        "Revoke the permit",
        "The permittee did not stop the activity or follow the plan within {order_days} of the "
        "order.",
        "enforcement",
        "(c)",
        "The permit may be revoked from {day}.",
    ),
    NextStep(
        StepKey.CEASE_AND_DESIST,
        "Request a cease and desist order",
        "A person without a permit did not obey the order or obtain a permit within {order_days}.",
        "enforcement",
        "(d)",
        "The request to the {attorney} may be made from {day}.",
    ),
    NextStep(
        StepKey.NOTICE_OF_INTENT,
        "Issue a notice of intent to perform work",
        "{posted_days} have passed since the order was posted on the site. The cost of work under "
        "this notice is billed, and unpaid becomes a special charge.",
        "enforcement",
        "(e)",
        "The notice may be issued from {day}.",
    ),
    NextStep(
        StepKey.CITY_WORK,
        "Enter the land and do the work",
        "{entry_days} have passed since the notice of intent was issued.",
        "enforcement",
        "(e)",
        "The city may enter and begin the work from {day}.",
    ),
    NextStep(
        StepKey.OWNER_NOTICE,
        "Mail the notice to the property owner",
        "Work that the permit requires is not done. The cost of work under this notice is "
        "drawn from the escrow.",
        "draws",
        "",
        "",
    ),
)
"""former § 17.19(7)(c), (d) and (e), and former § 17.19(4)(e)."""

STEPS_BY_KEY = {step.key: step for step in STEPS}


@dataclass(frozen=True)
class Situation:
    """What the city knows of an order on the day the question is asked."""

    stands: bool = True
    ended: str = ""  # "lifted", "withdrawn", "reversed"
    against_permittee: bool = False
    permit_status: str = ""  # of the permit under the order, in words, if it is not issued
    permit_since: date | None = None  # issued to the person without a permit
    posted_on: date | None = None
    stayed: bool = False
    revoked: bool = False
    reversed: bool = False  # revoked under this order, and the board reversed it
    requested: bool = False
    notice_stands: bool = False
    work_begun: bool = False
    owner_notice_stands: bool = False
    escrow_held: bool = False


@dataclass(frozen=True)
class Check:
    """One thing that stops some of the steps while it holds."""

    key: str
    steps: frozenset[StepKey]
    stops: Callable[[Situation], bool]
    text: str
    cure: str


EVERY = frozenset(StepKey)
REVOCATION = frozenset({StepKey.REVOCATION})
CEASE_AND_DESIST = frozenset({StepKey.CEASE_AND_DESIST})
NOTICE_OF_INTENT = frozenset({StepKey.NOTICE_OF_INTENT})
CITY_WORK = frozenset({StepKey.CITY_WORK})
OWNER_NOTICE = frozenset({StepKey.OWNER_NOTICE})

CHECKS: tuple[Check, ...] = (
    Check(
        "order-ended",
        EVERY - OWNER_NOTICE,
        lambda facts: not facts.stands,
        "The order does not stand any more: it was {ended}.",
        "issue a new order if there is new ground",
    ),
    Check(
        "no-permit",
        REVOCATION,
        lambda facts: not facts.against_permittee,
        "The order is against a person without a permit; there is no permit to revoke.",
        "ask the {attorney} instead",
    ),
    Check(
        "revoked",
        REVOCATION,
        lambda facts: facts.revoked,
        "The permit is revoked already.",
        "see the revocation",
    ),
    Check(
        "reversed",
        REVOCATION,
        lambda facts: facts.reversed,
        "The board reversed a revocation under this order; another one needs an order of its own.",
        "issue a new order if there is new ground",
    ),
    Check(
        "permit-not-issued",
        REVOCATION,
        lambda facts: facts.against_permittee and bool(facts.permit_status) and not facts.revoked,
        "Only an issued permit can be revoked; this one is {permit_status}.",
        "see the case",
    ),
    Check(
        "permittee",
        CEASE_AND_DESIST,
        lambda facts: facts.against_permittee and not facts.revoked,
        "The order is against a permittee, whose permit may be revoked. The request is for a "
        "person without a permit.",
        "revoke the permit instead",
    ),
    Check(
        "permittee-before",
        CEASE_AND_DESIST,
        lambda facts: facts.against_permittee and facts.revoked,
        "The permit is revoked. Who goes on is a person without a permit, and has the time "
        "that a stop-work order on that ground gives.",
        "issue a new order on the ground of work without a permit",
    ),
    Check(
        "permit-obtained",
        CEASE_AND_DESIST,
        lambda facts: facts.permit_since is not None,
        "A permit was issued on {permit_since}; there is no person without a permit any more.",
        "lift the order with a visit",
    ),
    Check(
        "requested",
        CEASE_AND_DESIST,
        lambda facts: facts.requested,
        "The request was made under this order already.",
        "see the request",
    ),
    Check(
        "not-posted",
        NOTICE_OF_INTENT,
        lambda facts: facts.posted_on is None,
        "The order is not posted on the site; the time counts from its posting.",
        "post the order and record it",
    ),
    Check(
        "notice-stands",
        NOTICE_OF_INTENT,
        lambda facts: facts.notice_stands or facts.work_begun,
        "A notice of intent was issued under this order already.",
        "see the notice",
    ),
    Check(
        "no-notice",
        CITY_WORK,
        lambda facts: not facts.notice_stands and not facts.work_begun,
        "No notice of intent stands under this order.",
        "issue the notice of intent first",
    ),
    Check(
        "work-begun",
        CITY_WORK,
        lambda facts: facts.work_begun,
        "The work was begun already.",
        "see the city work",
    ),
    Check(
        "order-ended",
        OWNER_NOTICE,
        lambda facts: not facts.stands,
        "The order does not stand any more: it was {ended}. For work that is late by its date "
        "the notice is mailed from the case page.",
        "see the case",
    ),
    Check(
        "no-escrow",
        OWNER_NOTICE,
        lambda facts: not facts.escrow_held,
        "No escrow is held for this work; this notice opens no other money.",
        "issue a notice of intent instead",
    ),
    Check(
        "owner-notice-stands",
        OWNER_NOTICE,
        lambda facts: facts.owner_notice_stands,
        "A notice to the property owner stands already.",
        "see the notice",
    ),
)
"""What must not be so, step by step; the days are judged beside it."""


def obstacles_to(
    step: StepKey,
    facts: Situation,
    opens: WaitingPeriod | None,
    *,
    on: date,
    edition: Edition | None = None,
) -> list[Obstacle]:
    """Why a step may not be taken on that day; nothing when the law has opened it."""
    edition = edition or edition_on(on)
    rule = STEPS_BY_KEY[step]
    citation = rule.citation(edition)
    words = {
        "ended": facts.ended,
        "permit_status": facts.permit_status,
        "attorney": edition.officer("attorney"),
        "permit_since": long_day(facts.permit_since) if facts.permit_since else "",
    }
    found = [
        Obstacle(check.key, check.text.format(**words), citation, check.cure.format(**words))
        for check in CHECKS
        if step in check.steps and check.stops(facts)
    ]
    if facts.stands and (facts.stayed or (opens is not None and opens.is_stayed(on))):
        text = "An appeal stays this step until it is decided."
        found.append(Obstacle("stayed", text, edition.citation("appeal"), "wait for the board"))
    if opens is not None and on < opens.on and facts.stands:
        text = rule.first_day.format(day=long_day(opens.on), **words)
        found.append(Obstacle("not-open", text, opens.citation, f"wait until {long_day(opens.on)}"))
    return found


def held_by_application(received_on: date | None, last_day: Deadline | None) -> bool:
    """Whether a complete application filed in time is a reason to wait. (7)(d)

    Review can take longer than the order gives; the ordinance does not say what then.
    """
    return received_on is not None and last_day is not None and received_on <= last_day.on
