"""Writes the stop-work orders of a large city: for every fifth site one, most of them lifted.

Each as the acts would leave it: addressees with their letters, the posting, the visit that
showed compliance, and for those that stand their clocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import cache
from random import Random
from typing import Any
from uuid import uuid4

from django.contrib.contenttypes.models import ContentType
from django.db import models

from enforcement.models import Addressee, Posting, StopWorkOrder
from permits.models import DocketEntry, Permit
from permits.models.docket import bound_to
from portal.city import edition_on
from portal.models import User
from portal.ordinance import Calendar, Clock
from portal.ordinance.appeals import appeal_deadline
from portal.ordinance.city_work import notice_of_intent_opens
from portal.ordinance.revocation import revocation_opens
from portal.ordinance.stop_work import compliance_deadline

from .quick import Table, settle_keys
from .seals import Happening, Staff, at

__all__ = ["Orders"]

SITES_EACH = 5
STANDING_TURN = 4
"""Every fourth order stands; the others were lifted within days."""
FULL_MAIL_ROOM = 110
"""The letters of so many orders wait even where the order was lifted: enough for a batch."""
OLD_ENOUGH, LONG_AGO = 60, 700
RULES = (compliance_deadline, revocation_opens, notice_of_intent_opens, appeal_deadline)
WORDS = {
    "ground": "plan-not-followed",
    "facts": "The silt fence is down and soil lies on the road.",
    "must_stop": "All land disturbing activity on the site.",
    "must_do": "Put up or repair the control devices, so that no soil leaves the site.",
}
See = Callable[[Permit, date], tuple[int, Happening]]


class Orders:
    """The orders of the sites with a permit, taken one by one and written together."""

    def __init__(
        self,
        *,
        staff: Staff,
        calendar: Calendar,
        today: date,
        number: Callable[[str, date], str],
        chance: Random,
        mailings: Table,
        see: See,
    ) -> None:
        self.staff, self.today, self.number, self.chance = staff, today, number, chance
        self.mailings, self.see = mailings, see
        self.orders = Table(StopWorkOrder, keyed=True)
        leaves: tuple[type[models.Model], ...] = (Posting, Addressee, DocketEntry)
        self.tables = {model: Table(model) for model in leaves}
        self.type = ContentType.objects.get_for_model(StopWorkOrder).pk
        self.clocks = cache(lambda on: _clocks(on, calendar))
        self.sites = self.issued = 0

    def pass_by(self) -> None:
        """Count a site, whatever stands on it: one order comes on every fifth."""
        self.sites += 1

    def stop(self, permit: Permit, since: date, holder: User) -> list[Happening]:
        """Order the work of a permit to stop, where it is its turn; return what is on record."""
        old = (self.today - since).days
        if self.issued * SITES_EACH >= self.sites or old < OLD_ENOUGH:
            return []
        self.issued += 1
        return list(self._order(permit, old, holder))

    def write(self) -> None:
        """Write the rows that wait, after the letters and visits to which they refer."""
        self.orders.write()
        for table in self.tables.values():
            table.write()
        settle_keys([StopWorkOrder])

    def _order(self, permit: Permit, old: int, holder: User) -> Iterator[Happening]:
        stands = self.issued % STANDING_TURN == 1
        ago = (
            self.chance.randrange(0, 40)
            if stands
            else self.chance.randrange(20, min(old, LONG_AGO))
        )
        on = self.today - timedelta(days=ago)
        number, inspector = self.number("SW", on), self.staff.inspector
        ended: dict[str, Any] = {}
        lifting: list[Happening] = []
        if not stands:
            lifted_on = on + timedelta(days=4)
            visit, seen = self.see(permit, lifted_on)
            ended = {"status": "lifted", "ended_on": lifted_on, "ended_by_id": inspector.pk}
            ended |= {"ended_why": "The fence stands again.", "lifted_by_visit_id": visit}
            facts = {"order": number, "visit": seen[3]["visit"]}
            lifting = [seen, ("stop_work.lifted", lifted_on, inspector, facts)]
        order = self.orders.add(
            key=uuid4(),
            number=number,
            site_id=permit.site_id,
            permit_id=permit.pk,
            issued_on=on,
            issued_by_id=inspector.pk,
            issued_at=at(on, 60),
            posted_on=on,
            **WORDS,
            **ended,
        )
        self._add(
            Posting,
            order_id=order,
            posted_on=on,
            place="On the gate, facing the street",
            posted_by_id=inspector.pk,
            recorded_at=at(on, 70),
        )
        self._tell(
            permit, order, number, on, holder, by_post=stands or self.issued <= FULL_MAIL_ROOM
        )
        if stands:
            self._start(permit, order, number, on)
        facts = {"order": number, "permit": permit.number, "ground": WORDS["ground"]}
        yield "stop_work.issued", on, inspector, facts
        yield "stop_work.posted", on, inspector, {"order": number, "first": True}
        yield from lifting

    def _tell(
        self, permit: Permit, order: int, number: str, on: date, holder: User, *, by_post: bool
    ) -> None:
        """Tell holder and contractor; the letters of what stands wait in the mail room."""
        address = f"{permit.site.address}\nExample, WI 54999"
        people = {
            "permittee": (holder.name, holder.email),
            "contractor": ("Jon Berg", "jon@berg.example"),
        }
        means = "us_mail" if by_post else "email"
        for role, (name, email) in people.items():
            mailing = self.mailings.add(
                reference=permit.site.number,
                cause=f"order:{number}",
                means=means,
                addressee=name,
                address=email if means == "email" else address,
                subject=f"Stop-work order {number}",
                text=WORDS["facts"],
                created_at=at(on, 61),
                go_by=on,
            )
            self._add(
                Addressee,
                site_id=permit.site_id,
                subject_type_id=self.type,
                subject_pk=order,
                role=role,
                name=name,
                mailing_address=address,
                email=email,
                means=means,
                mailing_id=mailing,
                created_at=at(on, 61),
            )

    def _start(self, permit: Permit, order: int, number: str, on: date) -> None:
        for clock in self.clocks(on):
            self._add(
                DocketEntry,
                site_id=permit.site_id,
                subject_type_id=self.type,
                subject_pk=order,
                title=f"{clock.title}, {number}",
                rule=clock.key,
                kind=clock.kind.value,
                bound=str(bound_to(clock)),
                started_on=clock.started_on,
                on=clock.on,
                safe_on=clock.safe_on,
            )

    def _add(self, model: type[models.Model], **values: Any) -> None:
        self.tables[model].add(**values)


def _clocks(on: date, calendar: Calendar) -> list[Any]:
    """The clocks of an order that was issued and posted on a day."""
    edition = edition_on(on)
    found: list[Clock] = [rule(on, calendar=calendar, edition=edition) for rule in RULES]
    return found
