"""Who may do what with the escrow account, beside the predicates of all money."""

from __future__ import annotations

from escrow.access import Anyone, may_approve, may_keep_money
from portal.models import Role

__all__ = ["may_decide_forfeiture", "may_decide_release", "may_find_late", "may_read_account"]


def may_find_late(user: Anyone) -> bool:
    """Only the building inspector finds that work is late, and proposes the forfeiture."""
    return user.is_authenticated and user.is_active and user.role == Role.INSPECTOR


def may_decide_release(user: Anyone) -> bool:
    """The administrator approves or declines a release; the clerk takes a proposal back."""
    return may_keep_money(user) or may_approve(user)


def may_decide_forfeiture(user: Anyone) -> bool:
    """The administrator approves or declines a forfeiture; the inspector takes it back."""
    return may_find_late(user) or may_approve(user)


def may_read_account(user: Anyone) -> bool:
    """Whoever sees the case reads what is held, its holder as well as everybody of the city."""
    return bool(user.is_authenticated)
