"""Tables that people send: CSV in whatever dress, or the first sheet of a workbook.

Every cell becomes text, exactly as it was written; a workbook's dates become ISO dates. What
cannot be read as a whole is refused in plain words.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from typing import IO, Any
from xml.etree.ElementTree import ParseError

from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

__all__ = ["MOST_COLUMNS", "NotATable", "Row", "Table", "decode", "read_csv", "read_workbook"]

DELIMITERS = (",", ";", "\t", "|")
MOST_COLUMNS = 200
LONGEST_CELL = 32_000
"""Characters; no program that makes tables writes longer cells."""
MOST_EMPTY_ROWS = 1_000
"""After so many rows without anything the sheet is over, whatever size it claims."""


class NotATable(ValueError):
    """The file as a whole cannot be read as a table; says why in plain words."""


@dataclass(frozen=True)
class Row:
    """One row: its number as a spreadsheet shows it, its cells, and what is wrong with it."""

    number: int
    cells: tuple[str, ...]
    fault: str = ""


@dataclass
class Table:
    """A table with its headings; `where` says which sheet or which kind of text it is."""

    headings: list[str]
    rows: list[Row] = field(default_factory=list)
    where: str = ""


def decode(raw: bytes) -> str:
    """Return a file as text. Raises NotATable when it is no text."""
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return raw.decode("utf-16", errors="replace")
    if b"\x00" in raw or raw.startswith((b"PK", b"%PDF")):
        raise NotATable(
            "This is not a text file. Save the table as CSV (comma-separated values) and choose "
            "that."
        )
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace")


def read_csv(raw: bytes, *, most: int) -> Table:
    """Read a table of text: UTF-8, UTF-16 or Windows letters; comma, semicolon, tab or bar."""
    text = decode(raw)
    delimiter = _delimiter(text)
    csv.field_size_limit(LONGEST_CELL)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        found = _table(((row, False) for row in reader), most=most)
    except csv.Error:
        raise NotATable(
            "The table breaks off in the middle of a cell: a quotation mark is opened and not "
            f"closed, or a cell is longer than {LONGEST_CELL:,} characters."
        ) from None
    names = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
    found.where = f"a table of text with {names[delimiter]} between its cells"
    return found


def _delimiter(text: str) -> str:
    """Return the sign that parts the most cells of the heading, outside of quotation marks."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    bare = re.sub(r'"(?:[^"]|"")*"', "", first)
    return max(DELIMITERS, key=bare.count)


def read_workbook(source: IO[bytes], *, most: int) -> Table:
    """Read the first sheet of a workbook that has something in it; formulas by their results."""
    try:
        book = load_workbook(source, read_only=True, data_only=True, keep_links=False)
    except _BROKEN:
        raise NotATable(_DAMAGED) from None
    try:
        for sheet in book.worksheets:
            if sheet.sheet_state != "visible":
                continue
            sheet.reset_dimensions()  # some programs write a size that is not true
            rows = (_of_sheet(row) for row in sheet.iter_rows())
            try:
                found = _table(rows, most=most)
            except NotATable as empty:
                if str(empty) != _EMPTY:
                    raise
                continue
            found.where = f"the sheet “{sheet.title}”"
            return found
    except _BROKEN:
        raise NotATable(_DAMAGED) from None
    finally:
        book.close()
    raise NotATable(_EMPTY)


_EMPTY = "There is no row under the headings: nothing can be read."
_DAMAGED = "The workbook is damaged. Open it in the program that made it, save it anew, and try."
_BROKEN = (
    *(zipfile.BadZipFile, InvalidFileException, ParseError, KeyError, IndexError, OSError),
    *(TypeError, AttributeError, OverflowError, EOFError, UnicodeError),
)
"""What openpyxl raises for workbooks that are none inside."""


def _of_sheet(row: Iterable[Any]) -> tuple[list[str], bool]:
    """Return the cells of a row as text, and whether one of them is an error of the sheet."""
    cells, broken = [], False
    for cell in row:
        broken = broken or getattr(cell, "data_type", "") == "e"
        cells.append(_as_text(cell.value))
    return cells, broken


def _as_text(value: Any) -> str:
    """Return a cell as a person reads it; 12.0 is 12, and a day has no hours."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time.min else value.isoformat(" ")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return f"{Decimal(repr(value)):f}".removesuffix(".0")
    return str(value).encode("utf-8", "replace").decode()  # no halves of letters


def _table(rows: Iterator[tuple[list[str], bool]], *, most: int) -> Table:
    """Put together headings and rows; rows without anything are left out."""
    table: Table | None = None
    empty = 0
    for number, (cells, broken) in enumerate(rows, start=1):
        while cells and not cells[-1].strip():
            cells.pop()
        if not cells:
            empty += 1
            if empty > MOST_EMPTY_ROWS:
                break
            continue
        empty = 0
        if table is None:
            table = Table(_headings(cells))
            continue
        if len(table.rows) >= most:
            raise NotATable(
                f"The table has more than {most:,} rows. Cut it into parts and take one after "
                "the other."
            )
        table.rows.append(_row(number, cells, broken, len(table.headings)))
    if table is None or not table.rows:
        raise NotATable(_EMPTY)
    return table


def _row(number: int, cells: list[str], broken: bool, width: int) -> Row:
    fault = ""
    if len(cells) > width:
        fault = f"The row has {len(cells)} cells, and there are {width} headings."
    elif broken:
        fault = "A cell of the row shows an error (such as #REF!) in place of its value."
    elif any("\x00" in cell for cell in cells):
        fault = "A cell of the row has a character (NUL) that cannot be kept."
        cells = [cell.replace("\x00", "\N{SYMBOL FOR NULL}") for cell in cells]
    return Row(number, (*cells, *[""] * (width - len(cells))), fault)


def _headings(cells: list[str]) -> list[str]:
    """Return a name for each column, no name twice."""
    if len(cells) > MOST_COLUMNS:
        raise NotATable(f"The table has more than {MOST_COLUMNS} columns; that is no list.")
    found: list[str] = []
    for place, cell in enumerate(cells, start=1):
        name = " ".join(cell.replace("\x00", "").split())[:100] or f"Column {place}"
        same, count = name, 1
        while name in found:
            count += 1
            name = f"{same} ({count})"
        found.append(name)
    return found
