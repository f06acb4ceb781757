"""Is a permit needed? Five activities, two exceptions. § 40-886(a), (d) and § 40-887"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum

from .citations import Citation
from .editions import Edition, all_editions, edition_on
from .jurisdiction import Building, JurisdictionClass, StateRule, classify, rules_of_the_state
from .wording import measure

SQUARE_FEET_PER_ACRE = 43_560
"""An acre, as surveyors have it."""
CUBIC_FEET_PER_CUBIC_YARD = 27
"""A cubic yard is three feet each way."""


class AreaUnit(StrEnum):
    """Units in which people know an area."""

    SQUARE_FEET = "sq_ft"
    ACRES = "acres"


class VolumeUnit(StrEnum):
    """Units in which people know a volume of soil."""

    CUBIC_YARDS = "cu_yd"
    CUBIC_FEET = "cu_ft"


def square_feet(amount: Decimal, unit: AreaUnit = AreaUnit.SQUARE_FEET) -> Decimal:
    """An area in the ordinance's unit."""
    return amount * SQUARE_FEET_PER_ACRE if unit is AreaUnit.ACRES else amount


def cubic_yards(amount: Decimal, unit: VolumeUnit = VolumeUnit.CUBIC_YARDS) -> Decimal:
    """A volume in the ordinance's unit."""
    return amount / CUBIC_FEET_PER_CUBIC_YARD if unit is VolumeUnit.CUBIC_FEET else amount


@dataclass(frozen=True)
class Proposal:
    """What somebody wants to do; None is a question not answered yet.

    `volume_cu_yd` adds excavation and fill together. `larger_plan_sq_ft` is the
    whole of a larger common plan of development of which the site is a part.
    `state_plan_required` asks whether a state project needs a similar plan.
    """

    area_sq_ft: Decimal | None = None
    volume_cu_yd: Decimal | None = None
    street_work: bool | None = None
    pipe_ft: Decimal | None = None
    dewatering: bool | None = None
    agriculture: bool | None = None
    state_project: bool | None = None
    state_plan_required: bool | None = None
    larger_plan_sq_ft: Decimal | None = None
    building: Building | None = None


@dataclass(frozen=True)
class Reason:
    """One trigger or exception, answered."""

    text: str
    citation: Citation
    met: bool
    key: str = ""


@dataclass(frozen=True)
class Determination:
    """The answer with its reasons; `needed` is None while an answer could change it."""

    needed: bool | None
    reasons: tuple[Reason, ...]
    exceptions: tuple[Reason, ...]
    state_rules: tuple[StateRule, ...]
    jurisdiction_class: JurisdictionClass
    unanswered: tuple[str, ...] = field(default=())

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        if self.needed is None:
            return "We cannot tell yet: some questions are still open."
        if self.needed:
            return "This work needs an erosion control permit before it begins."
        if any(reason.met for reason in self.exceptions):
            return "This work needs no erosion control permit: an exception applies."
        return "This work needs no erosion control permit: it is below every limit."


@dataclass(frozen=True)
class Test:
    """A trigger or an exception: asks the proposal, answers yes, no or not known."""

    __test__ = False  # not a test case, whatever its name says

    key: str
    paragraph: str
    ask: Callable[[Proposal, Edition], bool | None]
    say: Callable[[Proposal, Edition, bool], str]


def at_least(amount: Decimal | None, limit: int) -> bool | None:
    """The limits are reached at the very figure: "or more"."""
    return None if amount is None else amount >= limit


def measured(what: str, amount: Decimal | None, limit: int, unit: str, met: bool) -> str:
    """A measure beside its limit, in words."""
    outcome = "reaches" if met else "stays below"
    return f"{what} of {measure(amount or 0, unit)} {outcome} the limit of {measure(limit, unit)}."


