"""Who may do what with the money: one predicate per act, each docstring a sentence of policy."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser

from portal.models import Role, User

__all__ = [
    "may_approve",
    "may_certify",
    "may_keep_money",
    "may_pay",
    "may_read_books",
    "may_read_money",
    "may_read_roll",
]

Anyone = User | AnonymousUser


def _is(user: Anyone, *roles: Role) -> bool:
    return user.is_authenticated and user.is_active and user.role in roles


def may_keep_money(user: Anyone) -> bool:
    """Only the city clerk bills, takes payments, draws, and proposes what a second approves."""
    return _is(user, Role.CLERK)


def may_pay(user: Anyone) -> bool:
    """Whoever holds a case pays for it; the city's own people take payments at the counter."""
    return _is(user, Role.APPLICANT)


def may_approve(user: Anyone) -> bool:
    """The city administrator approves what the clerk or the inspector proposed."""
    return _is(user, Role.ADMINISTRATOR)


def may_certify(user: Anyone) -> bool:
    """A second person certifies a list for the tax roll: administrator, or another clerk."""
    return _is(user, Role.CLERK, Role.ADMINISTRATOR)


def may_read_money(user: Anyone) -> bool:
    """Everybody who works for the city reads the accounts of a case."""
    return bool(user.is_authenticated and user.is_city_staff)


def may_read_roll(user: Anyone) -> bool:
    """Clerk, administrator and attorney read the lists for the tax roll."""
    return _is(user, Role.CLERK, Role.ADMINISTRATOR, Role.ATTORNEY)


def may_read_books(user: Anyone) -> bool:
    """Clerk and administrator read the books of the whole city: balance, cash book, fees."""
    return _is(user, Role.CLERK, Role.ADMINISTRATOR)
