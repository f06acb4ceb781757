"""The code of a bill: whoever has the bill in hand may see and pay it, without an account.

It is printed on the bill, on each statement, on the notice of an assessment, and stands in the
e-mails to the payer. It is worked out from the bill and the record's key: the database alone
tells no code, and a code stays as long as its paper.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse

from escrow.models import Bill

__all__ = ["PayerWay", "code_of", "find_bill_by_code", "way_of"]

SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Digits and letters without I, L, O and U, which are read as others."""
LENGTH, GROUP, BITS = 12, 4, 5
"""Twelve signs of five bits: nobody guesses one of 2⁶⁰ within the tries that are let through."""

MISREAD = str.maketrans({"O": "0", "I": "1", "L": "1"})
DASHES = re.compile(r"[\u2010-\u2015\u2212]")
NO_BILL = UUID(int=0)
"""A key that no bill has: a number that is not known is compared as long as one that is."""


@dataclass(frozen=True)
class PayerWay:
    """How the payer finds a bill online: the page, its link, the number, the code."""

    page: str
    link: str
    number: str
    code: str
    is_online: bool


def code_of(bill: Bill) -> str:
    """Return the code of a bill as it is printed, such as 7KQ4-WX9T-3MPD."""
    return _code(bill.key)


def _code(key: UUID) -> str:
    said = b"the code of a bill:" + key.bytes
    digest = hmac.new(settings.RECORD_KEY.encode(), said, hashlib.sha256).digest()
    rest, signs = int.from_bytes(digest, "big"), ""
    for _ in range(LENGTH):
        rest, sign = divmod(rest, 1 << BITS)
        signs += SIGNS[sign]
    return "-".join(signs[at : at + GROUP] for at in range(0, LENGTH, GROUP))


def way_of(bill: Bill) -> PayerWay:
    """Return how the payer finds a bill online; its code is never part of the link."""
    page = settings.PUBLIC_URL + reverse("pay")
    return PayerWay(
        page=page,
        link=f"{page}?bill={bill.number}",
        number=bill.number,
        code=code_of(bill),
        is_online=bool(settings.ONLINE_PAYMENT),
    )


def find_bill_by_code(number: str, code: str) -> Bill | None:
    """Return the bill of this number if the code is its own; which of the two is wrong is not told.

    However it was typed: in small letters, without hyphens, with an O for a zero. A bill whose
    case was destroyed is found no more.
    """
    rows = payable_rows()
    found = rows.filter(number=number_of(number)).first()
    right = signs_of(_code(found.key if found else NO_BILL))
    is_right = hmac.compare_digest(signs_of(code), right)
    return found if found is not None and is_right else None


def payable_rows() -> QuerySet[Bill]:
    """Bills that a payer may open: their cases are kept."""
    kept = Bill.objects.filter(site__destroyed_on__isnull=True)
    return kept.select_related("site", "permit__application", "work", "assessment")


def number_of(text: str) -> str:
    """Return the number of a bill as the city writes it."""
    return "".join(DASHES.sub("-", text).split()).upper()


def signs_of(code: str) -> str:
    """Return a code without what sets its groups apart, and with the signs that were meant."""
    return re.sub(r"[^0-9A-Z]", "", code.upper().translate(MISREAD))
