"""What a column of the export may hold, and how it is written.

A layout's `columns` is a list of objects: "name" (the heading, or the element's path in XML),
"source" (one of SOURCES), and, as the format needs them, "width", "align" ("left" or
"right"), "fill" (one character), "implied" (digits after a point that is not written) and
"constant" (the text of the source "constant").
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from operator import itemgetter
from typing import Any

from escrow.models import Path, RollBatch, RollLayout
from permits.models import NotNow

__all__ = [
    "FIELDS",
    "SOURCES",
    "UNREADABLE",
    "WHOLE",
    "Column",
    "Same",
    "Unfit",
    "columns_of",
    "in_cents",
    "plain",
    "readers",
    "tame",
    "written",
]

FIELDS = (
    "position",
    "charge__number",
    "parcel_number",
    "amount",
    "owner_name",
    "owner_address",
    "site_address",
    "bill__number",
    "resolution",
    "delinquent_on",
)
"""The columns that are read of each line, in this order."""

POSITION, CHARGE, PARCEL, AMOUNT, OWNER, ADDRESS, SITE, BILL, RESOLUTION, DELINQUENT = range(10)

Row = Sequence[Any]
Reader = Callable[[Row], Any]


@dataclass(frozen=True)
class Same:
    """Reads the same text from every line."""

    text: str

    def __call__(self, row: Row) -> str:
        return self.text


PLACE = re.compile(r"^(.*?),?\s+([A-Za-z]{2})\.?\s+(\d{5}(?:-?\d{4})?)$")
STARTS_FORMULA = frozenset("=+-@\t\r\n＝＋－＠")


@dataclass(frozen=True)
class Column:
    """One column of a layout."""

    name: str
    source: str
    width: int = 0
    align: str = "left"
    fill: str = " "
    implied: int | None = None
    constant: str = ""

    @property
    def is_amount(self) -> bool:
        """Whether it holds dollars: a number, never a text."""
        return self.source == "amount"


def columns_of(layout: RollLayout) -> list[Column]:
    """Return the columns of a layout in their order."""
    return [Column(**column) for column in layout.columns]


@lru_cache(maxsize=64)
def _address(text: str) -> tuple[str, str, str, str]:
    """Street, city, state and ZIP code of an address; the columns of a line ask for it in turn.

    The street is all but the last line, where that names the place; ZIP codes stay text.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    found = PLACE.match(lines[-1]) if lines else None
    place = (found[1], found[2], found[3]) if found else ("", "", "")
    return (", ".join(lines[:-1] if found and len(lines) > 1 else lines), *place)


def _of_address(part: int) -> Reader:
    return lambda row: _address(row[ADDRESS])[part]


def _of_layout(name: str) -> Callable[[RollLayout, RollBatch, Column], Reader]:
    def make(layout: RollLayout, batch: RollBatch, column: Column) -> Reader:
        return Same(str(getattr(layout, name)))

    return make


def _of_row(read: Reader) -> Callable[[RollLayout, RollBatch, Column], Reader]:
    return lambda layout, batch, column: read


def _code(layout: RollLayout, batch: RollBatch, column: Column) -> Reader:
    """The county's code of the charge: one for special charges, another for assessments."""
    is_charge = batch.instrument == Path.SPECIAL_CHARGE
    return Same(layout.charge_code if is_charge else layout.assessment_code)


def _year(layout: RollLayout, batch: RollBatch, column: Column) -> Reader:
    return Same(str(batch.year))


def _municipality(layout: RollLayout, batch: RollBatch, column: Column) -> Reader:
    return Same(layout.county_code + layout.muni_code)


def _batch(layout: RollLayout, batch: RollBatch, column: Column) -> Reader:
    return Same(str(batch))


def _constant(layout: RollLayout, batch: RollBatch, column: Column) -> Reader:
    return Same(column.constant)


SOURCES: dict[str, tuple[str, Callable[[RollLayout, RollBatch, Column], Reader]]] = {
    "tax_year": ("Year of the roll", _year),
    "county_code": ("County code", _of_layout("county_code")),
    "muni_code": ("Municipality code", _of_layout("muni_code")),
    "county_muni_code": ("County and municipality code together", _municipality),
    "parcel_number": ("Parcel number", _of_row(itemgetter(PARCEL))),
    "charge_code": ("Charge code", _code),
    "description": ("Description", _of_layout("description")),
    "amount": ("Amount", _of_row(itemgetter(AMOUNT))),
    "charge_number": ("Number of the charge (SC-)", _of_row(itemgetter(CHARGE))),
    "bill_number": ("Number of the bill (BL-)", _of_row(itemgetter(BILL))),
    "owner_name": ("Owner", _of_row(itemgetter(OWNER))),
    "owner_street": ("Owner's street or box", _of_row(_of_address(0))),
    "owner_city": ("Owner's city", _of_row(_of_address(1))),
    "owner_state": ("Owner's state", _of_row(_of_address(2))),
    "owner_zip": ("Owner's ZIP code", _of_row(_of_address(3))),
    "site_address": ("Address of the site", _of_row(itemgetter(SITE))),
    "resolution": ("Resolution", _of_row(itemgetter(RESOLUTION))),
    "delinquent_on": (
        "Delinquent since",
        _of_row(lambda row: row[DELINQUENT].isoformat()),
    ),
    "record_number": ("Number of the record", _of_row(lambda row: str(row[POSITION]))),
    "batch": ("Number of the batch", _batch),
    "constant": ("Always the same text", _constant),
}
"""Where a column takes its value: by key, in words, and how it is read."""


def readers(layout: RollLayout, batch: RollBatch) -> list[tuple[Column, Reader]]:
    """Return each column with what reads it from a line."""
    return [
        (column, SOURCES[column.source][1](layout, batch, column)) for column in columns_of(layout)
    ]


def tame(text: str) -> str:
    """Make a text harmless where a spreadsheet would take it for a formula.

    An apostrophe before it, as spreadsheets themselves mark a text. Numbers are never passed
    through this.
    """
    return f"'{text}" if text[:1] in STARTS_FORMULA else text


UNREADABLE = dict.fromkeys([*range(32), 0x7F, 0xFFFE, 0xFFFF])
"""What no format can hold: control characters, left out everywhere."""

WHOLE = frozenset({"parcel_number", "charge_number", "bill_number", "charge_code", "tax_year"})
"""The sources by which a county finds a charge: never cut, never written otherwise."""


class Unfit(NotNow):
    """A line does not fit the layout; nothing was exported."""


def plain(text: str, encoding: str) -> str:
    """Return a text in an encoding, letters without their marks where it has none."""
    text = " ".join(str(text).split()).translate(UNREADABLE)
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        bare = unicodedata.normalize("NFKD", text)
        return bare.encode(encoding, "ignore").decode(encoding)
    return text


def written(column: Column, value: Any, encoding: str, row: Row) -> str:
    """Return a text as the encoding has it; raises Unfit where a county would not find it."""
    found = plain(value, encoding)
    if column.source in WHOLE and found != str(value):
        raise Unfit(
            f"Line {row[POSITION]}: {str(value)!r} of the column {column.name!r} cannot be written "
            "in the characters of this layout. Choose another layout."
        )
    return found


def in_cents(amount: Decimal, digits: int) -> str:
    """Return an amount without its point: 1234.50 with two digits is 123450.

    Raises Unfit where cents would be lost.
    """
    scaled = amount.scaleb(digits)
    if scaled != int(scaled):
        raise Unfit(f"{amount:,.2f} has cents, and the layout has no place for them.")
    return str(int(scaled))
