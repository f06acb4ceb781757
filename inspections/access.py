"""Who may do what on the site: one predicate per act, each docstring a sentence of policy."""

from __future__ import annotations

from permits.access import Anyone
from permits.models import Site
from portal.models import Role

__all__ = [
    "holds",
    "may_close",
    "may_enter_rain",
    "may_inspect",
    "may_know_exposure",
    "may_record_certificate",
    "may_see_visits",
]


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


def may_record_certificate(user: Anyone) -> bool:
    """The building inspector or the city clerk records certificates of occupancy."""
    return _is(user, Role.INSPECTOR, Role.CLERK)


def may_close(user: Anyone) -> bool:
    """Only the building inspector closes a permit. Former § 17.19(4)(c)"""
    return _is(user, Role.INSPECTOR)


def may_know_exposure(user: Anyone) -> bool:
    """What a court could impose is worked out for those who work for the city only."""
    return may_see_visits(user)


def holds(user: Anyone, site: Site) -> bool:
    """Only the person who holds the case answers its findings and writes its log."""
    newest = site.applications.order_by("-pk").values_list("applicant_id", flat=True).first()
    return user.is_authenticated and newest is not None and newest == user.pk
