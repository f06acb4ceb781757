"""When the city may give the owner ten days' notice by mail. former § 17.19(4)(e)

It opens work that is paid from the escrow. It is not the notice of intent to perform work,
which follows a posted stop-work order and ends in a special charge: neither stands in for
the other.
"""

from dataclasses import dataclass, field
from datetime import date

from .editions import Edition, all_editions
from .obstacles import Obstacle
from .time import Deadline
from .wording import long_day


@dataclass(frozen=True)
class OwnerNoticeFacts:
    """What is known of a permit whose work the city may have to complete."""

    issued: bool  # it was issued once, so that an escrow stands behind it
    closed: bool = False
    covers: tuple[Deadline, ...] = ()  # the permit's date and each certificate's
    cover_met_on: date | None = None
    standing_orders: tuple[str, ...] = field(default=())
    running: str = ""  # the number of a notice that stands already


def grounds(facts: OwnerNoticeFacts, *, on: date) -> list[str]:
    """Say in sentences why work is required that the city may complete. former § 17.19(4)(e)"""
    late = [
        f"The permanent controls and cover were due {long_day(cover.on)} and are not complete."
        for cover in facts.covers
        if facts.cover_met_on is None and cover.is_late(on)
    ]
    ordered = [
        f"Stop-work order {number} stands, and what it asks for has not been done."
        for number in facts.standing_orders
    ]
    return [*dict.fromkeys(late), *ordered]


def obstacles_to_owner_notice(
    facts: OwnerNoticeFacts, *, on: date, edition: Edition | None = None
) -> list[Obstacle]:
    """Why the notice to the owner cannot be made yet. former § 17.19(4)(e)"""
    edition = edition or all_editions()[-1]
    citation = edition.citation("draws")
    if not facts.issued:
        text = "No permit was issued here, so there is no escrow that the work could be paid from."
        return [Obstacle("no-permit", text, edition.citation("escrow"), "see the notice of intent")]
    if facts.closed:
        text = "The permit is closed: its work is complete."
        return [Obstacle("closed", text, citation, "nothing to do")]
    found = []
    if facts.running:
        text = f"Notice {facts.running} to the owner stands already."
        found.append(Obstacle("running", text, citation, "see the notice"))
    if not grounds(facts, on=on):
        found.append(Obstacle("not-late", _not_late(facts, on), citation, "wait for the last day"))
    return found


def _not_late(facts: OwnerNoticeFacts, on: date) -> str:
    """Say why nothing is late yet, with the first day on which it would be."""
    if any(cover.is_stayed(on) for cover in facts.covers):
        return "An appeal holds the last day for the permanent controls still."
    if facts.cover_met_on is not None or not facts.covers:
        return "No permanent controls are open, and no stop-work order stands."
    last = min(cover.on for cover in facts.covers)
    return (
        f"No stop-work order stands, and the permanent controls are late only after "
        f"{long_day(last)}."
    )
