"""How the demo's cases went: for each a list of acts, each on its day.

A path is a function of the days, so that every clock stands the same way whenever the demo
city is loaded. `Step.act` names a function of `deeds.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from .days import Days

__all__ = ["Path", "Step", "issued_on"]


@dataclass(frozen=True)
class Step:
    """One act of a case."""

    on: date
    act: str
    details: dict[str, Any] = field(default_factory=dict)


Path = Callable[[Days], list[Step]]


def draft(*steps: str, ago: int) -> Path:
    """An application being written, with some of its steps done."""

    def path(days: Days) -> list[Step]:
        day = days.ago(ago)
        return [Step(day, "begin"), Step(day, "answer", {"steps": steps})]

    return path


def filed(*, ago: int) -> Path:
    """Filed, waiting for its fee."""
    return lambda days: _filed(days, days.ago(ago))


def under_review(*, due_in: int, **fee: Any) -> Path:
    """All received; the decision is due in so many working days (late when below zero)."""
    return lambda days: _received(days, days.received_for(days.due_in(due_in)), **fee)


def denied(*, ago: int, changes: int = 2, begun: int = 0) -> Path:
    """Denied; of the answers to its required changes some may be written already."""

    def path(days: Days) -> list[Step]:
        steps = _denied(days, days.ago(ago), changes)
        if begun:
            steps.append(Step(days.ago(max(ago - 2, 0)), "begin_revision", {"answers": begun}))
        return steps

    return path


def denied_twice(*, ago: int) -> Path:
    """Denied, revised, and denied again for one change."""

    def path(days: Days) -> list[Step]:
        again = days.ago(ago)
        revised = days.before(again, 6)
        steps = _denied(days, days.before(revised, 5), 3)
        return [*steps, Step(revised, "revise"), Step(again, "deny", {"changes": 1})]

    return path


def revised(*, due_in: int, changes: int = 2, rounds: int = 1) -> Path:
    """A plan revision is before the inspector, its review due in so many working days."""

    def path(days: Days) -> list[Step]:
        day = days.received_for(days.due_in(due_in))
        steps = _denied(days, days.before(day, 4 + 12 * (rounds - 1)), changes)
        for left in range(rounds - 1, 0, -1):
            steps.append(Step(days.before(day, 12 * left), "revise"))
            steps.append(Step(days.before(day, 12 * left - 7), "deny", {"changes": 1}))
        return [*steps, Step(day, "revise")]

    return path


def granted(*, ago: int, **terms: Any) -> Path:
    """Granted, waiting for the escrow."""
    return lambda days: _granted(days, days.ago(ago), **terms)


def posted(*, ago: int, means: str = "cash", **terms: Any) -> Path:
    """The escrow is posted, the permit not issued yet."""
    return lambda days: _posted(days, days.ago(ago), means, **terms)


def issued(*, ago: int, means: str = "cash", changes: int = 0, **terms: Any) -> Path:
    """Issued so many working days ago, after a revision where there were changes.

    `cover_in` gives the date for permanent cover as calendar days from today; `late` lets
    the decision come so many working days late.
    """

    return lambda days: issued_on(days, days.ago(ago), means=means, changes=changes, **terms)


def issued_on(days: Days, on: date, *, means: str = "cash", **terms: Any) -> list[Step]:
    """Return what leads to a permit that is issued on a day."""
    return [*_posted(days, days.before(on, 1), means, **terms), Step(on, "issue")]


def issued_after_reversal(*, ago: int) -> Path:
    """The clerk entered the escrow under the wrong receipt, reversed it and posted it anew."""

    def path(days: Days) -> list[Step]:
        day = days.ago(ago)
        wrong = days.before(day, 3)
        steps = _posted(days, wrong, "cash")
        steps.append(Step(days.before(day, 2), "reverse"))
        return [*steps, Step(days.before(day, 1), "post", {"means": "cash"}), Step(day, "issue")]

    return path


def withdrawn(*, ago: int, at: str, reason: str) -> Path:
    """Withdrawn while being written, before the fee, under review, denied or granted."""

    def path(days: Days) -> list[Step]:
        day = days.ago(ago)
        before = {
            "draft": lambda: draft("site", "people", ago=ago + 20)(days),
            "filed": lambda: _filed(days, days.before(day, 9)),
            "review": lambda: _received(days, days.before(day, 4)),
            "denied": lambda: _denied(days, days.before(day, 15), 2),
            "granted": lambda: _granted(days, days.before(day, 12)),
        }[at]()
        return [*before, Step(day, "withdraw", {"reason": reason})]

    return path


def offered(path: Path, *, to: str, ago: int, end: str = "") -> Path:
    """A case that its holder offered to somebody; `end` is accept, recall or nothing yet."""

    def longer(days: Days) -> list[Step]:
        steps = [*path(days), Step(days.ago(ago), "offer", {"to": to})]
        if end:
            steps.append(Step(days.ago(ago - 1), end))
        return steps

    return longer


# How one thing leads to the next ----------------------------------------------------------


def _filed(days: Days, on: date) -> list[Step]:
    return [Step(days.before(on, 4), "begin"), Step(on, "answer"), Step(on, "submit")]


def _received(days: Days, on: date, *, means: str = "cash", wait: int = 1) -> list[Step]:
    """`wait` is how many working days the fee came after the form."""
    form = days.before(on, wait) if wait else on
    return [*_filed(days, form), Step(on, "take_fee", {"means": means})]


def _denied(days: Days, on: date, changes: int) -> list[Step]:
    received = _received(days, days.before(on, 7))
    return [*received, Step(on, "deny", {"changes": changes})]


def _granted(
    days: Days, on: date, *, changes: int = 0, late: int = 0, cover_in: int | None = None
) -> list[Step]:
    if changes:
        revised_on = days.before(on, 5)
        before = [*_denied(days, days.before(revised_on, 6), changes), Step(revised_on, "revise")]
    else:
        before = _received(days, days.before(on, 10 + late if late else 6))
    cover = days.today + timedelta(cover_in) if cover_in is not None else on + timedelta(240)
    return [*before, Step(on, "grant", {"permanent_controls_by": cover})]


def _posted(
    days: Days, on: date, means: str, *, expires_in: int | None = None, **terms: Any
) -> list[Step]:
    """`expires_in` is when a bond or letter of credit ends, as calendar days from today."""
    details: dict[str, Any] = {"means": means}
    if expires_in is not None:
        details["expires_on"] = days.today + timedelta(expires_in)
    return [*_granted(days, days.before(on, 4), **terms), Step(on, "post", details)]
