"""Accounts of the money: every source row is a debit and a credit; there is no second ledger.

`POSTINGS` says for each source and kind of row which account is debited and which credited.
A balance is a sum over the source rows, made by the database: it cannot differ from them.
A reversing row is posted like the row that it reverses, with the other sign.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Any

from django.db.models import Case, F, Model, Q, QuerySet, Sum, Value, When
from django.db.models.functions import Coalesce

from enforcement.models import Appeal, WorkCost
from escrow.models import BillEntry, EscrowEntry, IssuerPayment, RollOutcome, cents
from permits.models import FeeEntry, Parcel, Permit, Site

__all__ = [
    "SOURCES",
    "Account",
    "Balance",
    "Scope",
    "Source",
    "balances",
    "postings_of",
    "sides",
    "sums",
]


class Account(StrEnum):
    """The accounts, by number; assets 1, liabilities 2, revenue 4, expense 5."""

    CASH = "1000"
    ESCROW_CASH = "1010"
    BONDS = "1020"
    LETTERS = "1030"
    CHARGES_RECEIVABLE = "1100"
    ASSESSMENTS_RECEIVABLE = "1110"
    DUE_FROM_ISSUERS = "1150"
    ON_ROLL = "1200"
    COLLECTED_WITH_TAX = "1300"
    HELD_CASH = "2010"
    HELD_BONDS = "2020"
    HELD_LETTERS = "2030"
    DRAWN_TO_APPLY = "2100"
    CITY_FUNDS = "2900"
    FEES = "4000"
    APPEAL_FEES = "4010"
    COST_BILLED = "4100"
    FORFEITED = "4200"
    INTEREST = "4400"
    ADMINISTRATIVE_FEES = "4500"
    COST_OF_WORK = "5000"
    CREDITS = "5100"
    INTEREST_PAID = "5200"

    @property
    def words(self) -> str:
        """The account in words."""
        return TITLES[self]


TITLES = {
    Account.CASH: "Cash of the city",
    Account.ESCROW_CASH: "Cash held as escrow",
    Account.BONDS: "Bonds held",
    Account.LETTERS: "Letters of credit held",
    Account.CHARGES_RECEIVABLE: "Bills receivable, special charges",
    Account.ASSESSMENTS_RECEIVABLE: "Bills receivable, assessments",
    Account.DUE_FROM_ISSUERS: "Demanded of banks and sureties",
    Account.ON_ROLL: "Charged to the tax roll",
    Account.COLLECTED_WITH_TAX: "Collected with the tax",
    Account.HELD_CASH: "Escrow owed, cash",
    Account.HELD_BONDS: "Escrow owed, bonds",
    Account.HELD_LETTERS: "Escrow owed, letters of credit",
    Account.DRAWN_TO_APPLY: "Drawn from escrow, not yet applied to a bill",
    Account.CITY_FUNDS: "Paid by the city for its work",
    Account.FEES: "Application fees",
    Account.APPEAL_FEES: "Appeal fees",
    Account.COST_BILLED: "Cost of city work billed",
    Account.FORFEITED: "Escrow forfeited",
    Account.INTEREST: "Interest on assessments",
    Account.ADMINISTRATIVE_FEES: "Administrative fees on assessments",
    Account.COST_OF_WORK: "Cost of city work",
    Account.CREDITS: "Credits allowed on bills",
    Account.INTEREST_PAID: "Interest paid on escrow",
}

A = Account


@dataclass(frozen=True)
class Posting:
    """Debit and credit of a row's amount; `sign` is -1 where the row lowers what it names."""

    debit: Account
    credit: Account
    sign: int = 1


Scope = dict[str, Any]
"""Of what: {"site": Site}, {"permit": Permit}, {"parcel": Parcel}, {"sites": their keys};
empty is everything. Money is kept by site: a parcel stands for the site that it belongs to."""


