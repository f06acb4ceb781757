"""Random walks through the money: whatever is done, in whatever order, every sum holds.

An act is done or refused; what is refused changes nothing, and what must be refused is. After
each act the tables agree with second books that are kept by hand (`walked_books`): every
account, what is held of each instrument, what each bill owes and what of it is on the roll.
Rows are only added, no balance is below zero, and each charge is exported exactly once.

The walks of a build are the same each time, and few. For a longer look:
`SILTFENCE_MONEY_ACTS=10000 ./run test tests/escrow/test_money_walks.py -s` does so many acts.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import transaction

from permits import verify
from permits.models import NotNow
from portal import known, papers
from portal.models import CouncilValue
from tests.escrow import money

from .walked_bills import BILLS
from .walked_money import ESCROW, Act, Walk
from .walked_roll import ROLL

pytestmark = [pytest.mark.slow, pytest.mark.once, pytest.mark.django_db]

ACTS: dict[Act, int] = ESCROW | BILLS | ROLL
FEW, MOST = 330, 3000
"""A build does few acts and may miss a rare kind; a long walk misses none."""
MANY = int(os.environ.get("SILTFENCE_MONEY_ACTS", "0"))
LENGTH = 110
GAPS = (*[0] * 24, 1, 3, 12, 33)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    made = papers.Made(b"%PDF-1.7 a stand-in\n%%EOF\n", 1)
    monkeypatch.setattr(papers, "make", lambda template, context: made)


@pytest.fixture(autouse=True)
def _resolutions() -> None:
    """What the council set, long before."""
    early = date(2025, 1, 6)
    money.resolution(CouncilValue.Key.BILL_DAYS, "30", on=early)
    money.resolution(CouncilValue.Key.INTEREST_RATE, "5.5", on=early)
    money.resolution(CouncilValue.Key.ADMINISTRATIVE_FEE, "75.00", on=early)


def test_whatever_is_done_every_sum_holds(at: Callable[..., Any]) -> None:
    went: Counter[tuple[str, str]] = Counter()
    began, seed, wanted = time.process_time(), 0, MANY or FEW
    try:
        while (done := done_of(went)) < wanted:
            seed += 1
            with transaction.atomic():
                walk_once(seed, at, went, min(LENGTH, wanted - done))
                transaction.set_rollback(True)
    finally:
        tell(went, seed, time.process_time() - began)
    never = {act.__name__ for act in ACTS} - {name for name, result in went if result == "done"}
    assert len(never) <= (0 if wanted >= MOST else 6), f"never done: {never}"


def done_of(went: Counter[tuple[str, str]]) -> int:
    """How many acts were done, and not refused."""
    return sum(number for (_, result), number in went.items() if result == "done")


def tell(went: Counter[tuple[str, str]], walks: int, spent: float) -> None:
    """Print the figures, for whoever asked for many acts; a build shows them where one fails."""
    done = done_of(went)
    print(f"\n{done} acts done, {went.total() - done} refused, {walks} walks, {spent:.0f} s of CPU")
    for name in sorted({name for name, _ in went}):
        print(f"  {name}: {went[name, 'done']} done, {went[name, 'refused']} refused")


def walk_once(
    seed: int, at: Callable[..., Any], went: Counter[tuple[str, str]], length: int
) -> None:
    walk, done = Walk.begin(seed, at), 0
    names, often = list(ACTS), list(ACTS.values())
    walk.books.agree()
    while done < length:
        walk.today += timedelta(days=walk.chance.choice(GAPS))
        at(walk.today)
        act = walk.chance.choices(names, often)[0]
        result = take(walk, act)
        if result:
            went[act.__name__, result] += 1
            done += result == "done"
    walk.books.only_added_to()
    walk.books.exported_once()
    with known.reading_once():
        # The orders and notices are rows without their act: no docket was kept of them.
        named = [each for each in verify.faults() if not each.startswith(("SW-", "NI-", "ON-"))]
    assert named == []


def take(walk: Walk, act: Act) -> str:
    """Try an act, and look at what it left; nothing where there was nothing to act upon."""
    tried = act(walk)
    if tried is None:
        return ""
    before = walk.books.counts()
    try:
        with transaction.atomic():
            made = tried.run()
    except NotNow:
        assert walk.books.counts() == before, f"{act.__name__} was refused and changed something"
        return "refused"
    assert not tried.wrong, f"{act.__name__} should have been refused"
    tried.note(made)
    walk.books.agree()
    if walk.chance.random() < 0.1:
        walk.books.only_added_to()
        walk.books.exported_once()
    return "done"
