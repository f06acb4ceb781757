"""What the story says of permits of earlier books: imported, and what became of them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from permits.models import CaseEvent, EarlierStatus
from portal.formats import long_date

__all__ = ["SENTENCES"]

Kind = CaseEvent.Kind
Facts = dict[str, Any]
STATUSES = dict(EarlierStatus.choices)


def _imported(facts: Facts) -> str:
    text = (
        f"Permit {facts.get('permit', '')} was taken over from row {facts.get('row', '')} of "
        f"“{facts.get('file', '')}” ({facts.get('source', '')})."
    )
    if facts.get("computed"):
        return f"{text} Its facts suffice to compute the day of permanent cover."
    return f"{text} Its dates are not computed here."


def _settled(facts: Facts) -> str:
    status = str(STATUSES.get(facts.get("status", ""), "")).lower()
    day = facts.get("day")
    on = f", since {long_date(date.fromisoformat(day))}" if day else ""
    return f"Earlier permit {facts.get('permit', '')} was recorded as: {status}{on}."


SENTENCES: dict[CaseEvent.Kind, Callable[[Facts], str]] = {
    Kind.CASE_IMPORTED: _imported,
    Kind.EARLIER_PERMIT_SETTLED: _settled,
}
"""What each kind of event of an earlier permit says."""
