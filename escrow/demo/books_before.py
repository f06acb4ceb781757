"""The demo city's permit book of earlier years: a spreadsheet imported, and its mended copy."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.files.base import ContentFile

from permits.imports import files, opening, taking, tasks
from permits.models import ImportBatch
from portal import clock
from portal.models import User

__all__ = ["build"]

SOURCE = "Permit book 2017 to this year"
HEADINGS = (
    *("Permit No", "Status", "Site address", "Parcel", "Acres", "Issued", "Stabilize by"),
    *("Closed", "Owner", "Owner phone", "Lat", "Long", "Inspector's remarks"),
)
DAYS_AGO = 20
Row = tuple[str, ...]


def _rows(today: date) -> list[Row]:
    """The book: permits of many years ago, three that still stand, one with a day written wrong."""

    def us(day: date) -> str:
        return f"{day.month}/{day.day}/{day.year}"

    lately, due = today - timedelta(150), today + timedelta(24)
    # fmt: off
    return [
        ("17-004", "Final", "16 Millrace Lane", "0240-0016-001", "0.4", "4/18/2017", "",
         "10/3/2017", "Ingrid Aas", "555 010-0161", "43.0412", "-88.2201", "grass up, ok"),
        ("17-019", "Final", "9540-9548 Sandhill Road", "0240-0954-000", "1.2", "8/2/2017", "",
         "6/11/2018", "Tamarack Homes LLC", "", "43.0433", "-88.2144", ""),
        ("18-002", "Expired", "W151 N9702 Treetop Dr", "2172030119", "0.3", "3/12/2018", "",
         "", "Moses Adeyemi", "", "", "", "never started, letter of 2019"),
        ("18-031", "Void", "44 Depot Street", "0240-0044-000", "", "", "",
         "", "Example Grain Co-op", "", "43.0398", "-88.2250", "withdrew"),
        ("19-007", "Final", "N165 W19980 Heron Creek Rd", "0310-9981-004", "2", "5/6/2019", "",
         "9/30/2020", "Heron Creek Church", "555 010-0177", "43.0501", "-88.2310", ""),
        ("19-023", "Active", "County Road Y, west of the bridge", "2170.994.009", "4.5",
         "9/9/2019", "", "", "Estate of R. Kowalczyk", "", "", "", "ask about the seeding"),
        ("20-011", "??", "2640 1/2 Juneberry Avenue", "2198.171", "0.6", "6/1/2020", "",
         "", "June Park", "", "", "", "page torn"),
        ("20-015", "Active", "310 Bobolink Ln", "0010001027", "0.9", "31/8/2020", "",
         "", "Omar Haddad", "", "", "", ""),
        ("B-112", "Active", "700 Prairie Smoke Lane", "0240-0112-090", "0.7", us(lately), us(due),
         "", "Northfield Builders LLC", "555 010-0122", "43.0377", "-88.2188", "basement dug"),
        ("B-113", "Active", "704 Prairie Smoke Lane", "0240-0112-091", "0.7", us(lately), "",
         "", "Northfield Builders LLC", "555 010-0122", "43.0378", "-88.2190", ""),
    ]
    # fmt: on


WORDS = {"Final": "closed", "Void": "withdrawn", "??": "unknown"}


def _table(rows: Iterable[Sequence[str]]) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out).writerows([HEADINGS, *rows])
    return out.getvalue().encode("utf-8-sig")


def _open(name: str, rows: Sequence[Row], clerk: User) -> ImportBatch:
    """Send a spreadsheet and read it, as the clerk's pages do."""
    upload, table = files.keep(ContentFile(_table(rows), name=name), by=clerk)
    batch = opening.begin(upload, table, source=SOURCE, by=clerk)
    batch = opening.name_words(opening.name_columns(batch, batch.columns), WORDS)
    tasks.read_now(batch)
    return batch


def build(clerk: User, today: date) -> None:
    """Import the book some weeks ago; its mended copy was sent this morning and waits."""
    rows, zone = _rows(today), ZoneInfo(settings.TIME_ZONE)
    then = today - timedelta(DAYS_AGO)
    with clock.as_of(datetime.combine(then, time(10, 15), zone)):
        taking.take(_open("permit book.csv", rows, clerk), by=clerk, on=then)
    mended = [tuple("8/31/2020" if cell == "31/8/2020" else cell for cell in row) for row in rows]
    morning = datetime.combine(today, time(8, 10), zone)
    with clock.as_of(min(morning, clock.now())):
        _open("permit book, mended.csv", mended, clerk)
