"""`manage.py rain FILE [--station NAME] [--check] [--json]`."""

from __future__ import annotations

import io
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from inspections.models import RainReading, VisitNeed
from tests.inspections import factory

pytestmark = pytest.mark.django_db

GOOD = "STATION,DATE,PRCP\nUSW00014839,2026-11-20,127\nUSW00014839,2026-11-22,126\n"
BAD = "date,inches\n2026-11-20,0.7\n2026-11-20,0.7\n2026-11-21,-1\n2026-11-22,wet\n"


@pytest.fixture(autouse=True)
def _today(at) -> None:
    at("2026-11-23")


def run(tmp_path: Path, text: str, *options: str) -> str:
    path = tmp_path / "rain.csv"
    path.write_text(text)
    out = io.StringIO()
    call_command("rain", str(path), *options, stdout=out)
    return out.getvalue()


def facts(tmp_path: Path, text: str, *options: str) -> dict[str, Any]:
    return json.loads(run(tmp_path, text, *options, "--json"))


def test_check_reports_and_saves_nothing(tmp_path: Path) -> None:
    said = run(tmp_path, GOOD, "--check")
    assert "Days read: 2" in said
    assert "Days of 0.5 inch or more: 1" in said
    assert "2026-11-20" in said
    assert "Gaps: 1\n  Nov 21" in said
    assert not RainReading.objects.exists()


def test_check_in_json(tmp_path: Path) -> None:
    assert facts(tmp_path, GOOD, "--check") == {
        "station": "USW00014839",
        "column": "PRCP",
        "unit": "tenths of a millimetre",
        "days_read": 2,
        "trigger_count": 1,
        "trigger_days": [{"date": "2026-11-20", "inches": "0.5000"}],
        "refused": [],
        "not_measured": [],
        "gaps": [{"first": "2026-11-21", "last": "2026-11-21"}],
        "saved": False,
    }


def test_check_names_the_line_of_every_refused_row(tmp_path: Path) -> None:
    found = facts(tmp_path, BAD, "--check")
    assert found["refused"] == [
        {"line": 3, "reason": "November 20, 2026 stands in line 2 already"},
        {"line": 4, "reason": "rain cannot be negative (-1)"},
        {"line": 5, "reason": "“wet” is not a number"},
    ]
    assert found["days_read"] == 1


def test_a_refused_row_saves_nothing_and_fails(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="3 rows were refused; nothing was saved") as failed:
        run(tmp_path, BAD)
    assert failed.value.returncode == 1
    assert not RainReading.objects.exists()


def test_a_file_is_saved_and_its_rain_opens_visits(tmp_path: Path) -> None:
    factory.active_permit(issued_on=date(2026, 11, 2))
    found = facts(tmp_path, GOOD, "--station", "Airport")
    assert (found["saved"], found["new"], found["visits_opened"]) == (True, 2, 1)
    assert set(RainReading.objects.values_list("station", flat=True)) == {"Airport"}
    assert VisitNeed.objects.open().filter(reason="rain").count() == 1


def test_a_corrected_figure_says_what_it_changed(tmp_path: Path) -> None:
    factory.active_permit(issued_on=date(2026, 11, 2))
    run(tmp_path, GOOD)
    said = run(tmp_path, GOOD.replace(",127", ",120"))
    assert "2026-11-20: 0.4724 inch instead of 0.5 inch; no longer a day of 0.5 inch" in said
    assert "Visits fallen away: 1" in said


def test_saved_twice_it_changes_nothing(tmp_path: Path) -> None:
    run(tmp_path, GOOD)
    assert "Saved: 0 new, 0 corrected, 2 unchanged" in run(tmp_path, GOOD)
    assert RainReading.objects.count() == 2


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        ("date,snow\n", "no column of precipitation"),
        ("date,rain\n2026-11-20,3", "unit"),
    ],
)
def test_a_file_that_cannot_be_read_fails_with_a_sentence(
    tmp_path: Path, text: str, why: str
) -> None:
    with pytest.raises(CommandError, match=why) as failed:
        run(tmp_path, text, "--check")
    assert failed.value.returncode == 2


def test_a_unit_can_be_named(tmp_path: Path) -> None:
    found = facts(tmp_path, "date,rain\n2026-11-20,12.7\n", "--check", "--unit", "mm")
    assert found["trigger_count"] == 1


def test_a_station_has_a_name_that_can_be_kept(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="at most 80 characters"):
        run(tmp_path, GOOD, "--station", "x" * 81)
    assert not RainReading.objects.exists()


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="No such file"):
        call_command("rain", str(tmp_path / "none.csv"))


def test_milwaukee_has_24_days_from_march_to_november_2025(cases: Path) -> None:
    out = io.StringIO()
    call_command("rain", str(cases / "rain_milwaukee.csv"), "--check", "--json", stdout=out)
    days = [day["date"] for day in json.loads(out.getvalue())["trigger_days"]]
    assert len([day for day in days if "2025-03-01" <= day <= "2025-11-30"]) == 24
