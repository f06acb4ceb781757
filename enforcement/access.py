"""Who may do what in enforcement: one predicate per act, each docstring a sentence of policy."""

from __future__ import annotations

from permits.access import Anyone
from portal.models import Role

__all__ = [
    "may_answer_request",
    "may_enforce",
    "may_enter_costs",
    "may_record_service",
    "may_see_enforcement",
    "may_see_requests",
]


def _is(user: Anyone, *roles: Role) -> bool:
    return user.is_authenticated and user.is_active and user.role in roles


def may_enforce(user: Anyone) -> bool:
    """Only the building inspector records violations, issues orders and revokes permits."""
    return _is(user, Role.INSPECTOR)


def may_record_service(user: Anyone) -> bool:
    """The building inspector or the city clerk records that a paper was handed over."""
    return _is(user, Role.INSPECTOR, Role.CLERK)


def may_see_enforcement(user: Anyone) -> bool:
    """Everybody who works for the city reads violations, orders and what may follow."""
    return bool(user.is_authenticated and user.is_city_staff)


def may_enter_costs(user: Anyone) -> bool:
    """The building inspector or the city clerk enters what city work has cost."""
    return _is(user, Role.INSPECTOR, Role.CLERK)


def may_see_requests(user: Anyone) -> bool:
    """Inspector, administrator and attorney read requests to the city attorney."""
    return _is(user, Role.INSPECTOR, Role.ADMINISTRATOR, Role.ATTORNEY)


def may_answer_request(user: Anyone) -> bool:
    """Only the city attorney records what became of a request. Former § 17.19(7)(d)"""
    return _is(user, Role.ATTORNEY)
