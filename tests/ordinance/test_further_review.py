"""Thirty days to ask a court to review the board. Wis. Stat. § 62.23(7)(e)10."""

from datetime import date

import pytest

from portal.ordinance import Calendar
from portal.ordinance.appeals import further_review_deadline


@pytest.mark.parametrize(
    ("filed", "last", "safe"),
    [
        ("2026-07-20", "2026-08-19", "2026-08-19"),  # a Wednesday
        ("2026-06-04", "2026-07-06", "2026-07-04"),  # July 4 is a Saturday, then a Sunday
        ("2026-10-16", "2026-11-16", "2026-11-15"),  # a Sunday
    ],
)
def test_the_last_day_is_counted_from_the_filing(filed: str, last: str, safe: str) -> None:
    clock = further_review_deadline(date.fromisoformat(filed), calendar=Calendar())
    assert (clock.on.isoformat(), clock.safe_on.isoformat()) == (last, safe)
    assert str(clock.citation) == "Wis. Stat. § 62.23(7)(e)10."
