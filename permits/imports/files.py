"""The spreadsheet itself: kept byte for byte, and read again whenever it is looked at."""

from __future__ import annotations

import io
import tempfile
from typing import Any

from django.core.files import File

from permits.models import ImportBatch
from portal.files import read_checked
from portal.models import Upload, User
from portal.tables import NotATable, Table, read_csv, read_workbook
from portal.uploads.check import Examined, Refused, check_received, examine
from portal.uploads.kinds import CSV, XLSX
from portal.uploads.names import clean_name
from portal.uploads.store import store

__all__ = ["MOST_BYTES", "MOST_ROWS", "keep", "open_table", "read_table"]

MOST_ROWS = 20_000
MOST_BYTES = 20 * 1024 * 1024
OLD_WORKBOOK = b"\xd0\xcf\x11\xe0"


def keep(file: File[Any], *, by: User | None) -> tuple[Upload, Table]:
    """Read a spreadsheet and keep it; raises NotATable when it is none.

    A workbook is opened first in a child process, as every package that people send.
    """
    try:
        check_received(file)
        if (file.size or 0) > MOST_BYTES:
            most = MOST_BYTES // 1024 // 1024
            raise NotATable(f"The file is larger than {most} MB. Cut the table into parts.")
        file.seek(0)
        head = file.read(4)
        if head == OLD_WORKBOOK:
            raise NotATable(
                "This is a workbook of an older kind (.xls). Save it as .xlsx or as CSV, and "
                "choose that."
            )
        examined = _examined(file, head)
        file.seek(0)
        table = read_table(file.read(), is_workbook=examined.kind is XLSX)
        file.seek(0)
        return store(file, by=by, examined=examined), table
    except Refused as refused:
        raise NotATable(f"{clean_name(file.name)}: {refused.reason}") from None


def _examined(file: File[Any], head: bytes) -> Examined:
    if not head.startswith(b"PK"):
        return Examined(kind=CSV, name=clean_name(file.name))
    examined = examine(file)
    if examined.kind is not XLSX:
        raise NotATable("This is no spreadsheet. Choose a workbook (.xlsx) or a CSV file.")
    return examined


def read_table(raw: bytes, *, is_workbook: bool) -> Table:
    """Return the table in a file."""
    if is_workbook:
        return read_workbook(io.BytesIO(raw), most=MOST_ROWS)
    return read_csv(raw, most=MOST_ROWS)


def open_table(batch: ImportBatch) -> Table:
    """Return the table of a batch, from the file as it was kept and checked by its hash."""
    upload = batch.upload
    with tempfile.SpooledTemporaryFile(MOST_BYTES) as copy:
        if trouble := read_checked(upload, copy):
            raise NotATable(f"The file that was kept cannot be read. {trouble}")
        copy.seek(0)
        return read_table(copy.read(), is_workbook=upload.content_type == XLSX.content_type)
