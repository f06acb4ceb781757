"""The cash book: every receipt and payment, read from the rows that made it.

What moved the city's cash or the cash held as escrow from outside is here; what moved
between the two (a draw on cash) is not. The sum of a span is what the accounts say of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.db.models import (
    Case,
    CharField,
    Count,
    Expression,
    F,
    Model,
    OuterRef,
    Q,
    QuerySet,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from enforcement.models import Appeal
from escrow.books import lines
from escrow.models import BillEntry, DayClose, EscrowEntry, IssuerPayment, cents
from permits.models import FeeEntry
from portal.models import User

__all__ = [
    "KINDS",
    "SOURCES",
    "WAYS",
    "Asked",
    "CashSource",
    "Entry",
    "Summed",
    "entries",
    "hydrated",
    "postings_taken_back",
]

NOTHING = Decimal("0.00")

WAYS = {
    "cash": "Cash",
    "check": "Check",
    "money_order": "Money order",
    "online": "Online",
    "treasury": "Check by the treasury",
    "": "Not recorded",
}


@dataclass(frozen=True)
class CashSource:
    """A table of receipts and payments; `amount` is above zero where money came in."""

    name: str
    title: str
    model: type[Model]
    day: str
    at: str
    by: str
    only: Q
    way: Expression | F
    line: Callable[[Any], lines.Words]
    amount: Expression | F = field(default_factory=lambda: F("amount"))
    with_rows: tuple[str, ...] = ()

    def rows(self, since: date, until: date) -> QuerySet[Any]:
        """Return the rows of a span of days, both included; read by the index of the day."""
        span = {f"{self.day}__gte": since, f"{self.day}__lte": until}
        found: QuerySet[Any] = self.model._default_manager.filter(self.only, **span).order_by()
        return self._named(found)

    def _named(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """Give what every source has the same names, for one list of them all."""
        named: QuerySet[Any] = rows.annotate(
            b_source=Value(self.name, output_field=CharField()),
            b_pk=F("pk"),
            b_day=F(self.day),
            b_at=F(self.at),
            b_by=F(self.by),
            b_way=self.way,
            b_amount=self.amount,
        )
        return named


PAID_BACK = ("released", "replaced")
IN_AND_OUT = ("posted", *PAID_BACK)


def postings_taken_back() -> QuerySet[EscrowEntry]:
    """Return the rows that take the posting of an outer entry's instrument back.

    A draw that was taken back has a row of the same kind, which names the draw's entry.
    """
    rows = EscrowEntry.objects.filter(instrument=OuterRef("instrument"))
    return rows.filter(kind="reversed", reverses__isnull=True)


def _paid_by_receipt() -> Coalesce:
    return Coalesce(F("reverses__receipt__means"), F("receipt__means"))


SOURCES: tuple[CashSource, ...] = (
    CashSource(
        "fee",
        "Application fees",
        FeeEntry,
        "received_on",
        "recorded_at",
        "recorded_by",
        Q(means__in=["cash", "check", "online"])
        | Q(means="reversal") & ~Q(reverses__means="waiver"),
        Coalesce(F("reverses__means"), F("means")),
        lines.fee,
        with_rows=("application__site", "recorded_by", "reverses"),
    ),
    CashSource(
        "appeal",
        "Appeal fees",
        Appeal,
        "fee_paid_on",
        "filed_at",
        "filed_by",
        Q(fee_paid_on__isnull=False, fee_due__gt=0),
        Value("", output_field=CharField()),
        lines.appeal,
        F("fee_due"),
        with_rows=("site", "filed_by"),
    ),
    CashSource(
        "escrow",
        "Cash escrow",
        EscrowEntry,
        "on",
        "at",
        "by",
        Q(instrument__form="cash")
        & (
            Q(kind__in=IN_AND_OUT)
            | Q(kind="reversed", reverses__isnull=True)
            | Q(kind="reversed", reverses__kind__in=IN_AND_OUT)
        ),
        Case(
            When(Q(kind__in=PAID_BACK) | Q(reverses__kind__in=PAID_BACK), then=Value("treasury")),
            default=Value("cash"),
            output_field=CharField(),
        ),
        lines.escrow,
        with_rows=("permit__application__site", "instrument", "by", "reverses"),
    ),
    CashSource(
        "bill",
        "Bills for city work",
        BillEntry,
        "on",
        "at",
        "by",
        Q(kind="payment") | Q(kind="reversal", reverses__kind="payment"),
        _paid_by_receipt(),
        lines.bill,
        -F("amount"),
        with_rows=("bill__site", "receipt", "reverses__receipt", "by"),
    ),
    CashSource(
        "issuer",
        "Banks and sureties",
        IssuerPayment,
        "on",
        "at",
        "by",
        Q(),
        _paid_by_receipt(),
        lines.issuer,
        with_rows=(
            "demand__entry__permit__application__site",
            "receipt",
            "reverses__receipt",
            "by",
        ),
    ),
)
"""Every table of receipts and payments."""

KINDS = {source.name: source.title for source in SOURCES}
_BY_NAME = {source.name: source for source in SOURCES}


@dataclass(frozen=True)
class Asked:
    """Of what: a span of days, and a kind, a way, a person."""

    since: date
    until: date
    kind: str = ""
    way: str = ""
    by: int | None = None

    def rows(self) -> Iterator[tuple[CashSource, QuerySet[Any]]]:
        """Yield the rows of each source that was asked for."""
        for source in SOURCES:
            if self.kind in ("", source.name):
                rows = source.rows(self.since, self.until)
                if self.way:
                    rows = rows.filter(b_way=self.way)
                if self.by is not None:
                    rows = rows.filter(b_by=self.by)
                yield source, rows


def entries(asked: Asked) -> QuerySet[Any]:
    """Return source, key, day and moment of each entry, in the order of the book."""
    columns = ("b_source", "b_pk", "b_day", "b_at")
    first, *others = (rows.values_list(*columns) for _, rows in asked.rows())
    found = first.union(*others, all=True) if others else first
    return found.order_by("b_day", "b_at", "b_source", "b_pk")


def total(since: date, until: date) -> Decimal:
    """Return what came in less what went out: one sum for each source."""
    sums = (source.rows(since, until).aggregate(sum=Sum("b_amount")) for source in SOURCES)
    return sum((cents(found["sum"]) for found in sums), NOTHING)


@dataclass(frozen=True)
class Entry:
    """One receipt or payment as the book shows it."""

    source: CashSource
    day: date
    at: datetime
    amount: Decimal
    way: str
    by: User | None
    words: lines.Words
    is_late: bool = False

    @property
    def came_in(self) -> Decimal | None:
        """What came in."""
        return self.amount if self.amount > 0 else None

    @property
    def went_out(self) -> Decimal | None:
        """What went out, or was taken back."""
        return -self.amount if self.amount < 0 else None


def hydrated(found: list[tuple[str, int, date, datetime]], asked: Asked) -> list[Entry]:
    """Return the entries of one page in full: one query for each source that is on it."""
    keys: dict[str, list[int]] = defaultdict(list)
    for name, pk, _, _ in found:
        keys[name].append(pk)
    rows: dict[tuple[str, int], Any] = {}
    for name, pks in keys.items():
        source = _BY_NAME[name]
        full = source.rows(asked.since, asked.until).filter(pk__in=pks)
        rows |= {(name, row.pk): row for row in full.select_related(*source.with_rows)}
    closed = dict(
        DayClose.objects.filter(on__in={day for _, _, day, _ in found}).values_list("on", "at")
    )
    return [_entry(_BY_NAME[name], rows[name, pk], closed.get(day)) for name, pk, day, _ in found]


def _entry(source: CashSource, row: Any, closed_at: datetime | None) -> Entry:
    return Entry(
        source=source,
        day=row.b_day,
        at=row.b_at,
        amount=cents(row.b_amount),
        way=WAYS[row.b_way or ""],
        by=getattr(row, source.by),
        words=source.line(row),
        is_late=closed_at is not None and row.b_at > closed_at,
    )


@dataclass
class Sum3:
    """How many entries, what came in, what went out."""

    count: int = 0
    came_in: Decimal = NOTHING
    went_out: Decimal = NOTHING

    def add(self, row: dict[str, Any]) -> None:
        """Count a group of rows in."""
        self.count += row["count"]
        self.came_in += cents(row["came_in"])
        self.went_out -= cents(row["went_out"])

    @property
    def left(self) -> Decimal:
        """What came in, less what went out."""
        return self.came_in - self.went_out


@dataclass
class Summed:
    """The sums of a span: of all, by kind, by way, by person, by day."""

    total: Sum3 = field(default_factory=Sum3)
    by_kind: dict[str, Sum3] = field(default_factory=lambda: defaultdict(Sum3))
    by_way: dict[str, Sum3] = field(default_factory=lambda: defaultdict(Sum3))
    by_person: dict[str, Sum3] = field(default_factory=lambda: defaultdict(Sum3))
    by_day: dict[date, Sum3] = field(default_factory=lambda: defaultdict(Sum3))

    @classmethod
    def of(cls, asked: Asked) -> Summed:
        """Add a span up: one query for each source, and one for the names."""
        groups = [(source, list(_groups(rows))) for source, rows in asked.rows()]
        people = User.objects.in_bulk({row["b_by"] for _, rows in groups for row in rows} - {None})
        made = cls()
        for source, rows in groups:
            for row in rows:
                person = people.get(row["b_by"])
                made.total.add(row)
                made.by_kind[source.title].add(row)
                made.by_way[WAYS[row["b_way"] or ""]].add(row)
                made.by_person[str(person) if person else "Not recorded"].add(row)
                made.by_day[row["b_day"]].add(row)
        return made

    def tables(self) -> list[tuple[str, list[tuple[Any, Sum3]]]]:
        """Return the sums as tables, each in the order of its names; days only if several."""
        found = [
            ("By kind", self.by_kind),
            ("By way of payment", self.by_way),
            ("By person", self.by_person),
        ]
        tables: list[tuple[str, list[tuple[Any, Sum3]]]] = [
            (title, sorted(sums.items())) for title, sums in found
        ]
        if len(self.by_day) > 1:
            tables.append(("By day", sorted(self.by_day.items())))
        return tables


def _groups(rows: QuerySet[Any]) -> Iterator[dict[str, Any]]:
    yield from rows.values("b_day", "b_way", "b_by").annotate(
        count=Count("pk"),
        came_in=Sum("b_amount", filter=Q(b_amount__gt=0)),
        went_out=Sum("b_amount", filter=Q(b_amount__lt=0)),
    )
