"""A certified charge whose ground the board took away: the city takes it off the roll.

Former § 17.19(8), Wis. Stat. § 62.23(7)(e): what the board reverses is no ground for anybody
to pay. The roll did not reject the charge and nobody paid it, so it is an act of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db import transaction

from enforcement.models import Appeal
from escrow.models import Bill, BillEntry
from escrow.models.ground import undone_by
from permits.models import NotNow
from portal.models import User

from .account import standing
from .moving import credit
from .rolled import batches_of, payable, take_off_roll, total

__all__ = ["Undone", "take_off_undone", "undone", "undone_on_roll", "why_not_take_off"]


@dataclass(frozen=True)
class Undone:
    """What of a bill stands on the roll though the board reversed its ground; in dollars.

    `open` is on a roll that is not delivered yet; `delivered` is with the treasurer.
    """

    bill: Bill
    appeal: str
    open: Decimal
    delivered: Decimal

    @property
    def reason(self) -> str:
        """The reason that the form proposes."""
        return f"On appeal {self.appeal} the board reversed what the work was done under."


def undone(bill: Bill, *, on: date) -> Undone | None:
    """Return what stands on the roll without a ground, or None."""
    rolled = batches_of(bill)
    appeal = undone_by(bill.work) if rolled else ""
    if not appeal:
        return None
    delivered = [each for each in rolled if each.is_with_treasurer(on)]
    return Undone(bill, appeal, total(payable(bill, on=on)), total(delivered))


def undone_on_roll(year: int, *, on: date) -> list[Undone]:
    """Return the bills of the roll of a year that stand on it without a ground."""
    reversed_at = Appeal.objects.filter(outcome=Appeal.Outcome.REVERSED).values("site")
    bills = Bill.objects.standing().filter(charges__batch__year=year, site__in=reversed_at)
    found = (undone(bill, on=on) for bill in bills.distinct().order_by("pk"))
    return [each for each in found if each is not None]


def why_not_take_off(bill: Bill, *, on: date) -> str:
    """Say why the city cannot take a bill off the roll, or nothing."""
    if not batches_of(bill):
        return "Nothing of this bill is on the tax roll."
    found = undone(bill, on=on)
    if found is None:
        return (
            "The board has not reversed what the work was done under. What was paid here comes "
            "off the roll with the payment; what the county did not take is recorded as rejected."
        )
    if found.open <= 0:
        return (
            "That roll is with the treasurer, or the charge was collected. Write the treasurer, "
            f"with the board's decision on appeal {found.appeal}."
        )
    return ""


@transaction.atomic
def take_off_undone(bill: Bill, *, reason: str, by: User, on: date) -> BillEntry:
    """Take off the roll all that can be, and credit it: nobody owes what has no ground.

    The county learns of it by the next correction batch. Raises NotNow where the ground
    stands, or the roll is with the treasurer.
    """
    with bill.acting():
        if why := why_not_take_off(bill, on=on):
            raise NotNow(why)
        take_off_roll(bill, total(payable(bill, on=on)), by=by, on=on, reason=reason)
    owed = standing(bill, on=on).owed
    return credit(bill, amount=owed, reason=reason, by=by, on=on)
