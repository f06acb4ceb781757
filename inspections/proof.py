"""What of the inspections has clocks on the docket, for `manage.py verify` to compare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inspections.models import Certificate, Finding

__all__ = ["subjects"]


def subjects() -> Iterator[Any]:
    """Yield every open finding, and every certificate whose permanent work is open."""
    findings = Finding.objects.filter(status__in=[Finding.Status.OPEN, Finding.Status.ANSWERED])
    yield from findings.select_related("site").iterator(chunk_size=1000)
    certificates = Certificate.objects.filter(
        work_open=True, permit__final_inspection_passed_on__isnull=True
    )
    yield from certificates.select_related("permit__site").iterator(chunk_size=1000)
