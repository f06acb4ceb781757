"""`manage.py trial_balance`: every account from its source rows; exit status 1 if not right."""

from __future__ import annotations

import json
from argparse import ArgumentParser, ArgumentTypeError
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from escrow.books.trial import TrialBalance, as_json, trial_balance
from portal import clock
from portal.patience import take_time


def day(text: str) -> date:
    """Read a day written as 2026-12-31."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text} is no day; write it as 2026-12-31") from None


class Command(BaseCommand):
    help = (
        "Print debit, credit and balance of every account, added up from the source rows. "
        "Exit status 1 when the sum is not zero or a row disagrees with another."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--on", type=day, help="up to this day, such as 2026-12-31")
        parser.add_argument("--json", action="store_true", help="print it for other programs")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the accounts, then raise if something is wrong."""
        take_time()
        on = options["on"] or clock.today()
        balance = trial_balance(on=on)
        if options["json"]:
            self.stdout.write(json.dumps(as_json(balance), indent=2))
        else:
            self.stdout.write(table(balance, on))
        if not balance.is_right:
            raise CommandError("\n".join(balance.problems), returncode=1)


def table(balance: TrialBalance, on: date) -> str:
    """Return the accounts as lines of text."""
    lines = [f"Trial balance on {on.isoformat()}"]
    lines += [
        f"{each.account.value}  {each.account.words:<46}"
        f"{each.debit:>16,}{each.credit:>16,}{each.balance:>16,}"
        for each in balance.accounts
    ]
    lines.append(f"{'Total':<52}{balance.debit:>16,}{balance.credit:>16,}{balance.total:>16,}")
    return "\n".join(lines)
