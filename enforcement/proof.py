"""What of enforcement has clocks on the docket, for `manage.py verify` to compare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from enforcement.models import (
    NoticeOfIntent,
    NoticeStatus,
    OwnerNotice,
    RevisionOrder,
    RevisionOrderLine,
    RevisionOrderStatus,
    Revocation,
    StopWorkOrder,
    UpkeepNotice,
)

__all__ = ["subjects"]


def subjects() -> Iterator[Any]:
    """Yield every order, revocation and notice that stands: their clocks may run."""
    standing = (
        StopWorkOrder.objects.standing(),
        Revocation.objects.filter(reversed_on__isnull=True),
        NoticeOfIntent.objects.filter(status=NoticeStatus.STANDING).select_related("order"),
        OwnerNotice.objects.filter(status=NoticeStatus.STANDING),
        RevisionOrder.objects.filter(status=RevisionOrderStatus.STANDING),
        UpkeepNotice.objects.filter(status=UpkeepNotice.Status.STANDING),
    )
    lines = RevisionOrderLine.objects.filter(
        done_on__isnull=True, order__status=RevisionOrderStatus.STANDING
    )
    for rows in standing:
        yield from rows.select_related("site").iterator(chunk_size=1000)  # type: ignore[attr-defined]
    yield from lines.select_related("order__site").iterator(chunk_size=1000)
