"""A case through which a test walks at random: what may be tried, by whom, and what is right.

Each act is tried by `portal`'s own function, as whoever has the power to do it, or at its page
as somebody who has not. Whether it should be refused is worked out from the rows alone
(`slowly`), and so is which events it leaves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from django.test import Client
from django.urls import reverse

from enforcement.models import (
    Appeal,
    CeaseAndDesistRequest,
    CityWork,
    NoticeOfIntent,
    OwnerNotice,
    RevisionOrder,
    RevisionOrderLine,
    Revocation,
    StopWorkOrder,
    WorkCost,
)
from permits.models import CaseEvent, DocketEntry, Permit, Site
from portal.models import Mailing, Role, User

from . import factory, slowly, works

__all__ = ["ROLES", "STAGES", "Attempt", "Case", "Choice", "running_without_ground"]

STAGES = ("nothing", "posted", "noticed", "begun", "asked")
"""How far a case has come when a walk begins."""

ROLES = (
    "anonymous",
    "holder",
    "other",
    "inspector",
    "clerk",
    "administrator",
    "attorney",
    "board",
)
TABLES = (
    StopWorkOrder,
    Revocation,
    CeaseAndDesistRequest,
    NoticeOfIntent,
    OwnerNotice,
    CityWork,
    WorkCost,
    RevisionOrder,
    RevisionOrderLine,
    Appeal,
    Permit,
    DocketEntry,
    CaseEvent,
    Mailing,
)


@dataclass(frozen=True)
class Choice:
    """What was drawn for one step, whatever the act makes of it."""

    which: int  # of several orders, notices, letters
    back: int  # by how many days an entry comes after the fact
    how: int  # ground, outcome
    reason: bool  # whether a reason is given before the safe day


@dataclass(frozen=True)
class Attempt:
    """One act that can be tried now."""

    address: str
    roles: frozenset[str]
    run: Callable[[], Any]
    lawful: bool
    events: list[str]
    """What the record gets, in this order, if it is done."""


@dataclass
class Case:
    """One site, its people, and the day."""

    permit: Permit | None
    site: Site
    today: date
    move: Callable[[date], Any]
    people: dict[str, User] = field(default_factory=dict)
    client: Client = field(default_factory=Client)

    @classmethod
    def begin(cls, *, permitted: bool, on: date, move: Callable[[date], Any]) -> Case:
        """A case of which nothing was enforced yet."""
        move(on)
        permit = factory.active_permit(issued_on=on - timedelta(days=60)) if permitted else None
        site = permit.site if permit else factory.site_without_permit()
        case = cls(permit, site, on, move)
        case.people = {
            "holder": permit.application.applicant if permit else factory.user(),
            "other": factory.user(),
            "inspector": factory.inspector(),
            "clerk": factory.clerk(),
            "administrator": factory.user(Role.ADMINISTRATOR),
            "attorney": factory.attorney(),
            "board": factory.board(),
        }
        return case

    def come_to(self, stage: str) -> None:
        """Let the city act as far as a stage, each on its safe day."""
        if stage == "nothing":
            return
        where = {} if self.permit else {"site": self.site}
        order = factory.order_standing(self.permit, on=self.today, **where)
        if stage == "asked" and self.permit is None:
            self._wait_until(slowly.request(order))
            works.requested(order, on=self.today)
        elif stage in ("noticed", "begun"):
            self._wait_until(slowly.notice_of_intent(order))
            notice = works.intent(order, on=self.today)
            if stage == "begun":
                self._wait_until(slowly.city_work(notice))
                works.begun(notice, on=self.today)

    def _wait_until(self, days: tuple[date, date]) -> None:
        self.wait((days[1] - self.today).days)

    def wait(self, days: int) -> None:
        """Let days pass."""
        self.today += timedelta(days=days)
        self.move(self.today)

    def before(self, days: int) -> date:
        """Some days before today."""
        return self.today - timedelta(days=days)

    def one(self, rows: Any, which: int) -> Any:
        """One of the rows; None where there are none."""
        found = list(rows.order_by("pk"))
        return found[which % len(found)] if found else None

    def post_as(self, role: str, address: str) -> int:
        """Send a whole but empty form to a page as somebody, and return the status."""
        self.client.logout()
        if role != "anonymous":
            self.client.force_login(self.people[role])
        return self.client.post(address, {"end_of_form": ""}).status_code

    def snapshot(self) -> list[Any]:
        """Everything that an act could have changed."""
        return [list(model.objects.order_by("pk").values_list()) for model in TABLES]  # type: ignore[attr-defined]

    def kinds(self) -> list[str]:
        """The kinds of all events of the case, in order."""
        return list(self.site.events.order_by("sequence").values_list("kind", flat=True))  # type: ignore[attr-defined]

    def at(self, name: str, *args: Any) -> str:
        """The address of a page."""
        return reverse(name, args=args)


def running_without_ground() -> list[str]:
    """The running clocks of orders, notices and lines that have ended."""
    ended = [
        *StopWorkOrder.objects.exclude(status="standing"),
        *NoticeOfIntent.objects.exclude(status="standing"),
        *OwnerNotice.objects.exclude(status="standing"),
        *RevisionOrder.objects.exclude(status="standing"),
        *RevisionOrderLine.objects.exclude(order__status="standing"),
        *RevisionOrderLine.objects.filter(done_on__isnull=False),
        *Revocation.objects.filter(reversed_on__isnull=False),
    ]
    return [str(entry) for each in ended for entry in DocketEntry.objects.of(each).running()]
