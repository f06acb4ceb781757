"""Writes the bills of a large city: ten entries of money for each of its sites.

Work under maintenance agreements, each bill as the acts would leave it. Most are paid in
parts, some by a check that came back first; one for each site is to go on the tax roll, and
one for every tenth site is left for the list that comes after.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from itertools import count
from random import Random
from typing import Any
from uuid import uuid4

from django.contrib.contenttypes.models import ContentType
from django.db import models

from escrow.models import (
    Bill,
    BillEntry,
    BillLine,
    Division,
    DivisionShare,
    Path,
    Receipt,
    RollBatch,
    RollLayout,
)
from escrow.roll import candidates, certify
from escrow.roll.year import RollYear, roll_year_on
from permits.models import DocketEntry, Permit
from permits.models.docket import bound_to
from portal.city import edition_on
from portal.models import User
from portal.ordinance import Calendar, Deadline
from portal.ordinance.bills import bill_due

from .quick import Table, settle_keys
from .seals import Happening, Staff, at

__all__ = ["Bills", "certify_charges"]

ENTRIES_EACH, CHARGES_EACH, LEFT_EACH = 13.9, 1.43, 0.14
"""Of each site as they pass by, the oldest first: the youngest quarter has no bill yet, so that
at the end there are ten entries, one charge and a tenth of one for each."""
UNDIVIDED_TURN = 10
OLD_ENOUGH = 150
MOST_BILLS = 14
DAYS_TO_PAY, RESOLUTION = 30, "2019-08"
LEFT_BEFORE = 50
"""So many days before the list the bills begin that are left for the preview."""
RATE = Decimal("92.50")
WORDS = {
    "ground": "maintenance",
    "path": "special-charge",
    "agreement": "Maintenance agreement, document 1123344: the basin was not cleaned in time.",
    "payer": "landowner",
    "due_days": DAYS_TO_PAY,
    "due_resolution": RESOLUTION,
}
KEYED: tuple[type[models.Model], ...] = (Bill, Receipt, BillEntry, Division)
LEAVES: tuple[type[models.Model], ...] = (BillLine, DivisionShare, DocketEntry)
Number = Callable[[str, date], str]


class Bills:
    """The bills of the sites with a permit, taken one by one and written together."""

    def __init__(
        self, *, staff: Staff, calendar: Calendar, today: date, number: Number, chance: Random
    ) -> None:
        self.staff, self.number, self.chance = staff, number, chance
        self.list_on = roll_year_on(today).list_on
        self.tables = {model: Table(model, keyed=True) for model in KEYED}
        self.tables |= {model: Table(model) for model in LEAVES}
        self.type = ContentType.objects.get_for_model(Bill).pk
        self.due = cache(lambda on: _due(on, calendar))
        self.checks = count(Receipt.objects.count() + 1)
        self.sites = self.entries = self.charges = self.left = 0

    def pass_by(self, entries: int) -> None:
        """Count a site and the entries that it has without a bill."""
        self.sites += 1
        self.entries += entries

    def send(
        self, permit: Permit, since: date, holder: User, parcels: Sequence[int]
    ) -> list[Happening]:
        """Bill a site as often as it is its turn; return what is on record of it."""
        newest = self.list_on - timedelta(days=LEFT_BEFORE + DAYS_TO_PAY + 5)
        age = (newest - since).days
        if age < OLD_ENOUGH:
            return []
        found: list[Happening] = []
        for _ in range(MOST_BILLS):
            on = newest - timedelta(days=self.chance.randrange(age))
            if self.charges < CHARGES_EACH * self.sites:
                bill = self._bill(permit, on, holder, found)
                self._divide(bill[0], on, parcels)
                self._run(permit, bill, on)
                self.charges += len(parcels)
                self.entries += 2  # one is written when it is certified
            elif self.left < LEFT_EACH * self.sites:
                on = self.list_on - timedelta(days=self.chance.randrange(35, LEFT_BEFORE + 25))
                bill = self._bill(permit, on, holder, found)
                if self.left % UNDIVIDED_TURN:
                    self._divide(bill[0], on, parcels)
                self._run(permit, bill, on)
                self.left += 1
                self.entries += 1
            elif self.entries < ENTRIES_EACH * self.sites:
                self._paid(permit, on, holder, found)
            else:
                break
        return found

    def write(self) -> None:
        """Write the rows that wait."""
        for table in self.tables.values():
            table.write()
        settle_keys(KEYED)

    # A bill ---------------------------------------------------------------------------

    def _bill(
        self, permit: Permit, on: date, holder: User, found: list[Happening]
    ) -> tuple[int, str, Decimal]:
        """Take a bill with its line and its first entry; returns key, number and amount."""
        number, clerk = self.number("BL", on), self.staff.clerk
        hours = Decimal(self.chance.randrange(200, 1600)) / 100
        amount = (hours * RATE).quantize(Decimal("0.01"))
        due = self.due(on).on
        bill = self._add(
            Bill,
            key=uuid4(),
            number=number,
            site_id=permit.site_id,
            permit_id=permit.pk,
            cost=amount,
            amount=amount,
            payer_name=holder.name,
            payer_address=f"{permit.site.address}\nExample, WI 54999",
            billed_on=on,
            due_on=due,
            billed_by_id=clerk.pk,
            billed_at=at(on, 90),
            **WORDS,
        )
        self._add(
            BillLine,
            bill_id=bill,
            on=on,
            kind="equipment",
            description="Excavator and two trucks, basin cleaned",
            quantity=hours,
            unit="hours",
            rate=RATE,
            amount=amount,
        )
        self._entry(bill, "billed", amount, on)
        facts = {"bill": number, "amount": str(amount), "due_on": due.isoformat()}
        found.append(("bill.issued", on, clerk, {**facts, "path": WORDS["path"]}))
        return bill, number, amount

    def _entry(self, bill: int, kind: str, amount: Decimal, on: date, **more: Any) -> int:
        return self._add(
            BillEntry,
            bill_id=bill,
            kind=kind,
            amount=amount,
            on=on,
            by_id=self.staff.clerk.pk,
            at=at(on, 95),
            **more,
        )

    def _paid(self, permit: Permit, on: date, holder: User, found: list[Happening]) -> None:
        """A bill that is paid in two parts; of every second one a check came back before."""
        bill, number, amount = self._bill(permit, on, holder, found)
        half = (amount / 2).quantize(Decimal("0.01"))
        days = [on + timedelta(days=n) for n in (4, 9, 14)]
        self.entries += 3
        if self.chance.random() < 0.5:
            entry = self._pay(permit, bill, number, half, days[0], holder, found)
            self._entry(
                bill, "reversal", half, days[1], reverses_id=entry, reason="The check came back."
            )
            facts = {"bill": number, "amount": str(half), "what": "payment"}
            found.append(("bill.reversed", days[1], self.staff.clerk, facts))
            self.entries += 2
        self._pay(permit, bill, number, half, days[1], holder, found)
        self._pay(permit, bill, number, amount - half, days[2], holder, found)
        self._clock(permit, bill, number, on, closed_on=days[2])

    def _pay(
        self,
        permit: Permit,
        bill: int,
        of: str,
        amount: Decimal,
        on: date,
        holder: User,
        found: list[Happening],
    ) -> int:
        number = self.number("RC", on)
        receipt = self._add(
            Receipt,
            key=uuid4(),
            number=number,
            site_id=permit.site_id,
            amount=amount,
            means="check",
            paid_by=holder.name,
            check_number=f"{next(self.checks)}",
            payer_key=holder.name.lower(),
            on=on,
            by_id=self.staff.clerk.pk,
            at=at(on, 95),
        )
        facts = {"bill": of, "amount": str(amount), "receipt": number, "means": "check"}
        found.append(("bill.payment", on, self.staff.clerk, facts))
        return self._entry(bill, "payment", -amount, on, receipt_id=receipt)

    # What waits for the roll ----------------------------------------------------------

    def _divide(self, bill: int, on: date, parcels: Sequence[int]) -> None:
        if len(parcels) < 2:
            return
        division = self._add(
            Division,
            bill_id=bill,
            basis="equal",
            why="Both lots drain to the basin alike.",
            on=on,
            by_id=self.staff.clerk.pk,
            at=at(on, 96),
        )
        for parcel in parcels:
            self._add(DivisionShare, division_id=division, parcel_id=parcel, weight=1)

    def _run(self, permit: Permit, bill: tuple[int, str, Decimal], on: date) -> None:
        self._clock(permit, bill[0], bill[1], on)

    def _clock(self, permit: Permit, bill: int, number: str, on: date, **ends: Any) -> None:
        clock = self.due(on)
        self._add(
            DocketEntry,
            site_id=permit.site_id,
            subject_type_id=self.type,
            subject_pk=bill,
            title=f"Bill {number} due",
            rule=clock.key,
            kind=clock.kind.value,
            bound=str(bound_to(clock)),
            started_on=clock.started_on,
            on=clock.on,
            safe_on=clock.safe_on,
            **ends,
        )

    def _add(self, model: type[models.Model], **values: Any) -> int:
        return self.tables[model].add(**values)


def _due(on: date, calendar: Calendar) -> Deadline:
    return bill_due(
        on,
        DAYS_TO_PAY,
        RESOLUTION,
        calendar=calendar,
        section=("maintenance", "(7)"),
        edition=edition_on(on),
    )


# The roll ---------------------------------------------------------------------------------


def certify_charges(*, clerk: User, administrator: User, today: date) -> RollBatch | None:
    """Propose and certify the charges of earlier bills, by the acts; None without any.

    What is left is delinquent on the day of the list, and in no batch.
    """
    now = roll_year_on(today)
    lines = certify.lines_from(_earlier(now, today))
    if not lines:
        return None
    batch = certify.propose(
        lines,
        year=now.year,
        cut_off_on=now.cut_off_on,
        instrument=Path.SPECIAL_CHARGE,
        layout=RollLayout.objects.get(name="CSV, all columns"),
        by=clerk,
        on=today,
    )
    return certify.certify(batch, signed=batch.sha256, by=administrator, on=today)


def _earlier(now: RollYear, today: date) -> Iterator[candidates.Candidate]:
    before = now.list_on - timedelta(days=LEFT_BEFORE)
    found = candidates.candidates(Path.SPECIAL_CHARGE, cut_off_on=before, on=today, layout=None)
    yield from found
