"""What became, or would become, of each row: for the page, the receipt and the file to keep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from permits.models import EarlierStatus

from .reading import KNOWN, NEW, REFUSED, Reading

__all__ = ["LINES", "report_of", "said_of_counts"]

LINES = {NEW: "taken", KNOWN: "imported already", REFUSED: "refused"}


def report_of(readings: Iterable[Reading]) -> dict[str, Any]:
    """Return a report of rows that a JSON column keeps."""
    rows = list(readings)
    counts = Counter(each.outcome for each in rows)
    new = [each for each in rows if each.outcome == NEW]
    statuses = Counter(each.facts["status"] for each in new)
    standing = [each for each in new if each.facts["status"] == EarlierStatus.ISSUED]
    return {
        "counts": {name: counts.get(name, 0) for name in LINES},
        "statuses": {EarlierStatus(key).value: number for key, number in statuses.items()},
        "standing": len(standing),
        "computed": sum(not each.permit().why_not_computed() for each in standing),
        "rows": [
            {
                "row": each.row,
                "outcome": each.outcome,
                "key": each.key,
                "place": each.place[:120],
                "status": str(each.facts.get("status", "")),
                "case": each.case,
                "why": [list(pair) for pair in each.refusals]
                or ([["", each.known]] if each.known else []),
            }
            for each in rows
        ],
    }


def said_of_counts(counts: Mapping[str, int]) -> str:
    """Say how many rows are taken, known and refused, in a sentence."""
    parts = [f"{counts.get(name, 0):,} {words}" for name, words in LINES.items()]
    return f"{parts[0]}, {parts[1]}, {parts[2]}"
