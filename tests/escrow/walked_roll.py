"""The part of the walk through the money that goes to the tax roll and comes back from it."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from escrow.bills.account import standing
from escrow.models import Bill, RollBatch, RollCharge, RollLayout, RollOutcome
from escrow.roll import certify, files, outcomes
from escrow.roll.candidates import candidates
from escrow.roll.corrections import corrections, follow
from portal.ordinance.special_charge import delivery_on

from . import rolls
from .walked_books import ZERO
from .walked_money import RECEIVABLE, Act, Try, Walk

__all__ = ["ROLL"]


def year_of(day: date) -> int:
    """The roll that is still open on a day."""
    return day.year if day < delivery_on(day.year) else day.year + 1


def some(walk: Walk, status: str) -> RollBatch | None:
    """A batch of a status; now and then of any."""
    rows = RollBatch.objects.all()
    found: RollBatch | None = walk.one(rows if walk.seldom() else rows.filter(status=status))
    return found


def propose(walk: Walk) -> Try | None:
    path, layout = walk.chance.choice(list(RECEIVABLE)), walk.one(RollLayout.objects.all())
    waiting = RollBatch.objects.filter(status="proposed", instrument=path).exists()
    if waiting and not walk.seldom():
        return None
    found = candidates(path, cut_off_on=walk.today, on=walk.today, layout=layout)
    for each in found:
        assert each.owed == standing(each.bill, on=walk.today).owed
        if not each.stops:
            assert sum(part.amount for part in each.parts) == each.owed
    nothing = all(each.stops for each in found)
    if nothing and not walk.seldom():
        return None
    return Try(
        lambda: certify.propose(
            certify.lines_from(found),
            year=year_of(walk.today),
            cut_off_on=walk.today,
            instrument=path,
            layout=layout,
            by=walk.clerk,
            on=walk.today,
        ),
        wrong=waiting or nothing,
    )


def propose_corrections(walk: Walk) -> Try | None:
    path, year = walk.chance.choice(list(RECEIVABLE)), year_of(walk.today)
    found = corrections(year, path)
    waiting = RollBatch.objects.filter(status="proposed", instrument=path).exists()
    if (waiting or not found) and not walk.seldom():
        return None
    return Try(
        lambda: rolls.propose_corrections(
            found,
            year=year,
            instrument=path,
            cut_off_on=walk.today,
            layout=walk.one(RollLayout.objects.all()),
            by=walk.clerk,
            on=walk.today,
        ),
        wrong=waiting or not found,
    )


def certify_list(walk: Walk) -> Try | None:
    batch = some(walk, "proposed")
    if batch is None:
        return None
    by = walk.chance.choice([walk.second] * 5 + [walk.clerk])

    def note(made: RollBatch) -> None:
        if made.purpose != RollBatch.Purpose.CHARGES:
            return
        for entry in made.entries.filter(kind="roll"):  # type: ignore[attr-defined]
            mine, account = walk.books.bills[entry.bill_id], RECEIVABLE[made.instrument]
            walk.books.move(account, "4400", mine.book_interest(made.proposed_on))
            assert mine.owed == -entry.amount
            mine.put_on_roll(-entry.amount)
            walk.books.move("1200", account, -entry.amount)

    wrong = batch.status != "proposed" or by.pk == batch.proposed_by_id
    return Try(
        lambda: certify.certify(batch, signed=batch.sha256, by=by, on=walk.today), note, wrong
    )


def withdraw_list(walk: Walk) -> Try | None:
    batch = some(walk, "proposed")
    return batch and Try(
        lambda: certify.withdraw(batch, reason="A test.", by=walk.clerk, on=walk.today),
        wrong=batch.status != "proposed",
    )


def make_file(walk: Walk) -> Try | None:
    batch = some(walk, "certified")
    layout = walk.one(RollLayout.objects.filter(format="csv"))
    return batch and Try(
        lambda: files.make_another(batch, layout, by=walk.clerk),
        wrong=batch.status != "certified",
    )


def accept(walk: Walk) -> Try | None:
    batch = some(walk, "certified")
    return batch and Try(
        lambda: outcomes.accept_rest(batch, by=walk.clerk, on=walk.today),
        wrong=batch.status != "certified",
    )


def reject(walk: Walk) -> Try | None:
    rows = RollCharge.objects.all()
    charge = walk.one(rows if walk.seldom() else rows.filter(amount__gt=0, outcomes=None))
    if charge is None:
        return None
    told = charge.outcomes.exists()
    left = follow(charge.bill_id, charge.batch_id).left.get(charge.pk, ZERO)

    def note(outcome: RollOutcome) -> None:
        bill = Bill.objects.get(pk=charge.bill_id)
        assert outcome.off_roll is not None
        assert outcome.off_roll.amount == left
        walk.books.bills[bill.pk].take_off_roll(left)
        walk.books.move(RECEIVABLE[bill.path], "1200", left)

    wrong = charge.amount < 0 or left <= 0
    answered = told and charge.outcomes.exclude(kind="collected").exists()
    return Try(
        lambda: outcomes.reject(charge, reason="No such parcel.", by=walk.clerk, on=walk.today),
        note,
        wrong or answered,
    )


def collect(walk: Walk) -> Try | None:
    charge = walk.one(RollCharge.objects.filter(batch__year__lt=walk.today.year))
    if charge is None:
        return None
    left = outcomes.uncollected(charge)
    amount, wrong = walk.amount(max(left, ZERO))

    def note(_: Any) -> None:
        walk.books.move("1300", "1200", amount)

    gone = charge.outcomes.filter(kind="rejected").exists()
    return Try(
        lambda: outcomes.collect(
            charge, amount=amount, reference="Settlement", by=walk.clerk, on=walk.today
        ),
        note,
        wrong or gone or amount > left,
    )


def uncollect(walk: Walk) -> Try | None:
    outcome = walk.one(RollOutcome.objects.filter(kind="collected"))
    if outcome is None:
        return None
    amount: Decimal = outcome.amount
    again = amount < 0 or RollOutcome.objects.filter(reverses=outcome).exists()
    return Try(
        lambda: outcomes.uncollect(outcome, reason="A test.", by=walk.clerk, on=walk.today),
        lambda _: walk.books.move("1200", "1300", amount),
        again,
    )


ROLL: dict[Act, int] = {
    propose: 6,
    propose_corrections: 6,
    certify_list: 14,
    withdraw_list: 2,
    make_file: 1,
    accept: 1,
    reject: 3,
    collect: 2,
    uncollect: 1,
}
"""Each act, and how often its turn comes."""
