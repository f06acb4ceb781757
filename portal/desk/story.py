"""The story of a case: one sentence for each fact on record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from django.utils import timezone

from permits.models import CaseEvent, CasePaper
from portal.formats import long_date, money
from portal.ordinance import RULES
from portal.ordinance.wording import counted

from . import (
    story_agreements,
    story_bills,
    story_earlier,
    story_enforcement,
    story_escrow,
    story_file,
    story_mail,
    story_records,
    story_site,
    story_upkeep,
)
from .dates import CaseDate

__all__ = ["SENTENCES", "Line", "ahead", "sentence", "story_of"]

Kind = CaseEvent.Kind
Facts = dict[str, Any]


@dataclass(frozen=True)
class Line:
    """One line of the story: when, what, by whom, and its paper."""

    text: str
    day: date
    moment: datetime | None = None
    who: str = ""
    reason: str = ""
    papers: tuple[CasePaper, ...] = ()
    ahead: bool = False
    struck: bool = False
    late: bool = False
    clock: Any = None


def story_of(
    events: Iterable[CaseEvent], papers: Sequence[CasePaper], *, whole: bool = True
) -> list[Line]:
    """Return the lines of some events, each with the papers that its act made.

    A fact that a later one says was recorded wrong is struck; unless the story is here as a
    `whole`, the later one is asked for.
    """
    events = list(events)
    struck = _struck(events, whole=whole)
    return [
        Line(
            text=sentence(event),
            day=event.occurred_on,
            moment=event.recorded_at if _on_its_day(event) else None,
            who=event.actor_name,
            reason=event.reason,
            papers=papers_of(event, papers),
            struck=event.sequence in struck,
        )
        for event in events
    ]


def _struck(events: Sequence[CaseEvent], *, whole: bool) -> set[int]:
    """Return the places of the events that were corrected, also by one on another page."""
    posted: Iterable[CaseEvent] = [e for e in events if e.kind == Kind.STOP_WORK_POSTED]
    if posted and not whole:
        kind = Kind.STOP_WORK_POSTED
        posted = CaseEvent.objects.filter(site=events[0].site_id, kind=kind)
    return {event.facts["corrects"] for event in posted if event.facts.get("corrects")}


def ahead(dates: Iterable[CaseDate], *, on: date) -> list[Line]:
    """Return what is still to come, and what is late, the furthest first."""
    lines = [
        Line(
            text=each.title,
            day=each.clock.on,
            ahead=True,
            late=each.late,
            clock=each.clock,
            reason=each.clock.duty,
        )
        for each in dates
        if each.running
    ]
    return sorted(lines, key=lambda line: line.day, reverse=True)


def _on_its_day(event: CaseEvent) -> bool:
    """Whether the fact was recorded on the day it happened, so that its time tells something."""
    return timezone.localdate(event.recorded_at) == event.occurred_on


PAPERS: dict[str, CasePaper.Kind] = {
    Kind.APPLICATION_RECEIVED: CasePaper.Kind.RECEIPT,
    Kind.APPLICATION_DENIED: CasePaper.Kind.DENIAL,
    Kind.APPLICATION_GRANTED: CasePaper.Kind.GRANT,
    Kind.ESCROW_POSTED: CasePaper.Kind.ESCROW_RECEIPT,
    Kind.PERMIT_ISSUED: CasePaper.Kind.PERMIT_CARD,
    **story_enforcement.PAPERS,
    **story_agreements.PAPERS,
    **story_upkeep.PAPERS,
}
"""Which paper an act makes."""


def papers_of(event: CaseEvent, papers: Sequence[CasePaper]) -> tuple[CasePaper, ...]:
    """Return the paper of an act: the first of its kind made after the fact was recorded."""
    kind = PAPERS.get(event.kind)
    made = (paper for paper in papers if paper.kind == kind and paper.made_at >= event.recorded_at)
    first = min(made, key=lambda paper: (paper.made_at, paper.pk), default=None)
    return (first,) if first else ()


# Sentences --------------------------------------------------------------------------------


def sentence(event: CaseEvent) -> str:
    """Return what happened, in a sentence made from the facts on record."""
    return SENTENCES[Kind(event.kind)](event.facts)


def _begun(facts: Facts) -> str:
    return "The application was begun."


def _submitted(facts: Facts) -> str:
    signed = f", signed by {facts['signed_name']}" if facts.get("signed_name") else ""
    capacity = f" ({facts['signed_capacity']})" if facts.get("signed_capacity") else ""
    due = f" The fee due is {_money(facts['fee_due'])}." if "fee_due" in facts else ""
    begun = " By its own word the work had begun already." if facts.get("work_begun") else ""
    return f"Application {facts.get('application', '')} was filed{signed}{capacity}.{due}{begun}"


def _received(facts: Facts) -> str:
    return (
        f"Application {facts.get('application', '')} is received: form, plan and fee are all in. "
        f"The decision is due by {_day(facts.get('decide_by'))}."
    )


def _granted(facts: Facts) -> str:
    conditions = len(facts.get("conditions") or [])
    with_terms = f", with {counted(conditions, 'condition')}" if conditions else ""
    escrow = f" The escrow is {_money(facts['escrow_amount'])}." if "escrow_amount" in facts else ""
    if facts.get("maintenance_agreement"):
        escrow += " A maintenance agreement is required."
    return (
        f"Application {facts.get('application', '')} was granted on plan revision "
        f"{facts.get('revision', 1)}{with_terms}{_in_time(facts)}.{escrow}"
    )


def _denied(facts: Facts) -> str:
    changes = counted(int(facts.get("changes_count") or 0), "required change")
    return (
        f"Application {facts.get('application', '')} was denied on plan revision "
        f"{facts.get('revision', 1)}, with {changes} of the plan{_in_time(facts)}."
    )


def _in_time(facts: Facts) -> str:
    if "due" not in facts:
        return ""
    due = _day(facts["due"])
    return f", late: it was due by {due}" if facts.get("late") else f", in time (due by {due})"


def _corrected(facts: Facts) -> str:
    changes = [
        f"{each['what'].rstrip('?')}: “{each['to']}” instead of “{each['from']}”"
        for each in facts.get("changes", ())
    ]
    what = f"Application {facts.get('application', '')} was corrected."
    if facts.get("contacts"):
        what = "A changed contact was reported."
    return f"{what} {'; '.join(changes)}."


def _withdrawn(facts: Facts) -> str:
    number = facts.get("application")
    return f"Application {number} was withdrawn." if number else "The draft was withdrawn."


MEANS = {"cash": "in cash", "check": "by check", "online": "online"}


def _fee_recorded(facts: Facts) -> str:
    means = MEANS.get(str(facts.get("means")), "")
    how = f" {means}" if means else ""
    receipt = f" (receipt {facts['receipt']})" if facts.get("receipt") else ""
    return f"The fee of {_money(facts.get('amount'))} came in{how}{receipt}."


def _fee_reversed(facts: Facts) -> str:
    return (
        f"The fee of {_money(facts.get('amount'))} did not come in after all; the city's time to "
        "decide waits for it again."
    )


def _fee_waived(facts: Facts) -> str:
    by = f" by resolution {facts['resolution']}" if facts.get("resolution") else ""
    return f"The fee was waived{by}."


def _offered(facts: Facts) -> str:
    return f"The case was offered to {facts.get('to', 'somebody else')}."


def _recalled(facts: Facts) -> str:
    return f"The offer to {facts.get('to', 'somebody else')} was taken back."


def _accepted(facts: Facts) -> str:
    return f"{facts.get('to', 'Somebody else')} took the case over from {facts.get('from', '')}."


def _revision_filed(facts: Facts) -> str:
    summary = f": {facts['summary']}" if facts.get("summary") else ""
    return (
        f"Plan revision {facts.get('revision', '')} was filed{summary.rstrip('.')}. The city has "
        f"promised an answer by {_day(facts.get('review_by'))}."
    )


def _escrow_posted(facts: Facts) -> str:
    forms = " and ".join(form.lower() for form in facts.get("forms") or [])
    receipt = f" (receipt {facts['receipt']})" if facts.get("receipt") else ""
    return f"Escrow of {_money(facts.get('total'))} was posted, {forms or 'whole'}{receipt}."


def _escrow_reversed(facts: Facts) -> str:
    return "The posting of the escrow was reversed; the permit waits for it again."


def _issued(facts: Facts) -> str:
    until = _day(facts.get("permanent_controls_by"))
    return f"Permit {facts.get('permit', '')} was issued; permanent controls are due by {until}."


def _moved(facts: Facts) -> str:
    rule = RULES.get(str(facts.get("rule")))
    what = rule.title if rule else "A date"
    if facts.get("from") == facts.get("to"):
        return f"{what}: the safe date is now {_day(facts.get('safe_to'))}; the date itself stays."
    return f"{what}: the date moved from {_day(facts.get('from'))} to {_day(facts.get('to'))}."


SENTENCES: dict[CaseEvent.Kind, Callable[[Facts], str]] = {
    Kind.APPLICATION_BEGUN: _begun,
    Kind.APPLICATION_SUBMITTED: _submitted,
    Kind.APPLICATION_RECEIVED: _received,
    Kind.APPLICATION_GRANTED: _granted,
    Kind.APPLICATION_DENIED: _denied,
    Kind.APPLICATION_WITHDRAWN: _withdrawn,
    Kind.APPLICATION_CORRECTED: _corrected,
    Kind.FEE_RECORDED: _fee_recorded,
    Kind.FEE_REVERSED: _fee_reversed,
    Kind.FEE_WAIVED: _fee_waived,
    Kind.HANDOVER_OFFERED: _offered,
    Kind.HANDOVER_RECALLED: _recalled,
    Kind.HANDOVER_ACCEPTED: _accepted,
    Kind.REVISION_FILED: _revision_filed,
    Kind.ESCROW_POSTED: _escrow_posted,
    Kind.ESCROW_REVERSED: _escrow_reversed,
    Kind.PERMIT_ISSUED: _issued,
    Kind.DATE_MOVED: _moved,
    **story_site.SENTENCES,
    **story_enforcement.SENTENCES,
    **story_mail.SENTENCES,
    **story_escrow.SENTENCES,
    **story_bills.SENTENCES,
    **story_agreements.SENTENCES,
    **story_records.SENTENCES,
    **story_upkeep.SENTENCES,
    **story_earlier.SENTENCES,
    **story_file.SENTENCES,
}
"""What each kind of event says."""


def _day(text: Any) -> str:
    try:
        return long_date(date.fromisoformat(str(text)))
    except ValueError:
        return "a day not on record"


def _money(text: Any) -> str:
    try:
        return money(Decimal(str(text)))
    except InvalidOperation:
        return "an amount not on record"
