"""What of a bill is on the tax roll, batch by batch, and how a payment takes it off again.

Former § 17.19(7)(e) and (4)(e). A bill may be on two rolls: a part that one roll rejected
is certified again, for the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from escrow.models import NOTHING, Bill, BillEntry, RollBatch, RollOutcome
from permits.models import NotNow
from portal.models import User

from .delivery import delivered_on

__all__ = ["OnRoll", "batches_of", "on_roll", "payable", "take_off_roll"]

Kind = BillEntry.Kind


@dataclass(frozen=True)
class OnRoll:
    """What of a bill a batch put on the roll, and was not taken off it since; in dollars."""

    batch: RollBatch
    amount: Decimal

    def is_with_treasurer(self, on: date) -> bool:
        """Whether that roll is delivered, so that it is paid with the tax. § 74.03"""
        return on >= delivered_on(self.batch.year)


def batches_of(bill: Bill) -> list[OnRoll]:
    """Return the batches by which something of a bill is on the roll, the oldest first."""
    left: dict[RollBatch, Decimal] = {}
    rows = bill.entries.filter(kind__in=[Kind.ROLL, Kind.OFF_ROLL]).select_related("batch")
    for row in rows.order_by("pk"):
        assert row.batch is not None  # bill_entry_has_its_proof
        left[row.batch] = left.get(row.batch, NOTHING) - row.amount
    return [OnRoll(batch, amount) for batch, amount in left.items() if amount]


def on_roll(bill: Bill) -> tuple[Decimal, RollBatch | None]:
    """Return all of a bill that is on the roll and not taken off it, and the newest batch."""
    found = batches_of(bill)
    return total(found), found[-1].batch if found else None


def payable(bill: Bill, *, on: date) -> list[OnRoll]:
    """Return what of it can still be paid to the city: not collected with the tax, and its
    roll not with the treasurer.
    """
    found = [each for each in batches_of(bill) if not each.is_with_treasurer(on)]
    left = [OnRoll(each.batch, each.amount - _collected(bill, each.batch)) for each in found]
    return [each for each in left if each.amount > 0]


def _collected(bill: Bill, batch: RollBatch) -> Decimal:
    """Return what the treasurer has collected of the charges of a bill in a batch."""
    rows = RollOutcome.objects.filter(charge__bill=bill, charge__batch=batch)
    return rows.filter(kind=RollOutcome.Kind.COLLECTED).balance()


def total(found: Sequence[OnRoll]) -> Decimal:
    """Return the sum of what several batches put on the roll."""
    return sum((each.amount for each in found), NOTHING)


def take_off_roll(
    bill: Bill, amount: Decimal, *, by: User, on: date, reason: str
) -> list[BillEntry]:
    """Take an amount off the roll again, the newest batch first; a correction batch tells it.

    An entry takes off no more than its batch put on: each charge is lowered at most to zero.
    """
    found, made = payable(bill, on=on), []
    if amount > total(found):
        raise NotNow("No such amount of this bill is on the roll and not collected with the tax.")
    for each in reversed(found):
        part = min(amount, each.amount)
        if not part:
            break
        made.append(
            BillEntry.objects.create(
                bill=bill,
                kind=Kind.OFF_ROLL,
                amount=part,
                batch=each.batch,
                reason=reason,
                on=on,
                by=by,
            )
        )
        amount -= part
    return made
