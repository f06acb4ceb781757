"""The mail room's facts: when the post got a letter, took it, and brought it back.

Each fact is a row of `MailingEvent`, set once; a correction is another row that names the
one it corrects. Whoever's clock hangs on a letter registers for its cause, and is told
within the transaction that records the fact. The acts with their case record are in
`permits.mailroom`; nothing else calls `record`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from portal.formats import long_date
from portal.models import Mailing, MailingEvent, User
from portal.ordinance import Calendar
from portal.ordinance.days import nth_day

__all__ = [
    "Fact",
    "Listener",
    "NotPossible",
    "fits",
    "listeners",
    "next_mail_day",
    "record",
    "register_accepted",
    "register_returned",
    "standing",
    "why_not_accepted",
    "why_not_deposited",
    "why_not_returned",
]

Kind = MailingEvent.Kind
Stage = Mailing.Stage


class NotPossible(Exception):
    """The fact cannot be so; says why in a sentence, and which day is the next possible."""


@dataclass(frozen=True)
class Fact:
    """What was recorded about a letter, for whoever's clock hangs on it.

    `kind` is accepted, returned, stands or reserved. `on` is its day; None where the fact is
    taken back. `before` is the day that this fact corrects; None where it is the first.
    `successor` is the letter that is served anew.
    """

    mailing: Mailing
    kind: MailingEvent.Kind
    on: date | None
    by: User
    before: date | None = None
    successor: Mailing | None = None


Listener = Callable[[Fact], None]
_accepted: dict[str, Listener] = {}
_returned: dict[str, Listener] = {}


def register_accepted(cause: str, listener: Listener) -> None:
    """Tell `listener` of the day on which the post accepted a letter of this cause.

    `cause` is the part before the colon (`notice_of_intent` for `notice_of_intent:12`), or
    the whole. The listener is called again when the day is corrected or taken back; what it
    raises undoes the recording. The case record has its event already.
    """
    _register(_accepted, cause, listener)


def register_returned(cause: str, listener: Listener) -> None:
    """Tell `listener` that a letter came back, and of the choice that follows.

    Called with `returned`, then with `stands` (the legal date stays) or `reserved` (the
    letter in `successor` takes its place; its acceptance is told to `register_accepted`).
    """
    _register(_returned, cause, listener)


def _register(registry: dict[str, Listener], cause: str, listener: Listener) -> None:
    if registry.get(cause, listener) != listener:
        raise ValueError(f"The mail room already tells somebody else of {cause!r}.")
    registry[cause] = listener


def listeners(kind: MailingEvent.Kind, cause: str) -> list[Listener]:
    """Return who is to be told of such a fact about a letter of this cause."""
    registry = _accepted if kind == Kind.ACCEPTED else _returned
    if kind not in (Kind.ACCEPTED, Kind.RETURNED, Kind.STANDS, Kind.RESERVED):
        return []
    found = (registry.get(key) for key in dict.fromkeys((cause.partition(":")[0], cause)))
    return [listener for listener in found if listener is not None]


def next_mail_day(on: date, *, calendar: Calendar) -> date:
    """The next day on which the city works and the post takes mail.

    By that day a letter goes whose reader has no e-mail address: everybody else has had the
    same notice by e-mail at once. The city's own promise; the ordinance names no day.
    """
    return nth_day(on, 1, lambda day: calendar.is_working_day(day) and calendar.is_postal_day(day))


# Which days can be ------------------------------------------------------------------------


def why_not_deposited(mailing: Mailing, on: date, *, today: date) -> str:
    """Say why a letter cannot have been handed to the post on a day, or nothing."""
    if not mailing.address.strip():
        return f"The letter to {mailing.addressee} has no address. Serve it anew, with one."
    if on > today:
        return f"{long_date(on)} is still to come. Today is {long_date(today)}."
    written = mailing.written_on()
    if on < written:
        return (
            f"The letter to {mailing.addressee} was written on {long_date(written)}; it cannot "
            "have been handed in before. That is the first possible day."
        )
    if mailing.accepted_on is not None and on > mailing.accepted_on:
        return (
            f"The post accepted the letter to {mailing.addressee} on "
            f"{long_date(mailing.accepted_on)}; it was handed in on that day or before."
        )
    return ""


def why_not_accepted(mailing: Mailing, on: date, *, today: date, calendar: Calendar) -> str:
    """Say why the post cannot have accepted a letter on a day, or nothing. Names the next day.

    A letter left on a Sunday or a postal holiday is accepted on the next day that is neither;
    from that day the ten days' notice is counted. Former § 17.19(4)(e)
    """
    if mailing.deposited_on is None:
        return f"Record first on which day the letter to {mailing.addressee} was handed in."
    first = calendar.next_postal_day(max(mailing.deposited_on, mailing.written_on()))
    if on < first:
        return (
            f"The letter to {mailing.addressee} was handed in on "
            f"{long_date(mailing.deposited_on)}. The first day on which the post can have "
            f"accepted it is {long_date(first)}."
        )
    if (why := calendar.why_not_postal(on)) is not None:
        following = long_date(calendar.next_postal_day(on))
        return (
            f"The post accepted nothing on {long_date(on)}, {why}. The next day on which it can "
            f"have accepted the letter is {following}."
        )
    if on > today:
        return f"{long_date(on)} is still to come. Today is {long_date(today)}."
    return ""


def why_not_returned(mailing: Mailing, on: date, *, today: date) -> str:
    """Say why a letter cannot have come back on a day, or nothing."""
    if mailing.accepted_on is None:
        return f"Record first when the post accepted the letter to {mailing.addressee}."
    if on < mailing.accepted_on:
        return (
            f"The post accepted the letter to {mailing.addressee} on "
            f"{long_date(mailing.accepted_on)}; it cannot have come back before."
        )
    if on > today:
        return f"{long_date(on)} is still to come. Today is {long_date(today)}."
    return ""


# Recording --------------------------------------------------------------------------------

NEXT: dict[MailingEvent.Kind, frozenset[Mailing.Stage]] = {
    Kind.DEPOSITED: frozenset({Stage.WAITING}),
    Kind.ACCEPTED: frozenset({Stage.HANDED_IN}),
    Kind.NUMBER: frozenset({Stage.HANDED_IN, Stage.ACCEPTED, Stage.RETURNED, Stage.STANDS}),
    Kind.CERTIFICATE: frozenset({Stage.ACCEPTED, Stage.RETURNED, Stage.STANDS}),
    Kind.AFFIDAVIT: frozenset({Stage.ACCEPTED, Stage.RETURNED, Stage.STANDS}),
    Kind.RETURNED: frozenset({Stage.ACCEPTED}),
    Kind.STANDS: frozenset({Stage.RETURNED}),
    Kind.RESERVED: frozenset({Stage.WAITING, Stage.RETURNED}),
}
"""At which stages of a letter a fact may be recorded for the first time."""

CORRECTED: dict[MailingEvent.Kind, frozenset[Mailing.Stage]] = {
    Kind.DEPOSITED: frozenset({Stage.HANDED_IN, Stage.ACCEPTED}),
    Kind.ACCEPTED: frozenset({Stage.ACCEPTED}),
    Kind.NUMBER: NEXT[Kind.NUMBER],
    Kind.CERTIFICATE: NEXT[Kind.CERTIFICATE],
    Kind.AFFIDAVIT: NEXT[Kind.AFFIDAVIT],
}
"""At which stages it may be corrected; what came back and what followed is not."""

STAGE_AFTER: dict[MailingEvent.Kind, Mailing.Stage] = {
    Kind.DEPOSITED: Stage.HANDED_IN,
    Kind.ACCEPTED: Stage.ACCEPTED,
    Kind.RETURNED: Stage.RETURNED,
    Kind.STANDS: Stage.STANDS,
    Kind.RESERVED: Stage.REPLACED,
}
STAGE_WITHOUT = {Kind.DEPOSITED: Stage.WAITING, Kind.ACCEPTED: Stage.HANDED_IN}
COLUMN = {
    Kind.DEPOSITED: "deposited_on",
    Kind.ACCEPTED: "accepted_on",
    Kind.RETURNED: "returned_on",
}


def standing(events: Iterable[MailingEvent]) -> dict[str, MailingEvent]:
    """Return the newest fact of each kind; one that was taken back is left out."""
    newest = {event.kind: event for event in events}
    return {kind: event for kind, event in newest.items() if event.on is not None}


def record(
    mailing: Mailing,
    kind: MailingEvent.Kind,
    *,
    on: date | None,
    by: User,
    correcting: bool = False,
    successor: Mailing | None = None,
    **details: Any,
) -> MailingEvent:
    """Record a fact about a letter that the caller has locked, and tell whoever waits for it.

    With `correcting` it takes the place of the fact on record, and with `on` None it takes
    that back. Raises NotPossible where the letter is at a stage
    at which this cannot be.
    """
    last = MailingEvent.objects.filter(mailing=mailing, kind=kind).order_by("-pk").first()
    if correcting and (last is None or last.on is None):
        raise NotPossible("There is nothing on record to correct.")
    _demand(mailing, kind, correcting=correcting, taken_back=on is None)
    if last is not None and not details.get("reason"):
        details["reason"] = "Recorded anew."
    event = MailingEvent.objects.create(
        mailing=mailing, kind=kind, on=on, by=by, corrects=last, **details
    )
    _apply(mailing, event)
    before = last.on if last is not None else None
    fact = Fact(mailing, kind, on, by, before, successor)
    for listener in listeners(kind, mailing.cause):
        listener(fact)
    return event


def fits(mailing: Mailing, kind: MailingEvent.Kind) -> bool:
    """Whether a fact may be recorded of a letter for the first time, as it stands."""
    return mailing.is_by_post and mailing.stage in NEXT[kind]


def _demand(
    mailing: Mailing, kind: MailingEvent.Kind, *, correcting: bool, taken_back: bool
) -> None:
    stages = CORRECTED.get(kind, frozenset()) if correcting else NEXT[kind]
    if taken_back:
        stages = frozenset({STAGE_AFTER[kind]}) if kind in STAGE_WITHOUT else frozenset()
    if not mailing.is_by_post:
        raise NotPossible(f"The notice to {mailing.addressee} does not go by mail.")
    if mailing.stage not in stages:
        raise NotPossible(
            f"This cannot be recorded of the letter to {mailing.addressee}: "
            f"{mailing.get_stage_display().lower()}."
        )


def _apply(mailing: Mailing, event: MailingEvent) -> None:
    """Let the letter's columns say what the newest fact says."""
    kind = Kind(event.kind)
    if kind in COLUMN:
        setattr(mailing, COLUMN[kind], event.on)
    if kind == Kind.NUMBER:
        mailing.tracking_number = event.number
    if event.on is None:
        mailing.stage = STAGE_WITHOUT[kind]
    elif kind in STAGE_AFTER and not (
        kind == Kind.DEPOSITED and mailing.stage == Stage.ACCEPTED  # only its day is corrected
    ):
        mailing.stage = STAGE_AFTER[kind]
    mailing.recorded_by = event.by
    mailing.save(
        update_fields=[*COLUMN.values(), "tracking_number", "stage", "recorded_by"],
    )
