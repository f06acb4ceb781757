"""Second books, kept by hand beside a walk: what every sum must be after each act.

Nothing here reads the accounts of `escrow.journal`; each act of the walk says itself what it
moved, from where to where, and the tables must agree.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from django.apps import apps
from django.db import connection
from django.db.models import Sum

from escrow import journal
from escrow.books.proof import problems
from escrow.guards import APPEND_ONLY
from escrow.models import (
    BillEntry,
    EscrowEntry,
    RollBatch,
    RollCharge,
    RollLine,
    RollOutcome,
    cents,
)
from escrow.roll.corrections import corrections

from . import slow_money

__all__ = ["Books", "Owing"]

ZERO = Decimal("0.00")
FACTS = {
    "escrow_bill": [
        "number",
        "site_id",
        "path",
        "cost",
        "escrow_applied",
        "amount",
        "billed_on",
        "due_on",
    ],
    "escrow_rollbatch": [
        "year",
        "number",
        "instrument",
        "purpose",
        "count",
        "total",
        "sha256",
        "proposed_on",
    ],
    "escrow_release": ["number", "permit_id", "amount", "proposed_on", "proposed_by_id"],
    "escrow_forfeiture": [
        "number",
        "permit_id",
        "amount",
        "proposed_on",
        "proposed_by_id",
        "due_on",
    ],
}
"""Of the tables whose rows have a status, the columns that never change."""
BESIDE = ("permits_caseevent", "permits_docketentry", "portal_mailing", "portal_outboxmessage")
MODELS = {model._meta.db_table: model for model in apps.get_models()}
TABLES = [name for name in MODELS if name.startswith("escrow_")]


@dataclass
class Owing:
    """A bill by the second books: principal, interest, and what is on the roll."""

    principal: Decimal = ZERO
    interest: Decimal = ZERO
    rolled: Decimal = ZERO
    rolled_interest: Decimal = ZERO
    rate: Decimal | None = None
    levied_on: date | None = None
    booked_on: date | None = None
    parts: dict[int, Decimal] = field(default_factory=dict)

    @property
    def owed(self) -> Decimal:
        return self.principal + self.interest

    def grown(self, on: date) -> Decimal:
        """The interest since it was last booked; none where nothing is owed."""
        if self.rate is None or self.levied_on is None or self.owed <= 0:
            return ZERO
        since = self.booked_on or self.levied_on
        return slow_money.interest(self.principal, self.rate, self.levied_on, since, on)

    def book_interest(self, on: date) -> Decimal:
        grown = self.grown(on)
        if grown:
            self.interest += grown
            self.booked_on = max(on, self.booked_on or on)
        return grown

    def settle(self, amount: Decimal) -> Decimal:
        """Take an amount off, the interest first; return how much of it was interest."""
        first = min(self.interest, amount)
        self.interest -= first
        self.principal -= amount - first
        return first

    def put_on_roll(self, amount: Decimal) -> None:
        self.rolled_interest += self.settle(amount)
        self.rolled += amount

    def take_off_roll(self, amount: Decimal) -> None:
        first = min(self.rolled_interest, amount)
        self.rolled_interest -= first
        self.rolled -= amount
        self.owe(amount, first)

    def owe(self, amount: Decimal, interest: Decimal) -> None:
        self.interest += interest
        self.principal += amount - interest


class Books:
    """The second books of one walk, and the rows as they were seen last."""

    def __init__(self) -> None:
        found = journal.balances()
        self.accounts: dict[str, Decimal] = defaultdict(lambda: ZERO)
        self.accounts.update({each.value: row.balance for each, row in found.items()})
        self.held: dict[int, Decimal] = defaultdict(lambda: ZERO)
        self.bills: dict[int, Owing] = defaultdict(Owing)
        self.seen: dict[str, list[Any]] = {}

    def move(self, debit: str, credit: str, amount: Decimal) -> None:
        """Write one posting down."""
        self.accounts[debit] += amount
        self.accounts[credit] -= amount

    def counts(self) -> list[Any]:
        """How many rows each table has, and the status of each that has one: cheap to ask."""
        names = [*TABLES, *BESIDE]
        query = " UNION ALL ".join(f"SELECT '{n}', COUNT(*), MAX(id) FROM {n}" for n in names)
        with connection.cursor() as cursor:
            cursor.execute(query)
            found = cursor.fetchall()
        status = [list(MODELS[name].objects.values_list("pk", "status")) for name in FACTS]  # type: ignore[attr-defined]
        return [*found, *status]

    def agree(self) -> None:
        """Every sum of the tables is what was written down here, and none is below zero."""
        found = journal.balances()
        assert sum(each.balance for each in found.values()) == 0
        for account, row in found.items():
            assert row.balance == self.accounts[account.value], account.words
        held = _sums(EscrowEntry.objects.all(), "instrument")
        assert held == {key: amount for key, amount in self.held.items() if key in held}
        assert all(amount >= 0 for amount in held.values())
        owed = _sums(BillEntry.objects.all(), "bill")
        assert owed == {key: each.owed for key, each in self.bills.items()}
        assert all(amount >= 0 for amount in owed.values())
        rolled = _sums(BillEntry.objects.filter(kind__in=["roll", "off-roll"]), "bill")
        assert {key: -amount for key, amount in rolled.items() if amount} == {
            key: each.rolled for key, each in self.bills.items() if each.rolled
        }

    def only_added_to(self) -> None:
        """No row that was there before has changed or gone."""
        for table in (*APPEND_ONLY, *FACTS):
            rows = MODELS[table].objects.order_by("pk")  # type: ignore[attr-defined]
            now = list(rows.values_list("pk", *FACTS.get(table, _columns(table))))
            before = self.seen.get(table, [])
            assert now[: len(before)] == before, f"{table} was changed"
            self.seen[table] = now

    def exported_once(self) -> None:
        """Each certified line is one charge; what the county was told is what is on the roll."""
        assert list(problems()) == []
        certified = RollLine.objects.filter(batch__status=RollBatch.Status.CERTIFIED)
        assert certified.count() == RollCharge.objects.count()
        assert not RollCharge.objects.exclude(batch__status="certified").exists()
        told = _sums(RollCharge.objects.all(), "bill")
        for batch in RollBatch.objects.filter(status="certified"):
            amounts = [charge.amount for charge in batch.charges.all()]  # type: ignore[attr-defined]
            assert (sum(amounts), len(amounts)) == (batch.total, batch.count)
        for charge in RollCharge.objects.filter(amount__gt=0):
            lowered = RollCharge.objects.filter(line__corrects=charge)
            left = charge.amount + sum(lowered.values_list("amount", flat=True))
            assert left >= 0, f"{charge} was lowered below zero"
        rejected = RollOutcome.objects.filter(kind="rejected").select_related("charge", "off_roll")
        for outcome in rejected:
            told[outcome.charge.bill_id] -= outcome.off_roll.amount
        self._untold(told)
        for key, each in self.bills.items():
            assert told.get(key, ZERO) == each.rolled, f"bill {key}"

    def _untold(self, told: dict[int, Decimal]) -> None:
        """Take off what the county does not know yet, or never will of what it rejected."""
        for year, path in set(RollBatch.objects.values_list("year", "instrument")):
            for each in corrections(year, path):
                told[each.charge.bill_id] -= each.amount
        waiting = RollLine.objects.filter(batch__status="proposed", corrects__isnull=False)
        for line in waiting:
            told[line.bill_id] += line.amount
        for outcome in RollOutcome.objects.filter(kind="rejected").select_related("charge"):
            # Paid before the roll rejected the rest: the county never had to be told.
            told[outcome.charge.bill_id] -= _paid_before(outcome)


def _paid_before(outcome: RollOutcome) -> Decimal:
    charge = outcome.charge
    told = RollCharge.objects.filter(line__corrects=charge).values_list("amount", flat=True)
    return cents(charge.amount + sum(told, ZERO) - outcome.off_roll.amount)  # type: ignore[union-attr]


def _columns(table: str) -> list[str]:
    return [each.attname for each in MODELS[table]._meta.concrete_fields]


def _sums(rows: Any, by: str) -> dict[int, Decimal]:
    found = rows.order_by().values_list(by).annotate(sum=Sum("amount"))
    return {key: cents(amount) for key, amount in found}
