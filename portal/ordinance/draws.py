"""Drawing on the escrow, and forfeiting it. former § 17.19(4)(e)"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from .editions import Edition, all_editions
from .obstacles import Obstacle
from .time import Deadline, WaitingPeriod
from .wording import dollars, is_whole_cents, long_day, number_word

NOTHING = Decimal("0.00")


def obstacles_to_draw(
    notice: WaitingPeriod | None,
    amount: Decimal,
    held: Decimal,
    *,
    on: date,
    edition: Edition | None = None,
) -> list[Obstacle]:
    """Why the city may not draw yet: notice to the owner first. former § 17.19(4)(e)"""
    edition = edition or all_editions()[-1]
    citation = edition.citation("draws")
    found = []
    if notice is None:
        days = number_word(edition.mailed_notice_days)
        text = f"No notice of {days} days has been mailed to the property owner."
        found.append(Obstacle("no-notice", text, citation, "mail the notice to the owner"))
    elif notice.is_stayed(on):
        text = "An appeal stays the draw."
        found.append(Obstacle("stayed", text, edition.citation("appeal"), "wait for the appeal"))
    elif not notice.is_open(on):
        text = f"The notice to the owner runs until {long_day(notice.on)}."
        found.append(Obstacle("notice-runs", text, citation, "wait for the notice to run out"))
    if amount <= NOTHING:
        text = "A draw must be more than nothing."
        found.append(Obstacle("no-amount", text, citation, "enter the cost"))
    if not is_whole_cents(amount):
        text = "A draw is in dollars and whole cents."
        found.append(Obstacle("part-of-a-cent", text, citation, "correct the amount"))
    if amount > held:
        text = f"Only {dollars(held)} is held; {dollars(amount)} cannot be drawn."
        found.append(Obstacle("over-held", text, citation, "assess the rest"))
    return found


@dataclass(frozen=True)
class CostFacts:
    """The city work whose cost is to be drawn: under which notice, closed, and what is left.

    `undrawn` is the closed cost that no draw has paid yet; `bill` the bill that stands for it.
    """

    is_escrow_path: bool
    is_closed: bool
    notice_stands: bool
    undrawn: Decimal
    bill: str = ""
    undone_by: str = ""  # the appeal on which the board reversed what the work was done under


COST_CHECKS: tuple[tuple[str, Callable[[CostFacts, Decimal], bool], str, str], ...] = (
    (
        "other-path",
        lambda facts, amount: not facts.is_escrow_path,
        "This work was done after a notice of intent: its cost is billed, never drawn.",
        "bill the work",
    ),
    (
        "notice-ended",
        lambda facts, amount: facts.is_escrow_path and not facts.notice_stands,
        "The notice to the owner was withdrawn or has fallen.",
        "mail a new notice to the owner",
    ),
    (
        "undone",
        lambda facts, amount: bool(facts.undone_by),
        "On appeal {undone_by} the board reversed what the work was done under: its cost cannot "
        "be drawn.",
        "see the appeal",
    ),
    (
        "open-work",
        lambda facts, amount: not facts.is_closed,
        "The city work is still under way; its costs are not complete.",
        "close the city work",
    ),
    (
        "billed",
        lambda facts, amount: bool(facts.bill),
        "The work is billed already: bill {bill}.",
        "withdraw the bill",
    ),
    (
        "over-cost",
        lambda facts, amount: amount > facts.undrawn,
        "{undrawn} of the cost is not drawn yet; {amount} would be too much.",
        "correct the amount",
    ),
)
"""former § 17.19(4)(e): only costs, only of closed work, and only once."""


def obstacles_of_cost(
    facts: CostFacts, amount: Decimal, *, edition: Edition | None = None
) -> list[Obstacle]:
    """Why a cost cannot be drawn as it is. former § 17.19(4)(e)"""
    edition = edition or all_editions()[-1]
    words = {
        "bill": facts.bill,
        "undrawn": dollars(facts.undrawn),
        "amount": dollars(amount),
        "undone_by": facts.undone_by,
    }
    return [
        Obstacle(key, text.format(**words), edition.citation("draws"), cure)
        for key, stops, text, cure in COST_CHECKS
        if stops(facts, amount)
    ]


def obstacles_to_forfeit(
    completion: Deadline | None,
    held: Decimal,
    *,
    on: date,
    met_on: date | None = None,
    edition: Edition | None = None,
) -> list[Obstacle]:
    """Why the escrow is not forfeited: it is all or nothing. former § 17.19(4)(e)"""
    edition = edition or all_editions()[-1]
    citation = edition.citation("draws")
    found = []
    if completion is None:
        text = "No timeline for the permanent controls is on record."
        found.append(Obstacle("no-timeline", text, citation, "set the date in the permit"))
    elif completion.is_stayed(on):
        text = "An appeal stays the forfeiture."
        found.append(Obstacle("stayed", text, edition.citation("appeal"), "wait for the appeal"))
    elif not completion.is_late(on, met_on=met_on):
        text = f"The work is not late: its last day is {long_day(completion.on)}."
        found.append(Obstacle("not-late", text, citation, "wait for the last day"))
    if held <= NOTHING:
        found.append(Obstacle("nothing-held", "No escrow is held.", citation, "nothing to do"))
    return found
