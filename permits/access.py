"""Who may do what: one predicate per act, each docstring a sentence of policy."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser

from permits.models import Application
from portal.models import Role, User

Anyone = User | AnonymousUser


def _is(user: Anyone, *roles: Role) -> bool:
    return user.is_authenticated and user.is_active and user.role in roles


def may_see_desk(user: Anyone) -> bool:
    """Everybody who works for the city sees the desk."""
    return bool(user.is_authenticated and user.is_city_staff)


def may_apply(user: Anyone) -> bool:
    """Everybody with an account who does not work for the city may apply."""
    return _is(user, Role.APPLICANT)


def may_edit(user: Anyone, application: Application) -> bool:
    """Only the person who holds the case writes its application and answers."""
    return user.is_authenticated and application.applicant_id == user.pk


def may_correct(user: Anyone, application: Application) -> bool:
    """The holder of the case and the building inspector correct what was filed."""
    return may_edit(user, application) or may_decide(user)


def may_decide(user: Anyone) -> bool:
    """Only the building inspector grants or denies. § 40-886(c)"""
    return _is(user, Role.INSPECTOR)


def may_review(user: Anyone) -> bool:
    """The inspector reviews plans; administrator, attorney and board may read the review."""
    return _is(user, Role.INSPECTOR, Role.ADMINISTRATOR, Role.ATTORNEY, Role.BOARD)


def may_take_fee(user: Anyone) -> bool:
    """Only the city clerk records fees. § 40-886(b)"""
    return _is(user, Role.CLERK)


def may_post_escrow(user: Anyone) -> bool:
    """Only the city clerk posts and keeps escrow. Former § 17.19(4)(c)"""
    return _is(user, Role.CLERK)


def may_issue(user: Anyone) -> bool:
    """The building inspector issues the permit, or the clerk who took the escrow."""
    return _is(user, Role.INSPECTOR, Role.CLERK)


def may_keep_calendar(user: Anyone) -> bool:
    """Only the city clerk enters closures and the council's resolutions."""
    return _is(user, Role.CLERK)


def may_manage_accounts(user: Anyone) -> bool:
    """Only the city administrator manages the accounts of those who work for the city."""
    return _is(user, Role.ADMINISTRATOR)


def may_mail(user: Anyone) -> bool:
    """Only the city clerk hands letters to the post and records what became of them."""
    return _is(user, Role.CLERK)


def may_see_mail(user: Anyone) -> bool:
    """The clerk works in the mail room; the administrator may look."""
    return _is(user, Role.CLERK, Role.ADMINISTRATOR)


def may_import(user: Anyone) -> bool:
    """Only the city clerk takes over permits from earlier books."""
    return _is(user, Role.CLERK)


def may_see_imports(user: Anyone) -> bool:
    """The clerk imports; the administrator may look at what was imported, and from what."""
    return _is(user, Role.CLERK, Role.ADMINISTRATOR)


def may_settle_earlier(user: Anyone) -> bool:
    """Only the building inspector records what became of a permit of earlier books."""
    return _is(user, Role.INSPECTOR)
