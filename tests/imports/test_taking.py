"""Earlier permits become cases: all good rows or none, once, and word for word."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, IntegrityError, transaction

from permits.finding import find_site_keys
from permits.imports import opening, taking, tasks
from permits.models import (
    CaseEvent,
    DocketEntry,
    EarlierPermit,
    ImportBatch,
    ImportedRow,
    Site,
)
from permits.verify import faults
from portal import clock
from tests import factory
from tests.conftest import needs_cases

from .sheets import GOOD, HEADINGS, WRONG, csv_of, imported, opened, xlsx_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def monday(at: Any) -> None:
    at(factory.MONDAY)


def whys(batch: ImportBatch) -> dict[str, str]:
    return {r["key"] or str(r["row"]): r["why"][0][1] for r in batch.report["rows"] if r["why"]}


def test_a_row_becomes_a_case_with_nothing_made_up() -> None:
    batch = imported(csv_of(GOOD), by=factory.clerk())
    assert batch.status == "imported"
    assert batch.taken == 3
    closed = EarlierPermit.objects.get(number="17-031")
    assert (closed.status, str(closed.issued_on), str(closed.ended_on)) == (
        "closed",
        "2017-05-02",
        "2017-10-30",
    )
    assert closed.applied_on is None
    assert closed.words == "Closed"
    assert closed.site.filed_on is None
    assert not closed.site.applications.exists()
    assert [p.number for p in closed.site.parcels.all()] == ["0010-001.000"]
    owner = closed.parties.get()
    assert (owner.role, owner.name, owner.telephone) == (
        "landowner",
        "Ada Lindqvist",
        "414 555 0101",
    )
    event = CaseEvent.objects.get(site=closed.site)
    assert event.kind == "case.imported"
    assert event.facts["row"] == 2
    assert event.facts["file_sha256"] == batch.upload.sha256
    assert list(faults()) == []


def test_the_row_is_kept_word_for_word_and_never_changes() -> None:
    imported(csv_of(GOOD))
    row = ImportedRow.objects.get(key="EC 21/7")
    assert row.content == dict(zip(HEADINGS, GOOD[1], strict=True))
    for act in (row.delete, lambda: ImportedRow.objects.update(key="x")):
        with pytest.raises(DatabaseError), transaction.atomic():
            act()


@pytest.mark.parametrize(
    "typed",
    ["17-031", "17031", "9550 107th", "0010-001.000", "0010001000"],
)
def test_it_is_found_by_its_old_number_address_and_parcel(typed: str) -> None:
    imported(csv_of(GOOD))
    site = EarlierPermit.objects.get(number="17-031").site
    assert find_site_keys(typed, Site.objects.all()).keys == [site.pk]


def test_a_date_is_computed_only_where_the_facts_suffice() -> None:
    imported(csv_of(GOOD))
    computed = EarlierPermit.objects.get(number="EC 21/7")
    entry = DocketEntry.objects.running().get()
    assert entry.subject == computed
    assert entry.on.isoformat() == "2026-11-30"
    assert entry.count() == computed.clocks()[0]
    bare = EarlierPermit.objects.get(number="19-112")
    assert bare.clocks() == []
    assert "permanent controls is not known" in bare.why_not_computed()
    assert EarlierPermit(
        status="issued",
        issued_on=factory.MONDAY.replace(year=2015),
        permanent_controls_by=factory.MONDAY,
    ).why_not_computed() == (
        "The text of the ordinance in force on the day of the permit is not kept here."
    )


def test_wrong_rows_stay_out_and_come_in_once_mended() -> None:
    first = imported(csv_of([*GOOD, *WRONG]))
    assert first.report["counts"] == {"new": 3, "known": 0, "refused": 2}
    said = whys(first)
    assert "Write the month first" in said["20-001"]
    assert "Limbo" in said["20-002"]
    mended = [
        ("20-001", "Active", "12 Mill St", "", "12/31/2020", "", "", "", "", ""),
        ("20-002", "Closed", "14 Mill St", "", "3/1/2020", "", "", "", "", ""),
    ]
    second = imported(csv_of([*GOOD, *mended]))
    assert second.report["counts"] == {"new": 2, "known": 3, "refused": 0}
    third = imported(csv_of([*GOOD, *mended]))
    assert third.report["counts"] == {"new": 0, "known": 5, "refused": 0}
    assert EarlierPermit.objects.count() == Site.objects.count() == 5


def test_a_batch_is_taken_once() -> None:
    batch = opened(csv_of(GOOD))
    taking.take(batch, by=None, on=clock.today())
    with pytest.raises(taking.NotNow, match="imported"):
        taking.take(batch, by=None, on=clock.today())
    assert Site.objects.count() == 3


def test_a_row_that_reads_otherwise_now_is_refused_by_name() -> None:
    imported(csv_of(GOOD))
    changed = [(*GOOD[0][:2], "9 Elsewhere Rd", *GOOD[0][3:])]
    batch = opened(csv_of(changed))
    row = batch.report["rows"][0]
    assert row["outcome"] == "refused"
    assert row["why"][0][0] == "Address"
    assert "was imported already as case S-2026-" in row["why"][0][1]


def test_nothing_is_half_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = opened(csv_of(GOOD))
    monkeypatch.setattr(taking, "CHUNK", 1)
    calls = []
    real = taking._start_clocks

    def dies(permits: Any, calendar: Any) -> None:
        calls.append(1)
        if len(calls) == 3:
            raise IntegrityError("the third chunk fails")
        real(permits, calendar)

    monkeypatch.setattr(taking, "_start_clocks", dies)
    with pytest.raises(IntegrityError), transaction.atomic():
        taking.take(batch, by=None, on=clock.today())
    assert not Site.objects.exists()
    assert not ImportedRow.objects.exists()
    batch.refresh_from_db()
    assert batch.status == "read"


def test_a_workbook_reads_as_its_csv() -> None:
    from datetime import datetime

    rows = [
        [
            "17-031",
            "Closed",
            "1 A St",
            10001000,
            datetime(2017, 5, 2),
            None,
            None,
            "Ada",
            4145550101,
        ]
    ]
    batch = imported(xlsx_of(rows))
    permit = EarlierPermit.objects.get()
    assert str(permit.issued_on) == "2017-05-02"
    assert permit.site.parcels.get().number == "10001000"
    assert permit.parties.get().telephone == "4145550101"
    assert batch.where == "the sheet “Permits”"
    assert permit.row.content["Issued"] == "2017-05-02"


@needs_cases
def test_whatever_people_write_is_kept_as_typed(cases: Path) -> None:
    strings = json.loads((cases / "strings.json").read_text())
    typed = [s for s in strings if s.strip() and len(s) <= 200 and "\x00" not in s]
    rows = [
        (f"N-{n}", "Closed", text, "", "", "", "", text, "", "") for n, text in enumerate(typed)
    ]
    batch = imported(csv_of(rows))
    assert batch.report["counts"]["new"] == len(typed) > 300
    kept = dict(EarlierPermit.objects.values_list("number", "site__address"))
    for n, text in enumerate(typed):
        # A carriage return inside a cell is a line break in any table of text.
        assert kept[f"N-{n}"] == text.strip(), text
    assert list(faults()) == []


@needs_cases
@pytest.mark.parametrize(
    ("file", "column"),
    [("addresses_wisconsin.csv", "address"), ("parcel_numbers.csv", "example_as_written")],
)
def test_what_the_county_writes_is_found_again(cases: Path, file: str, column: str) -> None:
    with (cases / file).open(newline="") as source:
        texts = list(dict.fromkeys(row[column] for row in csv.DictReader(source)))
    heading = "Address" if column == "address" else "Parcel"
    rows = [(f"N-{n}", text) for n, text in enumerate(texts)]
    imported(csv_of(rows, ("Permit No", heading)))
    for n, text in enumerate(texts):
        site = EarlierPermit.objects.get(number=f"N-{n}").site
        words = text[:100]
        assert site.pk in find_site_keys(words, Site.objects.all()).keys, text


# The command ------------------------------------------------------------------------------


def run(tmp_path: Path, raw: bytes, *options: str) -> str:
    path = tmp_path / "old permits.csv"
    path.write_bytes(raw)
    out = io.StringIO()
    call_command("import_cases", str(path), *options, stdout=out)
    return out.getvalue()


def test_the_command_reports_and_saves_nothing(tmp_path: Path) -> None:
    said = run(tmp_path, csv_of(GOOD))
    assert "Taken: 3" in said
    assert "Nothing is saved" in said
    assert not Site.objects.exists()
    assert not ImportBatch.objects.exists()


def test_the_command_imports_once(tmp_path: Path) -> None:
    clerk = factory.clerk()
    assert "Taken: 3" in run(tmp_path, csv_of(GOOD), "--apply", "--by", clerk.email)
    assert "Imported already: 3" in run(tmp_path, csv_of(GOOD), "--apply")
    assert CaseEvent.objects.filter(actor=clerk).count() == 3


def test_the_command_reads_a_mapping(tmp_path: Path) -> None:
    mapping = tmp_path / "map.toml"
    mapping.write_text(
        'source = "Ledger"\n[columns]\nnumber = "Akte"\naddress = "Ort"\nstatus = "Lage"\n'
        '[words]\n"In limbo" = "unknown"\n'
    )
    raw = csv_of([("A1", "1 A St", "in  LIMBO")], ("Akte", "Ort", "Lage"))
    run(tmp_path, raw, "--columns", str(mapping), "--apply")
    permit = EarlierPermit.objects.get()
    assert (permit.status, permit.words) == ("unknown", "in  LIMBO")
    assert permit.row.source.name == "Ledger"


def test_the_command_says_which_cell_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="2 rows were refused") as refused:
        run(tmp_path, csv_of([*GOOD, *WRONG]), "--apply")
    assert refused.value.returncode == 1
    assert Site.objects.count() == 3


@pytest.mark.parametrize(("status", "end"), [("issued", None), ("closed", "2017-10-30")])
def test_the_end_that_the_books_name_is_neither_a_trap_nor_lost(
    status: str, end: str | None
) -> None:
    row = ("17-031", "Limbo", "9548 N 107th St", "", "5/2/2017", "10/30/2017", "", "", "", "")
    batch = opening.name_words(opened(csv_of([row])), {"Limbo": "unknown"})
    tasks.read_now(batch)
    taking.take(batch, by=None, on=clock.today())
    permit = EarlierPermit.objects.get()
    assert permit.ended_on
    how = {"day": None, "why": "The old file.", "by": factory.inspector(), "on": factory.MONDAY}
    permit.settle(EarlierPermit.Status(status), **how)
    permit.refresh_from_db()
    assert permit.status == status
    assert (str(permit.ended_on) if permit.ended_on else None) == end
    assert list(faults()) == []
