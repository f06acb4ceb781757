"""The guarantee: posted before the permit, released whole. former § 17.19(4)(c)"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum

from .editions import Edition, all_editions
from .obstacles import Obstacle
from .wording import dollars

NOTHING = Decimal("0.00")


class EscrowForm(StrEnum):
    """The three forms of escrow. former § 17.19(4)(c)"""

    CASH = "cash"
    BOND = "bond"
    LETTER_OF_CREDIT = "letter_of_credit"

    @property
    def label(self) -> str:
        """The form in words."""
        return self.value.replace("_", " ")


@dataclass(frozen=True)
class Instrument:
    """One guarantee posted by the applicant."""

    form: EscrowForm
    amount: Decimal
    expires_on: date | None = None

    def is_good(self, on: date | None) -> bool:
        """Whether it still guarantees on that day, its last day included."""
        return on is None or self.expires_on is None or on <= self.expires_on


@dataclass(frozen=True)
class Coverage:
    """How far the instruments cover the amount set.

    `excess_refused` is cash above the amount: only a bond or a letter of credit,
    whose face is what it is, may exceed it.
    """

    required: Decimal
    posted: Decimal
    shortfall: Decimal
    excess_refused: Decimal

    @property
    def ok(self) -> bool:
        """Covered, to the cent, and no cash too much."""
        return self.shortfall == NOTHING and self.excess_refused == NOTHING


def coverage(
    required: Decimal, instruments: Iterable[Instrument], *, on: date | None = None
) -> Coverage:
    """Whether the instruments good on that day cover the amount. former § 17.19(4)(c)"""
    good = [instrument for instrument in instruments if instrument.is_good(on)]
    posted = sum((instrument.amount for instrument in good), NOTHING)
    cash = sum((item.amount for item in good if item.form is EscrowForm.CASH), NOTHING)
    return Coverage(
        required=required,
        posted=posted,
        shortfall=max(required - posted, NOTHING),
        excess_refused=max(cash - required, NOTHING),
    )


def obstacles_to_issue(
    required: Decimal | None,
    instruments: Iterable[Instrument],
    *,
    on: date | None = None,
    edition: Edition | None = None,
) -> list[Obstacle]:
    """Why the permit cannot be issued as far as the escrow goes. former § 17.19(4)(c)"""
    edition = edition or all_editions()[-1]
    citation = edition.citation("escrow")
    if required is None:
        text = "The amount of the escrow has not been set."
        return [Obstacle("escrow-amount", text, citation, "set the escrow amount")]
    held = coverage(required, instruments, on=on)
    found = []
    if held.shortfall:
        text = (
            f"The escrow is {dollars(held.shortfall)} short: {dollars(held.posted)} of "
            f"{dollars(required)} is posted."
        )
        found.append(Obstacle("escrow-short", text, citation, "post the escrow"))
    if held.excess_refused:
        text = (
            f"The cash is {dollars(held.excess_refused)} more than the escrow of "
            f"{dollars(required)}. Only a bond or a letter of credit may exceed it."
        )
        found.append(Obstacle("escrow-excess", text, citation, "correct the cash escrow"))
    return found


@dataclass(frozen=True)
class ReleaseFacts:
    """What the city knows of the site when the release is asked for."""

    devices_complete: bool = False
    cover_established: bool = False
    cover_density_percent: Decimal | None = None
    final_inspection_passed_on: date | None = None
    open_orders: int = 0
    unpaid_bills: Decimal = NOTHING
    certificates_open: int = 0
    held: Decimal = NOTHING
    asked: Decimal | None = None
    orders: tuple[str, ...] = ()
    bills: tuple[str, ...] = ()
    certificates: tuple[str, ...] = ()
    unsettled_work: int = 0
    agreement_is_due: bool = False
    owner_is_asked: bool = False
    on_roll: Decimal = NOTHING  # certified to the tax roll and not collected yet
    owner_notices: tuple[str, ...] = ()  # to the owner, of work the city may still begin

    @property
    def nothing_held(self) -> bool:
        """Whether it was asked for although nothing is held."""
        return self.asked is not None and self.held <= NOTHING


def cover_is_open(facts: ReleaseFacts, edition: Edition) -> bool:
    """Whether permanent cover is not there yet, or too thin."""
    density = facts.cover_density_percent
    thin = density is not None and density < edition.cover_density_percent
    return thin or not facts.cover_established


@dataclass(frozen=True)
class ReleaseCheck:
    """One thing that stops a release while it holds."""

    key: str
    stops: Callable[[ReleaseFacts, Edition], bool]
    text: str
    cure: str


RELEASE_CHECKS: tuple[ReleaseCheck, ...] = (
    ReleaseCheck(
        "devices",
        lambda facts, edition: not facts.devices_complete,
        "The required erosion control devices are not all complete.",
        "record the inspection of the devices",
    ),
    ReleaseCheck(
        "permanent-cover",
        cover_is_open,
        "Permanent cover is not established: perennial plants at {density} % density.",
        "record the inspection of the cover",
    ),
    ReleaseCheck(
        "final-inspection",
        lambda facts, edition: facts.final_inspection_passed_on is None,
        "The final inspection has not passed.",
        "ask for the final inspection",
    ),
    ReleaseCheck(
        "open-order",
        lambda facts, edition: facts.open_orders > 0,
        "An order is still open{orders}.",
        "answer the order",
    ),
    ReleaseCheck(
        "unpaid-bill",
        lambda facts, edition: facts.unpaid_bills > NOTHING,
        "A bill for city work of {bills} is unpaid{bill_numbers}.",
        "pay the bill",
    ),
    ReleaseCheck(
        "on-roll",
        lambda facts, edition: facts.on_roll > NOTHING,
        "{on_roll} for city work is on the tax roll and not collected yet.",
        "wait for the tax roll",
    ),
    ReleaseCheck(
        "owner-notice",
        lambda facts, edition: bool(facts.owner_notices),
        "A notice to the property owner stands{owner_notices}: the city may still begin its work.",
        "withdraw the notice",
    ),
    ReleaseCheck(
        "certificate",
        lambda facts, edition: facts.certificates_open > 0,
        "The permanent controls are still open for a certificate of occupancy{certificates}.",
        "complete the permanent controls",
    ),
    ReleaseCheck(
        "unsettled-work",
        lambda facts, edition: facts.unsettled_work > 0,
        "City work at the site is under way, or its cost is neither drawn nor billed.",
        "draw on the escrow",
    ),
    ReleaseCheck(
        "maintenance-agreement",
        lambda facts, edition: facts.agreement_is_due,
        "A maintenance agreement is required, and no recorded one is on file.",
        "record the maintenance agreement",
    ),
    ReleaseCheck(
        "owner-not-said",
        lambda facts, edition: facts.owner_is_asked,
        "The permit was handed over, and nobody has said since whose the escrow is.",
        "say whose the escrow is",
    ),
    ReleaseCheck(
        "nothing-held",
        lambda facts, edition: facts.nothing_held,
        "No escrow is held.",
        "nothing to do",
    ),
    ReleaseCheck(
        "whole-only",
        lambda facts, edition: facts.asked is not None and facts.asked != facts.held,
        "The city releases the escrow whole: {held} or nothing.",
        "ask for the whole escrow",
    ),
)
"""former § 17.19(4)(c): what must be settled before the whole escrow goes back."""


def _named(things: tuple[str, ...]) -> str:
    return f": {', '.join(things)}" if things else ""


def obstacles_to_release(facts: ReleaseFacts, edition: Edition | None = None) -> list[Obstacle]:
    """Why the escrow cannot be released yet, all reasons. former § 17.19(4)(c)"""
    edition = edition or all_editions()[-1]
    words = {
        "density": edition.cover_density_percent,
        "bills": dollars(facts.unpaid_bills),
        "held": dollars(facts.held),
        "orders": _named(facts.orders),
        "bill_numbers": _named(facts.bills),
        "certificates": _named(facts.certificates),
        "on_roll": dollars(facts.on_roll),
        "owner_notices": _named(facts.owner_notices),
    }
    return [
        Obstacle(check.key, check.text.format(**words), edition.citation("escrow"), check.cure)
        for check in RELEASE_CHECKS
        if check.stops(facts, edition)
    ]
