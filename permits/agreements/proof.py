"""What agreements state twice, for `manage.py verify` to compare."""

from __future__ import annotations

from collections.abc import Iterator

from permits.models import MaintenanceAgreement

__all__ = ["faults"]


def faults() -> Iterator[str]:
    """Compare each agreement with its last entry of the register, and its end with its successor.

    What was signed is the paper that was made: its row names the document.
    """
    rows = MaintenanceAgreement.objects.prefetch_related("recordings", "after")
    for agreement in rows.order_by("pk").iterator(chunk_size=500):
        entries = list(agreement.recordings.all())
        stated = entries[-1].stated() if entries else (None, "", "")
        if agreement.stated() != stated and (entries or agreement.recorded_on):
            yield f"{agreement}: recorded as {agreement.stated()}, the register's entry {stated}."
        ends = [each.recorded_on for each in agreement.after.all() if each.recorded_on]
        if agreement.ended_on != (ends[0] if ends else None):
            yield f"{agreement}: ended on {agreement.ended_on}, its successor recorded {ends}."
