"""Every row of money of a scope, row by row, with the account it debits and the one it credits.

The sums of `escrow.journal` are the sums of these lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from escrow.journal import SOURCES, Account, Scope, Source, postings_of, sides
from escrow.models import cents

__all__ = ["Entry", "entries"]


@dataclass(frozen=True)
class Entry:
    """One row of money with one of its postings; the amount is above zero."""

    source: Source
    row: int
    on: date
    kind: tuple[str, ...]
    debit: Account
    credit: Account
    amount: Decimal


def entries(scope: Scope) -> Iterator[Entry]:
    """Yield each row of money of a scope as it is posted, a table after the other."""
    for source in SOURCES:
        names = [f"key_{name}" for name in source.keys]
        rows = source.rows(scope=scope).order_by(source.day, "pk")
        keyed = rows.annotate(**{f"key_{n}": e for n, e in source.keys.items()})
        for pk, on, amount, *kind in keyed.values_list("pk", source.day, source.amount, *names):
            for posting in postings_of(source, tuple(kind)):
                debit, credit, total = sides(posting, cents(amount))
                if total:
                    yield Entry(source, pk, on, tuple(kind), debit, credit, total)
