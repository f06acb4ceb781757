"""What must follow at once when a permit is issued, told to those above who registered for it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from permits.models import Permit

__all__ = ["register", "tell"]

Follower = Callable[["Permit", date], None]
_followers: list[Follower] = []


def register(follower: Follower) -> None:
    """Add a function that takes note of an issued permit, in its act and under its lock."""
    if follower not in _followers:
        _followers.append(follower)


def tell(permit: Permit, *, on: date) -> None:
    """Call everybody who registered."""
    for follower in _followers:
        follower(permit, on)
