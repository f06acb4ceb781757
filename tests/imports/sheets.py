"""Spreadsheets of earlier permits, as cities have them."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from django.core.files.base import ContentFile
from openpyxl import Workbook

from permits.imports import files, opening, taking, tasks
from permits.models import ImportBatch
from portal import clock
from portal.models import User

HEADINGS = (
    *("Permit No", "Status", "Address", "Parcel", "Issued", "Closed", "Stabilize by"),
    *("Owner", "Owner phone", "Owner email"),
)
BARE = ("", "", "")
GOOD = (
    (
        *("17-031", "Closed", "9548-54 N 107th St", "0010-001.000", "5/2/2017", "10/30/2017", ""),
        *("Ada Lindqvist", "414 555 0101", "ada@example.test"),
    ),
    (
        *("EC 21/7", "Active", "N170W20019 Hunters Rd", "MSKC2261999", "6/14/2026", ""),
        *("11/30/2026", "Prairie Homes LLC", "", ""),
    ),
    ("19-112", "Active", "2615 1/2 Gary Avenue", "", "8/1/2019", "", "", *BARE),
)
WRONG = (
    ("20-001", "Active", "12 Mill St", "", "31/12/2020", "", "", *BARE),
    ("20-002", "Limbo", "14 Mill St", "", "3/1/2020", "", "", *BARE),
)


def csv_of(
    rows: Sequence[Sequence[Any]],
    headings: Sequence[str] = HEADINGS,
    *,
    encoding: str = "utf-8",
    delimiter: str = ",",
) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter).writerows([headings, *rows])
    return out.getvalue().encode(encoding)


def xlsx_of(rows: Sequence[Sequence[Any]], headings: Sequence[str] = HEADINGS) -> bytes:
    book = Workbook(write_only=True)
    sheet = book.create_sheet("Permits")
    for row in (headings, *rows):
        sheet.append(list(row))
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def opened(raw: bytes, *, by: User | None = None) -> ImportBatch:
    """A batch whose columns are as they were guessed, read and ready to be taken."""
    name = "permits.xlsx" if raw.startswith(b"PK") else "permits.csv"
    upload, table = files.keep(ContentFile(raw, name=name), by=by)
    batch = opening.begin(upload, table, source="Old books", by=by)
    batch = opening.name_words(opening.name_columns(batch, batch.columns), {})
    tasks.read_now(batch)
    return batch


def imported(raw: bytes, *, by: User | None = None) -> ImportBatch:
    batch = opened(raw, by=by)
    taking.take(batch, by=by, on=clock.today())
    batch.refresh_from_db()
    return batch
