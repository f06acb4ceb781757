"""`manage.py deadlines`: a date from the command line, and a file of them."""

import csv
import io
import json
import os
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from portal.models import Closure, CouncilValue
from portal.ordinance import RULES

ROOT = Path(__file__).resolve().parents[2]


def run(*arguments):
    out = io.StringIO()
    call_command("deadlines", *arguments, stdout=out)
    return out.getvalue()


def answer(path, text):
    path.write_text(text, encoding="utf-8")
    return run("--csv", str(path))


@pytest.fixture
def sheet(tmp_path):
    return tmp_path / "rows.csv"


def test_without_arguments_it_lists_the_rules():
    lines = run().splitlines()
    assert [line.split()[0] for line in lines] == list(RULES)
    assert "§ 40-886(c)" in lines[0]
    assert "deadline" in lines[0]
    assert RULES["decision"].sentence in lines[0]
    assert [row["key"] for row in json.loads(run("--json"))] == list(RULES)


@pytest.mark.django_db
def test_a_rule_and_a_day_give_date_safe_date_and_count():
    text = run("decision", "2026-10-30")
    assert "date       2026-11-17" in text
    assert "safe date  2026-11-13" in text
    assert "Received Friday, October 30, 2026" in text


@pytest.mark.django_db
def test_closed_days_replace_the_citys_own():
    Closure.objects.create(day=date(2026, 11, 27), name="Day after Thanksgiving", closed=True)
    assert "date       2026-12-02" in run("decision", "2026-11-16")
    assert "date       2026-12-01" in run("decision", "2026-11-16", "--closed", "2026-12-24")
    two = ("--closed", "2026-11-27", "--closed", "2026-11-30")
    assert "date       2026-12-03" in run("decision", "2026-11-16", *two)


@pytest.mark.django_db
def test_json_for_a_machine():
    found = json.loads(run("decision", "2026-11-16", "--closed", "2026-11-27", "--json"))
    assert (found["on"], found["safe_on"]) == ("2026-12-02", "2026-12-02")
    assert found["closed"] == ["2026-11-27"]
    assert found["citation"] == "§ 40-886(c)"
    assert found["steps"][0]["kind"] == "start"
    assert found["explanation"].startswith("Ten working days after receipt")
    outside = json.loads(run("permanent-cover", "2026-09-01", "--json"))
    assert outside["on"] is None
    assert "does not apply" in outside["explanation"]
    assert "no date" in run("permanent-cover", "2026-09-01")


@pytest.mark.django_db
def test_the_councils_numbers_are_used_from_their_day():
    CouncilValue.objects.create(
        key=CouncilValue.Key.APPEAL_DAYS,
        value="20",
        effective_on=date(2026, 7, 1),
        resolution="R-2026-11",
    )
    assert "date       2026-07-30" in run("appeal", "2026-06-30")
    assert "date       2026-07-21" in run("appeal", "2026-07-01")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("decison", "2026-01-05"), "'decison' is not a rule"),
        (("decision", "31/12/2026"), "not a date written as year-month-day"),
        (("decision", "2026-02-30"), "not a day of the calendar"),
        (("decision", "2026-01-05", "--closed", "tomorrow"), "'tomorrow' is not a date"),
        (("decision",), "which day"),
        (("decision", "--csv", "x.csv"), "--csv takes no rule"),
        (("--csv", "nowhere.csv"), "nowhere.csv: No such file"),
    ],
)
def test_what_cannot_be_read_is_said_and_ends_with_status_2(arguments, reason):
    with pytest.raises(CommandError, match=reason) as refused:
        run(*arguments)
    assert refused.value.returncode == 2


@pytest.mark.django_db
def test_a_file_gets_one_line_per_line(sheet):
    text = answer(
        sheet,
        "rule,date,closed\n"
        "decision,2026-11-16,\n"
        "decision,2026-11-16,2026-11-27;2026-12-24\n"
        "permanent-cover,2026-09-01,\n"
        "mailed-notice,2026-07-04,\n",
    )
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(text.splitlines()) == 5
    assert [row["on"] for row in rows] == ["2026-12-01", "2026-12-02", "", "2026-07-17"]
    assert [row["safe_on"] for row in rows] == ["2026-12-01", "2026-12-02", "", "2026-07-20"]
    assert rows[1]["closed"] == "2026-11-27;2026-12-24"
    assert "does not apply" in rows[2]["explanation"]


