"""Where a case stands and what comes next, in a sentence; to the holder it says "you"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from permits.models import STEPS, Application, Permit
from portal.city import say
from portal.formats import long_date, money
from portal.ordinance import Deadline
from portal.ordinance.wording import counted

from .case_file import Facts
from .dates import running_clock

__all__ = ["Standing", "standing_of"]


@dataclass(frozen=True)
class Standing:
    """A sentence in parts, so that its date opens into its count.

    `strong` says where the case stands; `before`, the clock and `after` say what is next.
    `turn` names whose turn it is, `allows` what the permit allows while no order stops it.
    """

    strong: str
    before: str
    after: str = ""
    clock: Deadline | None = None
    tone: str = ""
    turn: str = ""
    allows: str = ""

    @property
    def stop(self) -> str:
        """The period after the date, unless the sentence runs on behind it."""
        return "" if self.after[:1].islower() else "."


def standing_of(facts: Facts, *, on: date, holder: bool) -> Standing:
    """Say where a case stands on a day, to its holder or to somebody who works for the city."""
    voice = Voice("You", "your", "have") if holder else Voice("The applicant", "the", "has")
    clock = running_clock(facts)
    if facts.permit is not None and facts.application.status == "granted":
        return _PERMIT[facts.permit.status](facts, voice, clock, on)
    return _APPLICATION[facts.application.status](facts, voice, clock, on)


@dataclass(frozen=True)
class Voice:
    """How the sentence speaks of the applicant."""

    who: str
    whose: str
    have: str

    @property
    def turn(self) -> str:
        """Whose turn it is, when it is the applicant's."""
        return "Your turn" if self.who == "You" else "The applicant's turn"


Say = Callable[[Facts, Voice, Deadline | None, date], Standing]
CITY = "The city's turn"
NOBODY = ""
SOON = timedelta(days=30)
"""A permit's last day this near is the permittee's turn."""


def _draft(facts: Facts, voice: Voice, clock: Deadline | None, on: date) -> Standing:
    done = len(set(facts.application.steps_done) & set(STEPS))
    progress = f"{done} of {len(STEPS)} steps are done" if done else "No step is done yet"
    return Standing(
        "Being written.",
        f"{progress}; nothing is filed. {voice.who} can go on with it at any time.",
        turn=voice.turn,
    )


def _submitted(facts: Facts, voice: Voice, clock: Deadline | None, on: date) -> Standing:
    fee = money(facts.application.fee_due(on=on))
    return Standing(
        "Filed, and the fee is out.",
        f"Form and plan came in on {long_date(facts.application.form_received_on)}. "
        + say("The city's {decision_working_days} working days to decide start when the fee of ")
        + f"{fee} arrives.",
        tone="soon",
        turn=voice.turn,
    )


def _under_review(facts: Facts, voice: Voice, clock: Deadline | None, on: date) -> Standing:
    again = bool(facts.decisions)
    number = facts.revision.number if facts.revision else 1
    if clock is not None and clock.is_late(on):
        what = (
            f"The review of plan revision {number} is late." if again else "The decision is late."
        )
        return Standing(
            what,
            "The city was to answer by",
            "and still has to. Being late grants nothing: work may not begin.",
            clock,
            "late",
            CITY,
        )
    what = f"Plan revision {number} is under review." if again else "Under review."
    promise = "The city has promised to answer by" if again else say("The {inspector} decides by")
    return Standing(what, promise, "Work may not begin yet.", clock, turn=CITY)


def _denied(facts: Facts, voice: Voice, clock: Deadline | None, on: date) -> Standing:
    changes = facts.decision.changes_count if facts.decision else 0
    verb = "is" if changes == 1 else "are"
    return Standing(
        "Denied: the plan needs changes.",
        f"{counted(changes, 'required change').capitalize()} {verb} listed. {voice.who} "
        f"{voice.have} to answer each in a plan revision, at any time and without a new fee. When "
        "the plan fits, the permit is granted. An appeal can be filed until",
        "",
        clock,
        "soon",
        voice.turn,
    )


def _granted(facts: Facts, voice: Voice, clock: Deadline | None, on: date) -> Standing:
    return Standing("Granted.", "The permit is being made out.", turn=CITY)


def _withdrawn(facts: Facts, voice: Voice, clock: Deadline | None, on: date) -> Standing:
    day = long_date(facts.application.withdrawn_on)
    return Standing("Withdrawn.", f"It ended on {day} and stays on record.", tone="shut")


def _awaiting_escrow(facts: Facts, voice: Voice, clock: Deadline | None, on: date) -> Standing:
    permit = facts.permit
    assert permit is not None
    amount = money(permit.escrow_amount)
    if permit.escrow_posted_on is None:
        return Standing(
            "Granted, and the escrow is out.",
            f"{voice.who} {voice.have} to post {amount} "
            + say("with the {clerk}; then the permit is issued. Work may not begin before."),
            tone="soon",
            turn=voice.turn,
        )
    return Standing(
        "Granted, and the escrow is posted.",
        f"The {amount} came in on {long_date(permit.escrow_posted_on)}. The city issues the "
        "permit; work may not begin before.",
        turn=CITY,
    )


def _issued(facts: Facts, voice: Voice, clock: Deadline | None, on: date) -> Standing:
    permit = facts.permit
    assert permit is not None
    strong = f"Permit {permit.number} is issued."
    if permit.final_inspection_passed_on is not None:
        passed = long_date(permit.final_inspection_passed_on)
        return Standing(
            f"{strong} The final inspection passed.",
            f"Permanent controls and cover are complete since {passed}. "
            + say("The {inspector_short} closes the permit when no finding is open."),
            tone="good",
            turn=CITY,
        )
    if clock is not None and clock.is_late(on):
        return Standing(
            f"{strong} Permanent controls are late.",
            "They were due by",
            "and still have to be completed; the escrow stands for them.",
            clock,
            "late",
            voice.turn,
        )
    since = long_date(permit.issued_on)
    return Standing(
        strong,
        "Permanent controls and cover are due by",
        "",
        clock,
        "good",
        voice.turn if clock is not None and clock.on - on <= SOON else NOBODY,
        f"Work may go on under the approved plan since {since}.",
    )


def _closed(facts: Facts, voice: Voice, clock: Deadline | None, on: date) -> Standing:
    permit = facts.permit
    assert permit is not None
    since = long_date(permit.closed_on)
    after = "New work on this land needs a new permit."
    return Standing(f"Permit {permit.number} was closed on {since}.", after, tone="shut")


def _revoked(facts: Facts, voice: Voice, clock: Deadline | None, on: date) -> Standing:
    return Standing(
        f"Permit {facts.permit} is revoked.",
        "No work may go on. The controls stay in place; new work needs a new application.",
        tone="late",
    )


_APPLICATION: dict[str, Say] = {
    Application.Status.DRAFT: _draft,
    Application.Status.SUBMITTED: _submitted,
    Application.Status.UNDER_REVIEW: _under_review,
    Application.Status.DENIED: _denied,
    Application.Status.GRANTED: _granted,
    Application.Status.WITHDRAWN: _withdrawn,
}
_PERMIT: dict[str, Say] = {
    Permit.Status.AWAITING_ESCROW: _awaiting_escrow,
    Permit.Status.ISSUED: _issued,
    Permit.Status.WITHDRAWN: _withdrawn,
    Permit.Status.CLOSED: _closed,
    Permit.Status.REVOKED: _revoked,
}
