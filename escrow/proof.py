"""What of the money has clocks on the docket, for `manage.py verify` to compare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import Sum

from escrow.models import Bill, Instrument

__all__ = ["subjects"]


def subjects() -> Iterator[Any]:
    """Yield every standing bill, and every instrument held that expires.

    The clock of a bill on which nothing is owed has ended.
    """
    expire = Instrument.objects.filter(expires_on__isnull=False)
    held = expire.annotate(balance=Sum("entries__amount")).filter(balance__gt=0)
    yield from held.select_related("permit__site").iterator(chunk_size=1000)
    yield from Bill.objects.standing().select_related("site").iterator(chunk_size=1000)
