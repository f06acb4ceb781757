"""A daily rain file, read row by row: exact figures, and every refusal with its line."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from inspections.rain_file import RainFile, Unit, decode, read_file

TODAY = date(2026, 11, 30)


def read(text: str, **kwargs) -> RainFile:
    return read_file(text, today=TODAY, **kwargs)


def figures(found: RainFile) -> list[Decimal]:
    return [day.inches for day in found.days]


def test_the_rain_of_milwaukee_has_24_trigger_days_in_the_season(cases: Path) -> None:
    found = read(decode((cases / "rain_milwaukee.csv").read_bytes()))
    season = [d for d in found.trigger_days() if date(2025, 3, 1) <= d.on <= date(2025, 11, 30)]
    assert len(season) == 24
    assert (len(found.days), found.refused, found.gaps) == (2788, [], [])


@pytest.mark.parametrize("column", ["precip_in_exact", "precip_tenths_mm_recovered"])
def test_either_column_of_milwaukee_gives_the_same_days(cases: Path, column: str) -> None:
    lines = (cases / "rain_milwaukee.csv").read_text().splitlines()
    place = lines[0].split(",").index(column)
    rows = [(row.split(",")[0], row.split(",")[place]) for row in lines]
    found = read("\n".join(f"{day},{amount}" for day, amount in rows))
    season = [d for d in found.trigger_days() if date(2025, 3, 1) <= d.on <= date(2025, 11, 30)]
    assert len(season) == 24


@pytest.mark.parametrize(
    ("tenths", "inches", "trigger"),
    [("127", Decimal("0.5"), True), ("126", None, False), ("128", None, True)],
)
def test_12_7_millimetres_are_exactly_half_an_inch(
    tenths: str, inches: Decimal | None, trigger: bool
) -> None:
    (day,) = read(f"STATION,DATE,PRCP\nUSW00014839,2026-06-01,{tenths}\n").days
    assert day.is_trigger is trigger
    assert inches is None or day.inches == inches


@pytest.mark.parametrize(
    ("header", "amount", "inches"),
    [
        ("date,prcp_in", "0.5", "0.5"),
        ("Date,Precip (in)", "0.5", "0.5"),
        ("DAY;RAIN_IN", "0.5", "0.5"),
        ("date,rain mm", "12.7", "0.5"),
        ("date,prcp_tenths_mm", "127", "0.5"),
        ("date,precip_tenths_mm_recovered", "127", "0.5"),
        ("DATE,PRCP", "127", "0.5"),
        ("DATE,PRCP", "0.50", "0.5"),
        ("DATE,PRCP", "T", "0"),
    ],
)
def test_columns_are_found_by_name(header: str, amount: str, inches: str) -> None:
    between = ";" if ";" in header else ","
    found = read(f"{header}\n2026-06-01{between}{amount}\n")
    assert figures(found) == [Decimal(inches)]


@pytest.mark.parametrize("day", ["2026-06-01", "6/1/2026", "06/01/2026", "20260601"])
def test_a_day_is_written_in_any_usual_way(day: str) -> None:
    assert read(f"date,inches\n{day},0.1\n").days[0].on == date(2026, 6, 1)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("2026-06-02,-0.2", "rain cannot be negative (-0.2)"),
        ("2026-06-02,lots", "“lots” is not a number"),
        ("2026-06-02,1e2", "“1e2” is not a number"),
        ("2026-06-02,NaN", "“NaN” is not a number"),
        ("2026-06-02,0.5x", "“0.5x” is not a number"),
        ("2026-06-02,31", "31 inches is more than 30 inches in a day"),
        ("2026-02-30,0.2", "“2026-02-30” is not a day of the calendar"),
        ("31/12/2025,0.2", "“31/12/2025” is not a day of the calendar"),
        ("someday,0.2", "“someday” is not a day of the calendar"),
        (",0.2", "the day is missing"),
        ("2026-12-01,0.2", "December 1, 2026 is still to come"),
        ("0206-06-02,0.2", "the year 206 cannot be meant"),
        ("2026-06-01,0.9", "June 1, 2026 stands in line 2 already"),
        ("6/1/2026,0.1", "June 1, 2026 stands in line 2 already"),
    ],
)
def test_a_row_that_cannot_be_meant_is_refused_with_its_line(row: str, reason: str) -> None:
    found = read(f"date,inches\n2026-06-01,0.1\n\n{row}\n2026-06-03,0.2\n")
    assert found.refused == [(4, reason)]
    assert [day.line for day in found.days] == [2, 5]


def test_a_gap_is_named_and_a_day_without_figure_is_a_gap() -> None:
    found = read("date,inches\n2026-06-01,0.1\n2026-06-02,\n2026-06-05,M\n2026-06-06,0.2\n")
    assert found.refused == []
    assert found.gaps == [(date(2026, 6, 2), date(2026, 6, 5))]
    assert found.not_measured == [(3, date(2026, 6, 2)), (4, date(2026, 6, 5))]


def test_the_order_of_the_rows_does_not_matter() -> None:
    found = read("date,inches\n2026-06-03,0.6\n2026-06-01,0.7\n2026-06-02,0\n")
    assert found.gaps == []
    assert [day.on.day for day in found.trigger_days()] == [1, 3]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        ("\n \n", "empty"),
        ("when,inches\n2026-06-01,0.1\n", "no column called date"),
        ("date,snow\n2026-06-01,0.1\n", "no column of precipitation"),
        ("date,rain\n2026-06-01,1\n", "does not say its unit"),
        ("date,prcp\n2026-06-01,12.7\n", "does not say its unit"),
        ("STATION,DATE,PRCP\nA,2026-06-01,1\nB,2026-06-01,2\n", "several stations (A, B)"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        read(text)


def test_a_unit_that_is_chosen_settles_it() -> None:
    text = "date,rain\n2026-06-01,127\n"
    assert figures(read(text, unit=Unit.TENTHS)) == [Decimal("0.5")]
    assert figures(read("date,rain\n2026-06-01,12.7\n", unit=Unit.MILLIMETRES)) == [Decimal("0.5")]


def test_one_of_several_stations_is_read_when_it_is_named() -> None:
    text = "STATION,DATE,PRCP\nA,2026-06-01,127\nB,2026-06-01,2\nA,2026-06-02,0\n"
    found = read(text, station="A")
    assert (found.station, len(found.days), found.refused) == ("A", 2, [])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_file_from_any_program_is_text(encoding: str) -> None:
    raw = "date,inches,remark\n2026-06-01,0.5,pluie très forte\n".encode(encoding)
    assert figures(read(decode(raw))) == [Decimal("0.5")]


@pytest.mark.parametrize("raw", [b"PK\x03\x04 a workbook", b"%PDF-1.7", b"date\x00,inches"])
def test_what_is_no_text_is_refused(raw: bytes) -> None:
    with pytest.raises(ValueError, match="not a text file"):
        decode(raw)
