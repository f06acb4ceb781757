"""What may be appealed at a site, by whom it was made known, and until when.

"The grant or denial of a permit or any order issued by the building inspector": by any
person aggrieved. Former § 17.19(8)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import singledispatch
from typing import Any

from enforcement.models import (
    NoticeOfIntent,
    NoticeStatus,
    OrderStatus,
    RevisionOrder,
    RevisionOrderStatus,
    Revocation,
    StopWorkOrder,
    UpkeepNotice,
    UpkeepStatus,
)
from permits.models import Decision, Permit, Site
from portal.ordinance import Deadline

__all__ = ["AppealableAct", "acts_of", "find_act", "made_on", "permit_of", "title_of"]


@dataclass(frozen=True)
class AppealableAct:
    """One act of the city that somebody may appeal, with the last day to do so."""

    token: str
    title: str
    made_on: date
    subject: Any
    deadline: Deadline
    effect: str

    def is_late(self, on: date) -> bool:
        """Whether an appeal that is filed on a day comes after the last day."""
        return on > self.deadline.on


# How each act is called, when it was made, and what its appeal does -----------------------


@singledispatch
def title_of(act: Any) -> str:
    """Name an act as the board and the appellant do."""
    raise TypeError(f"{type(act).__name__} cannot be appealed")


@title_of.register
def _(act: Decision) -> str:
    what = "Grant" if act.kind == Decision.Kind.GRANT else "Denial"
    return f"{what} of application {act.application}"


@title_of.register
def _(act: StopWorkOrder) -> str:
    return f"Stop-work order {act}"


@title_of.register
def _(act: RevisionOrder) -> str:
    return f"Revision order {act}"


@title_of.register
def _(act: Revocation) -> str:
    return f"Revocation of permit {act.permit}"


@title_of.register
def _(act: NoticeOfIntent) -> str:
    return f"Notice of intent {act}"


@title_of.register
def _(act: UpkeepNotice) -> str:
    return f"Notice of maintenance {act}"


EFFECTS: dict[type, str] = {
    StopWorkOrder: "The days to comply, and every next step of the city under the order, stand "
    "still. The order itself stands: work stays stopped.",
    RevisionOrder: "The days of its timetable stand still.",
    Revocation: "No draw on the escrow follows from it while the appeal is pending.",
    NoticeOfIntent: "The city does not enter the land to work while the appeal is pending, and "
    "what it has done already is not billed and goes on no tax roll.",
    UpkeepNotice: "The time to correct stands still; the city does not do the work meanwhile, and "
    "what it has done already is not billed and goes on no tax roll.",
}
GRANT_EFFECT = "The permit is not issued while the appeal is pending."
DENIAL_EFFECT = "Nothing is held still by it; a revised plan may be filed meanwhile."


def effect_of(act: Any) -> str:
    """Say what an appeal in time holds still. Wis. Stat. § 62.23(7)(e)5."""
    if isinstance(act, Decision):
        return GRANT_EFFECT if act.kind == Decision.Kind.GRANT else DENIAL_EFFECT
    return EFFECTS[type(act)]


def made_on(act: Any) -> date:
    """Return the day of an act."""
    day = act.decided_on if isinstance(act, Decision) else None
    found: date = day or getattr(act, "issued_on", None) or act.revoked_on
    return found


def permit_of(act: Any) -> Permit | None:
    """Return the permit that an act is about; None without one."""
    if isinstance(act, Decision):
        return Permit.objects.filter(grant=act).first()
    if isinstance(act, NoticeOfIntent):
        return act.order.permit
    if isinstance(act, UpkeepNotice):
        return act.agreement.permit
    found: Permit | None = act.permit
    return found


# The acts of a site -----------------------------------------------------------------------

KINDS: dict[str, Any] = {
    "decision": lambda site: Decision.objects.filter(application__site=site).select_related(
        "application", "revision"
    ),
    "order": lambda site: site.stop_work_orders.exclude(
        status__in=[OrderStatus.WITHDRAWN, OrderStatus.REVERSED]
    ),
    "revision-order": lambda site: site.revision_orders.exclude(
        status__in=[RevisionOrderStatus.WITHDRAWN, RevisionOrderStatus.REVERSED]
    ),
    "revocation": lambda site: site.revocations.filter(reversed_on__isnull=True).select_related(
        "permit"
    ),
    "notice": lambda site: site.notices_of_intent.exclude(
        status__in=[NoticeStatus.WITHDRAWN, NoticeStatus.FALLEN]
    ).select_related("order"),
    "upkeep-notice": lambda site: site.upkeep_notices.exclude(
        status__in=[UpkeepStatus.WITHDRAWN, UpkeepStatus.REVERSED, UpkeepStatus.CORRECTED]
    ).select_related("agreement__permit"),
}
"""What of a site may be appealed; what was undone already needs no appeal."""


def acts_of(site: Site) -> list[AppealableAct]:
    """Return every act at a site that may be appealed, the newest first."""
    found = [_described(kind, act) for kind, act in _rows(site)]
    return sorted(found, key=lambda each: (each.made_on, each.token), reverse=True)


def _rows(site: Site) -> Iterator[tuple[str, Any]]:
    for kind, rows in KINDS.items():
        yield from ((kind, act) for act in rows(site))


def _described(kind: str, act: Any) -> AppealableAct:
    return AppealableAct(
        token=f"{kind}-{act.pk}",
        title=title_of(act),
        made_on=made_on(act),
        subject=act,
        deadline=act.appeal_deadline(),
        effect=effect_of(act),
    )


def find_act(site: Site, token: str) -> AppealableAct | None:
    """Return the act that a form names, if it may be appealed."""
    return next((act for act in acts_of(site) if act.token == token), None)
