"""Who may do what with requests, holds and destruction: one sentence of policy each."""

from __future__ import annotations

from typing import Any

from portal.models import Role

__all__ = ["may_approve", "may_destroy", "may_hold", "may_keep_records", "may_read_records"]


def _is(user: Any, *roles: Role) -> bool:
    return bool(user.is_authenticated and user.is_active and user.role in roles)


def may_read_records(user: Any) -> bool:
    """Clerk, attorney and administrator read requests, holds, schedule and lists."""
    return _is(user, Role.CLERK, Role.ATTORNEY, Role.ADMINISTRATOR)


def may_keep_records(user: Any) -> bool:
    """The clerk is the custodian: only the clerk logs, answers and proposes. § 19.33"""
    return _is(user, Role.CLERK)


def may_hold(user: Any) -> bool:
    """Clerk and attorney place and end a hold."""
    return _is(user, Role.CLERK, Role.ATTORNEY)


def may_approve(user: Any) -> bool:
    """Attorney and administrator approve a list, each once; the clerk who proposed it never."""
    return _is(user, Role.ATTORNEY, Role.ADMINISTRATOR)


def may_destroy(user: Any) -> bool:
    """Only the clerk carries a list out, after both approvals and the society's sixty days."""
    return _is(user, Role.CLERK)
