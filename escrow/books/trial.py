"""The trial balance: every account up to a day, and whether its source rows agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from escrow import journal
from escrow.books import cash, proof
from escrow.journal import Account, Balance, Scope
from portal import formats, patience

__all__ = ["TrialBalance", "as_json", "trial_balance"]

NOTHING = Decimal("0.00")


@dataclass(frozen=True)
class TrialBalance:
    """The accounts that were ever moved, their totals, and what is wrong."""

    accounts: list[Balance]
    problems: list[str] = field(default_factory=list)

    @property
    def debit(self) -> Decimal:
        """All debits."""
        return sum((each.debit for each in self.accounts), NOTHING)

    @property
    def credit(self) -> Decimal:
        """All credits."""
        return sum((each.credit for each in self.accounts), NOTHING)

    @property
    def total(self) -> Decimal:
        """The sum of everything: zero."""
        return self.debit - self.credit

    @property
    def is_right(self) -> bool:
        """Whether the sum is zero and every row agrees."""
        return not self.total and not self.problems


def trial_balance(
    *,
    on: date,
    since: date | None = None,
    scope: Scope | None = None,
    proved: bool = True,
) -> TrialBalance:
    """Return the accounts of everything, or of a scope, in a span of days.

    `proved` compares the source rows with each other as well; that is of all days and cases.
    """
    found: list[str] = []
    accounts: list[Balance] = []
    with patience.together():
        try:
            moved = journal.balances(on=on, since=since, scope=scope)
        except KeyError as unknown:
            found.append(f"A row of the kind {unknown} has no account.")
        else:
            accounts = [each for each in moved.values() if each.debit or each.credit]
        if proved:
            found.extend(proof.problems())
            found.extend(_cash_book(accounts, since or date.min, on))
    made = TrialBalance(accounts, found)
    if made.total:
        found.append(f"Debits and credits differ by {formats.money(made.total)}.")
    return made


def _cash_book(accounts: list[Balance], since: date, until: date) -> Iterator[str]:
    """The cash book is read from other rows than the accounts; both say the same of cash."""
    of_cash = (Account.CASH, Account.ESCROW_CASH)
    by_accounts = sum((each.balance for each in accounts if each.account in of_cash), NOTHING)
    by_book = cash.total(since, until)
    if by_accounts != by_book:
        yield (
            f"The accounts of cash say {formats.money(by_accounts)}, "
            f"the cash book {formats.money(by_book)}."
        )


def as_json(balance: TrialBalance) -> dict[str, Any]:
    """Return it for other programs; amounts are texts with two decimals."""
    return {
        "accounts": [
            {
                "account": each.account.value,
                "name": each.account.words,
                "debit": str(each.debit),
                "credit": str(each.credit),
                "balance": str(each.balance),
            }
            for each in balance.accounts
        ],
        "total": str(balance.total),
        "problems": balance.problems,
    }