@dataclass(frozen=True)
class Source:
    """A table of money: its day, its amount, what its rows are grouped by, and whose they are."""

    name: str
    title: str
    model: type[Model]
    day: str
    keys: dict[str, Any]
    postings: dict[tuple[str, ...], tuple[Posting, ...]]
    site: str
    permit: Callable[[Permit], Q]
    amount: str = "amount"
    only: Q = field(default_factory=Q)

    def rows(
        self, *, on: date | None = None, since: date | None = None, scope: Scope | None = None
    ) -> QuerySet[Any]:
        """Return the rows of a span of days (both ends included) and of a scope."""
        found: QuerySet[Any] = self.model._default_manager.filter(self.only, self._of(scope or {}))
        if on is not None:
            found = found.filter(**{f"{self.day}__lte": on})
        if since is not None:
            found = found.filter(**{f"{self.day}__gte": since})
        return found

    def _of(self, scope: Scope) -> Q:
        wanted = Q()
        site, permit, parcel = scope.get("site"), scope.get("permit"), scope.get("parcel")
        if isinstance(site, Site):
            wanted &= Q(**{self.site: site})
        if isinstance(parcel, Parcel):
            wanted &= Q(**{self.site: parcel.site_id})
        if isinstance(permit, Permit):
            wanted &= self.permit(permit)
        if "sites" in scope:
            wanted &= Q(**{f"{self.site}__in": scope["sites"]})
        return wanted

    def grouped(self, rows: QuerySet[Any]) -> Iterator[tuple[tuple[str, ...], Decimal]]:
        """Yield each kind of row with the sum of its rows, added up by the database."""
        names = [f"key_{name}" for name in self.keys]
        keyed = rows.order_by().annotate(**{f"key_{n}": e for n, e in self.keys.items()})
        if not names:
            total = keyed.aggregate(total=Sum(self.amount))["total"]
            if total:
                yield (), cents(total)
            return
        for row in keyed.values(*names).annotate(total=Sum(self.amount)).order_by(*names):
            yield tuple(row[name] for name in names), cents(row["total"])


def _acts_like(field_name: str) -> Coalesce:
    """The kind of a row; of a reversing row, the kind of the row that it reverses."""
    return Coalesce(F(f"reverses__{field_name}"), F(field_name))


_FEES = (Posting(A.CASH, A.FEES),)

FEES = Source(
    name="fee",
    title="Application fees",
    model=FeeEntry,
    day="received_on",
    keys={"kind": _acts_like("means"), "row": F("means")},
    postings={
        ("cash",): _FEES,
        ("check",): _FEES,
        ("online",): _FEES,
        ("waiver",): (),
        ("reversal",): _FEES,
    },
    site="application__site",
    permit=lambda permit: Q(application=permit.application_id),
)


def _escrow_postings() -> dict[tuple[str, ...], tuple[Posting, ...]]:
    """A bond or letter is held at its face; what is demanded of its issuer is money due."""
    found: dict[tuple[str, ...], tuple[Posting, ...]] = {}
    for form, asset, owed, paid_into in (
        ("cash", A.ESCROW_CASH, A.HELD_CASH, A.CASH),
        ("bond", A.BONDS, A.HELD_BONDS, A.DUE_FROM_ISSUERS),
        ("letter_of_credit", A.LETTERS, A.HELD_LETTERS, A.DUE_FROM_ISSUERS),
    ):
        held = Posting(asset, owed)
        for kind in ("posted", "released", "replaced"):
            found[kind, form] = (held,)
        for kind in ("drawn", "refused"):  # the second takes a part of the first back
            found[kind, form] = (held, Posting(paid_into, A.DRAWN_TO_APPLY, -1))
        found["forfeited", form] = (held, Posting(paid_into, A.FORFEITED, -1))
        found["interest", form] = (
            Posting(A.INTEREST_PAID, owed),
            Posting(asset, A.CASH),
        )
    return found


ESCROW = Source(
    name="escrow",
    title="Escrow",
    model=EscrowEntry,
    day="on",
    keys={
        "kind": Coalesce(
            F("reverses__kind"),
            Case(When(kind="reversed", then=Value("posted")), default=F("kind")),
        ),
        "form": F("instrument__form"),
        "row": F("kind"),
    },
    postings=_escrow_postings(),
    site="permit__site",
    permit=lambda permit: Q(permit=permit),
)

COSTS = Source(
    name="cost",
    title="Costs of city work",
    model=WorkCost,
    day="on",
    keys={},
    postings={(): (Posting(A.COST_OF_WORK, A.CITY_FUNDS),)},
    site="work__site",
    permit=lambda permit: (
        Q(work__owner_notice__permit=permit) | Q(work__notice_of_intent__order__permit=permit)
    ),
)


