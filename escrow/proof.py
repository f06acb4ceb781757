"""What of the money has clocks on the docket, for `manage.py verify` to compare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from escrow.models import Bill

__all__ = ["subjects"]


def subjects() -> Iterator[Any]:
    """Yield every standing bill; the clock of one on which nothing is owed has ended."""
    yield from Bill.objects.standing().select_related("site").iterator(chunk_size=1000)
