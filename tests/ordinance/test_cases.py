"""Every row of the worked pairs and of the published facts, where they are at hand."""

import csv
import json
from datetime import date, timedelta

import pytest

from portal.ordinance import RULES, Calendar, legal_holidays, permit_needed
from portal.ordinance.cover import completion
from portal.ordinance.days import days_between, nth_day, roll_forward
from portal.ordinance.mailed_notice import draw_opens

from .conftest import CASES

GOOD_FRIDAYS = [date(2026, 4, 3), date(2027, 3, 26), date(2028, 4, 14), date(2029, 3, 30)]
AFTER_THANKSGIVING = [
    date(2026, 11, 27),
    date(2027, 11, 26),
    date(2028, 11, 24),
    date(2029, 11, 23),
]
YEAR_ENDS = [date(year, 12, day) for year in range(2025, 2031) for day in (24, 31)]
CLOSED = Calendar([*GOOD_FRIDAYS, *AFTER_THANKSGIVING, *YEAR_ENDS])
OPEN = Calendar()
ROLLING_DAYS = "calendar_days_then_roll_forward"
BETWEEN = "working_days_between (start excluded, end included)"
DAYS_AND_HOLIDAYS = "calendar_days_plus_number_of_holidays"


def rows(name):
    """The rows of a file of cases; one that skips where the folder is absent."""
    if not CASES.is_dir():
        reason = pytest.mark.skip(reason="the folder of cases is not here")
        return [pytest.param(None, marks=reason, id="absent")]
    found = json.loads((CASES / name).read_text(encoding="utf-8"))
    return [pytest.param(row, id=row.get("id", str(n))) for n, row in enumerate(found)]


def clock(rule, day, calendar=OPEN):
    return RULES[rule].compute(date.fromisoformat(day), calendar=calendar)


def iso(found):
    return None if found is None else (found.on.isoformat(), found.safe_on.isoformat())


def check_decision(row):
    assert iso(clock("decision", row["input"])) == (row["expected"], row["strict_target"])
    closed = clock("decision", row["input"], CLOSED)
    shut = "expected_with_closures_GoodFri_ThanksFri_Dec24_Dec31"
    assert closed.on.isoformat() == row[shut]


def check_stop_work(row):
    issued, tenth = row["input"], row["day10"]
    comply, obtain = row["comply_last_day"], row["obtain_permit_last_day"]
    refer = row["cease_desist_first_day_no_permit"]
    assert iso(clock("stop-work-compliance", issued)) == (comply, tenth)
    assert iso(clock("permit-after-stop-work", issued)) == (obtain, tenth)
    assert iso(clock("revocation", issued)) == (row["revocation_first_day"], refer)
    assert iso(clock("cease-and-desist", issued)) == (refer, refer)


def check_notice(row):
    assert iso(clock("notice-of-intent", row["input"])) == (row["hard_gate"], row["safe_gate"])


def check_entry(row):
    assert iso(clock("city-work", row["input"])) == (row["hard_gate"], row["safe_gate"])
    assert date.fromisoformat(row["day14"]) == date.fromisoformat(row["input"]) + timedelta(14)


def check_mailed(row):
    found = draw_opens(date.fromisoformat(row["input_generated"]), calendar=OPEN)
    assert iso(found) == (row["hard_gate"], row["safe_gate_plus3"])
    assert found.started_on.isoformat() == row["mailed"]


def check_cover(row):
    expected = row["next_secular_day"] and (row["next_secular_day"], row["expected_due"])
    assert iso(clock("permanent-cover", row["co_issued"])) == expected


def check_term(row):
    assert clock("assessment-term", row["levied"]).on.isoformat() == row["last_interest_day"]


CHECKS = {
    "W": check_decision,
    "S": check_stop_work,
    "N": check_notice,
    "E": check_entry,
    "M": check_mailed,
    "C": check_cover,
    "Y": check_term,
}


@pytest.mark.parametrize("row", rows("dates.json"))
def test_the_worked_pairs(row):
    CHECKS[row["id"][0]](row)


def reproduce(row):
    """A published fact by our counter, with the fact's own holidays."""
    holidays = set(map(date.fromisoformat, row["holidays"]))
    start = date.fromisoformat(row["start"])

    def works(day):
        return day.weekday() < 5 and day not in holidays

    if row["rule"] == BETWEEN:
        return days_between(start, date.fromisoformat(row["end"]), works)
    found = {
        "working_days_after": lambda n: nth_day(start, n, works),
        "roll_forward": lambda n: roll_forward(start, works),
        "roll_backward": lambda n: start if works(start) else nth_day(start, -1, works),
        ROLLING_DAYS: lambda n: roll_forward(start + timedelta(n), works),
        DAYS_AND_HOLIDAYS: lambda n: nth_day(start, n, lambda day: day not in holidays),
    }[row["rule"]](row["n"])
    return found.isoformat()


@pytest.mark.parametrize("row", rows("working_day_vectors.json"))
def test_the_published_facts_of_other_counters(row):
    if row["note"].startswith("CONVENTION DIFFERS"):
        # gocardless/business, 2013-01-01 plus 2: it moves a holiday start to the next
        # working day first. The day of the act is excluded here, so we count one less.
        assert (reproduce(row), row["expected"]) == ("2013-01-03", "2013-01-04")
    else:
        assert reproduce(row) == row["expected"]


STATE_OFFICES = {
    "new-year",
    "martin-luther-king",
    "memorial",
    "independence",
    "labor",
    "thanksgiving",
    "christmas",
}
"""Legal holidays among the nine days on which the state's offices close."""


def state_office_day(day):
    """Monday to Friday, none of the nine closings (December 24 and 31 are two)."""
    eve = day.month == 12 and day.day in (24, 31)
    kept = legal_holidays(day.year).get(day)
    closed = kept is not None and kept.key in STATE_OFFICES
    return day.weekday() < 5 and not eve and not closed


def test_days_of_five_thousand_real_permits(law_cases):
    """Numpy counts the first day and not the last; both are taken here as days that count."""
    with (law_cases / "permits_calgary.csv").open(encoding="utf-8", newline="") as file:
        permits = [row for row in csv.DictReader(file) if row["chk_weekdays_numpy"]]
    assert len(permits) > 1000
    for row in permits:
        applied, issued = (date.fromisoformat(row[name]) for name in ("applieddate", "issueddate"))
        assert (issued - applied).days == int(row["chk_calendar_days"])
        if applied.weekday() < 5 and issued.weekday() < 5:
            weekdays = days_between(applied, issued, lambda day: day.weekday() < 5)
            assert weekdays == int(row["chk_weekdays_numpy"]), row
        if state_office_day(applied) and state_office_day(issued):
            worked = days_between(applied, issued, state_office_day)
            assert worked == int(row["chk_workdays_nine_state_closings_numpy"]), row


@pytest.mark.parametrize(
    ("permit", "certificate", "condition", "limit"),
    [
        ("2027-06-01", "2026-12-05", "2027-06-01", "2027-07-15"),
        ("2027-09-30", "2026-12-05", None, "2027-07-15"),
        ("2026-11-30", "2026-12-05", "2026-11-30", "2027-07-15"),
    ],
)
def test_the_permits_date_beside_the_winter_rule(permit, certificate, condition, limit):
    found = completion(date.fromisoformat(permit), date.fromisoformat(certificate), calendar=OPEN)
    assert (found.permit_on and found.permit_on.isoformat()) == condition
    assert found.limit_on.isoformat() == limit


def test_the_units_of_the_triggers_are_the_ordinances():
    assert permit_needed.SQUARE_FEET_PER_ACRE == 43_560
