"""What whoever has the code of a bill sees of it: what the bill and its statement say in print.

Chosen field by field: no name but the city's own, no e-mail address and no telephone number, and
nothing of the case beyond the bill.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from enforcement.appealable import title_of
from enforcement.models import NoticeOfIntent
from escrow.bills import rolled
from escrow.bills.account import Standing, standing, statement
from escrow.bills.delivery import delivered_on
from escrow.models import Bill, Receipt
from escrow.models.ground import stayed_by
from portal.ordinance import Deadline

__all__ = ["Shown", "receipts_paid_here", "shown_of"]


@dataclass(frozen=True)
class Line:
    """One movement of the account, and what was owed after it."""

    on: date
    what: str
    amount: Decimal
    balance: Decimal
    receipt: str = ""
    is_paper: bool = False
    why: str = ""


@dataclass(frozen=True)
class Shown:
    """A bill as its payer sees it on a day."""

    number: str
    key: Any
    site_number: str
    place: str
    parcels: list[str]
    billed_on: date
    ground: str
    cost: Decimal
    escrow_applied: Decimal
    amount: Decimal
    is_special_charge: bool
    now: Standing
    due: Deadline
    is_late: bool
    delinquent_on: date
    stayed_by: str
    withdrawn_on: date | None
    withdrawn_why: str
    on_roll: Decimal
    roll_year: int | None
    with_treasurer: bool
    assessment: Any = None
    costs: list[Any] = field(default_factory=list)
    account: list[Line] = field(default_factory=list)
    appeals: list[tuple[str, Deadline]] = field(default_factory=list)


def shown_of(bill: Bill, *, on: date) -> Shown:
    """Return what the payer of a bill sees of it on a day."""
    on_roll, batch = rolled.on_roll(bill)
    due = bill.due_deadline()
    return Shown(
        number=bill.number,
        key=bill.key,
        site_number=bill.site.number,
        place=bill.site.place,
        parcels=list(bill.site.parcels.values_list("number", flat=True)),
        billed_on=bill.billed_on,
        ground=bill.get_ground_display(),
        cost=bill.cost,
        escrow_applied=bill.escrow_applied,
        amount=bill.amount,
        is_special_charge=bill.path == Bill.Path.SPECIAL_CHARGE,
        now=standing(bill, on=on),
        due=due,
        is_late=bill.is_delinquent(on),
        delinquent_on=bill.delinquent_on,
        stayed_by=stayed_by(bill.work, on=on),
        withdrawn_on=bill.withdrawn_on,
        withdrawn_why=bill.withdrawn_why,
        on_roll=on_roll,
        roll_year=batch.year if batch else None,
        with_treasurer=batch is not None and on >= delivered_on(batch.year),
        assessment=getattr(bill, "assessment", None),
        costs=list(bill.lines.all()),
        account=_account(bill),
        appeals=_appeals(bill),
    )


def _account(bill: Bill) -> list[Line]:
    here = set(receipts_paid_here(bill).values_list("pk", flat=True))
    found = []
    for line in statement(bill):
        entry, receipt = line.entry, line.entry.receipt
        found.append(
            Line(
                on=entry.on,
                what=entry.get_kind_display(),
                amount=entry.amount,
                balance=line.balance,
                receipt=receipt.number if receipt else "",
                is_paper=receipt is not None and receipt.pk in here,
                why=entry.reason,
            )
        )
    return found


def receipts_paid_here(bill: Bill) -> Any:
    """Receipts with a paper of what was paid with the code: the others name their own payers."""
    rows = Receipt.objects.filter(bill_entry__bill=bill, paper__isnull=False)
    return rows.filter(online_event__payment__begun_by=None).exclude(online_event=None)


def _appeals(bill: Bill) -> list[tuple[str, Deadline]]:
    """The notice and the order behind the bill, each with its last day of appeal. (8)"""
    notice = bill.work.notice if bill.work else None
    if not isinstance(notice, NoticeOfIntent):
        return []
    return [(title_of(act), act.appeal_deadline()) for act in (notice, notice.order)]
