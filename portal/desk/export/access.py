"""Who may have a case file made, and for whom: one predicate, its docstring the policy."""

from __future__ import annotations

from permits.access import Anyone, may_see_desk
from permits.models import CaseExport
from portal.models import Role

__all__ = ["audiences_for", "may_export", "may_see_exports"]

AUDIENCE = CaseExport.Audience


def may_see_exports(user: Anyone) -> bool:
    """Everybody who works for the city sees which case files were made, and opens them."""
    return may_see_desk(user)


def may_export(user: Anyone, audience: str) -> bool:
    """Everybody who works for the city has a file made for the city's own use or for the public;
    only the city clerk, as custodian of the records, makes one for a court.
    """
    if not user.is_authenticated or not may_see_exports(user):
        return False
    return audience != AUDIENCE.COURT or user.role == Role.CLERK


def audiences_for(user: Anyone) -> list[str]:
    """Return for whom a person may have a case file made."""
    return [each for each in AUDIENCE.values if may_export(user, each)]
