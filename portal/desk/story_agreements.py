"""The sentences of what happened to maintenance agreements, and of changes of owner."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from permits.models import CaseEvent, CasePaper, MaintenanceAgreement
from portal.formats import long_date

__all__ = ["PAPERS", "SENTENCES"]

Facts = dict[str, Any]
Kind = CaseEvent.Kind
KINDS = dict(MaintenanceAgreement.Kind.choices)

PAPERS: dict[str, CasePaper.Kind] = {
    Kind.AGREEMENT_SENT_FOR_SIGNATURE: CasePaper.Kind.AGREEMENT,
    Kind.OWNER_CHANGED: CasePaper.Kind.AGREEMENT_DUTY,
}


def _day(text: Any) -> str:
    try:
        return long_date(date.fromisoformat(str(text)))
    except ValueError:
        return "a day not on record"


def _it(facts: Facts) -> str:
    kind = KINDS.get(str(facts.get("kind")), "Maintenance agreement")
    return f"{kind} {facts.get('agreement', '')}".strip()


def _listed(things: Any) -> str:
    return ", ".join(str(each) for each in things or [])


def _drafted(facts: Facts) -> str:
    return f"{_it(facts)} was drafted."


def _sent(facts: Facts) -> str:
    party = facts.get("party")
    who = f" Responsible for the maintenance: {party}." if party else ""
    return f"{_it(facts)} was sent for signature.{who}"


def _signed(facts: Facts) -> str:
    return f"{_it(facts)} was signed."


def _to_register(facts: Facts) -> str:
    return f"{_it(facts)} went to the register of deeds."


def _document(facts: Facts) -> str:
    number = f"document {facts['document']}" if facts.get("document") else ""
    where = [each for each in (number, facts.get("county")) if each]
    return ", ".join([*where, f"on {_day(facts.get('recorded_on'))}"])


def _recorded(facts: Facts) -> str:
    ends = f" {facts['ends']} ends with it." if facts.get("ends") else ""
    if facts.get("entered"):
        return f"{_it(facts)} was entered as it was recorded before: {_document(facts)}."
    return f"{_it(facts)} was recorded: {_document(facts)}.{ends}"


def _ended(facts: Facts) -> str:
    return (
        f"{_it(facts)} was recorded: {_document(facts)}. {facts.get('ends', 'The agreement')} "
        "no longer binds the land."
    )


def _withdrawn(facts: Facts) -> str:
    return f"{_it(facts)} was withdrawn before it was recorded."


def _corrected(facts: Facts) -> str:
    was = facts.get("was") or {}
    before = f"document {was['document']} " if was.get("document") else ""
    return (
        f"The recording of {facts.get('agreement', '')} was corrected: {_document(facts)}, "
        f"instead of {before}on {_day(was.get('recorded_on'))}."
    )


def _owner(facts: Facts) -> str:
    text = (
        f"The land has another owner since {_day(facts.get('from'))}: "
        f"{facts.get('owner', 'somebody else')} ({facts.get('source', 'no source on record')})."
    )
    if facts.get("told"):
        text += f" The duty to maintain under {_listed(facts.get('agreements'))} goes with it."
    return text


SENTENCES: dict[CaseEvent.Kind, Callable[[Facts], str]] = {
    Kind.AGREEMENT_DRAFTED: _drafted,
    Kind.AGREEMENT_SENT_FOR_SIGNATURE: _sent,
    Kind.AGREEMENT_SIGNED: _signed,
    Kind.AGREEMENT_SENT_TO_REGISTER: _to_register,
    Kind.AGREEMENT_RECORDED: _recorded,
    Kind.AGREEMENT_WITHDRAWN: _withdrawn,
    Kind.AGREEMENT_ENDED: _ended,
    Kind.AGREEMENT_CORRECTED: _corrected,
    Kind.OWNER_CHANGED: _owner,
}
"""What each kind of event of an agreement says."""
