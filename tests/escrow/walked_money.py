"""A walk through the money, one act after another, drawn by chance: the acts of the escrow.

Each act says what it would do (`run`) and what it moves in the second books (`note`); `wrong`
marks what must be refused whatever else holds: a cent too much, less than nothing, twice.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from enforcement.models import CityWork
from escrow import acts as escrow_acts
from escrow.account import deciding, drawing, forfeiting, keeping, refusing, releasing
from escrow.models import (
    Demand,
    Draw,
    EscrowEntry,
    Forfeiture,
    Instrument,
    Release,
)
from inspections.acts import cover
from inspections.acts import visits as visit_acts
from permits.models import Permit
from portal.models import User
from tests import factory

from . import money
from .walked_books import ZERO, Books

__all__ = ["CENT", "ESCROW", "RECEIVABLE", "Act", "Try", "Walk", "noted_cost"]

CENT = Decimal("0.01")
ASSET = {"cash": "1010", "bond": "1020", "letter_of_credit": "1030"}
OWED = {"cash": "2010", "bond": "2020", "letter_of_credit": "2030"}
PAID = {"cash": "1000", "bond": "1150", "letter_of_credit": "1150"}
RECEIVABLE = {"special-charge": "1100", "assessment": "1110"}


@dataclass(frozen=True)
class Try:
    """One act that can be tried now."""

    run: Callable[[], Any]
    note: Callable[[Any], None] = lambda made: None
    wrong: bool = False


@dataclass
class Walk:
    """Some permits and their sites, the people, the day, chance, and the second books."""

    chance: random.Random
    today: date
    move: Callable[[date], Any]
    permits: list[Permit] = field(default_factory=list)
    books: Books = field(default_factory=Books)
    clerk: User = field(default_factory=factory.clerk)
    second: User = field(default_factory=factory.administrator)
    checks: int = 0

    @classmethod
    def begin(cls, seed: int, move: Callable[[date], Any]) -> Walk:
        """Two permits in force, one with cash and one with a bond beside it, and one awaited."""
        chance = random.Random(seed)
        today = date(2026, 3, 2) + timedelta(days=chance.randrange(250))
        move(today)
        walk = cls(chance, today, move)
        for forms in (("cash",), ("cash", "bond"), ()):
            permit: Permit = factory.granted(on=today).permit
            walk.permits.append(permit)
            walk.books.move("1000", "4000", Decimal("25.00"))
            if forms:
                tried = walk.posting(permit, forms)
                tried.note(tried.run())
                permit.refresh_from_db()
                permit.issue(by=walk.clerk, on=today)
        for number in ("0240-9001-002", "0240-9001-003"):
            walk.permits[1].site.parcels.create(number=number)
        return walk

    def one(self, rows: Any) -> Any:
        """One of the rows by chance; None where there are none."""
        found = list(rows)
        return self.chance.choice(found) if found else None

    def amount(self, most: Decimal) -> tuple[Decimal, bool]:
        """An amount up to a limit, often all of it; now and then a wrong one."""
        turn = self.chance.random()
        if turn < 0.06:
            wrong = [most + CENT, Decimal("-1.00"), ZERO, CENT / 2, most + Decimal(10**9)]
            return self.chance.choice(wrong), True
        if turn < 0.5 or most <= CENT:
            return most, most <= 0
        return Decimal(self.chance.randint(1, int(most * 100))) / 100, False

    def seldom(self) -> bool:
        """Whether to try what cannot be done."""
        return self.chance.random() < 0.15

    def posting(self, permit: Permit, forms: tuple[str, ...]) -> Try:
        """Post the amount of a permit in these forms."""
        share = permit.escrow_amount / len(forms)
        offered = [self.instrument(form, share) for form in forms]

        def note(_: Any) -> None:
            for each in offered:
                self.books.held[each.pk] += share
                self.books.move(ASSET[each.form], OWED[each.form], share)

        return Try(lambda: escrow_acts.post(permit, offered, by=self.clerk, on=self.today), note)

    def instrument(self, form: str, amount: Decimal) -> Instrument:
        """A guarantee that is not posted yet."""
        if form == "cash":
            facts: dict[str, Any] = {"receipt_number": f"E-{self.chance.random()}"}
        else:
            facts = {
                "issuer": "Lake States Surety",
                "instrument_number": "B-77120",
                "expires_on": self.today + timedelta(days=self.chance.choice([90, 400, 900])),
            }
        return Instrument(form=form, amount=amount, received_on=self.today, **facts)

    def leave(self, entries: Any) -> None:
        """Write down what entries of the escrow took: to the owner, the city, or nobody."""
        for entry in entries:
            form, amount = entry.instrument.form, -entry.amount
            self.books.held[entry.instrument_id] -= amount
            self.books.move(OWED[form], ASSET[form], amount)
            if entry.kind == "drawn":
                self.books.move(PAID[form], "2100", amount)
            elif entry.kind == "forfeited":
                self.books.move(PAID[form], "4200", amount)


Act = Callable[[Walk], Try | None]


# Posting and keeping ----------------------------------------------------------------------


def post(walk: Walk) -> Try | None:
    permit = walk.one(Permit.objects.filter(status="awaiting_escrow", escrow_posted_on=None))
    forms = walk.chance.choice([("cash",), ("bond",), ("cash", "letter_of_credit")])
    return walk.posting(permit, forms) if permit else None


def take_posting_back(walk: Walk) -> Try | None:
    rows = Permit.objects.filter(status="awaiting_escrow", escrow_posted_on__isnull=False)
    permit = walk.one(rows)
    if permit is None:
        return None
    standing = list(permit.instruments.exclude(entries__kind="reversed"))

    def note(_: Any) -> None:
        for each in standing:
            walk.books.held[each.pk] = ZERO
            walk.books.move(OWED[each.form], ASSET[each.form], each.amount)

    return Try(
        lambda: escrow_acts.reverse(permit, by=walk.clerk, on=walk.today, reason="A test."), note
    )


def renew(walk: Walk) -> Try | None:
    bond = walk.one(Instrument.objects.exclude(form="cash"))
    until = walk.today + timedelta(days=walk.chance.choice([30, 500, 1500]))
    return bond and Try(lambda: keeping.renew(bond, expires_on=until, by=walk.clerk, on=walk.today))


def replace(walk: Walk) -> Try | None:
    old = walk.one(Instrument.objects.filter(permit__issued_on__isnull=False))
    if old is None:
        return None
    held, form = walk.books.held[old.pk], walk.chance.choice(["cash", "bond"])
    amount, wrong = walk.amount(held) if walk.chance.random() < 0.2 else (held, held <= 0)
    new = walk.instrument(form, amount)

    def note(_: Any) -> None:
        walk.books.held[old.pk] -= held
        walk.books.held[new.pk] += amount
        walk.books.move(OWED[old.form], ASSET[old.form], held)
        walk.books.move(ASSET[form], OWED[form], amount)

    wrong = amount < held or held <= 0 or (form == "cash" and amount != held)
    return Try(lambda: keeping.replace(old, new, by=walk.clerk, on=walk.today), note, wrong)


# City work and draws ----------------------------------------------------------------------


def cost(walk: Walk) -> tuple[str, ...]:
    return tuple(
        str(Decimal(walk.chance.randint(1, 90000)) / 100)
        for _ in range(walk.chance.choice([1, 1, 2, 3]))
    )


def noted_cost(walk: Walk) -> Callable[[CityWork], None]:
    return lambda made: walk.books.move("5000", "2900", made.total or ZERO)


def work_at_the_owners_cost(walk: Walk) -> Try | None:
    permit = walk.chance.choice(walk.permits[:2])
    on, costs = walk.today - timedelta(days=40), cost(walk)
    return Try(lambda: money.escrow_work(permit, on=on, costs=costs), noted_cost(walk))


def work_after_intent(walk: Walk) -> Try | None:
    site = walk.chance.choice(walk.permits[1:]).site
    on, costs = walk.today - timedelta(days=40), cost(walk)
    return Try(lambda: money.charge_work(site, on=on, costs=costs), noted_cost(walk))


def draw(walk: Walk) -> Try | None:
    work = walk.one(CityWork.objects.filter(owner_notice__isnull=False))
    if work is None:
        return None
    permit = work.owner_notice.permit
    left, parts, wrong = drawing.undrawn(work), [], False
    for each in permit.instruments.order_by("pk"):
        amount, bad = walk.amount(min(left, walk.books.held[each.pk]))
        if bad and amount <= 0:
            continue
        parts.append(drawing.Part(each, amount, address="9 Dock St\nExample, WI 54999"))
        left, wrong = left - amount, wrong or bad
    return Try(
        lambda: drawing.draw(work, parts, by=walk.clerk, on=walk.today),
        lambda made: walk.leave(made.entries.all()),
        wrong or not parts,
    )


def take_draw_back(walk: Walk) -> Try | None:
    drawn = walk.one(Draw.objects.all())
    if drawn is None:
        return None

    def note(_: Any) -> None:
        for entry in drawn.entries.filter(kind="drawn"):
            form, amount = entry.instrument.form, -entry.amount
            walk.books.held[entry.instrument_id] += amount
            walk.books.move(ASSET[form], OWED[form], amount)
            walk.books.move("2100", PAID[form], amount)

        for entry in drawn.entries.filter(kind="refused", reversed_by__reason="Back."):
            form, amount = entry.instrument.form, entry.amount
            walk.books.held[entry.instrument_id] -= amount
            walk.books.move(OWED[form], ASSET[form], amount)
            walk.books.move(PAID[form], "2100", amount)

    again = drawn.entries.filter(kind="drawn", reversed_by__isnull=False).exists()
    return Try(
        lambda: drawing.reverse(drawn, by=walk.clerk, on=walk.today, reason="Back."), note, again
    )


def refuse_rest(walk: Walk) -> Try | None:
    """Its issuer refuses a demand: the draw bears nothing of it, and the instrument is held."""
    demand = walk.one(Demand.objects.all())
    if demand is None:
        return None
    entry = demand.entry
    form, amount = entry.instrument.form, -entry.amount
    wrong = (
        entry.draw is None
        or EscrowEntry.objects.filter(reverses=entry).exists()
        or demand.refusals.filter(reversed_by__isnull=True).exists()
    )

    def note(_: Any) -> None:
        walk.books.held[entry.instrument_id] += amount
        walk.books.move(ASSET[form], OWED[form], amount)
        walk.books.move("2100", PAID[form], amount)

    return Try(
        lambda: refusing.refuse(demand, reason="A test.", by=walk.clerk, on=walk.today), note, wrong
    )


def take_refusal_back(walk: Walk) -> Try | None:
    row = walk.one(EscrowEntry.objects.filter(kind="refused"))
    if row is None:
        return None
    form, amount = row.instrument.form, row.amount

    def note(_: Any) -> None:
        walk.books.held[row.instrument_id] -= amount
        walk.books.move(OWED[form], ASSET[form], amount)
        walk.books.move(PAID[form], "2100", amount)

    wrong = EscrowEntry.objects.filter(reverses=row).exists()
    return Try(
        lambda: refusing.take_back(row, reason="A test.", by=walk.clerk, on=walk.today), note, wrong
    )


# The whole: released or forfeited ---------------------------------------------------------


def finish(walk: Walk) -> Try | None:
    permit = walk.one(
        Permit.objects.filter(status="issued", final_inspection_passed_on__isnull=True)
    )
    return permit and Try(lambda: _finish(walk, permit))


def _finish(walk: Walk, permit: Permit) -> None:
    by = factory.inspector()
    visit = visit_acts.begin(permit.site, by=by, on=walk.today, today=walk.today)
    cover.record_final(
        visit,
        by=by,
        controls_complete=True,
        perennial=True,
        density_percent=80,
        method="estimate",
    )


def propose_release(walk: Walk) -> Try | None:
    permit = walk.one(Permit.objects.filter(issued_on__isnull=False))
    return Try(lambda: releasing.propose(permit, by=walk.clerk, on=walk.today))


def propose_forfeiture(walk: Walk) -> Try | None:
    permit = walk.one(Permit.objects.filter(issued_on__isnull=False))
    by = factory.inspector()
    return Try(lambda: forfeiting.propose(permit, what_is_open="Bare.", by=by, on=walk.today))


def approve(walk: Walk) -> Try | None:
    made = walk.one([*Release.objects.filter(status="proposed"), *_forfeitures()])
    if made is None:
        return None
    by = walk.chance.choice([walk.second, walk.second, made.proposed_by])
    on, wrong = walk.today, by == made.proposed_by
    if isinstance(made, Release):
        return Try(
            lambda: releasing.approve(made, by=by, on=on),
            lambda done: walk.leave(done.entries.all()),
            wrong,
        )
    where = forfeiting.Demanded("9 Dock St\nExample, WI 54999")
    demands = dict.fromkeys(made.permit.instruments.all(), where)
    return Try(
        lambda: forfeiting.approve(made, by=by, on=on, demands=demands),
        lambda done: walk.leave(done.entries.all()),
        wrong,
    )


def _forfeitures() -> Any:
    return Forfeiture.objects.filter(status="proposed")


def decline(walk: Walk) -> Try | None:
    made = walk.one([*Release.objects.filter(status="proposed"), *_forfeitures()])
    return made and Try(
        lambda: deciding.decline(made, by=walk.second, on=walk.today, why="A test.")
    )


ESCROW: dict[Act, int] = {
    post: 1,
    take_posting_back: 1,
    renew: 1,
    replace: 1,
    work_at_the_owners_cost: 2,
    work_after_intent: 2,
    draw: 5,
    take_draw_back: 1,
    refuse_rest: 1,
    take_refusal_back: 1,
    finish: 1,
    propose_release: 2,
    propose_forfeiture: 1,
    approve: 2,
    decline: 1,
}
"""Each act, and how often its turn comes."""
