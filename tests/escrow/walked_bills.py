"""The part of the walk through the money that bills: payments, credits, levies, the bank."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

from enforcement.models import CityWork
from escrow.bills import levying, making, moving
from escrow.bills.payers import Payer
from escrow.books import bank
from escrow.models import Bill, BillEntry
from permits.models import Site

from . import money
from .walked_money import CENT, RECEIVABLE, Act, Try, Walk, noted_cost

__all__ = ["BILLS"]

PAYER = Payer("landowner", "Mai Vang", "1 Mill Street\nExample, WI 54999")


def noted_bill(walk: Walk) -> Callable[[Bill], None]:
    def note(bill: Bill) -> None:
        account = RECEIVABLE[bill.path]
        walk.books.bills[bill.pk].principal = bill.cost - bill.escrow_applied
        walk.books.move(account, "4100", bill.cost)
        walk.books.move("2100", account, bill.escrow_applied)

    return note


def bill_work(walk: Walk) -> Try | None:
    rows = CityWork.objects.all()
    work = walk.one(rows if walk.seldom() else rows.exclude(bills__status="standing"))
    if work is None:
        return None
    twice = Bill.objects.filter(work=work, status="standing").exists()
    return Try(
        lambda: making.bill_work(work, PAYER, by=walk.clerk, on=walk.today),
        noted_bill(walk),
        twice,
    )


def work_under_an_agreement(walk: Walk) -> Try | None:
    site: Site = walk.chance.choice(walk.permits).site
    amount = Decimal(walk.chance.randint(1, 99999)) / 100
    begun = walk.today - timedelta(days=40)
    return Try(
        lambda: money.maintenance_work(site, on=begun, costs=(str(amount),)), noted_cost(walk)
    )


def payable(walk: Walk) -> Bill | None:
    """A bill of which something is owed or on the roll; now and then any."""
    if walk.chance.random() < 0.1:
        return walk.one(Bill.objects.all())  # type: ignore[no-any-return]
    bills = walk.books.bills
    rolled = [key for key, each in bills.items() if each.rolled and not each.owed]
    owed = [key for key, each in bills.items() if each.owed]
    found = walk.one(rolled if walk.chance.random() < 0.4 else owed)
    return Bill.objects.get(pk=found) if found else None


def pay(walk: Walk) -> Try | None:
    bill = payable(walk)
    if bill is None:
        return None
    mine = walk.books.bills[bill.pk]
    owed = mine.owed + mine.grown(walk.today) or mine.rolled
    amount, wrong = walk.amount(owed)
    if bill.path == "special-charge" and not wrong and not walk.seldom():
        amount = owed  # no installments once it is delinquent
    means = walk.chance.choice(["cash", "check"])
    walk.checks += 1
    number = str(walk.checks) if means == "check" else ""
    facts = {"means": means, "paid_by": "Mai Vang", "check_number": number}

    def note(receipt: Any) -> None:
        account = RECEIVABLE[bill.path]
        walk.books.move(account, "4400", mine.book_interest(walk.today))
        if not mine.owed:
            mine.take_off_roll(amount)
            walk.books.move(account, "1200", amount)
        mine.parts[receipt.bill_entry.pk] = mine.settle(amount)
        walk.books.move("1000", account, amount)

    return Try(
        lambda: moving.pay(bill, amount=amount, received_on=walk.today, by=walk.clerk, **facts),
        note,
        wrong or amount > owed,
    )


def credit(walk: Walk) -> Try | None:
    bill = payable(walk)
    if bill is None:
        return None
    mine = walk.books.bills[bill.pk]
    amount, wrong = walk.amount(mine.owed + mine.grown(walk.today))

    def note(entry: BillEntry) -> None:
        account = RECEIVABLE[bill.path]
        walk.books.move(account, "4400", mine.book_interest(walk.today))
        mine.parts[entry.pk] = mine.settle(amount)
        walk.books.move("5100", account, amount)

    return Try(
        lambda: moving.credit(bill, amount=amount, reason="A test.", by=walk.clerk, on=walk.today),
        note,
        wrong,
    )


def take_back(walk: Walk) -> Try | None:
    rows = BillEntry.objects.filter(kind__in=["payment", "credit", "billed"])
    if not walk.seldom():
        rows = rows.exclude(kind="billed").filter(reversed_by__isnull=True)
    entry = walk.one(rows)
    if entry is None:
        return None
    mine, amount = walk.books.bills[entry.bill_id], -entry.amount

    def note(_: Any) -> None:
        mine.owe(amount, mine.parts[entry.pk])
        other = "1000" if entry.kind == "payment" else "5100"
        walk.books.move(RECEIVABLE[entry.bill.path], other, amount)

    again = BillEntry.objects.filter(reverses=entry).exists() or entry.kind == "billed"
    return Try(
        lambda: moving.reverse(entry, reason="A test.", by=walk.clerk, on=walk.today), note, again
    )


def withdraw_bill(walk: Walk) -> Try | None:
    bill = walk.one(Bill.objects.all())
    if bill is None or walk.chance.random() < 0.6:
        return None
    mine = walk.books.bills[bill.pk]

    def note(_: Any) -> None:
        account = RECEIVABLE[bill.path]
        mine.principal -= bill.amount
        walk.books.move("4100", account, bill.cost)
        walk.books.move(account, "2100", bill.escrow_applied)

    wrong = bill.status == "withdrawn" or mine.rolled > 0
    return Try(
        lambda: moving.withdraw(bill, reason="A test.", by=walk.clerk, on=walk.today), note, wrong
    )


def levy(walk: Walk) -> Try | None:
    late = Bill.objects.delinquent(walk.today).filter(path="assessment", assessment=None)
    bill = walk.one(late) or (walk.seldom() and walk.one(Bill.objects.all()))
    if not bill:
        return None
    mine = walk.books.bills[bill.pk]
    wrong = bill.path != "assessment" or mine.levied_on is not None or mine.owed <= 0

    def note(made: Any) -> None:
        mine.rate, mine.levied_on = Decimal("5.5"), walk.today
        mine.principal += Decimal("75.00")
        walk.books.move("1110", "4500", Decimal("75.00"))

    return Try(
        lambda: levying.levy(bill, resolution="2026-20", levied_on=walk.today, by=walk.clerk),
        note,
        wrong,
    )


def divide(walk: Walk) -> Try | None:
    bill = walk.one(Bill.objects.all())
    if bill is None:
        return None
    if bill.site.parcels.count() == 1 and walk.chance.random() < 0.8:
        return None
    weights = {
        parcel: Decimal(walk.chance.choice([0, 1, 2, 3, 17424]))
        for parcel in bill.site.parcels.all()
    }
    return Try(
        lambda: levying.divide(
            bill, basis="area", weights=weights, why="A test.", by=walk.clerk, on=walk.today
        ),
        wrong=not any(weights.values()),
    )


def deposit(walk: Walk) -> Try | None:
    since = walk.today - timedelta(days=30)
    total = bank.takings(since, walk.today).total
    if not total and not walk.seldom():
        return None
    seen, wrong = walk.chance.choice([(total, not total), (total + CENT, True)])
    return Try(
        lambda: bank.deposit(
            since=since, until=walk.today, total=seen, by=walk.clerk, on=walk.today
        ),
        wrong=wrong,
    )


BILLS: dict[Act, int] = {
    bill_work: 6,
    work_under_an_agreement: 2,
    pay: 8,
    credit: 3,
    take_back: 3,
    withdraw_bill: 2,
    levy: 3,
    divide: 2,
    deposit: 1,
}
"""Each act, and how often its turn comes."""
