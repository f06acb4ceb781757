"""Random walks through the ladder: whatever is tried, by whomever, nothing comes before its day.

Each walk draws a case with or without a permit, days that pass, and acts by every role. An act
is done exactly if the slow count of the same rows (`slowly`) calls it lawful, so none comes
before its day or under a stay; it leaves the events that are due and no other, and docket and
models agree after it. What is refused changes nothing.

By default the walks are the same each time, and few. For a longer look:
`SILTFENCE_WALKS=2000 ./run test tests/enforcement/test_random_walks.py` draws so many new ones.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from permits import verify
from permits.models import NotNow
from portal import known, papers

from . import works
from .walked_acts import LADDER, Act
from .walked_appeals import REVIEW
from .walked_works import WORKS
from .walking import ROLES, STAGES, Case, Choice, running_without_ground

pytestmark = [pytest.mark.slow, pytest.mark.once, pytest.mark.django_db]

ACTS = (*LADDER, *WORKS, *REVIEW)
OFTEN = {"post": 3, "revoke": 3, "ask_attorney": 2, "give_notice": 3, "hand_in": 3, "take_in": 3}
OFTEN |= {"enter": 4, "add_cost": 3, "close": 2, "appeal": 2, "decide": 2, "confirm_device": 2}
TURNS = [n for n, act in enumerate(ACTS) for _ in range(OFTEN.get(act.__name__, 1))]
FEW = 20
DATED = ("revoke", "ask_attorney", "give_notice", "enter")
"""The steps that wait for their day: a walk must have met both sides of each."""
MANY = int(os.environ.get("SILTFENCE_WALKS", "0"))
PROFILE = settings(
    max_examples=MANY or FEW,
    phases=[Phase.generate],
    derandomize=not MANY,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)

GAPS = st.sampled_from([0, 0, 0, 1, 1, 2, 5, 9, 10, 11, 12, 14, 15, 16])
STRANGERS = st.sampled_from([*[None] * 24, *ROLES])
CHOICES = st.builds(
    Choice,
    which=st.integers(0, 5),
    back=st.sampled_from([0, 0, 0, 0, 1, 2, 6]),
    how=st.integers(0, 7),
    reason=st.booleans(),
)
STEPS = st.tuples(GAPS, st.sampled_from(TURNS), STRANGERS, CHOICES)
WALKS = st.tuples(
    st.booleans(),
    st.sampled_from(STAGES),
    st.dates(date(2026, 1, 5), date(2028, 12, 20)),
    st.lists(STEPS, min_size=10, max_size=20),
)


@pytest.fixture(autouse=True)
def papers_to_bind(blank_papers: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blank papers that the attorney's packet can bind."""
    blank = works.blank_pdf()
    monkeypatch.setattr(papers, "make", lambda template, context: papers.Made(blank, 1))


def test_no_walk_finds_an_act_before_its_day_or_a_record_that_does_not_fit(
    at: Callable[..., Any],
) -> None:
    tried: Counter[tuple[str, str]] = Counter()

    @PROFILE
    @given(WALKS)
    def walk(drawn: Any) -> None:
        permitted, stage, begins, steps = drawn
        with transaction.atomic():
            case = Case.begin(permitted=permitted, on=begins, move=at)
            case.come_to(stage)
            for gap, turn, stranger, choice in steps:
                case.wait(gap)
                tried[take(case, turn, stranger, choice)] += 1
            transaction.set_rollback(True)

    walk()
    for step in DATED:
        assert tried[step, "done"], f"no walk took this step: {step}"
        assert tried[step, "refused"], f"no walk tried this step on a wrong day: {step}"
    assert any(result == "stranger" for _, result in tried)


def take(case: Case, turn: int, stranger: str | None, choice: Choice) -> tuple[str, str]:
    """Try one act that there is something for, and look at what it left."""
    act, attempt = possible(case, turn, choice)
    by_stranger = stranger is not None and stranger not in attempt.roles
    before = case.snapshot() if by_stranger or not attempt.lawful else []
    events = case.kinds()
    if by_stranger:
        status = case.post_as(stranger, attempt.address)
        assert status == (302 if stranger == "anonymous" else 404), (act, stranger)
        result = "stranger"
    else:
        result = "done" if done(attempt.run) else "refused"
        assert (result == "done") == attempt.lawful, (act, case.today, choice)
    if result == "done":
        assert case.kinds() == [*events, *attempt.events]
    else:
        assert case.snapshot() == before, f"{act}, {result}, changed something"
    with known.reading_once():
        assert list(verify.faults()) == []
    assert running_without_ground() == []
    return act, result


def possible(case: Case, turn: int, choice: Choice) -> tuple[str, Any]:
    """Choose the act whose turn it is, or the one before it that has something to act upon."""
    for offset in range(len(ACTS)):
        act: Act = ACTS[turn - offset]
        attempt = act(case, choice)
        if attempt is not None:
            return act.__name__, attempt
    raise AssertionError("an order can always be tried")


def done(run: Callable[[], Any]) -> bool:
    """Whether an act was done; False where it was refused with its reason."""
    try:
        run()
    except NotNow:
        return False
    return True
