"""What the record says of violations, orders, notices, city work and appeals."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from permits.models import CaseEvent, CasePaper
from portal.city import say as in_city_words
from portal.formats import long_date, money
from portal.ordinance.stop_work import GROUNDS_BY_KEY
from portal.ordinance.wording import counted

__all__ = ["PAPERS", "SENTENCES"]

Kind = CaseEvent.Kind
Facts = dict[str, Any]

PAPERS: dict[str, CasePaper.Kind] = {
    Kind.STOP_WORK_ISSUED: CasePaper.Kind.STOP_WORK_ORDER,
    Kind.STOP_WORK_LIFTED: CasePaper.Kind.LIFT_NOTICE,
    Kind.STOP_WORK_WITHDRAWN: CasePaper.Kind.LIFT_NOTICE,
    Kind.STOP_WORK_REVERSED: CasePaper.Kind.LIFT_NOTICE,
    Kind.PERMIT_REVOKED: CasePaper.Kind.REVOCATION,
    Kind.REVISION_ORDER_ISSUED: CasePaper.Kind.REVISION_ORDER,
    Kind.NOTICE_OF_INTENT_ISSUED: CasePaper.Kind.NOTICE_OF_INTENT,
    Kind.OWNER_NOTICE_MADE: CasePaper.Kind.OWNER_NOTICE,
    Kind.CITY_WORK_CLOSED: CasePaper.Kind.WORK_STATEMENT,
    Kind.APPEAL_FILED: CasePaper.Kind.APPEAL_RECEIPT,
    Kind.APPEAL_HEARING_SET: CasePaper.Kind.HEARING_NOTICE,
    Kind.APPEAL_DECIDED: CasePaper.Kind.BOARD_DECISION,
}
"""Which paper an act makes."""

LABELS = {
    "crew": "the city's own crew",
    "designee": "a designee of the city",
    "affirmed": "affirmed",
    "reversed": "reversed",
    "modified": "modified",
    "dismissed": "dismissed",
}
DAYS = ("found_on", "ended_on", "first_day", "accepted_on", "last_day", "held_on", "day")
AMOUNTS = ("estimated_cost", "amount", "total", "sum")


class _Words(dict[str, str]):
    """The facts in words; a fact that an older event does not have is left out."""

    def __missing__(self, key: str) -> str:
        return ""


def _words(facts: Facts) -> _Words:
    found = _Words(the_attorney=in_city_words("{attorney}"), the_board=in_city_words("{board}"))
    for key, value in facts.items():
        if key in DAYS:
            found[key] = _day(value)
        elif key in AMOUNTS:
            found[key] = _money(value)
        elif isinstance(value, list):
            found[key] = ", ".join(map(str, value))
        elif value is not None:
            found[key] = LABELS.get(str(value), str(value))
    return found


def say(text: str) -> Callable[[Facts], str]:
    """Return what makes a sentence of the facts by filling them in."""
    return lambda facts: text.format_map(_words(facts))


def _issued(facts: Facts) -> str:
    ground = GROUNDS_BY_KEY.get(str(facts.get("ground")))
    why = f": {ground.title.lower()}" if ground else ""
    return f"Stop-work order {facts.get('order', '')} was issued{why}."


def _posted(facts: Facts) -> str:
    if "was_day" in facts:
        return (
            f"The posting of order {facts.get('order', '')} was recorded wrong: it was "
            f"{_day(facts.get('day'))}, {facts.get('place', '')}, not {_day(facts['was_day'])}, "
            f"{facts.get('was_place', '')}."
        )
    again = "" if facts.get("first", True) else " again"
    count = counted(len(facts.get("photos") or []), "photo")
    return (
        f"Order {facts.get('order', '')} was posted{again} on the site: {facts.get('place', '')}, "
        f"with {count}."
    )


def _lifted(facts: Facts) -> str:
    return f"Order {facts.get('order', '')} was lifted with visit {facts.get('visit', '')}."


def _appealed(facts: Facts) -> str:
    late = ", after the last day" if facts.get("late") else ""
    stays = " It stays the act." if facts.get("stays") else ""
    return f"{facts.get('appellant', '')} appealed {facts.get('act', '')}{late}.{stays}"


SENTENCES: dict[CaseEvent.Kind, Callable[[Facts], str]] = {
    Kind.PERMIT_REVOKED: say("Permit {permit} was revoked under order {order}."),
    Kind.PERMIT_REINSTATED: say("Permit {permit} stands again: its revocation was reversed."),
    Kind.VIOLATION_RECORDED: say("Violation {violation} was recorded: “{what}”."),
    Kind.VIOLATION_SEEN_AGAIN: say("Violation {violation} was seen again."),
    Kind.VIOLATION_ENDED: say("Violation {violation} ended on {ended_on}: “{how}”."),
    Kind.VIOLATION_DROPPED: say("Violation {violation} was dropped, recorded in error."),
    Kind.STOP_WORK_ISSUED: _issued,
    Kind.STOP_WORK_POSTED: _posted,
    Kind.STOP_WORK_LIFTED: _lifted,
    Kind.STOP_WORK_WITHDRAWN: say("Order {order} was withdrawn: it was issued in error."),
    Kind.STOP_WORK_REVERSED: say("Order {order} was reversed by the {the_board}."),
    Kind.PAPER_SERVED: say("{paper} was handed to {to}, {place}, by {served_by}."),
    Kind.REVISION_ORDER_ISSUED: say("Revision order {order} was issued."),
    Kind.REVISION_ORDER_LINE_DONE: say("Line {line} of revision order {order} is done."),
    Kind.REVISION_ORDER_LINE_REPORTED: say(
        "The permittee says that line {line} of revision order {order} is done."
    ),
    Kind.REVISION_ORDER_DONE: say("Revision order {order} is done."),
    Kind.REVISION_ORDER_WITHDRAWN: say("Revision order {order} was withdrawn."),
    Kind.REVISION_ORDER_REVERSED: say("Revision order {order} was reversed by the board."),
    Kind.REVISION_ORDER_PLAN_LINKED: say("A plan revision answers revision order {order}."),
    Kind.CEASE_AND_DESIST_REQUESTED: say(
        "The {the_attorney} was asked for a cease and desist order, on order {order}."
    ),
    Kind.CEASE_AND_DESIST_RECEIVED: say("The {the_attorney} received the request on {order}."),
    Kind.CEASE_AND_DESIST_FILED: say(
        "The {the_attorney} went to court on order {order}, case {court_case}."
    ),
    Kind.CEASE_AND_DESIST_OBTAINED: say("The court gave a cease and desist order, on {order}."),
    Kind.CEASE_AND_DESIST_CLOSED: say("The request on order {order} was closed."),
    Kind.NOTICE_OF_INTENT_ISSUED: say(
        "Notice of intent {notice} was issued under order {order}: work for about "
        "{estimated_cost}, from {first_day}."
    ),
    Kind.NOTICE_OF_INTENT_FELL: say("Notice of intent {notice} fell with order {order}."),
    Kind.NOTICE_OF_INTENT_WITHDRAWN: say("Notice of intent {notice} was withdrawn."),
    Kind.OWNER_NOTICE_MADE: say(
        "Notice {notice} to the property owner was made: work for about {estimated_cost}."
    ),
    Kind.OWNER_NOTICE_ACCEPTED: say(
        "The post has every letter of notice {notice} since {accepted_on}."
    ),
    Kind.OWNER_NOTICE_WITHDRAWN: say("Notice {notice} to the property owner was withdrawn."),
    Kind.CITY_WORK_BEGUN: say("City work was begun under notice {notice}, by {done_by}: {doer}."),
    Kind.CITY_WORK_COST: say("A cost of city work was recorded: {what}, {amount}."),
    Kind.CITY_WORK_COST_REVERSED: say("A cost of city work was reversed: {what}, {amount}."),
    Kind.CITY_WORK_CLOSED: say("City work under notice {notice} was closed at {total}."),
    Kind.APPEAL_FILED: _appealed,
    Kind.APPEAL_FEE_PAID: say("The fee of appeal {appeal} was paid: {amount}."),
    Kind.APPEAL_PERIL: say("Imminent peril was certified; appeal {appeal} stays nothing since."),
    Kind.APPEAL_TRANSMITTED: say("The record of appeal {appeal} went to the board."),
    Kind.APPEAL_HEARING_SET: say("The hearing on appeal {appeal} was set for {held_on}, {place}."),
    Kind.APPEAL_DECIDED: say("The board decided appeal {appeal}: {outcome}."),
    Kind.APPEAL_CARRIED_OUT: say("The city carried out what the board decided on {appeal}."),
    Kind.CITATION_SHEET_MADE: say("A citation data sheet was made for the {the_attorney}."),
    Kind.APPEAL_WITHDRAWN: say("Appeal {appeal} was withdrawn."),
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
