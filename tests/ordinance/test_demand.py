"""What users of such systems reported about clocks, each as a test here."""

import subprocess
import sys
import time
from datetime import date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from portal.ordinance import RULES, Calendar, Counting, Standing, parse_day
from portal.ordinance.decision import decision_deadline
from portal.ordinance.forfeiture import alleged_days
from portal.ordinance.stop_work import compliance_deadline

ROOT = Path(__file__).resolve().parents[2]
CITY = ZoneInfo("America/Chicago")


def test_1_filed_friday_afternoon_is_due_after_ten_working_days_and_a_holiday(calendar):
    filed = datetime(2026, 1, 9, 16, 28, tzinfo=CITY)
    clock = decision_deadline(filed.date(), calendar=calendar)
    assert clock.on == date(2026, 1, 26)
    assert not clock.is_late(date(2026, 1, 12))
    assert not clock.is_late(date(2026, 1, 26))
    assert clock.is_late(date(2026, 1, 27))


def test_2_the_same_case_gives_one_date_however_often_it_is_read(calendar):
    read = {decision_deadline(date(2026, 1, 9), calendar=Calendar()) for _ in range(5)}
    assert read == {decision_deadline(date(2026, 1, 9), calendar=calendar)}


def test_6_every_date_opens_its_explanation(closed):
    for rule in RULES.values():
        clock = rule.compute(date(2026, 11, 16), calendar=closed)
        assert str(clock.citation) in clock.explanation
        assert clock.steps[0].kind == "start"
        assert {"counted", "end", "safe"} <= {step.kind for step in clock.steps}


def test_9_every_period_has_a_kind_of_counting_of_its_own():
    assert {rule.counting for rule in RULES.values()} == set(Counting)


def test_10_the_due_day_itself_is_not_overdue(calendar):
    clock = decision_deadline(date(2026, 6, 1), calendar=calendar)
    assert clock.on == date(2026, 6, 15)
    evening = datetime(2026, 6, 15, 23, 59, tzinfo=CITY)
    midnight = datetime(2026, 6, 16, 0, 0, tzinfo=CITY)
    assert clock.standing(evening.date()) is Standing.OPEN
    assert clock.standing(midnight.date()) is Standing.LATE


@pytest.mark.parametrize(
    ("issued", "last"),
    [(date(2026, 3, 6), date(2026, 3, 16)), (date(2026, 10, 30), date(2026, 11, 9))],
)
def test_11_a_change_of_the_clocks_moves_no_deadline(issued, last, calendar):
    assert compliance_deadline(issued, calendar=calendar).on == last


@pytest.mark.parametrize("zone", ["UTC", "America/Chicago", "Pacific/Kiritimati"])
def test_12_the_zone_of_the_machine_changes_no_answer(zone):
    code = (
        "from datetime import date; from portal.ordinance import RULES, Calendar;"
        "print(*(c.on for r in RULES.values()"
        " if (c := r.compute(date(2026, 10, 30), calendar=Calendar()))))"
    )
    here = [r.compute(date(2026, 10, 30), calendar=Calendar()) for r in RULES.values()]
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env={"TZ": zone}, capture_output=True, check=True
    )
    assert found.stdout.decode().split() == [clock.on.isoformat() for clock in here if clock]


def test_15_both_ends_of_every_count_are_fixed(calendar):
    """The first day is left out and the last is counted, in every rule."""
    for key in ("stop-work-compliance", "notice-of-intent", "appeal"):
        clock = RULES[key].compute(date(2026, 6, 1), calendar=calendar)
        days = 30 if key == "appeal" else 10
        assert (clock.on - date(2026, 6, 1)).days == days


def test_17_start_and_end_on_one_day_make_one_day():
    assert alleged_days(date(2026, 6, 1), date(2026, 6, 1)) == 1


@pytest.mark.parametrize("text", ["31/12/2026", "13/13/2026", "12/31/2026"])
def test_19_a_day_written_otherwise_is_an_error_and_no_other_day(text):
    with pytest.raises(ValueError, match="year-month-day"):
        parse_day(text)


def test_counting_is_quick_enough_for_every_page():
    began = time.perf_counter()
    for day in range(1, 29):
        for rule in RULES.values():
            rule.compute(date(2026, 2, day), calendar=Calendar())
    assert time.perf_counter() - began < 2
