"""former § 17.19(7)(e) and (4)(e) Work begins under one notice, on its day, or not at all."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from portal.ordinance import Calendar, Stay
from portal.ordinance.begin_work import (
    BeginFacts,
    Path,
    cost_amount,
    needs_reason,
    obstacles_to_begin,
)
from portal.ordinance.city_work import city_work_opens
from portal.ordinance.editions import all_editions
from portal.ordinance.mailed_notice import draw_opens
from portal.ordinance.stays import with_stays

PLAIN = Calendar()
# Issued Saturday, June 6, 2026: day 14 is Saturday, June 20; entry from Sunday, June 21.
INTENT = city_work_opens(date(2026, 6, 6), calendar=PLAIN)
# Accepted Monday, June 8, 2026: from June 19; with three days for the mail from June 22.
MAILED = draw_opens(date(2026, 6, 8), calendar=PLAIN)


def keys(facts: BeginFacts, on: date) -> list[str]:
    return [each.key for each in obstacles_to_begin(facts, on=on)]


@pytest.mark.parametrize(
    ("path", "opens", "first"),
    [
        pytest.param(Path.SPECIAL_CHARGE, INTENT, date(2026, 6, 21), id="notice of intent"),
        pytest.param(Path.ESCROW, MAILED, date(2026, 6, 19), id="notice to the owner"),
    ],
)
def test_the_first_day_is_open_and_the_day_before_is_not(path, opens, first) -> None:
    facts = BeginFacts(path, "N-1", opens=opens)
    assert keys(facts, first) == []
    assert keys(facts, date.fromordinal(first.toordinal() - 1)) == ["not-open"]


def test_the_refusal_names_the_first_lawful_day() -> None:
    facts = BeginFacts(Path.SPECIAL_CHARGE, "NI-2026-0001", opens=INTENT)
    (obstacle,) = obstacles_to_begin(facts, on=date(2026, 6, 8))
    assert "Sunday, June 21, 2026" in obstacle.text


def test_a_stayed_notice_opens_nothing() -> None:
    held = with_stays(INTENT, [Stay(date(2026, 6, 10), None)], PLAIN)
    facts = BeginFacts(Path.SPECIAL_CHARGE, "NI-2026-0001", opens=held)
    assert keys(facts, date(2026, 7, 15)) == ["stayed"]


def test_a_notice_to_the_owner_opens_nothing_once_nothing_is_required() -> None:
    facts = BeginFacts(Path.ESCROW, "ON-2026-0001", opens=MAILED, required=False)
    assert keys(facts, date(2026, 7, 15)) == ["nothing-required"]


@pytest.mark.parametrize("how", ["fallen with its order", "withdrawn"])
def test_a_notice_that_ended_opens_nothing(how: str) -> None:
    facts = BeginFacts(Path.SPECIAL_CHARGE, "NI-2026-0001", ended=how, opens=INTENT)
    assert keys(facts, date(2026, 7, 15)) == ["notice-ended"]


def test_an_order_that_ended_takes_the_ground_away() -> None:
    facts = BeginFacts(Path.SPECIAL_CHARGE, "NI-2026-0001", order_ended="lifted", opens=INTENT)
    assert keys(facts, date(2026, 7, 15)) == ["notice-ended"]


def test_no_day_runs_before_the_post_has_every_letter() -> None:
    assert keys(BeginFacts(Path.ESCROW, "ON-2026-0001"), date(2026, 7, 15)) == ["not-mailed"]


def test_a_notice_is_used_up_by_one_work() -> None:
    facts = BeginFacts(Path.ESCROW, "ON-2026-0001", begun=True, opens=MAILED)
    assert keys(facts, date(2026, 7, 15)) == ["begun"]


def test_between_the_first_and_the_safe_day_a_reason_is_asked() -> None:
    assert MAILED.safe_on == date(2026, 6, 22)
    asked = [day for day in range(18, 24) if needs_reason(MAILED, date(2026, 6, day))]
    assert asked == [19, 20, 21]


def test_each_path_is_cited_by_its_own_paragraph() -> None:
    edition = all_editions()[-1]
    assert "(7)(e)" in str(Path.SPECIAL_CHARGE.citation(edition))
    assert "(4)(e)" in str(Path.ESCROW.citation(edition))


@pytest.mark.parametrize(
    ("quantity", "rate", "amount"),
    [
        ("3", "41.50", "124.50"),
        ("0.50", "0.01", "0.01"),  # half a cent goes up
        ("1.25", "33.33", "41.66"),  # 41.6625
        ("2.50", "0.05", "0.13"),  # 0.125: half up, not to the even digit
    ],
)
def test_an_amount_is_quantity_times_rate_half_a_cent_up(quantity, rate, amount) -> None:
    assert cost_amount(Decimal(quantity), Decimal(rate)) == Decimal(amount)