TRIGGERS: tuple[Test, ...] = (
    Test(
        "area_sq_ft",
        "(1)",
        lambda p, e: at_least(p.area_sq_ft, e.trigger_area_sq_ft),
        lambda p, e, met: measured(
            "A disturbed surface", p.area_sq_ft, e.trigger_area_sq_ft, "square feet", met
        ),
    ),
    Test(
        "volume_cu_yd",
        "(2)",
        lambda p, e: at_least(p.volume_cu_yd, e.trigger_volume_cu_yd),
        lambda p, e, met: measured(
            "Excavation and fill", p.volume_cu_yd, e.trigger_volume_cu_yd, "cubic yards", met
        ),
    ),
    Test(
        "street_work",
        "(3)",
        lambda p, e: p.street_work,
        lambda p, e, met: (
            "A street, highway, road or bridge is built or rebuilt, whatever the size."
            if met
            else "No street, highway, road or bridge is built or rebuilt."
        ),
    ),
    Test(
        "pipe_ft",
        "(4)",
        lambda p, e: at_least(p.pipe_ft, e.trigger_pipe_ft),
        lambda p, e, met: measured(
            "Underground pipe laid or repaired", p.pipe_ft, e.trigger_pipe_ft, "feet", met
        ),
    ),
    Test(
        "dewatering",
        "(5)",
        lambda p, e: p.dewatering,
        lambda p, e, met: (
            "Water is pumped off the site and may carry soil with it."
            if met
            else "No water that may carry soil is pumped off the site."
        ),
    ),
)
"""§ 40-887: the five land disturbing activities that need a permit; one is enough."""


def state_exception(proposal: Proposal, edition: Edition) -> bool | None:
    """Funded or done by the state, and the state asks for a similar plan."""
    return both(proposal.state_project, proposal.state_plan_required)


def say_state_exception(proposal: Proposal, edition: Edition, met: bool) -> str:
    """The state exception in words."""
    if met:
        return "The state pays for or does the work and requires a similar erosion control plan."
    if proposal.state_project:
        return "The state pays for or does the work, but requires no similar erosion control plan."
    return "The state neither pays for nor does the work."


EXCEPTIONS: tuple[Test, ...] = (
    Test(
        "agriculture",
        "(d)(1)",
        lambda p, e: p.agriculture,
        lambda p, e, met: (
            "The land is used to grow crops or to keep livestock, and that is all the work is for."
            if met
            else "The work is not for growing crops or keeping livestock."
        ),
    ),
    Test("state_project", "(d)(2)", state_exception, say_state_exception),
)
"""§ 40-886(d): the two uses that need no permit."""


def both(one: bool | None, other: bool | None) -> bool | None:
    """And, with answers still missing."""
    if one is False or other is False:
        return False
    return None if one is None or other is None else True


def either(answers: list[bool | None]) -> bool | None:
    """Or, with answers still missing."""
    if any(answers):
        return True
    return None if None in answers else False


def determine(
    proposal: Proposal, *, edition: Edition | None = None, on: date | None = None
) -> Determination:
    """Whether a permit is needed, with reasons. § 40-886(a), (d) and § 40-887"""
    edition = edition or (edition_on(on) if on else all_editions()[-1])
    triggered = [test.ask(proposal, edition) for test in TRIGGERS]
    excepted = [test.ask(proposal, edition) for test in EXCEPTIONS]
    exempt = either(excepted)
    needed = both(either(triggered), None if exempt is None else not exempt)
    place = classify(
        proposal.area_sq_ft,
        larger_plan_sq_ft=proposal.larger_plan_sq_ft,
        building=proposal.building,
        edition=edition,
    )
    return Determination(
        needed=needed,
        reasons=tuple(answered(TRIGGERS, triggered, "activities", proposal, edition)),
        exceptions=tuple(answered(EXCEPTIONS, excepted, "permit", proposal, edition)),
        state_rules=rules_of_the_state(place, edition),
        jurisdiction_class=place,
        unanswered=tuple(open_questions(proposal, triggered, excepted)),
    )


def answered(
    tests: tuple[Test, ...],
    answers: list[bool | None],
    section: str,
    proposal: Proposal,
    edition: Edition,
) -> list[Reason]:
    """A reason for each question that has its answer."""
    return [
        Reason(
            test.say(proposal, edition, answer),
            edition.citation(section, test.paragraph),
            answer,
            test.key,
        )
        for test, answer in zip(tests, answers, strict=True)
        if answer is not None
    ]


def open_questions(
    proposal: Proposal, triggered: list[bool | None], excepted: list[bool | None]
) -> list[str]:
    """The fields of the proposal still without an answer, in the order asked."""
    missing = [test.key for test, answer in zip(TRIGGERS, triggered, strict=True) if answer is None]
    if excepted[0] is None:
        missing.append("agriculture")
    if proposal.state_project is None:
        missing.append("state_project")
    elif proposal.state_project and proposal.state_plan_required is None:
        missing.append("state_plan_required")
    return missing
