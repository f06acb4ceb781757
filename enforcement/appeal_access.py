"""Who may do what with appeals and what hangs on them; each docstring a sentence of policy."""

from __future__ import annotations

from enforcement.models import Appeal
from inspections.access import holds
from permits.access import Anyone
from portal.models import Role

__all__ = [
    "may_answer_board",
    "may_enter_appeal",
    "may_keep_hearings",
    "may_know_exposure",
    "may_make_citation_sheet",
    "may_see_appeal",
    "may_see_appeals",
    "may_take_appeal_fee",
    "may_withdraw_appeal",
]


def _is(user: Anyone, *roles: Role) -> bool:
    return user.is_authenticated and user.is_active and user.role in roles


def may_see_appeals(user: Anyone) -> bool:
    """Everybody who works for the city reads appeals, the attorney and the board too."""
    return bool(user.is_authenticated and user.is_city_staff)


def may_see_appeal(user: Anyone, appeal: Appeal) -> bool:
    """The city's people, whoever filed it with an account, and the holder of the case."""
    if not user.is_authenticated:
        return False
    filed = appeal.filed_by_id is not None and appeal.filed_by_id == user.pk
    return may_see_appeals(user) or filed or holds(user, appeal.site)


def may_enter_appeal(user: Anyone) -> bool:
    """The board's secretary, inspector or clerk enters an appeal that came on paper."""
    return _is(user, Role.BOARD, Role.INSPECTOR, Role.CLERK)


def may_answer_board(user: Anyone) -> bool:
    """Only the building inspector certifies peril, transmits the record and carries out."""
    return _is(user, Role.INSPECTOR)


def may_keep_hearings(user: Anyone) -> bool:
    """Only the board's secretary sets hearings and records decisions. Former § 17.19(8)"""
    return _is(user, Role.BOARD)


def may_take_appeal_fee(user: Anyone) -> bool:
    """Only the city clerk records fees."""
    return _is(user, Role.CLERK)


def may_withdraw_appeal(user: Anyone, appeal: Appeal) -> bool:
    """Whoever filed it withdraws it; the board's secretary enters a letter that does."""
    if not user.is_authenticated:
        return False
    own = not appeal.filed_on_paper and appeal.filed_by_id == user.pk
    return own or may_keep_hearings(user)


def may_know_exposure(user: Anyone) -> bool:
    """What a court could impose is worked out for those who work for the city only."""
    return may_see_appeals(user)


def may_make_citation_sheet(user: Anyone) -> bool:
    """The inspector makes the sheet for the attorney, or the attorney does."""
    return _is(user, Role.INSPECTOR, Role.ATTORNEY)
