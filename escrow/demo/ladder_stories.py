"""How the city enforced its ordinance: a site on every rung of the ladder.

Stories are paths like those of `visit_stories.py`; their acts are those of `ladder.py`.
"""

from __future__ import annotations

from typing import Any

from .days import Days
from .paths import Path, Step
from .visit_stories import then

__all__ = [
    "affirmed",
    "appealed",
    "attorney_asked",
    "city_at_work",
    "city_work_closed",
    "dug_without_permit",
    "lifted",
    "owner_told",
    "revision_ordered",
    "revoked",
    "stopped",
]

NO_FENCE = "The silt fence on the low side is down, and soil has run onto the next lot."
PUT_UP = "Put the silt fence up again as the plan shows it, and mulch the bare slope."
GOES_ON = "An excavator and two trucks were at work; the placard hung on the gate."
ORDER: dict[str, Any] = {"facts": NO_FENCE, "must_do": PUT_UP}


def _without_permit(ago: int, *later: tuple[int, str, dict[str, Any]]) -> Path:
    """Land that is dug up with no permit: found, documented, stopped."""
    facts = "About three quarters of an acre is stripped and graded; no permit was ever asked for."
    must_do = "Apply for a permit, and hold the soil on the land with fence and mulch meanwhile."

    def nothing(days: Days) -> list[Step]:
        return []

    return then(
        nothing,
        (ago + 1, "land", {}),
        (ago + 1, "visit", {"reason": "no_permit", "wrong": facts}),
        (ago + 1, "violation", {"text": facts}),
        (ago, "order", {"facts": facts, "must_do": must_do, "ground": "no-permit"}),
        (ago, "order.post", {}),
        *later,
    )


def dug_without_permit(*, ago: int) -> Path:
    """Stopped some days ago; the last day to obtain a permit is still to come."""
    return _without_permit(ago)


def attorney_asked() -> Path:
    """The order was ignored; the city attorney has filed with the court."""
    facts = "Grading went on after the order, on both days on which the land was seen."
    return _without_permit(
        25,
        (20, "visit", {"reason": "correction", "wrong": GOES_ON}),
        (20, "violation.again", {"seen": GOES_ON}),
        (14, "visit", {"reason": "correction", "wrong": GOES_ON}),
        (14, "violation.again", {"seen": GOES_ON}),
        (10, "request", {"facts": facts}),
        (9, "request.step", {"step": "received"}),
        (3, "request.step", {"step": "filed", "court_case": "CV 000417"}),
    )


def _ordered(path: Path, ago: int, *later: tuple[int, str, dict[str, Any]]) -> Path:
    """A permittee who does not follow the plan: a violation, an order, posted at once."""
    return then(
        path,
        (ago, "violation", {"text": NO_FENCE, "section": "devices"}),
        (ago, "order", ORDER),
        (ago, "order.post", {}),
        *later,
    )


def stopped(path: Path) -> Path:
    """The order was issued these days, on a violation that a visit found."""
    facts = "The basin still has no outlet; muddy water leaves the lot into the ditch."
    must_do = "Build the outlet of the basin as sheet C-1 shows it, and clean the ditch."
    return then(
        path,
        (2, "violation.take_up", {}),
        (2, "order", {"facts": facts, "must_do": must_do}),
        (2, "order.post", {"place": "On the fence beside the drive"}),
    )


def lifted(path: Path) -> Path:
    """The permittee complied within days, and a visit showed it."""
    why = "The fence stands again and the slope is mulched."
    return _ordered(
        path,
        175,
        (172, "visit", {"reason": "correction", "note": why}),
        (172, "order.lift", {"why": why}),
    )


def revoked(path: Path) -> Path:
    """Ignored; the permit was revoked, and the notice of intent is out."""
    facts = "The fence is still down and grading went on; nothing was done within the days."
    return _ordered(
        path,
        30,
        (18, "visit", {"reason": "correction", "note": GOES_ON}),
        (18, "violation.again", {"seen": GOES_ON}),
        (17, "revoke", {"facts": facts}),
        (5, "intent", {}),
    )


def appealed(path: Path) -> Path:
    """The permittee appealed in time: every clock of the order stands still."""
    grounds = (
        "The fence was taken down for one afternoon to let the well driller in, and stood again "
        "the next morning. The plan is followed."
    )
    relief = "Reverse the order, or let the framing go on."
    return _ordered(
        path,
        12,
        (9, "appeal", {"grounds": grounds, "relief": relief}),
        (7, "appeal.transmit", {}),
        (3, "appeal.hearing", {}),
    )


def affirmed(path: Path) -> Path:
    """The board affirmed the order; the days that were left have run on and out."""
    text = (
        "The board finds that the fence was down on the day of the order and that soil had left "
        "the lot. The order is affirmed."
    )
    return _ordered(
        path,
        50,
        (46, "appeal", {"grounds": "The rain was heavier than any plan could hold."}),
        (44, "appeal.transmit", {}),
        (42, "appeal.hearing", {}),
        (23, "appeal.decide", {"outcome": "affirmed", "text": text}),
    )


def city_at_work(path: Path) -> Path:
    """The city has begun the work after its notice; the first costs are entered."""
    return _ordered(
        path, 48, (36, "intent", {}), (2, "work.begin", {}), (1, "work.cost", {"number": 2})
    )


def city_work_closed(path: Path) -> Path:
    """The city did the work and closed it; its total is a fact, and the order is lifted."""
    why = "What the order asked for was done by the city."
    return _ordered(
        path,
        80,
        (68, "intent", {"cost": "1500.00"}),
        (50, "work.begin", {}),
        (49, "work.cost", {}),
        (48, "work.close", {}),
        (47, "visit", {"reason": "correction", "note": "Fence and mulch stand."}),
        (47, "order.lift", {"why": why}),
    )


def owner_told(path: Path, *, ago: int) -> Path:
    """The cover is late: the ten days' notice to the owner is mailed, or waits for the post."""
    return then(path, (ago, "owner_notice", {}))


def revision_ordered(path: Path) -> Path:
    """After excessive rain more devices were ordered: one is done, one late, one to come."""
    facts = "Two inches fell in a day; the ditch cut through below the drive and took the mulch."
    lines = (
        ("ditch-check", "East ditch, three checks 40 feet apart", 4),
        ("mat-non-channel", "Slope above the ditch", 8),
        ("seeding-temporary", "Bare ground between garage and ditch", 25),
    )
    return then(
        path,
        (12, "visit", {"reason": "rain", "weather": "after_rain", "note": facts}),
        (12, "revision", {"facts": facts, "lines": lines}),
        (10, "revision.report", {"number": 1, "text": "Three checks are set, see the photo."}),
        (9, "visit", {"reason": "correction", "note": "The three ditch checks stand."}),
        (9, "revision.confirm", {"number": 1}),
    )
