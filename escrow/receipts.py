"""Receipts `RC-` for payments on bills and on demands; no check counts twice."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, transaction

from escrow.models import Receipt
from permits.models import CasePaper, NotNow, Site
from portal import numbers

__all__ = ["make"]


def make(
    site: Site,
    paper_of: Callable[[Receipt], CasePaper],
    *,
    amount: Decimal,
    paid_by: str,
    check_number: str,
    on: date,
    **facts: Any,
) -> Receipt:
    """Write a receipt with its paper. A check that another clerk enters at this moment counts once.

    Raises NotNow where the check is recorded already.
    """
    receipt = Receipt(
        number=numbers.next_number("RC", on=on),
        site=site,
        amount=amount,
        paid_by=paid_by,
        check_number=check_number,
        payer_key=_payer_key(paid_by) if check_number else "",
        use=_use_of_check(check_number, paid_by),
        on=on,
        **facts,
    )
    receipt.paper = paper_of(receipt)
    try:
        with transaction.atomic():
            receipt.save(force_insert=True)
    except IntegrityError:
        _use_of_check(check_number, paid_by)  # says where it is recorded, if that was it
        raise
    return receipt


def _payer_key(name: str) -> str:
    """Return a payer as a check knows them: lower case, letters and digits only."""
    return " ".join(re.findall(r"[^\W_]+", name.lower()))[:200]


def _use_of_check(check_number: str, paid_by: str) -> int:
    """Return which use of a check this is; refuse one that counts already."""
    if not check_number:
        return 1
    same = Receipt.objects.filter(check_number=check_number, payer_key=_payer_key(paid_by))
    related = ("bill_entry__reversed_by", "bill_entry__bill", "issuer__reversed_by")
    for receipt in same.select_related(*related):
        entry = getattr(receipt, "bill_entry", None)
        row = entry or getattr(receipt, "issuer", None)
        if row is None or not hasattr(row, "reversed_by"):
            where = f"receipt {receipt.number}" + (f" on bill {entry.bill}" if entry else "")
            raise NotNow(f"Check {check_number} of {receipt.paid_by} is recorded: {where}.")
    return same.count() + 1
