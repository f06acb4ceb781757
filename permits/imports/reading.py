"""Reads a table of earlier permits row by row: what is taken, what is known, what is refused."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from permits.models import EarlierPermit, EarlierStatus, ImportedRow, ImportSource
from portal.formats import long_date
from portal.tables import Row, Table

from . import cells
from .cells import CellError
from .columns import BY_KEY, guess_word, same_words

__all__ = ["KNOWN", "NEW", "REFUSED", "Reading", "check", "mark_known", "read_rows", "words_of"]

NEW, KNOWN, REFUSED = "new", "known", "refused"
LONGEST = {"number": 60, "address": 300, "owner": 200, "contractor": 200, "owner_telephone": 40}
LONGEST_TEXT = 10_000
LONGEST_PARCEL = 60
DAYS = ("applied_on", "issued_on", "permanent_controls_by", "ended_on")
HAVE_COME = ("applied_on", "issued_on", "ended_on")

STATUS = EarlierStatus


@dataclass
class Reading:
    """One row, read: its facts, or each reason why it is refused with the column concerned."""

    row: int
    content: dict[str, str]
    sha256: str
    key: str = ""
    facts: dict[str, Any] = field(default_factory=dict)
    refusals: list[tuple[str, str]] = field(default_factory=list)
    known: str = ""
    case: str = ""

    @property
    def outcome(self) -> str:
        """Whether the row is new, known already, or refused."""
        return REFUSED if self.refusals else KNOWN if self.known else NEW

    @property
    def place(self) -> str:
        """Where the row's site is, in a few words."""
        return str(self.facts.get("address") or "; ".join(self.facts.get("parcels", ())))

    def permit(self) -> EarlierPermit:
        """Return the permit that the row tells of, not saved and without its land."""
        facts = self.facts
        return EarlierPermit(
            number=self.key,
            status=facts["status"],
            words=facts.get("words", ""),
            description=facts.get("description", ""),
            area_acres=facts.get("area"),
            applied_on=facts.get("applied_on"),
            issued_on=facts.get("issued_on"),
            permanent_controls_by=facts.get("permanent_controls_by"),
            ended_on=facts.get("ended_on"),
        )


def words_of(table: Table, heading: str) -> dict[str, str]:
    """Return the words of the status column, each once, as they were first written."""
    place = table.headings.index(heading)
    found: dict[str, str] = {}
    for row in table.rows:
        word = row.cells[place]
        if word.strip():
            found.setdefault(same_words(word), " ".join(word.split()))
    return found


def read_rows(
    table: Table, columns: Mapping[str, str], words: Mapping[str, str], *, today: date
) -> Iterator[Reading]:
    """Read every row by the columns and words that were named."""
    reader = RowReader(table.headings, columns, words, today=today)
    seen: dict[str, Reading] = {}
    for row in table.rows:
        found = reader.read(row)
        if found.key and not found.refusals:
            before = seen.setdefault(found.key, found)
            if before is not found and before.sha256 == found.sha256:
                found.known = f"the same as row {before.row}"
            elif before is not found:
                said = f"Permit {found.key} is in row {before.row} already, with other contents."
                found.refusals.append((columns["number"], said))
        yield found


