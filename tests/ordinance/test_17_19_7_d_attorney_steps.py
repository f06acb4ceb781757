"""former § 17.19(7)(d) The attorney's steps: each once, in order, on days that follow."""

from __future__ import annotations

from datetime import date

import pytest

from portal.ordinance.attorney_steps import MAY_FOLLOW, next_steps, obstacles_to_step

MONDAY, TUESDAY = date(2026, 11, 30), date(2026, 12, 1)


@pytest.mark.parametrize("last", MAY_FOLLOW)
@pytest.mark.parametrize("step", ["received", "filed", "obtained", "closed"])
def test_only_what_the_order_of_the_steps_allows(last: str, step: str) -> None:
    found = obstacles_to_step(step, last, MONDAY, on=TUESDAY)
    assert (not found) == (step in next_steps(last))


def test_an_order_is_obtained_only_after_the_court_was_asked() -> None:
    assert [each.key for each in obstacles_to_step("obtained", "received", MONDAY, on=MONDAY)] == [
        "order"
    ]


def test_a_request_can_be_closed_without_an_order() -> None:
    assert not obstacles_to_step("closed", "received", MONDAY, on=MONDAY)


def test_no_step_lies_before_the_one_before() -> None:
    (obstacle,) = obstacles_to_step("filed", "received", TUESDAY, on=MONDAY)
    assert obstacle.key == "before"
    assert "Tuesday, December 1, 2026" in obstacle.text
