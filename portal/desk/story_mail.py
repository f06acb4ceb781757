"""What the record says of letters: handed in, accepted, brought back, served anew."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from permits.models import CaseEvent
from portal.formats import long_date
from portal.ordinance.wording import counted

__all__ = ["SENTENCES"]

Kind = CaseEvent.Kind
Facts = dict[str, Any]

SAID = {
    "deposited": "{letters} handed to the post: {to}.",
    "number": "The number of a certified letter was recorded: {to}.",
    "accepted": "The post accepted {letters_lower}: {to}.",
    "certificate": "The post\u2019s certificate of mailing came in: {to}.",
    "affidavit": "An affidavit of mailing was made: {to}.",
    "returned": "The post brought a letter back: {to}.",
    "stands": "A letter came back, and the legal date stays: {to}.",
    "reserved": "A letter is served anew{by}: {to}.",
}

HELD_BACK = {
    "deposited": "Mail was handed to the post.",
    "accepted": "The post accepted mail.",
    "returned": "The post brought a letter back.",
}


def _sentence(facts: Facts) -> str:
    letters = list(facts.get("letters") or [])
    to = "; ".join(_letter(each) for each in letters)
    if facts.get("what") == "corrected":
        return _corrected(facts, to)
    if "letters" not in facts:  # held back: to whom, and how many, is not told
        return HELD_BACK.get(str(facts.get("what")), "A letter is on record.")
    count = counted(len(letters), "letter")
    verb = "was" if len(letters) == 1 else "were"
    said = SAID.get(str(facts.get("what")), "{letters} on record: {to}.")
    return said.format(
        letters=f"{count[:1].upper()}{count[1:]} {verb}",
        letters_lower=count,
        to=to,
        by=f", to go by {_day(facts.get('go_by'))}" if facts.get("go_by") else "",
    )


def _letter(letter: Facts) -> str:
    number = f", number {letter['number']}" if letter.get("number") else ""
    how = "by certified mail" if letter.get("means") == "certified" else "by U.S. mail"
    return f"{letter.get('letter')} to {letter.get('to')}, {how}{number}"


def _corrected(facts: Facts, to: str) -> str:
    if facts.get("now") is None:
        return f"The entry of {_day(facts.get('was'))} is taken back, it did not happen: {to}."
    was, now = _day(facts.get("was")), _day(facts.get("now"))
    return f"The entry of {was} is corrected to {now}: {to}."


def _day(text: Any) -> str:
    try:
        return long_date(date.fromisoformat(str(text)))
    except ValueError:
        return "a day not on record"


SENTENCES: dict[CaseEvent.Kind, Callable[[Facts], str]] = {
    Kind.MAILING_DEPOSITED: _sentence,
    Kind.MAILING_ACCEPTED: _sentence,
    Kind.MAILING_RETURNED: _sentence,
    Kind.MAILING_RESERVED: _sentence,
}
"""What each kind of event says."""
