"""What the record says of upkeep under a recorded agreement. Former § 17.19(4)(f)"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from permits.models import CaseEvent, CasePaper
from portal.formats import long_date
from portal.ordinance.wording import counted

__all__ = ["PAPERS", "SENTENCES"]

Kind = CaseEvent.Kind
Facts = dict[str, Any]

PAPERS: dict[str, CasePaper.Kind] = {
    Kind.UPKEEP_INSPECTED: CasePaper.Kind.UPKEEP_REPORT,
    Kind.UPKEEP_NOTICE_ISSUED: CasePaper.Kind.UPKEEP_NOTICE,
}
"""Which paper an act makes."""


def _reported(facts: Facts) -> str:
    by = f" by {facts['done_by']}" if facts.get("done_by") else ""
    if "task" not in facts:  # held back: a file for the public says no more
        return f"Upkeep under {facts.get('agreement', 'the agreement')} was reported."
    return (
        f"Upkeep under {facts.get('agreement', 'the agreement')} was reported: "
        f"{facts.get('task', '')}, {facts.get('practice', '')}, done{by}."
    )


def _inspected(facts: Facts) -> str:
    problems = facts.get("problems") or []
    looked = f"Inspection {facts.get('inspection', '')} of the practices under "
    looked += f"{facts.get('agreement', 'the agreement')}"
    if "problems" not in facts:  # held back, which is not the same as none
        return f"{looked} was finished."
    if not problems:
        return f"{looked}: every one is in order."
    return f"{looked} found a problem at {counted(len(problems), 'practice')}: {_and(problems)}."


def _issued(facts: Facts) -> str:
    told = f"{_and(facts['told'])} " if facts.get("told") else ""
    return (
        f"Notice of maintenance {facts.get('notice', '')} gave {told}"
        f"time until {_day(facts.get('last_day'))} to correct what inspection "
        f"{facts.get('inspection', '')} found."
    )


def _extended(facts: Facts) -> str:
    return (
        f"Notice {facts.get('notice', '')} gives more time: until {_day(facts.get('last_day'))} "
        f"instead of {_day(facts.get('before'))}."
    )


def _corrected(facts: Facts) -> str:
    return f"The correction under notice {facts.get('notice', '')} was reported."


def _confirmed(facts: Facts) -> str:
    late = ", after the last day" if facts.get("late") else ""
    return f"What notice {facts.get('notice', '')} asked for is corrected{late}."


def _refused(facts: Facts) -> str:
    return f"What was reported under notice {facts.get('notice', '')} does not correct it yet."


def _withdrawn(facts: Facts) -> str:
    if facts.get("reversed"):
        return f"The board reversed notice of maintenance {facts.get('notice', '')}."
    return f"Notice of maintenance {facts.get('notice', '')} was withdrawn."


SENTENCES: dict[CaseEvent.Kind, Callable[[Facts], str]] = {
    Kind.UPKEEP_REPORTED: _reported,
    Kind.UPKEEP_INSPECTED: _inspected,
    Kind.UPKEEP_NOTICE_ISSUED: _issued,
    Kind.UPKEEP_TIME_EXTENDED: _extended,
    Kind.UPKEEP_CORRECTION_REPORTED: _corrected,
    Kind.UPKEEP_CORRECTION_CONFIRMED: _confirmed,
    Kind.UPKEEP_CORRECTION_REFUSED: _refused,
    Kind.UPKEEP_NOTICE_WITHDRAWN: _withdrawn,
}
"""What each kind of event says."""


def _and(words: list[str]) -> str:
    return ", ".join(map(str, words)) or "nobody"


def _day(text: Any) -> str:
    try:
        return long_date(date.fromisoformat(str(text)))
    except ValueError:
        return "a day not on record"
