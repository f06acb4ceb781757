"""The sentences of bills and the tax roll: billed, paid, assessed, certified, collected."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from permits.models import CaseEvent
from portal.formats import long_date, money

__all__ = ["SENTENCES"]

Facts = dict[str, Any]
Kind = CaseEvent.Kind


def _day(text: Any) -> str:
    try:
        return long_date(date.fromisoformat(str(text)))
    except ValueError:
        return "a day not on record"


def _bill(facts: Facts) -> str:
    return f"bill {facts.get('bill', '')}"


def _issued(facts: Facts) -> str:
    return (
        f"Bill {facts.get('bill', '')} for city work was made: {money(facts.get('amount'))} to pay "
        f"by {_day(facts.get('due_on'))}, billed to {facts.get('payer', 'the payer')}."
    )


def _payment(facts: Facts) -> str:
    left = money(facts.get("left") or "0")
    return (
        f"{money(facts.get('amount'))} was paid on {_bill(facts)} (receipt "
        f"{facts.get('receipt', '')}); {left} is left."
    )


def _credited(facts: Facts) -> str:
    return f"{money(facts.get('amount'))} was credited on {_bill(facts)}."


def _reversed(facts: Facts) -> str:
    return (
        f"A {facts.get('what', 'payment')} of {money(facts.get('amount'))} on {_bill(facts)} was "
        "reversed."
    )


def _withdrawn(facts: Facts) -> str:
    return f"Bill {facts.get('bill', '')} was withdrawn; it had been made in error."


def _divided(facts: Facts) -> str:
    numbers = ", ".join(facts.get("weights") or {})
    return f"It was decided how {_bill(facts)} is divided over the parcels {numbers}."


def _levied(facts: Facts) -> str:
    return (
        f"The council levied assessment {facts.get('assessment', '')} on {_bill(facts)}: "
        f"{money(facts.get('cost'))} and a fee of {money(facts.get('fee'))}, at "
        f"{facts.get('rate', '')} percent a year (resolution {facts.get('resolution', '')})."
    )


def _noted(facts: Facts) -> str:
    owner = f", owner {facts['owner']}" if facts.get("owner") else ""
    return f"Parcel {facts.get('parcel', '')} was noted as {facts.get('kind', 'checked')}{owner}."


def _certified(facts: Facts) -> str:
    parcels = ", ".join(facts.get("parcels") or [])
    return (
        f"{money(facts.get('amount'))} was certified to the tax roll of {facts.get('year', '')} "
        f"(batch {facts.get('batch', '')}, parcel {parcels})."
    )


SETTLED = {
    "dropped": "was dropped by the treasurer",
    "paid_back": "was collected all the same, and paid back",
    "reopened": "is open at the treasurer again: what was recorded was an error",
}


def _corrected(facts: Facts) -> str:
    if how := SETTLED.get(str(facts.get("how", ""))):
        amount = "What was taken off" if facts["how"] == "reopened" else money(facts.get("amount"))
        of = "" if facts["how"] == "reopened" else " of"
        return f"{amount}{of} charge {facts.get('charge', '')} {how} (roll of {facts.get('year')})."
    return (
        f"The charge on the tax roll of {facts.get('year', '')} was corrected by "
        f"{money(facts.get('amount'))} (batch {facts.get('batch', '')})."
    )


def _accepted(facts: Facts) -> str:
    return (
        f"The tax roll of {facts.get('year', '')} took {money(facts.get('amount'))} (batch "
        f"{facts.get('batch', '')})."
    )


def _rejected(facts: Facts) -> str:
    return (
        f"The tax roll rejected charge {facts.get('charge', '')} of {money(facts.get('amount'))} "
        f"on parcel {facts.get('parcel', '')}; the bill owes it again."
    )


def _collected(facts: Facts) -> str:
    amount = str(facts.get("amount", ""))
    if amount.startswith("-"):
        return (
            f"It was taken back that {money(amount.removeprefix('-'))} of charge "
            f"{facts.get('charge', '')} was collected."
        )
    return (
        f"{money(facts.get('amount'))} of charge {facts.get('charge', '')} was collected with the "
        "tax."
    )


def _refunded(facts: Facts) -> str:
    return f"A payment of {money(facts.get('amount'))} was refunded."


SENTENCES: dict[CaseEvent.Kind, Callable[[Facts], str]] = {
    Kind.BILL_ISSUED: _issued,
    Kind.BILL_PAYMENT: _payment,
    Kind.BILL_CREDITED: _credited,
    Kind.BILL_REVERSED: _reversed,
    Kind.BILL_WITHDRAWN: _withdrawn,
    Kind.BILL_DIVIDED: _divided,
    Kind.ASSESSMENT_LEVIED: _levied,
    Kind.PARCEL_NOTED: _noted,
    Kind.ROLL_CERTIFIED: _certified,
    Kind.ROLL_CORRECTED: _corrected,
    Kind.ROLL_ACCEPTED: _accepted,
    Kind.ROLL_REJECTED: _rejected,
    Kind.ROLL_COLLECTED: _collected,
    Kind.PAYMENT_REFUNDED: _refunded,
}
"""One sentence for each kind of event about a bill or the roll."""
