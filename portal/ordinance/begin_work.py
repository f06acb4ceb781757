"""When the city may begin to work on the land, under which notice, and at what cost.

former § 17.19(7)(e) after a notice of intent; former § 17.19(4)(e) after ten days' notice
by mail to the owner; former § 17.19(4)(f)(7) after a notice of maintenance. Each work stands
on exactly one of them.
"""

from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum

from .citations import Citation
from .editions import Edition, all_editions
from .obstacles import Obstacle
from .time import WaitingPeriod
from .wording import long_day

CENT = Decimal("0.01")


class Path(StrEnum):
    """Where the money for the work comes from; the notice decides it, and nothing else."""

    SPECIAL_CHARGE = "special-charge"
    ESCROW = "escrow"
    MAINTENANCE = "maintenance"

    def citation(self, edition: Edition) -> Citation:
        """Where the path stands written."""
        if self is Path.ESCROW:
            return edition.citation("draws")
        if self is Path.MAINTENANCE:
            return edition.citation("maintenance", "(7)")
        return edition.citation("enforcement", "(e)")


@dataclass(frozen=True)
class BeginFacts:
    """What is known of the notice under which the city would work."""

    path: Path
    notice: str
    ended: str = ""  # "fallen with its order", "withdrawn": how the notice ended
    order_ended: str = ""  # how its order ended, for a notice of intent
    begun: bool = False
    required: bool = True  # whether what a notice to the owner was given for is still open
    opens: WaitingPeriod | None = None  # None while the post does not have every letter


def obstacles_to_begin(
    facts: BeginFacts, *, on: date, edition: Edition | None = None
) -> list[Obstacle]:
    """Why the city may not enter and work yet; names the first lawful day."""
    edition = edition or all_editions()[-1]
    citation = facts.path.citation(edition)
    if facts.begun:
        text = f"Work under notice {facts.notice} was begun already."
        return [Obstacle("begun", text, citation, "see the work")]
    if facts.ended or facts.order_ended:
        how = f"is {facts.ended}" if facts.ended else f"has lost its order: {facts.order_ended}"
        text = f"Notice {facts.notice} {how}; nothing may be done under it."
        return [Obstacle("notice-ended", text, citation, "give a new notice")]
    if not facts.required:
        text = (
            f"Nothing is left to do under notice {facts.notice}: no stop-work order stands, and "
            "no permanent control is late."
        )
        return [Obstacle("nothing-required", text, citation, "withdraw the notice")]
    if facts.opens is None:
        text = f"The post has not accepted every letter of notice {facts.notice} yet."
        return [Obstacle("not-mailed", text, citation, "record the mailing")]
    return _not_open(facts.opens, citation, on, edition)


def _not_open(
    opens: WaitingPeriod, citation: Citation, on: date, edition: Edition
) -> list[Obstacle]:
    if opens.is_stayed(on):
        text = "An appeal stays the work: the days stand still until it ends."
        return [Obstacle("stayed", text, edition.citation("appeal"), "wait for the appeal")]
    if not opens.is_open(on):
        text = f"The first day on which the city may work is {long_day(opens.on)}."
        return [Obstacle("not-open", text, citation, "wait for that day")]
    return []


def needs_reason(opens: WaitingPeriod | None, on: date) -> bool:
    """Whether the day lies between the first and the safe day, so that a reason is asked."""
    return opens is not None and opens.is_open(on) and not opens.is_safe(on)


def cost_amount(quantity: Decimal, rate: Decimal) -> Decimal:
    """Quantity times rate, to the cent, half a cent up."""
    return (quantity * rate).quantize(CENT, rounding=ROUND_HALF_UP)
