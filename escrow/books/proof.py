"""What must agree with what: each amount that is stated once against the rows it stands for.

The accounts balance by the way they are added up. Whether the rows are right is asked here:
a bill against its lines, a receipt against what it receipts, a batch against its charges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db.models import F, Model, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.fields import DecimalField, IntegerField
from django.db.models.functions import Abs, Coalesce

from enforcement.models import CityWork, WorkCost
from escrow.models import (
    Assessment,
    Bill,
    BillEntry,
    BillLine,
    Deposit,
    Draw,
    EscrowEntry,
    Forfeiture,
    Instrument,
    IssuerPayment,
    OnlineEvent,
    Receipt,
    Release,
    RollBatch,
    RollCharge,
    RollOutcome,
    cents,
)
from permits.models import FeeEntry
from portal import formats

__all__ = ["CHECKS", "Check", "problems"]

NAMED = 20
"""So many rows that disagree are named; one is enough to look for the cause."""

AT_ONCE = 6
"""Rules in one query."""

LESS_THAN_A_CENT = Decimal("0.004")
"""SQLite adds decimals as floats; a difference below this is none."""

MONEY = DecimalField(max_digits=14, decimal_places=2)
NOTHING = Value(Decimal("0.00"), output_field=MONEY)


@dataclass(frozen=True)
class Check:
    """One amount that is stated, and the sum that it must equal.

    `rows` are asked one by one; `sign` is -1 where the rows that are added up take away.
    """

    what: str
    rows: Callable[[], QuerySet[Any]]
    stated: str
    of: type[Model]
    by: str
    amount: str = "amount"
    where: Q = field(default_factory=Q)
    sign: int = 1

    def wrong(self) -> QuerySet[Any]:
        """Return the rows that disagree."""
        return _differing(self.rows().annotate(found=self._sum(), stated=F(self.stated)))

    def say(self, row: Any) -> str:
        """Return the sentence for a row that disagrees."""
        return _words(row, self.what)

    def _sum(self) -> Any:
        rows = self.of._default_manager.filter(self.where, **{self.by: OuterRef("pk")})
        summed = rows.order_by().values(self.by).annotate(sum=Sum(self.amount)).values("sum")
        return Coalesce(Subquery(summed, output_field=MONEY), NOTHING) * Value(self.sign)


def _all(model: type[Model], **where: Any) -> Callable[[], QuerySet[Any]]:
    return lambda: model._default_manager.filter(**where)


CHECKS: tuple[Check, ...] = (
    Check(
        "closed city work against its costs",
        _all(CityWork, status="closed"),
        "total",
        WorkCost,
        "work",
    ),
    Check(
        "instrument against its posting",
        _all(Instrument),
        "amount",
        EscrowEntry,
        "instrument",
        where=Q(kind="posted"),
    ),
    Check(
        "draw against its entries",
        _all(Draw),
        "amount",
        EscrowEntry,
        "draw",
        where=Q(kind="drawn"),
        sign=-1,
    ),
    Check(
        "forfeiture against its entries",
        _all(Forfeiture, status="approved"),
        "amount",
        EscrowEntry,
        "forfeiture",
        where=Q(kind="forfeited"),
        sign=-1,
    ),
    Check(
        "release against its entries",
        _all(Release, status="approved"),
        "amount",
        EscrowEntry,
        "release",
        where=Q(kind="released"),
        sign=-1,
    ),
    Check("bill against its lines", _all(Bill), "cost", BillLine, "bill"),
    Check(
        "bill against its first entry",
        _all(Bill),
        "cost",
        BillEntry,
        "bill",
        where=Q(kind="billed"),
    ),
    Check(
        "bill against what the escrow bore",
        _all(Bill),
        "escrow_applied",
        BillEntry,
        "bill",
        where=Q(kind="escrow"),
        sign=-1,
    ),
    Check(
        "assessment against its fee",
        _all(Assessment),
        "fee",
        BillEntry,
        "bill__assessment",
        where=Q(kind="fee"),
    ),
    Check(
        "receipt against its payment on a bill",
        _all(Receipt, bill_entry__isnull=False),
        "amount",
        BillEntry,
        "receipt",
        sign=-1,
    ),
    Check(
        "receipt against its payment on a demand",
        _all(Receipt, bill_entry__isnull=True),
        "amount",
        IssuerPayment,
        "receipt",
    ),
    Check(
        "online payment of a bill against its receipt",
        _all(OnlineEvent, verdict="booked", receipt__isnull=False),
        "amount",
        Receipt,
        "online_event",
    ),
    Check(
        "online payment of a fee against its entry",
        _all(OnlineEvent, verdict="booked", fee_entry__isnull=False),
        "amount",
        FeeEntry,
        "online_event",
    ),
    Check(
        "certified batch against its charges",
        _all(RollBatch, status="certified"),
        "total",
        RollCharge,
        "batch",
    ),
    Check(
        "amount put on the roll against its charges",
        _all(BillEntry, kind="roll"),
        "amount",
        RollCharge,
        "entry",
        sign=-1,
    ),
)
"""Every amount that is stated beside the rows it stands for."""

REVERSIBLE: tuple[type[Model], ...] = (
    FeeEntry,
    EscrowEntry,
    BillEntry,
    IssuerPayment,
    WorkCost,
    RollOutcome,
)


@dataclass(frozen=True)
class Rule:
    """The rows that break a rule, and the sentence for each."""

    wrong: QuerySet[Any]
    say: Callable[[Any], str]


def problems() -> Iterator[str]:
    """Yield a sentence for each row of money that disagrees with another.

    Several rules are asked by one query, few enough to be answered in time in a large city;
    only what is wrong is read.
    """
    rules = [*_stated(), *_reversals(), *_overdrawn(), Rule(_deposits(), _deposit_words)]
    asked = [
        rule.wrong.order_by().values_list(Value(number, output_field=IntegerField()), "pk")
        for number, rule in enumerate(rules)
    ]
    found: dict[int, list[int]] = {}
    for first in range(0, len(asked), AT_ONCE):
        some = asked[first : first + AT_ONCE]
        for number, pk in some[0].union(*some[1:], all=True)[:NAMED]:
            found.setdefault(number, []).append(pk)
    for number, pks in sorted(found.items()):
        for row in rules[number].wrong.filter(pk__in=pks).order_by("pk"):
            yield rules[number].say(row)


def _stated() -> Iterator[Rule]:
    for check in CHECKS:
        yield Rule(check.wrong(), check.say)


def _reversals() -> Iterator[Rule]:
    """A reversing row takes back all of the row that it names, and nothing else."""
    for model in REVERSIBLE:
        rows = model._default_manager.filter(reverses__isnull=False).select_related("reverses")
        differ = rows.exclude(amount=-F("reverses__amount"))
        yield Rule(differ, _reversal_words)


def _reversal_words(row: Any) -> str:
    taken, back = formats.money(row.reverses.amount), formats.money(row.amount)
    return f"{row}: {taken} is reversed by {back}."


def _overdrawn() -> Iterator[Rule]:
    """No instrument and no bill is ever below zero; the database refuses it, too."""
    for model in (Instrument, Bill):
        rows: QuerySet[Any] = model._default_manager.annotate(left=Sum("entries__amount"))
        yield Rule(rows.filter(left__lt=-LESS_THAN_A_CENT), _overdrawn_words)


def _overdrawn_words(row: Any) -> str:
    return f"{row}: its entries add up to {formats.money(cents(row.left))}, below zero."


def _deposits() -> QuerySet[Any]:
    """What went to the bank against the rows that lie in it."""
    found = (
        Coalesce(Sum("lines__fee_entry__amount"), NOTHING)
        + Coalesce(Sum("lines__instrument__amount"), NOTHING)
        + Coalesce(Sum("lines__receipt__amount"), NOTHING)
    )
    return _differing(Deposit.objects.annotate(found=found, stated=F("cash") + F("checks")))


def _deposit_words(row: Any) -> str:
    return _words(row, "deposit against its lines")


def _differing(rows: QuerySet[Any]) -> QuerySet[Any]:
    # As one comparison: each mention of a sum adds it up once more.
    apart: QuerySet[Any] = rows.annotate(apart=Abs(F("found") - F("stated")))
    return apart.filter(apart__gt=LESS_THAN_A_CENT)


def _words(row: Any, what: str) -> str:
    stated, found = formats.money(cents(row.stated)), formats.money(cents(row.found))
    return f"{row}: {what}: {stated} is stated, {found} is in its rows."
