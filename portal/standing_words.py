"""How a date stands on a day, in a word or two and a tone for the eye."""

from __future__ import annotations

from datetime import date, timedelta

from portal.ordinance.time import Clock, Deadline, Standing, WaitingPeriod
from portal.ordinance.wording import short_day

__all__ = ["SOON", "standing_words"]

SOON = timedelta(days=3)
"""A deadline this near is marked; the mark moves nothing."""


def standing_words(
    clock: Clock, on: date, *, met_on: date | None = None, stayed: bool = False
) -> tuple[str, str]:
    """Return the word and the tone: ("late since Nov 26", "late")."""
    if isinstance(clock, Deadline):
        return _deadline_words(clock, on, met_on, stayed)
    if isinstance(clock, WaitingPeriod):
        return _waiting_words(clock, on, stayed)
    return "", ""


def _deadline_words(
    clock: Deadline, on: date, met_on: date | None, stayed: bool
) -> tuple[str, str]:
    standing = clock.standing(on, met_on=met_on, stayed=stayed)
    if standing is Standing.MET:
        met_late = met_on is not None and clock.met_late(met_on)
        return ("done late", "late") if met_late else ("done in time", "good")
    if standing is Standing.STAYED:
        return "stayed", "shut"
    if standing is Standing.LATE:
        return f"late since {short_day(clock.on + timedelta(days=1))}", "late"
    if clock.on == on:
        return "due today", "soon"
    return f"due {short_day(clock.on)}", "soon" if clock.on - on <= SOON else ""


def _waiting_words(clock: WaitingPeriod, on: date, stayed: bool) -> tuple[str, str]:
    standing = clock.standing(on, stayed=stayed)
    if standing is Standing.STAYED:
        return "stayed", "shut"
    if standing is Standing.CLOSED:
        return f"opens {short_day(clock.on)}", "shut"
    if not clock.is_safe(on):
        return f"open; beyond dispute from {short_day(clock.safe_on)}", "soon"
    return "open", "good"
