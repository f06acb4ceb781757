"""`./run bench`: two small cities, measured and written down."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from escrow.demo.bench import report
from escrow.demo.bench.pages import ANNUAL


@pytest.mark.slow
def test_two_cities_are_measured_and_removed(tmp_path: Path) -> None:
    document = tmp_path / "performance.md"
    document.write_text(f"# Speed\n\n{report.BEGIN}\nold\n{report.END}\n\nThe end.\n")
    said = StringIO()
    call_command(
        "bench",
        only="sqlite",
        sites_small=30,
        sites_large=60,
        times=2,
        cards=2,
        letters=5,
        write=True,
        to=document,
        stdout=said,
        stderr=StringIO(),
    )
    written = document.read_text()
    pages = ("Desk", "Case page", "Applicant's home", "Look-up by address", "Law page")
    orders = ("Orders", "Order", "What may be done today", "Mail room", "Mail room, 200 letters")
    for page in (
        *pages,
        *orders,
        "Day plan",
        "Visit, being written",
        "Report by the public",
        *("Cash book, a day", "Escrow account", "Bill", "Bills to be paid"),
        "Batch of the tax roll",
        ANNUAL,
    ):
        assert f"| {page} |" in written
        assert f"| {page} | missing" not in written
        assert f"| {page} | status" not in written
    assert "Permit card (PDF): median" in written
    assert "Batch of letters (PDF):" in written
    assert re.search(r"CSV of \d+ charges: [\d.]+ s, \d+ MB more memory", written)
    assert re.search(r"XLSX of \d+ rows: [\d.]+ s", written)
    assert re.search(r"Preview of [1-9]\d* charges: [\d.]+ s", written)
    assert "Trial balance of everything:" in written
    assert written.startswith("# Speed")
    assert written.endswith("The end.\n")
    assert "old" not in written
    assert list((Path(settings.VAR_DIR) / "bench").iterdir()) == []


def test_goals_that_are_not_met_are_named() -> None:
    figures = report.Figures("SQLite", (10, 20))
    figures.queries = [{"Desk": 4, "Look-up": "missing"}, {"Desk": 26, "Look-up": "missing"}]
    figures.times = (
        {"Desk": [10.0, 10.0], report.BARE: [5.0, 5.0]},
        {"Desk": [20.0, 20.0], report.BARE: [5.0, 5.0]},
    )
    assert list(figures.missed()) == [
        "Desk: 26 queries, the goal is 25",
        "Desk: ratio 2.00, the goal is 1.3",
        "Look-up: missing",
        "Desk: 4.0 times the bare view, the goal is 3",
    ]
    assert "| Desk | 4, 26 | 10.0 | 10.0 | 20.0 | 20.0 | 2.00 |" in report.table(figures)


def test_the_annual_report_may_grow_with_the_city_but_not_beyond_two_seconds() -> None:
    figures = report.Figures("PostgreSQL", (10, 20))
    figures.queries = [{ANNUAL: 9}, {ANNUAL: 9}]
    figures.times = ({ANNUAL: [10.0, 10.0]}, {ANNUAL: [1900.0, 1900.0]})
    assert list(figures.missed()) == []
    figures.times[1][ANNUAL] = [2100.0, 2100.0]
    assert list(figures.missed()) == ["Annual report: 2100 ms, the goal is 2000"]


def test_letters_that_are_printed_too_slowly_are_named() -> None:
    figures = report.Figures("SQLite", (10, 20))
    figures.queries, figures.times = [{}, {}], ({}, {})
    figures.letters = {"letters": 200, "a second": 5.0, "megabytes": 4}
    assert list(figures.missed()) == []
    figures.letters["a second"] = 4.9
    assert list(figures.missed()) == ["Batch of letters: 4.9 a second and core, the goal is 5"]


def test_a_slow_roll_is_named() -> None:
    figures = report.Figures("PostgreSQL", (10, 20))
    figures.queries, figures.times = [{}, {}], ({}, {})
    figures.money = {
        **{"csv rows": 100_000, "csv s": 3.0, "copy s": 1.0, "csv MB": 20},
        **{"sheet rows": 10_000, "sheet s": 5.0},
        **{"preview charges": 10_000, "preview s": 3.0, "balance s": 9.0},
    }
    assert list(figures.missed()) == []
    figures.money |= {"copy s": 0.9, "csv MB": 21, "sheet s": 5.1, "preview s": 3.1}
    assert list(figures.missed()) == [
        "Preview of the roll: 3.1 s, the goal is 3",
        "XLSX: 5.1 s, the goal is 5",
        "CSV: 0.30 of the speed of COPY, the goal is 1/3",
        "CSV: 21 MB more memory, the goal is 20",
    ]


def test_it_is_refused_where_real_cases_may_be(settings) -> None:
    settings.TEST = False
    with pytest.raises(CommandError, match="SILTFENCE_MODE=demo"):
        call_command("bench")
