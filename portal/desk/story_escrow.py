"""The story of a posted escrow: draws, forfeiture, release, renewal, and whose it is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from permits.models import CaseEvent
from portal.formats import long_date, money

__all__ = ["SENTENCES"]

Facts = dict[str, Any]
Kind = CaseEvent.Kind


def _drawn(facts: Facts) -> str:
    return (
        f"{_money(facts.get('amount'))} was drawn on the escrow (draw {facts.get('draw', '')}), "
        f"after notice {facts.get('notice', '')} to the owner; {_money(facts.get('left'))} is "
        "still held."
    )


def _draw_reversed(facts: Facts) -> str:
    if facts.get("rest") and "refused_by" not in facts:
        return (
            f"It was taken back that {facts.get('issuer', 'the issuer')} refused "
            f"{_money(str(facts.get('amount')).removeprefix('-'))} of draw {facts.get('draw', '')}."
        )
    if facts.get("rest"):
        return (
            f"{' and '.join(facts['refused_by'])} refused {_money(facts.get('amount'))} of draw "
            f"{facts.get('draw', '')}: this part may be billed."
        )
    return (
        f"Draw {facts.get('draw', '')} was taken back: the escrow holds its "
        f"{_money(facts.get('amount'))} again."
    )


def _demand_paid(facts: Facts) -> str:
    if str(facts.get("amount", "")).startswith("-"):
        return (
            f"The payment of {_money(str(facts['amount']).removeprefix('-'))} by "
            f"{facts.get('issuer', 'the issuer')} on a demand was taken back."
        )
    return f"{facts.get('issuer', 'The issuer')} paid {_money(facts.get('amount'))} on a demand."


def _proposed(what: str) -> Callable[[Facts], str]:
    return lambda facts: (
        f"{what} of the whole escrow, {_money(facts.get('amount'))}, was proposed "
        f"({facts.get('number', '')}); a second person decides."
    )


def _declined(what: str) -> Callable[[Facts], str]:
    return lambda facts: f"{what} {facts.get('number', '')} was not approved."


def _forfeited(facts: Facts) -> str:
    return (
        f"The whole escrow, {_money(facts.get('amount'))}, was forfeited "
        f"({facts.get('number', '')}): the work was not complete by {_day(facts.get('due_on'))}."
    )


def _released(facts: Facts) -> str:
    amount, number = _money(facts.get("amount")), facts.get("number", "")
    return f"The whole escrow, {amount}, was released ({number})."


def _returned(facts: Facts) -> str:
    return f"The {facts.get('instrument', 'instrument')} was returned to {facts.get('to', '')}."


def _renewed(facts: Facts) -> str:
    until = f"good until {_day(facts['until'])}" if facts.get("until") else "without an end"
    return f"The {facts.get('instrument', 'instrument')} was renewed, {until}."


def _replaced(facts: Facts) -> str:
    lapsed = facts.get("lapsed_on")
    gap = f", which had lapsed after {_day(lapsed)}" if lapsed else ", without a gap"
    return (
        f"The {facts.get('new', 'instrument')} was posted in the place of the "
        f"{facts.get('old', 'old one')}{gap}."
    )


def _owner_named(facts: Facts) -> str:
    return f"The {facts.get('instrument', 'instrument')} is owned by {facts.get('owner', '')}."


SENTENCES: dict[CaseEvent.Kind, Callable[[Facts], str]] = {
    Kind.ESCROW_DRAWN: _drawn,
    Kind.ESCROW_DRAW_REVERSED: _draw_reversed,
    Kind.ESCROW_DEMAND_PAID: _demand_paid,
    Kind.ESCROW_FORFEITURE_PROPOSED: _proposed("Forfeiture"),
    Kind.ESCROW_FORFEITURE_DECLINED: _declined("Forfeiture"),
    Kind.ESCROW_FORFEITED: _forfeited,
    Kind.ESCROW_RELEASE_PROPOSED: _proposed("Release"),
    Kind.ESCROW_RELEASE_DECLINED: _declined("Release"),
    Kind.ESCROW_RELEASED: _released,
    Kind.ESCROW_RETURNED: _returned,
    Kind.ESCROW_RENEWED: _renewed,
    Kind.ESCROW_REPLACED: _replaced,
    Kind.ESCROW_OWNER_NAMED: _owner_named,
}


def _money(text: Any) -> str:
    try:
        return money(Decimal(str(text)))
    except InvalidOperation:
        return "an amount not on record"


def _day(text: Any) -> str:
    try:
        return long_date(date.fromisoformat(str(text)))
    except ValueError:
        return "a day not on record"
