"""The sentences of what happened on the site: visits, findings, log, cover, certificates."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from inspections.models import LogEntry, Visit
from permits.models import CaseEvent
from portal.formats import long_date
from portal.ordinance.wording import counted

__all__ = ["SENTENCES"]

Facts = dict[str, Any]
Kind = CaseEvent.Kind


def _day(text: Any) -> str:
    try:
        return long_date(date.fromisoformat(str(text)))
    except ValueError:
        return "a day not on record"


def _some(count: Any, what: str) -> str:
    return counted(int(count or 0), what)


def _named(facts: Facts) -> str:
    number = facts.get("finding")
    return f"Finding {number}" if number else "A finding"


def _visit(facts: Facts) -> str:
    reasons = dict(Visit.Reason.choices)
    reason = str(reasons.get(str(facts.get("reason")), "a visit"))
    found = f"{_some(facts.get('findings'), 'finding')}, {_some(facts.get('photos'), 'photo')}"
    return f"Visit {facts.get('visit', '')} was made ({reason[:1].lower()}{reason[1:]}): {found}."


def _finding(facts: Facts) -> str:
    violation = ", a violation" if facts.get("violation") else ""
    return (
        f"{_named(facts)}{violation}: {_text(facts.get('what'))} To be corrected by "
        f"{_day(facts.get('correct_by'))}."
    )


def _text(text: Any) -> str:
    """Return somebody's words as a sentence of their own."""
    words = str(text or "nothing is on record").strip()
    return words if words.endswith((".", "!", "?")) else f"{words}."


def _lower(words: str) -> str:
    return words[:1].lower() + words[1:]


def _seen_again(facts: Facts) -> str:
    text = f"{_named(facts)} was seen again; the day is documented."
    return f"{text} From this day on it is a violation." if facts.get("became_violation") else text


def _answered(facts: Facts) -> str:
    photos = int(facts.get("photos") or 0)
    shown = f", with {_some(photos, 'photo')}" if photos else ""
    return f"{_named(facts)} was answered{shown}: {_text(facts.get('text'))}"


def _not_confirmed(facts: Facts) -> str:
    return f"The answer to {_lower(_named(facts))} does not show the correction; it is open again."


def _corrected(facts: Facts) -> str:
    day = _day(facts.get("corrected_on"))
    return f"{_named(facts)} was corrected on {day}. {_text(facts.get('how'))}"


def _dropped(facts: Facts) -> str:
    return f"{_named(facts)} was recorded in error and dropped."


LOGGED = {
    LogEntry.Kind.WEEKLY: "The weekly self-inspection was written into the log",
    LogEntry.Kind.RAIN: "The self-inspection after rain was written into the log",
}


def _log(facts: Facts) -> str:
    text = LOGGED.get(facts.get("kind", ""), "A self-inspection was written into the log")
    needs = len(facts.get("modifications") or [])
    verb = "needs" if needs == 1 else "need"
    return f"{text}; {counted(needs, 'practice')} {verb} work." if needs else f"{text}."


def _complete(facts: Facts) -> str:
    said = f" {_text(facts['text'])}" if facts.get("text") else ""
    return f"The work was reported complete, for the final inspection.{said}"


def _final(facts: Facts) -> str:
    word = "passed" if facts.get("passed") else "did not pass"
    controls = "all in place" if facts.get("controls_complete") else "not all in place"
    kind = "perennial" if facts.get("perennial") else "not perennial"
    return (
        f"The final inspection {word}: permanent controls {controls}, cover {kind} with a density "
        f"of {facts.get('density_percent', 'unknown')} per cent."
    )


def _certificate(facts: Facts) -> str:
    text = (
        f"The certificate of occupancy for {facts.get('building') or 'a building'} was issued on "
        f"{_day(facts.get('issued_on'))}"
    )
    if facts.get("irregular"):
        text += ", irregular: permanent work was open"
    if facts.get("due"):
        return f"{text}. Permanent controls and cover are due by {_day(facts['due'])}."
    return f"{text}."


def _complaint(facts: Facts) -> str:
    return f"Report {facts.get('complaint', '')} by the public was linked to the site."


def _season_letter(facts: Facts) -> str:
    due = _day(facts.get("due"))
    return f"The season letter was written: the permanent cover is due by {due}."


def _closed(facts: Facts) -> str:
    return f"Permit {facts.get('permit', '')} was closed."


SENTENCES: dict[CaseEvent.Kind, Callable[[Facts], str]] = {
    Kind.VISIT_FINISHED: _visit,
    Kind.FINDING_RECORDED: _finding,
    Kind.FINDING_SEEN_AGAIN: _seen_again,
    Kind.FINDING_ANSWERED: _answered,
    Kind.FINDING_NOT_CONFIRMED: _not_confirmed,
    Kind.FINDING_CORRECTED: _corrected,
    Kind.FINDING_DROPPED: _dropped,
    Kind.LOG_ENTERED: _log,
    Kind.COMPLETION_REPORTED: _complete,
    Kind.FINAL_INSPECTION: _final,
    Kind.CERTIFICATE_RECORDED: _certificate,
    Kind.COMPLAINT_LINKED: _complaint,
    Kind.SEASON_LETTER: _season_letter,
    Kind.PERMIT_CLOSED: _closed,
}
"""What each kind of event on the site says."""
