"""What the record says of the file itself: asked for, held, listed, kept, destroyed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from permits.models import CaseEvent
from portal.desk.records.models import Answer
from portal.formats import long_date
from portal.ordinance.wording import counted

__all__ = ["SENTENCES"]

Kind = CaseEvent.Kind
Facts = dict[str, Any]

OUTCOMES = {
    Answer.Outcome.GIVEN: "records were given",
    Answer.Outcome.IN_PART: "records were given in part",
    Answer.Outcome.DENIED: "the request was denied",
    Answer.Outcome.NONE: "the city has no such record",
}


def _given(facts: Facts) -> str:
    outcome = OUTCOMES.get(str(facts.get("outcome")), "it was answered")  # type: ignore[call-overload]
    given = [str(each.get("paper", "")) for each in facts.get("given") or []]
    which = f": {', '.join(given)}" if given else ""
    return f"Request {facts.get('request', '')} for records: {outcome}{which}."


def _held(facts: Facts) -> str:
    return "The case is held: nothing of it is destroyed while the hold stands."


def _hold_ended(facts: Facts) -> str:
    try:
        since = f" of {long_date(date.fromisoformat(str(facts['since'])))}"
    except (KeyError, ValueError):
        since = ""
    return f"The hold{since} was ended."


def _listed(facts: Facts) -> str:
    return (
        f"The case was put on destruction list {facts.get('list', '')}. Nothing is destroyed yet."
    )


def _kept(facts: Facts) -> str:
    reasons = " ".join(str(each) for each in facts.get("reasons") or [])
    return f"The case is kept and off destruction list {facts.get('list', '')}. {reasons}".strip()


def _destroyed(facts: Facts) -> str:
    files = counted(int(facts.get("files") or 0), "file")
    return f"The case was destroyed from list {facts.get('list', '')}, with {files}."


SENTENCES: dict[CaseEvent.Kind, Callable[[Facts], str]] = {
    Kind.RECORDS_GIVEN: _given,
    Kind.CASE_HELD: _held,
    Kind.CASE_HOLD_ENDED: _hold_ended,
    Kind.CASE_LISTED_FOR_DESTRUCTION: _listed,
    Kind.CASE_KEPT: _kept,
    Kind.CASE_DESTROYED: _destroyed,
}
"""What each kind of event says."""
