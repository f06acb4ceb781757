"""Proof that what was imported is what stood in the rows of its spreadsheet."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

from django.db.models import Count, F

from permits.models import CaseEvent, ImportBatch, ImportedRow

__all__ = ["faults"]


def faults() -> Iterator[str]:
    """Name every imported row or batch that is not what it claims to be."""
    sealed = _sealed()
    rows = ImportedRow.objects.select_related("site", "permit").order_by("pk")
    rows = rows.filter(site__destroyed_on__isnull=True)  # what it is proved by was destroyed, too
    for row in rows.iterator(chunk_size=1000):
        text = json.dumps(row.content, sort_keys=True, ensure_ascii=False)
        if hashlib.sha256(text.encode()).hexdigest() != row.sha256:
            yield f"Imported row {row.pk}: its contents are not those of its hash."
        if sealed.get(row.site_id) != row.sha256:
            yield f"Imported row {row.pk}: the record of {row.site.number} names another row."
        if row.permit.number != row.key:
            yield f"Imported row {row.pk}: its permit is called {row.permit.number}."
    batches = ImportBatch.objects.filter(status="imported").defer("report")
    for batch in batches.annotate(kept=Count("rows")).exclude(kept=F("taken")):
        yield f"Import {batch.pk}: {batch.taken} rows were imported, and {batch.kept} are kept."  # type: ignore[attr-defined]


def _sealed() -> dict[int, str]:
    """Return the hash of each site's row as the case record has it."""
    events = CaseEvent.objects.filter(kind=CaseEvent.Kind.CASE_IMPORTED)
    return {pk: facts.get("row_sha256", "") for pk, facts in events.values_list("site_id", "facts")}
