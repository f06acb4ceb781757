"""The sheets of the bag: tables for any spreadsheet, in UTF-8, with a head.

A text that a spreadsheet would take for a formula stands behind an apostrophe; numbers are
never touched. The exact texts are in `01-case.json`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.utils import timezone

from escrow.posted import entries
from escrow.roll.columns import tame
from permits.models import CaseEvent, DocketEntry, Party, Site
from portal.city import edition_on
from portal.models import Mailing, OutboxMessage
from portal.ordinance.editions import SECTION_KEYS

from .content import Content
from .files import Item
from .public import Omission
from .tables import label_of

__all__ = [
    "cited",
    "documents",
    "events",
    "ledger",
    "mailings",
    "mails",
    "omitted",
    "people",
    "sheet",
]

Lines = Iterable[Sequence[Any]]


def sheet(head: Sequence[str], lines: Lines) -> bytes:
    """Write a table as CSV (RFC 4180)."""
    target = io.StringIO(newline="")
    out = csv.writer(target, lineterminator="\r\n")
    out.writerow(head)
    out.writerows([written(cell) for cell in line] for line in lines)
    return target.getvalue().encode("utf-8")


def written(cell: Any) -> str:
    """Return a cell as it is written: numbers as they are, texts harmless."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int | Decimal | float):
        return str(cell)
    if isinstance(cell, datetime):
        return timezone.localtime(cell).isoformat(timespec="seconds")
    if isinstance(cell, date):
        return cell.isoformat()
    return tame(str(cell).replace("\x00", ""))


def cited(section: str, day: date) -> str:
    """Return a section of the ordinance as it was cited on a day."""
    if not section:
        return ""
    return str(edition_on(day).citation(section)) if section in SECTION_KEYS else section


def events(facts: Iterable[tuple[CaseEvent, str]]) -> bytes:
    """Write the record: each fact with its sentence, who acted, and its place in the chain."""
    head = ("place", "on", "recorded at", "what", "sentence", "section", "by", "reason", "hash")
    return sheet(
        head,
        (
            (
                event.sequence,
                event.occurred_on,
                event.recorded_at,
                event.kind,
                sentence,
                cited(event.section, event.occurred_on),
                event.actor_name,
                event.reason,
                event.hash,
            )
            for event, sentence in facts
        ),
    )


LEDGER = (
    "on",
    "table",
    "row",
    "kind",
    "debit",
    "debit account",
    "credit",
    "credit account",
    "amount",
)


def ledger_lines(site: Site) -> list[tuple[Any, ...]]:
    """Return every row of money of the case, with the account it debits and the one it credits."""
    found = [
        (
            each.on,
            label_of(each.source.model),
            each.row,
            " ".join(each.kind[:1]),
            each.debit.value,
            each.debit.words,
            each.credit.value,
            each.credit.words,
            each.amount,
        )
        for each in entries({"site": site})
    ]
    return sorted(found, key=lambda line: line[0])


def ledger(lines: Lines) -> bytes:
    """Write the ledger."""
    return sheet(LEDGER, lines)


def documents(items: Iterable[Item]) -> bytes:
    """Write the list of papers and files with size, pages and hash."""
    head = ("file", "title", "kind", "came at", "pages", "bytes", "sha256", "named in", "note")
    return sheet(
        head,
        (
            (
                item.path,
                item.title,
                item.kind,
                item.moment,
                item.pages,
                item.size,
                item.sha256,
                " ".join(item.named_in),
                item.missing or item.note,
            )
            for item in items
        ),
    )


def table(content: Content, label: str, columns: Sequence[str]) -> bytes:
    """Write some columns of the rows of a table."""
    rows = content.rows.get(label, ())
    return sheet([name.replace("_", " ") for name in columns], _cells(rows, columns))


def _cells(rows: Iterable[dict[str, Any]], columns: Sequence[str]) -> Iterator[list[Any]]:
    for row in rows:
        yield [row.get(column) for column in columns]


def dates(content: Content) -> bytes:
    """Write every clock that ran or runs."""
    columns = (
        "title", "rule", "kind", "bound", "started_on", "on", "safe_on", "met_on", "closed_on",
        "stayed_days", "stayed_since",
    )  # fmt: skip
    return table(content, label_of(DocketEntry), columns)


def mailings(content: Content) -> bytes:
    """Write the letters: to whom, how, and what the post did."""
    columns = (
        "id", "cause", "means", "addressee", "address", "created_at", "go_by", "stage",
        "deposited_on", "accepted_on", "tracking_number", "returned_on",
    )  # fmt: skip
    return table(content, label_of(Mailing), columns)


def mails(content: Content) -> bytes:
    """Write the list of e-mails; what is not given of them is empty."""
    columns = ("id", "cause", "recipient", "subject", "created_at", "sent_at", "attempts")
    return table(content, label_of(OutboxMessage), columns)


def people(content: Content) -> bytes:
    """Write the persons of the ordinance who are named in the case."""
    columns = (
        "role", "name", "organization", "title", "mailing_address", "email", "telephone",
        "authorized_by", "authorized_on",
    )  # fmt: skip
    return table(content, label_of(Party), columns)


def omitted(omissions: Iterable[Omission]) -> bytes:
    """Write what was left out, each with its ground."""
    head = ("what", "how often", "ground", "why", "citation", "note")
    return sheet(
        head,
        (
            (
                each.what,
                each.count,
                str(each.ground.title),
                each.ground.sentence,
                each.ground.citation,
                each.ground.confirm,
            )
            for each in omissions
        ),
    )
