"""The neighboring city's 24 hours: which day they end on, read both ways, and why.

Wis. Stat. § 990.001(4)(a): hours leave out the whole of Sundays and legal holidays.
"""

from datetime import date, timedelta

import pytest

from portal.ordinance import Calendar, Period, Stay, all_editions, with_stays
from portal.ordinance.cease_and_desist import referral_opens
from portal.ordinance.city_work import notice_of_intent_opens
from portal.ordinance.next_steps import STEPS_BY_KEY, Situation, StepKey, obstacles_to
from portal.ordinance.periods import Measure, read_period
from portal.ordinance.revocation import revocation_opens
from portal.ordinance.stop_work import compliance_deadline, permit_deadline
from portal.ordinance.time import Standing

EDITION = all_editions("neighbor")[-1]
FACTS = {"calendar": Calendar(), "edition": EDITION}
DAY = timedelta(1)

PAIRS = [
    # issued, last day to comply, last day to obtain a permit, hours by the clock (month, day)
    ("a Monday", date(2026, 6, 1), date(2026, 6, 2), date(2026, 6, 2), date(2026, 6, 2)),
    ("a Friday", date(2026, 6, 5), date(2026, 6, 6), date(2026, 6, 8), date(2026, 6, 6)),
    ("a Saturday", date(2026, 6, 6), date(2026, 6, 8), date(2026, 6, 8), date(2026, 6, 7)),
    ("a Sunday", date(2026, 6, 7), date(2026, 6, 8), date(2026, 6, 8), date(2026, 6, 8)),
    ("Christmas", date(2026, 12, 24), date(2026, 12, 26), date(2026, 12, 28), date(2026, 12, 25)),
    ("election", date(2026, 11, 2), date(2026, 11, 4), date(2026, 11, 4), date(2026, 11, 3)),
    ("a moved holiday", date(2027, 7, 3), date(2027, 7, 6), date(2027, 7, 6), date(2027, 7, 4)),
]  # fmt: skip


@pytest.mark.parametrize(("issued", "comply", "permit", "clock"), [row[1:] for row in PAIRS],
                         ids=[row[0] for row in PAIRS])  # fmt: skip
def test_the_day_on_which_24_hours_end_in_both_readings(issued, comply, permit, clock):
    last = compliance_deadline(issued, **FACTS)
    assert (last.on, last.safe_on) == (comply, clock)
    filed = permit_deadline(issued, **FACTS)
    assert (filed.on, filed.safe_on) == (permit, clock)
    assert revocation_opens(issued, **FACTS).on == comply + DAY
    assert revocation_opens(issued, **FACTS).safe_on == permit + DAY
    assert referral_opens(issued, **FACTS).on == permit + DAY


@pytest.mark.parametrize("issued", [row[1] for row in PAIRS])
def test_the_city_never_acts_on_the_day_on_which_the_hours_end(issued):
    """Posted at noon, 24 hours end at noon: on that day a notice could come too early."""
    ends = compliance_deadline(issued, **FACTS).on
    opens = notice_of_intent_opens(issued, **FACTS)
    assert not opens.is_open(ends)
    assert opens.on == opens.safe_on == ends + DAY


def test_the_day_itself_is_not_late_and_the_next_one_is():
    last = compliance_deadline(date(2026, 6, 6), **FACTS)
    assert [last.standing(date(2026, 6, day)) for day in (6, 7, 8, 9)] == [
        Standing.OPEN,
        Standing.OPEN,
        Standing.OPEN,
        Standing.LATE,
    ]


def test_the_count_names_the_hours_and_why_the_day():
    clock = compliance_deadline(date(2026, 12, 24), **FACTS)
    text = clock.explanation
    assert clock.title == "24 hours of issuance"
    assert str(clock.citation) == "§ 14.12(3)"
    assert "24 hours, without whole Sundays and legal holidays" in text
    assert "Wis. Stat. § 990.001(4)(a)" in text
    assert "Friday, December 25, 2026 is not counted: Christmas Day, a legal holiday" in text
    assert "The 24 hours can end in the course of Dec 26. That day is counted whole" in text
    assert "Safe date Friday, December 25, 2026: read by the clock" in text
    assert "director of public works may revoke" in text
    assert "ten" not in text.split()


def test_a_stay_holds_hours_still():
    clock = compliance_deadline(date(2026, 6, 1), **FACTS)
    stayed = with_stays(clock, [Stay(date(2026, 6, 1), date(2026, 6, 30))], Calendar())
    assert stayed.on == date(2026, 7, 1)
    assert "with the 24 hours not over" in stayed.explanation
    opens = revocation_opens(date(2026, 6, 1), **FACTS)
    held = with_stays(opens, [Stay(date(2026, 6, 2), date(2026, 6, 30))], Calendar())
    assert not held.is_open(date(2026, 6, 30))
    assert held.is_open(date(2026, 7, 1))


def test_the_ladder_speaks_of_hours_and_of_this_citys_officers():
    opens = revocation_opens(date(2026, 6, 1), **FACTS)
    on = date(2026, 6, 2)
    facts = Situation(against_permittee=True, posted_on=on)
    (found,) = obstacles_to(StepKey.REVOCATION, facts, opens, on=on, edition=EDITION)
    assert (found.key, str(found.citation)) == ("not-open", "§ 14.12(3)")
    assert obstacles_to(StepKey.REVOCATION, facts, opens, on=on + DAY, edition=EDITION) == []
    ground = STEPS_BY_KEY[StepKey.REVOCATION].ground_of(EDITION)
    assert ground.endswith("within 24 hours of the order.")
    other = Situation(against_permittee=False)
    (found,) = obstacles_to(StepKey.REVOCATION, other, opens, on=on + DAY, edition=EDITION)
    assert found.cure == "ask the municipal attorney instead"


def test_a_period_is_read_in_days_or_in_hours_and_in_no_other_way():
    assert read_period(10) == read_period("10 days") == Period(10)
    assert str(read_period("10 days")) == "ten days"
    assert str(read_period("1 day")) == "one day"
    assert read_period("24 hours") == Period(24, Measure.HOURS)
    assert str(read_period("24 hours")) == read_period("24 hours").figures == "24 hours"
    for wrong in ("24", "24h", "-3 days", "ten days", "1.5 hours", "24 hours later", True, None):
        with pytest.raises(ValueError, match="no period"):
            read_period(wrong)


@pytest.mark.parametrize(
    ("hours", "most", "least"), [(1, 1, 0), (23, 1, 0), (24, 1, 1), (25, 2, 1), (48, 2, 2)]
)
def test_hours_reach_into_as_many_days_as_they_can(hours, most, least):
    period = Period(hours, Measure.HOURS)
    assert (period.most_days, period.least_days) == (most, least)