class RowReader:
    """Reads rows of one table."""

    def __init__(
        self,
        headings: list[str],
        columns: Mapping[str, str],
        words: Mapping[str, str],
        *,
        today: date,
    ) -> None:
        self.headings, self.columns, self.words, self.today = headings, columns, words, today

    def read(self, row: Row) -> Reading:
        """Return what a row says; every cell that is refused has its reason."""
        content = dict(zip(self.headings, row.cells, strict=False))
        text = json.dumps(content, sort_keys=True, ensure_ascii=False)
        found = Reading(row.number, content, hashlib.sha256(text.encode()).hexdigest())
        if row.fault:
            found.refusals.append(("", row.fault))
            return found
        for key, heading in self.columns.items():
            try:
                found.facts |= self._fact(key, content[heading])
            except CellError as error:
                found.refusals.append((heading, str(error)))
        found.key = found.facts.get("number", "")
        if not found.refusals:
            found.facts["status"] = self._status(found.facts)
            found.refusals += self._contradictions(found.facts)
        return found

    def _fact(self, key: str, text: str) -> dict[str, Any]:
        if key == "parcel":
            return {"parcels": cells.as_parcels(text, most=LONGEST_PARCEL)}
        if key == "status":
            return self._word(text)
        value: str | date | Decimal | None
        if key in DAYS:
            value = cells.as_day(text, today=self.today if key in HAVE_COME else None)
        elif key == "area":
            value = cells.as_acres(text)
        elif key in ("latitude", "longitude"):
            value = cells.as_degrees(text, most=90 if key == "latitude" else 180)
        elif key == "owner_email":
            value = cells.as_email(text)
        else:
            value = cells.as_text(text, most=LONGEST.get(key, LONGEST_TEXT))
        if BY_KEY[key].needed and not value:
            raise CellError(f"The row has no {BY_KEY[key].label.lower()}.")
        return {key: value}

    def _word(self, text: str) -> dict[str, Any]:
        if not text.strip():
            return {"words": ""}
        meant = self.words.get(same_words(text)) or guess_word(text)
        if not meant:
            raise CellError(f"{cells.shown(text)}: nobody has said yet what this status means.")
        return {"words": cells.as_text(text, most=200), "status": STATUS(meant)}

    def _status(self, facts: Mapping[str, Any]) -> EarlierStatus:
        """Return the status by its word, else as the days say."""
        if "status" in facts:
            return STATUS(facts["status"])
        if facts.get("ended_on"):
            return STATUS.CLOSED
        if facts.get("issued_on"):
            return STATUS.UNKNOWN  # issued once; whether it still stands is not said
        return STATUS.APPLIED if facts.get("applied_on") else STATUS.UNKNOWN

    def _contradictions(self, facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Name what cannot be true together, at the column concerned."""
        heading = self.columns.get
        if not facts.get("address") and not facts.get("parcels"):
            where = heading("address") or heading("parcel") or ""
            yield where, "The row has neither an address nor a parcel number."
        status, word = facts["status"], facts.get("words")
        stands = f"The status {cells.shown(word)}" if word else "The row"
        if facts.get("ended_on") and status in (STATUS.ISSUED, STATUS.APPLIED):
            yield heading("ended_on", ""), f"{stands} says that it goes on, and here it has ended."
        if facts.get("issued_on") and status in (STATUS.APPLIED, STATUS.DENIED):
            said = f"{stands} says that no permit was issued, and here is the day of one."
            yield heading("issued_on", ""), said
        last: tuple[str, date] | None = None
        for key in HAVE_COME:
            day = facts.get(key)
            if day and last and day < last[1]:
                label = BY_KEY[last[0]].label.lower()
                said = f"{long_date(day)} is before “{label}”, {long_date(last[1])}."
                yield heading(key, ""), said
            last = (key, day) if day else last
        if (facts.get("latitude") is None) != (facts.get("longitude") is None):
            where = heading("latitude") or heading("longitude") or ""
            yield where, "A position needs both its latitude and its longitude."


def mark_known(
    readings: Iterable[Reading],
    source: ImportSource,
    columns: Mapping[str, str],
) -> None:
    """Mark rows that came in before; one that reads otherwise now is refused."""
    taken = ImportedRow.objects.filter(source_id=source.pk).select_related("site", "batch")
    waiting = {each.key: each for each in readings if each.outcome == NEW}
    keys = list(waiting)
    for start in range(0, len(keys), 500):
        for row in taken.filter(key__in=keys[start : start + 500]).defer("batch__report"):
            found = waiting[row.key]
            found.case = row.site.number
            if row.sha256 == found.sha256:
                found.known = f"imported already as case {row.site.number}"
            else:
                found.refusals.append((_changed(row, found, columns), _said(row, found)))


def _differences(row: ImportedRow, found: Reading) -> list[str]:
    keys = dict.fromkeys([*row.content, *found.content])
    return [key for key in keys if row.content.get(key) != found.content.get(key)]


def _changed(row: ImportedRow, found: Reading, columns: Mapping[str, str]) -> str:
    differ = _differences(row, found)
    return differ[0] if differ else columns["number"]


def _said(row: ImportedRow, found: Reading) -> str:
    differ = ", ".join(_differences(row, found)[:5])
    return (
        f"Permit {row.key} was imported already as case {row.site.number}, with other contents "
        f"in: {differ}. What was imported stays; record what has changed on the page of the case."
    )


def check(
    table: Table,
    source: ImportSource,
    columns: Mapping[str, str],
    words: Mapping[str, str],
    *,
    today: date,
) -> list[Reading]:
    """Read a whole table, and mark what came in before."""
    found = list(read_rows(table, columns, words, today=today))
    mark_known(found, source, columns)
    return found
