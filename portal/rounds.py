"""The daily round: what each part of the house looks at once a day.

A part registers its function in `AppConfig.ready()`; the floor knows none of them by name.
A function must be safe to run again on the same day, and must ask what is due *by* the day,
because a day on which no worker ran is not made up for.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import date

__all__ = ["RoundFailed", "register", "run_all"]

logger = logging.getLogger(__name__)

Round = Callable[[date], int]
_rounds: dict[str, Round] = {}


class RoundFailed(Exception):
    """One part of the round failed; the others were done, and the round is tried again."""


def register(name: str, func: Round) -> None:
    """Add a function to the daily round; it returns how many things it did."""
    if _rounds.get(name, func) != func:
        raise ValueError(f"The daily round already has another {name!r}.")
    _rounds[name] = func


def run_all(on: date) -> dict[str, int]:
    """Run every registered function for a day and return what each did.

    A part that fails does not keep the others from running.
    """
    done: dict[str, int] = {}
    failed: dict[str, Exception] = {}
    for name, func in _rounds.items():
        try:
            done[name] = func(on)
        except Exception as error:
            logger.exception("The daily round of %s failed in %s", on, name)
            failed[name] = error
    if failed:
        raise RoundFailed(
            "; ".join(f"{name}: {error!r}" for name, error in failed.items())
        ) from next(iter(failed.values()))
    return done
