"""Who may do what with a maintenance agreement: each docstring a sentence of policy."""

from __future__ import annotations

from permits import access
from permits.access import Anyone
from portal.models import Role

__all__ = ["may_keep", "may_list", "may_read_persons"]


def may_keep(user: Anyone) -> bool:
    """The inspector and the clerk draft agreements and record what becomes of them."""
    return bool(
        user.is_authenticated and user.is_active and user.role in (Role.INSPECTOR, Role.CLERK)
    )


def may_list(user: Anyone) -> bool:
    """Everybody who works for the city sees the list of agreements."""
    return access.may_see_desk(user)


def may_read_persons(user: Anyone) -> bool:
    """Addresses of the responsible party are for those who work for the city."""
    return access.may_see_desk(user)