def _bill_postings() -> dict[tuple[str, ...], tuple[Posting, ...]]:
    found: dict[tuple[str, ...], tuple[Posting, ...]] = {}
    for path, receivable in (
        ("special-charge", A.CHARGES_RECEIVABLE),
        ("assessment", A.ASSESSMENTS_RECEIVABLE),
    ):
        for kind, other in (
            ("billed", A.COST_BILLED),
            ("escrow", A.DRAWN_TO_APPLY),
            ("fee", A.ADMINISTRATIVE_FEES),
            ("interest", A.INTEREST),
            ("payment", A.CASH),
            ("credit", A.CREDITS),
            ("roll", A.ON_ROLL),
            ("off-roll", A.ON_ROLL),
        ):
            found[kind, path] = (Posting(receivable, other),)
    return found


BILLS = Source(
    name="bill",
    title="Bills for city work",
    model=BillEntry,
    day="on",
    keys={"kind": _acts_like("kind"), "path": F("bill__path"), "row": F("kind")},
    postings=_bill_postings(),
    site="bill__site",
    permit=lambda permit: Q(bill__permit=permit),
)

ISSUERS = Source(
    name="issuer",
    title="Paid by banks and sureties",
    model=IssuerPayment,
    day="on",
    keys={},
    postings={(): (Posting(A.CASH, A.DUE_FROM_ISSUERS),)},
    site="demand__entry__permit__site",
    permit=lambda permit: Q(demand__entry__permit=permit),
)

COLLECTED = Source(
    name="roll",
    title="Collected with the tax",
    model=RollOutcome,
    day="on",
    keys={},
    postings={(): (Posting(A.COLLECTED_WITH_TAX, A.ON_ROLL),)},
    site="charge__bill__site",
    permit=lambda permit: Q(charge__bill__permit=permit),
    only=Q(kind="collected"),
)

APPEALS = Source(
    name="appeal",
    title="Appeal fees",
    model=Appeal,
    day="fee_paid_on",
    keys={},
    postings={(): (Posting(A.CASH, A.APPEAL_FEES),)},
    site="site",
    permit=lambda permit: Q(site=permit.site_id),
    amount="fee_due",
    only=Q(fee_paid_on__isnull=False),
)

SOURCES: tuple[Source, ...] = (FEES, APPEALS, ESCROW, COSTS, BILLS, ISSUERS, COLLECTED)
"""Every table of money. A table that is not here is not money."""


@dataclass(frozen=True)
class Line:
    """The sum of one kind of row on one account; a debit or a credit, above zero."""

    source: Source
    kind: tuple[str, ...]
    account: Account
    debit: Decimal
    credit: Decimal


def sums(
    *, on: date | None = None, since: date | None = None, scope: Scope | None = None
) -> Iterator[Line]:
    """Yield what each kind of row did to each account in a span of days."""
    for source in SOURCES:
        for kind, total in source.grouped(source.rows(on=on, since=since, scope=scope)):
            for posting in postings_of(source, kind):
                yield from _lines(source, kind, posting, total)


def postings_of(source: Source, kind: tuple[str, ...]) -> tuple[Posting, ...]:
    """Return how a kind of row is posted; an unknown kind is an error, never passed over."""
    width = len(next(iter(source.postings)))
    return source.postings[kind[:width]]


def sides(posting: Posting, amount: Decimal) -> tuple[Account, Account, Decimal]:
    """Return what is debited and what credited with an amount that is not below zero."""
    amount *= posting.sign
    if amount < 0:
        return posting.credit, posting.debit, -amount
    return posting.debit, posting.credit, amount


def _lines(
    source: Source, kind: tuple[str, ...], posting: Posting, total: Decimal
) -> Iterator[Line]:
    debit, credit, amount = sides(posting, total)
    if amount:
        yield Line(source, kind, debit, amount, Decimal("0.00"))
        yield Line(source, kind, credit, Decimal("0.00"), amount)


@dataclass
class Balance:
    """One account: all debits, all credits, and the difference (debits above zero)."""

    account: Account
    debit: Decimal = Decimal("0.00")
    credit: Decimal = Decimal("0.00")

    @property
    def balance(self) -> Decimal:
        """Debits less credits."""
        return self.debit - self.credit


def balances(
    *, on: date | None = None, since: date | None = None, scope: Scope | None = None
) -> dict[Account, Balance]:
    """Return every account with its debits and credits up to a day; their sum is zero."""
    found = {account: Balance(account) for account in Account}
    for line in sums(on=on, since=since, scope=scope):
        found[line.account].debit += line.debit
        found[line.account].credit += line.credit
    return found
