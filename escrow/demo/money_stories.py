"""How the money of the demo's cases went: escrow, bills, and what is on its way to the roll.

Some days are counted from today, others from the day of this year's list for the tax roll, so
that every problem stands on that list whenever the demo city is loaded.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from .days import Days
from .ladder_stories import ORDER
from .paths import Path, Step, issued_on
from .visit_stories import then

__all__ = [
    "basin",
    "basin_of_last_year",
    "basin_on_the_list",
    "escrow_was_short",
    "forfeited",
    "forfeiture_proposed",
    "release_proposed",
    "released",
    "renewed",
    "replaced",
    "stayed",
]

Later = tuple[int, str, dict[str, Any]]
OPEN = "No grass on the east slope, and the silt fence still stands in the ditch."
SEEN: dict[str, Any] = {"phase": "restoration", "note": OPEN}


# The escrow -------------------------------------------------------------------------------


def renewed(path: Path) -> Path:
    """The surety renewed its bond before it lapsed, while the story went on."""
    longer = then(path, (12, "escrow.renew", {}))
    return lambda days: sorted(longer(days), key=lambda step: step.on)


def replaced(path: Path) -> Path:
    """A letter of credit took the place of the bond, which went back."""
    return then(path, (70, "escrow.replace", {}), (68, "escrow.give_back", {}))


def forfeiture_proposed(path: Path) -> Path:
    """The inspector found the work late; the administrator has not decided."""
    return then(path, (6, "visit", SEEN), (4, "escrow.find_late", {"what": OPEN}))


def forfeited(path: Path) -> Path:
    """All that was held is forfeited, and demanded of the surety."""
    return then(
        path,
        (30, "visit", SEEN),
        (28, "escrow.find_late", {"what": OPEN}),
        (25, "escrow.forfeit", {}),
    )


def release_proposed(path: Path) -> Path:
    """The clerk proposed the release; the administrator has not decided."""
    return then(path, (3, "escrow.propose_release", {}))


def released(path: Path) -> Path:
    """The whole escrow went back: cash by check request, the bond by mail."""
    return then(
        path,
        (30, "escrow.propose_release", {}),
        (28, "escrow.release", {}),
        (27, "escrow.give_back", {}),
    )


# Bills of city work -----------------------------------------------------------------------


def _before_list(days: Days, *steps: Later) -> list[Step]:
    """Steps so many working days before the day of this year's list."""
    return [Step(days.before(days.list_on, ago), act, more) for ago, act, more in steps]


def escrow_was_short(*, levied: bool) -> Path:
    """The cover was late, the city seeded, the escrow bore a part, the rest was not paid."""

    def path(days: Days) -> list[Step]:
        cover = days.before(days.list_on, 75)
        steps = issued_on(
            days, days.before(days.list_on, 160), cover_in=(cover - days.today).days
        )  # fmt: skip
        steps += _before_list(
            days,
            (72, "owner_notice", {"cost": "1600.00"}),
            (55, "work.begin", {}),
            (54, "work.cost", {}),
            (53, "work.close", {}),
            (51, "escrow.draw", {}),
            (48, "bill.work", {}),
        )
        return [*steps, *_before_list(days, (12, "bill.levy", {}))] if levied else steps

    return path


def stayed() -> Path:
    """The city worked after its notice and billed it; an appeal of the order stays the charge."""

    def path(days: Days) -> list[Step]:
        monday = days.list_on - timedelta(days=85 + days.list_on.weekday())
        grounds = "The fence stood on every day but one; the city's crew was not needed."
        later: tuple[tuple[int, str, dict[str, Any]], ...] = (
            (0, "violation", {"text": ORDER["facts"], "section": "devices"}),
            (0, "order", ORDER),
            (0, "order.post", {}),
            (11, "intent", {"cost": "1600.00"}),
            (28, "work.begin", {}),
            (28, "work.cost", {}),
            (28, "work.close", {}),
            (29, "bill.work", {}),
            (29, "appeal", {"grounds": grounds}),
            (32, "appeal.transmit", {}),
        )
        steps = issued_on(days, days.before(monday, 40))
        return [*steps, *(Step(monday + timedelta(n), act, more) for n, act, more in later)]

    return path


# Basins under a maintenance agreement -----------------------------------------------------


def _basin(days: Days, owner: str, on: date, *later: Step) -> list[Step]:
    """The basin of an older development: its agreement, what was not corrected, and the bill."""

    def before(working_days: int, act: str, more: dict[str, Any] | None = None) -> Step:
        return Step(days.before(on, working_days), act, more or {})

    return [
        before(70, "land"),
        before(70, "agreement.enter", {"owner": owner}),
        before(52, "upkeep.inspect"),
        before(51, "upkeep.notice", {"days": 30}),
        before(20, "work.begin"),
        before(19, "upkeep.cost"),
        before(17, "upkeep.close"),
        Step(on, "parcel.note", {"kind": "owner", "owner": owner}),
        Step(on, "parcel.note", {"kind": "confirmed"}),
        Step(on, "bill.work"),
        *later,
    ]


def basin(owner: str, ago: int, *later: Later) -> Path:
    """Billed so many working days ago, and what came of it."""
    return lambda days: _basin(
        days, owner, days.ago(ago), *(Step(days.ago(n), act, more) for n, act, more in later)
    )


def basin_on_the_list(owner: str, *later: Later) -> Path:
    """Billed so that it is delinquent on the day of this year's list."""
    return lambda days: _basin(
        days, owner, days.before(days.list_on, 30), *_before_list(days, *later)
    )  # fmt: skip


def basin_of_last_year(owner: str) -> Path:
    """Billed in the August before: it went on last year's roll."""
    return lambda days: _basin(days, owner, days.before(date(days.roll_year - 1, 8, 21), 1))
