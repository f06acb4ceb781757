"""What the record says of the file itself: that the case was handed out, and to whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from permits.models import CaseEvent

__all__ = ["SENTENCES"]

Kind = CaseEvent.Kind
Facts = dict[str, Any]

FOR = {"full": "for the city", "court": "for a court", "public": "for the public"}


def _exported(facts: Facts) -> str:
    whom = FOR.get(str(facts.get("audience")), "")
    number = facts.get("export", "")
    if facts.get("again"):
        return f"Case file {number} {whom} was handed out again: nothing had happened since."
    return (
        f"The whole case was put in one file {whom}, {number}, up to fact {facts.get('head', '')} "
        f"(SHA-256 {facts.get('sha256', '')})."
    )


SENTENCES: dict[CaseEvent.Kind, Callable[[Facts], str]] = {Kind.CASE_EXPORTED: _exported}
"""What each kind of event says."""
