"""Paying the bill for city work. former § 17.19(7)(e), (4)(e) and Wis. Stat. § 66.0627(4)

The ordinance gives no time to pay; the council sets it. What is unpaid after it is
delinquent, and a delinquent special charge is a lien from that day.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from .citations import Citation
from .clocks import deadline
from .counting import Count, Unit, Way
from .days import Calendar, Roll
from .editions import Edition, edition_on
from .obstacles import Obstacle
from .special_charge import CHARGE_STATUTE, DELIVERY_STATUTE, PAYMENT_STATUTE
from .time import Deadline, Terms
from .wording import capital, counted, dollars, is_whole_cents, long_day


def bill_due(
    billed_on: date,
    days: int,
    resolution: str,
    *,
    calendar: Calendar,
    section: tuple[str, str] = ("enforcement", "(e)"),
    edition: Edition | None = None,
) -> Deadline:
    """The last day to pay, by the council's resolution. Wis. Stat. § 66.0627(4)

    A payment to a city officer: a last day on a Saturday, Sunday or legal holiday moves on.
    `section` is where the cost is put on somebody: (7)(e), (4)(e) or (4)(f).
    """
    edition = edition or edition_on(billed_on)
    terms = Terms(
        key="bill",
        title=f"{capital(counted(days, 'day'))} to pay",
        bound="payer",
        citation=edition.citation(*section),
        duty="The permittee or the landowner pays the bill in full.",
        consequence=(
            "What is unpaid after that day is delinquent from the next day, and goes on the "
            "current or next tax roll."
        ),
        started=f"Billed {long_day(billed_on)}; not counted.",
        end="The last day to pay is {on}.{stands}",
        safe_reason="the period ends on {last} itself if the move is not allowed",
        note=f"The council set the time to pay by resolution {resolution}.",
    )
    count = Count(billed_on, days, Unit.DAY, plain=Way(roll=Roll.FILING))
    return deadline(terms, count, calendar)


@dataclass(frozen=True)
class PaymentFacts:
    """What stands against a payment: what is owed, on which path, and where the bill is."""

    owed: Decimal
    amount: Decimal
    received_on: date
    billed_on: date
    due_on: date
    is_special_charge: bool
    on_roll: bool = False
    roll_delivered_on: date | None = None

    @property
    def is_with_treasurer(self) -> bool:
        """Whether the roll was delivered, so that the bill is paid with the tax."""
        delivered = self.roll_delivered_on
        return self.on_roll and delivered is not None and self.received_on >= delivered

    @property
    def is_installment(self) -> bool:
        """Whether a delinquent special charge would be paid in part."""
        late = self.received_on > self.due_on
        return late and self.is_special_charge and 0 < self.amount < self.owed


@dataclass(frozen=True)
class PaymentCheck:
    """One thing that stands against a payment while it holds."""

    key: str
    stops: Callable[[PaymentFacts], bool]
    text: str
    cure: str
    statute: Citation | None = None


PAYMENT_CHECKS = (
    PaymentCheck(
        "no-amount",
        lambda facts: facts.amount <= 0 or not is_whole_cents(facts.amount),
        "A payment is more than nothing, in dollars and whole cents.",
        "correct the amount",
    ),
    PaymentCheck(
        "before-bill",
        lambda facts: facts.received_on < facts.billed_on,
        "The bill is of {billed}; nothing was paid on it before.",
        "correct the day",
    ),
    PaymentCheck(
        "with-treasurer",
        lambda facts: facts.is_with_treasurer and facts.is_special_charge,
        "The tax roll is with the treasurer since {delivered}: the special charge is paid there "
        "in full, with the tax bill.",
        "pay with the tax bill",
        PAYMENT_STATUTE,
    ),
    PaymentCheck(
        # § 74.11(3) speaks of special charges alone: an assessment may be paid in parts where
        # the city provides for it.
        "with-treasurer",
        lambda facts: facts.is_with_treasurer and not facts.is_special_charge,
        "The tax roll is with the treasurer since {delivered}: the assessment is paid there, "
        "with the tax bill.",
        "pay with the tax bill",
        DELIVERY_STATUTE,
    ),
    PaymentCheck(
        "nothing-owed",
        lambda facts: facts.owed <= 0,
        "Nothing is owed on this bill.",
        "see the account",
    ),
    PaymentCheck(
        "too-much",
        lambda facts: 0 < facts.owed < facts.amount,
        "{owed} is owed; that is {too_much} too much.",
        "correct the amount",
    ),
    PaymentCheck(
        "in-parts",
        lambda facts: facts.is_installment,
        "The bill is delinquent, and a special charge is not payable in installments: {owed} is "
        "paid in full or not at all.",
        "correct the amount",
        CHARGE_STATUTE,
    ),
)
"""former § 17.19(7)(e) and § 66.0627(4): parts are taken until the bill is delinquent."""


def obstacles_to_pay(facts: PaymentFacts, *, edition: Edition | None = None) -> list[Obstacle]:
    """Why a payment cannot be taken as it is. § 66.0627(4): no installments once delinquent"""
    edition = edition or edition_on(facts.received_on)
    delivered = facts.roll_delivered_on
    words = {
        "billed": long_day(facts.billed_on),
        "delivered": long_day(delivered) if delivered else "",
        "owed": dollars(facts.owed),
        "too_much": dollars(facts.amount - facts.owed),
    }
    citation = edition.citation("enforcement", "(e)")
    return [
        Obstacle(each.key, each.text.format(**words), each.statute or citation, each.cure)
        for each in PAYMENT_CHECKS
        if each.stops(facts)
    ]


@dataclass(frozen=True)
class BillingFacts:
    """What the city knows of work that it wants to bill; cost None is asked later."""

    is_closed: bool
    billed_before: bool
    cost: Decimal | None
    drawn: Decimal
    held: Decimal
    is_escrow_path: bool
    has_time_to_pay: bool
    stayed_by: str = ""  # the appeal that stays what the work was done under
    undone_by: str = ""  # the appeal on which the board reversed it

    @property
    def escrow_is_left(self) -> bool:
        """Whether the escrow could still bear something that is not drawn."""
        unpaid = (self.cost or Decimal(0)) - self.drawn
        return self.is_escrow_path and self.held > 0 and unpaid > 0


BILLING_CHECKS: tuple[tuple[str, Callable[[BillingFacts], bool], str, str], ...] = (
    (
        "open-work",
        lambda facts: not facts.is_closed,
        "The city work is still under way; its costs are not complete.",
        "close the city work",
    ),
    (
        "billed",
        lambda facts: facts.billed_before,
        "This work is billed already.",
        "see the bill",
    ),
    (
        "stayed",
        lambda facts: bool(facts.stayed_by),
        "Appeal {stayed_by} stays the bill until the board has decided.",
        "wait for the appeal",
    ),
    (
        "undone",
        lambda facts: bool(facts.undone_by),
        "On appeal {undone_by} the board reversed what the work was done under: its cost cannot "
        "be billed.",
        "see the appeal",
    ),
    (
        "no-cost",
        lambda facts: facts.cost is not None and facts.cost <= 0,
        "The work has cost nothing.",
        "no bill is needed",
    ),
    (
        "draw-first",
        lambda facts: facts.escrow_is_left,
        "{held} of escrow is still held: the escrow bears the cost first, as far as it goes.",
        "draw on the escrow",
    ),
    (
        "no-time-to-pay",
        lambda facts: not facts.has_time_to_pay,
        "The {council}'s resolution on the time to pay a bill for city work is not on file, so "
        "no last day can be set.",
        "enter the time to pay",
    ),
)
"""former § 17.19(7)(e) and (4)(e): what must be settled before a bill is made."""


def obstacles_to_bill(facts: BillingFacts, *, edition: Edition) -> list[Obstacle]:
    """Why no bill can be made yet. former § 17.19(7)(e), (4)(e)"""
    citation = edition.citation(*(("draws",) if facts.is_escrow_path else ("enforcement", "(e)")))
    words = {
        "held": dollars(facts.held),
        "council": edition.officer("council"),
        "stayed_by": facts.stayed_by,
        "undone_by": facts.undone_by,
    }
    return [
        Obstacle(key, text.format(**words), citation, cure)
        for key, stops, text, cure in BILLING_CHECKS
        if stops(facts)
    ]
