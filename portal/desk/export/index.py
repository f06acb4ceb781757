"""The index of the case file: what a person reads first, as a tagged PDF."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from enforcement.models import (
    Appeal,
    NoticeOfIntent,
    OwnerNotice,
    RevisionOrder,
    Revocation,
    StopWorkOrder,
)
from permits.models import (
    Application,
    CaseEvent,
    CasePaper,
    Decision,
    DocketEntry,
    Parcel,
    Party,
    Permit,
    RequiredChange,
)
from portal import known, papers
from portal.city import edition_on
from portal.desk.counts import Counter
from portal.desk.story import story_of
from portal.formats import long_date
from portal.ordinance import Deadline, WaitingPeriod

from .content import Content, told
from .files import Item
from .public import LEFT_OUT, Omission, mask
from .sheets import cited, ledger_lines

__all__ = ["Identity", "context_of", "make", "sentences_of"]


@dataclass(frozen=True)
class Identity:
    """What tells one case file from the next: number, for whom, by whom, on which day."""

    number: str
    audience: str
    audience_words: str
    maker: str
    made_on: date


@dataclass(frozen=True)
class Fact:
    """One line of the timeline."""

    on: date
    text: str
    citation: str
    who: str
    reason: str


@dataclass(frozen=True)
class Dated:
    """One date of the docket with its count."""

    entry: DocketEntry
    count: Deadline | WaitingPeriod | None
    standing: str


def sentences_of(content: Content, *, public: bool) -> list[tuple[CaseEvent, str]]:
    """Return each fact of the record with its sentence; a struck one says so."""
    events, case_papers = told(content)
    return [(event, _sentence(event, case_papers, public=public)) for event in events]


def _sentence(event: CaseEvent, case_papers: Sequence[CasePaper], *, public: bool) -> str:
    try:
        (line,) = story_of([event], ())
    except (KeyError, ValueError, TypeError, AttributeError, IndexError):
        # The sentence needs a fact that is not given: its kind alone is told.
        return f"{str(event.kind).replace('.', ', ').replace('_', ' ').capitalize()}."
    return mask(line.text)[0] if public else line.text


def context_of(
    content: Content,
    identity: Identity,
    items: Sequence[Item],
    omissions: Sequence[Omission],
    facts: Sequence[tuple[CaseEvent, str]],
) -> dict[str, Any]:
    """Return what the index prints."""
    applications = content.objects(Application)
    return {
        "title": f"Case file {content.site.number}",
        "reference": identity.number,
        "on": identity.made_on,
        "today": identity.made_on,
        "edition": edition_on(identity.made_on),
        "identity": identity,
        "site": content.site,
        "head": content.head,
        "applications": applications,
        "permits": content.objects(Permit),
        "parcels": content.objects(Parcel),
        "parties": content.objects(Party),
        "facts": [_fact(event, text) for event, text in facts],
        "dates": _dates(content),
        "decisions": _decisions(content),
        "orders": _orders(content),
        "ledger": ledger_lines(content.site),
        "items": items,
        "omissions": omissions,
        "grounds": _grounds(omissions),
        "rows": content.count,
        "left_out": LEFT_OUT,
    }


def _grounds(omissions: Sequence[Omission]) -> list[dict[str, Any]]:
    """Return each ground with all that was left out on it."""
    found: dict[str, dict[str, Any]] = {}
    for each in omissions:
        ground = each.ground
        words = {
            "title": str(ground.title),
            "citation": ground.citation,
            "sentence": ground.sentence,
        }
        found.setdefault(ground.key, {**words, "omissions": []})["omissions"].append(each)
    return list(found.values())


def make(context: dict[str, Any]) -> papers.Made:
    """Render the index."""
    return papers.make("papers/case_index.html", context)


def _fact(event: CaseEvent, text: str) -> Fact:
    return Fact(
        event.occurred_on,
        text,
        cited(event.section, event.occurred_on),
        event.actor_name,
        event.reason if event.reason != LEFT_OUT else "",
    )


def _dates(content: Content) -> list[Dated]:
    """Return every clock that ran, with its count where the calendar still gives the same."""
    entries: list[DocketEntry] = content.objects(DocketEntry)
    permits = {permit.pk: permit.permanent_controls_by for permit in content.objects(Permit)}
    with known.reading_once():
        counter = Counter(permits)
        return [
            Dated(entry, counter.find(entry), _standing(entry))
            for entry in sorted(entries, key=lambda entry: (entry.started_on, entry.on, entry.pk))
        ]


def _standing(entry: DocketEntry) -> str:
    """Say what became of a clock; whether a running one is late depends on the day of reading."""
    if entry.met_on:
        return f"met on {long_date(entry.met_on)}"
    if entry.closed_on:
        return f"ended on {long_date(entry.closed_on)} by another act"
    if entry.stayed_since:
        return f"held still by an appeal since {long_date(entry.stayed_since)}"
    return "runs"


def _decisions(content: Content) -> list[tuple[Decision, list[RequiredChange]]]:
    changes: list[RequiredChange] = content.objects(RequiredChange)
    return [
        (decision, [each for each in changes if each.decision_id == decision.pk])
        for decision in content.objects(Decision)
    ]


def _orders(content: Content) -> list[tuple[str, date, str, str]]:
    """Return each act of enforcement: what, when, how it stands, and its facts."""
    found: list[tuple[str, date, str, str]] = []
    for order in content.objects(StopWorkOrder):
        ended = f", ended {long_date(order.ended_on)}" if order.ended_on else ""
        standing = order.get_status_display() + ended
        found.append((f"Stop-work order {order.number}", order.issued_on, standing, order.facts))
    for order in content.objects(RevisionOrder):
        found.append(
            (
                f"Revision order {order.number}",
                order.issued_on,
                order.get_status_display(),
                order.facts,
            )
        )
    for act in content.objects(Revocation):
        standing = f"reversed {long_date(act.reversed_on)}" if act.reversed_on else "stands"
        found.append(("Revocation of the permit", act.revoked_on, standing, act.facts))
    for notice in content.objects(NoticeOfIntent):
        found.append(
            (
                f"Notice of intent {notice.number}",
                notice.issued_on,
                notice.get_status_display(),
                notice.work,
            )
        )
    for notice in content.objects(OwnerNotice):
        found.append(
            (
                f"Notice to the owner {notice.number}",
                notice.made_on,
                notice.get_status_display(),
                notice.work,
            )
        )
    for appeal in content.objects(Appeal):
        found.append(
            (
                f"Appeal {appeal.number}",
                appeal.filed_on,
                appeal.get_status_display(),
                appeal.grounds,
            )
        )
    return sorted(found, key=lambda each: (each[1], each[0]))
