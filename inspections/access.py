"""Who may do what on the site: one predicate per act, each docstring a sentence of policy."""

from __future__ import annotations

from permits.access import Anyone
from portal.models import Role

__all__ = ["may_enter_rain", "may_inspect", "may_see_visits"]


def _is(user: Anyone, *roles: Role) -> bool:
    return user.is_authenticated and user.is_active and user.role in roles


def may_inspect(user: Anyone) -> bool:
    """Only the building inspector visits sites and records findings. Former § 17.19(6)"""
    return _is(user, Role.INSPECTOR)


def may_enter_rain(user: Anyone) -> bool:
    """The building inspector or the city clerk enters the rain."""
    return _is(user, Role.INSPECTOR, Role.CLERK)


def may_see_visits(user: Anyone) -> bool:
    """Everybody who works for the city reads visits, findings and reports by the public."""
    return bool(user.is_authenticated and user.is_city_staff)