@pytest.mark.django_db
def test_the_closed_column_replaces_the_citys_closures_even_when_empty(sheet):
    Closure.objects.create(day=date(2026, 11, 27), name="Day after Thanksgiving", closed=True)
    assert "2026-12-01" in answer(sheet, "decision,2026-11-16,\n")


@pytest.mark.django_db
def test_a_file_without_heading_with_a_mark_and_other_line_ends(sheet):
    assert answer(sheet, "decision,2026-11-16,\n").startswith("decision,2026-11-16,,2026-12-01,")
    marked = answer(sheet, "\ufeffrule,date,closed\r\ndecision,2026-11-16,\r\n")
    assert marked.startswith("rule,date,closed,on,safe_on,explanation\n")
    assert answer(sheet, "") == ""


@pytest.mark.django_db
def test_one_bad_row_refuses_the_file_and_names_its_line(sheet):
    sheet.write_text(
        "rule,date,closed\n"
        "decision,2026-11-16,\n"
        "decison,2026-11-16,\n"
        "decision,16.11.2026,\n"
        "decision,2026-11-16\n"
        "\n"
        "decision,2026-11-16,2026-11-31\n",
        encoding="utf-8",
    )
    out = io.StringIO()
    with pytest.raises(CommandError) as refused:
        call_command("deadlines", "--csv", str(sheet), stdout=out)
    assert out.getvalue() == ""
    assert refused.value.returncode == 2
    faults = str(refused.value).splitlines()
    assert [fault.split(":")[0] for fault in faults] == [
        "line 3",
        "line 4",
        "line 5",
        "line 6",
        "line 7",
    ]
    assert "'decison' is not a rule" in faults[0]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("raw", "reason"),
    [(b"decision,2026-11-16,\xff\n", "not UTF-8"), (b'decision,"2026-11-16,\n', "line 1")],
)
def test_a_file_no_one_can_read_is_refused(sheet, raw, reason):
    sheet.write_bytes(raw)
    with pytest.raises(CommandError, match=reason):
        run("--csv", str(sheet))


def test_it_works_on_a_database_without_tables(tmp_path):
    """As a program: answers on standard output, faults on standard error, status 2."""
    env = {**os.environ, "DATABASE_URL": f"sqlite:///{tmp_path / 'empty.sqlite3'}"}
    env.pop("DJANGO_SETTINGS_MODULE", None)

    def program(*arguments):
        command = [sys.executable, "manage.py", "deadlines", *arguments]
        return subprocess.run(
            command, cwd=ROOT, env=env, capture_output=True, text=True, check=False
        )

    good = program("decision", "2026-11-16")
    assert good.returncode == 0, good.stderr
    assert "date       2026-12-01" in good.stdout
    sheet = tmp_path / "bad.csv"
    sheet.write_text("decision,2026-11-16,\ndecision,never,\n", encoding="utf-8")
    bad = program("--csv", str(sheet))
    assert (bad.returncode, bad.stdout) == (2, "")
    assert "line 2: 'never' is not a date" in bad.stderr


@pytest.mark.slow
@pytest.mark.django_db
def test_a_hundred_thousand_rows_in_time(sheet):
    """Under twenty seconds of work; here with many rows that differ from all others."""
    keys = list(RULES)
    first = date(2020, 1, 1).toordinal()
    days = [date.fromordinal(first + n) for n in range(7010)]
    lines = [f"{keys[n % 12]},{days[n % 7001]},{days[n % 7001 + 9]}" for n in range(100_000)]
    began = time.process_time()
    text = answer(sheet, "rule,date,closed\n" + "\n".join(lines) + "\n")
    assert time.process_time() - began < 20
    assert text.count("\n") == 100_001
