"""What happened on the demo's sites since their permits: a story each, told in visits.

Stories are paths like those of `paths.py`, continued after the permit is issued; their acts
are those of `visits.py`.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from portal import city
from portal.ordinance.cover import july_after
from portal.ordinance.days import ONE_DAY

from .days import Days
from .paths import Path, Step, issued_on

__all__ = [
    "answered",
    "closed",
    "corrected_and_open",
    "final_asked_for",
    "lived_in",
    "log_with_a_gap",
    "reported_by_public",
    "violation",
]

Later = tuple[int, str, dict[str, Any]]
"""So many working days ago, an act, and its details."""

NEW = {"reason": "new_permit", "phase": "not_begun"}
AFTER_RAIN = {"reason": "rain", "weather": "after_rain"}


def then(path: Path, *later: Later) -> Path:
    """What happened on the site after the permit was issued."""

    def longer(days: Days) -> list[Step]:
        return [*path(days), *(Step(days.ago(ago), act, more) for ago, act, more in later)]

    return longer


def lived_in(month: int, day: int, building: str) -> Path:
    """A house that people moved into in the last winter: its cover is due on July 15.

    Where that July 15 has passed, the final inspection passed before it.
    """

    def path(days: Days) -> list[Step]:
        certificate = days.before(_last(days.today, month, day) + ONE_DAY, 1)
        due = july_after(certificate, city.edition_on(certificate))
        cover_in = (date(due.year, 8, 31) - days.today).days
        steps = issued_on(days, days.before(certificate, 170), cover_in=cover_in)
        steps.append(Step(days.before(certificate, 90), "visit", {"phase": "building"}))
        steps.append(Step(certificate, "certificate", {"building": building}))
        if days.today > due:
            steps.append(Step(days.before(due, 20), "complete"))
            steps.append(Step(days.before(due, 15), "visit", {"reason": "final", "cover": 85}))
        return steps

    return path


def _last(today: date, month: int, day: int) -> date:
    found = date(today.year, month, day)
    return found if found <= today else date(today.year - 1, month, day)


def log_with_a_gap(path: Path) -> Path:
    """The log begins well and stops; the site was seen once."""
    return then(path, (13, "visit", NEW), (12, "log", {}), (10, "log", {"kind": "rain"}))


def answered(path: Path) -> Path:
    """After the last rain something was wrong; the permittee has answered with a photo."""
    wrong = "The mat on the slope has slipped, and water runs under it."
    return then(
        path,
        (44, "visit", NEW),
        (9, "visit", AFTER_RAIN),
        *_weekly(8, 4),
        (2, "visit", {**AFTER_RAIN, "wrong": wrong, "correct_in": 2}),
        (1, "finding.answer", {"text": "Pinned down again, and a trench at its top.",
                               "photo": True}),
    )  # fmt: skip


def corrected_and_open(path: Path) -> Path:
    """One finding was corrected; another is open and due these days."""
    return then(
        path,
        (20, "visit", {"wrong": "Mud lies on the street before the drive.", "correct_in": 1}),
        (19, "finding.answer", {"text": "Swept, and stone laid on the pad."}),
        (18, "finding.confirm", {}),
        *_weekly(16, 11, 6, 2),
        (1, "visit", {"phase": "restoration", "photo": True, "correct_in": 3,
                      "wrong": "The silt fence is down over some 20 feet at the east line."}),
    )  # fmt: skip


def violation(path: Path) -> Path:
    """A violation documented on two days and late; an earlier finding was an error."""
    wrong = "The basin has no outlet yet, and muddy water leaves the lot."
    return then(
        path,
        (60, "visit", {"wrong": "No inlet protection.", "phase": "utilities"}),
        (59, "finding.drop", {"reason": "The inlet belongs to the neighbor's lot."}),
        *_weekly(12, 7),
        (6, "visit", {"wrong": wrong, "correct_in": 2, "violation": True, "photo": True,
                      "weather": "after_rain", "phase": "building"}),
        (2, "visit", {**AFTER_RAIN, "again": 2, "phase": "building",
                      "note": "Still no outlet; the ditch is brown."}),
    )  # fmt: skip


def final_asked_for(path: Path) -> Path:
    """The permittee reports the work complete; the final inspection is to be made."""
    return then(path, (50, "visit", {"phase": "restoration"}), (3, "complete", {}))


def reported_by_public(path: Path) -> Path:
    """Neighbors reported the site twice; the second report waits for its answer."""
    return then(
        path,
        (30, "report", {"what": "dust", "text": "Dust over the whole street.",
                        "answered": "The builder wets the drive from now on."}),
        (28, "visit", {"reason": "complaint", "phase": "building"}),
        *_weekly(9, 5, 1),
        (0, "report", {"what": "mud", "text": "Trucks carry mud onto the road."}),
    )  # fmt: skip


def closed(path: Path) -> Path:
    """Complete, inspected, closed."""
    return then(
        path,
        (150, "visit", NEW),
        (40, "complete", {}),
        (36, "visit", {"reason": "final", "phase": "complete", "cover": 80}),
        (33, "close", {}),
    )


def _weekly(*ago: int) -> list[Later]:
    return [(days, "log", {}) for days in ago]
