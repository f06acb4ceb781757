"""former § 17.19(4)(e) Ten days' notice to the owner: when there is work to complete."""

from __future__ import annotations

from datetime import date

import pytest

from portal.ordinance import Calendar, Stay
from portal.ordinance.owner_notice import OwnerNoticeFacts, grounds, obstacles_to_owner_notice
from portal.ordinance.permit_date import completion_deadline
from portal.ordinance.stays import with_stays

PLAIN = Calendar()
DUE = completion_deadline(date(2026, 10, 1), started_on=date(2026, 5, 1), calendar=PLAIN)


def keys(facts: OwnerNoticeFacts, on: date) -> list[str]:
    return [each.key for each in obstacles_to_owner_notice(facts, on=on)]


@pytest.mark.parametrize(
    ("on", "expected"),
    [
        pytest.param(date(2026, 9, 30), ["not-late"], id="the day before the last day"),
        pytest.param(date(2026, 10, 1), ["not-late"], id="the last day itself is in time"),
        pytest.param(date(2026, 10, 2), [], id="the day after"),
    ],
)
def test_the_timeline_must_have_passed(on: date, expected: list[str]) -> None:
    assert keys(OwnerNoticeFacts(issued=True, covers=(DUE,)), on) == expected


def test_the_refusal_names_the_day_after_which_it_is_late() -> None:
    facts = OwnerNoticeFacts(issued=True, covers=(DUE,))
    (obstacle,) = obstacles_to_owner_notice(facts, on=date(2026, 9, 1))
    assert "Thursday, October 1, 2026" in obstacle.text


def test_a_standing_order_is_work_required_before_any_last_day() -> None:
    facts = OwnerNoticeFacts(issued=True, covers=(DUE,), standing_orders=("SW-2026-0001",))
    assert keys(facts, date(2026, 6, 1)) == []
    assert grounds(facts, on=date(2026, 6, 1)) == [
        "Stop-work order SW-2026-0001 stands, and what it asks for has not been done."
    ]


def test_work_that_passed_the_final_inspection_is_not_required_any_more() -> None:
    facts = OwnerNoticeFacts(issued=True, covers=(DUE,), cover_met_on=date(2026, 12, 1))
    assert keys(facts, date(2027, 1, 4)) == ["not-late"]


def test_without_a_permit_there_is_no_escrow() -> None:
    facts = OwnerNoticeFacts(issued=False, standing_orders=("SW-2026-0001",))
    assert keys(facts, date(2026, 6, 1)) == ["no-permit"]


def test_a_closed_permit_is_complete() -> None:
    assert keys(OwnerNoticeFacts(issued=True, closed=True), date(2026, 6, 1)) == ["closed"]


def test_one_notice_at_a_time() -> None:
    facts = OwnerNoticeFacts(issued=True, covers=(DUE,), running="ON-2026-0001")
    assert keys(facts, date(2026, 10, 2)) == ["running"]


def test_an_appeal_holds_the_last_day_still() -> None:
    held = with_stays(DUE, [Stay(date(2026, 9, 1), None)], PLAIN)
    facts = OwnerNoticeFacts(issued=True, covers=(held,))
    (obstacle,) = obstacles_to_owner_notice(facts, on=date(2026, 10, 2))
    assert obstacle.key == "not-late"
    assert "appeal" in obstacle.text
