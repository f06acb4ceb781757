"""Rows as JSON: exact, in a fixed order, one row to a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db import models

from .content import Content, Row, Rows, subject_names
from .files import Item

__all__ = ["SCHEMA", "case_json", "dumps"]

SCHEMA = "siltfence-case/1"
"""The version of the shape of `01-case.json`; another shape gets another number."""


def plain(value: Any) -> Any:
    """Return what JSON has no word for as text: days, moments (UTC), amounts, keys."""
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, Decimal | UUID):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no place in a case file")


def dumps(value: Any) -> str:
    """Write a value on one line."""
    return json.dumps(value, ensure_ascii=False, default=plain, separators=(", ", ": "))


def case_json(head: Row, content: Content, items: list[Item]) -> Iterator[bytes]:
    """Yield the whole case as JSON, a line at a time."""
    places = {(type(item.stored).__name__, item.stored.pk): item.path for item in items}
    kinds = subject_names(row for rows in content.rows.values() for row in rows)
    yield b"{\n"
    for key, value in head.items():
        yield f"{dumps(key)}: {dumps(value)},\n".encode()
    yield from _named("people", content.people)
    yield b',\n"files": [\n'
    yield ",\n".join(dumps(_file(item)) for item in items).encode() + b"\n],\n"
    for key, group in (("tables", content.rows), ("shared", content.shared)):
        yield f'"{key}": {{\n'.encode()
        for number, (label, rows) in enumerate(group.items()):
            yield b",\n" if number else b""
            yield from _named(label, [_row(label, row, places, kinds) for row in rows])
        yield b"\n}" + (b",\n" if key == "tables" else b"\n")
    yield b"}\n"


def _named(name: str, rows: Rows) -> Iterator[bytes]:
    yield f"{dumps(name)}: [\n".encode()
    yield ",\n".join(map(dumps, rows)).encode()
    yield b"\n]"


def _file(item: Item) -> Row:
    return {
        "path": item.path,
        "title": item.title,
        "kind": item.kind,
        "table": item.stored._meta.label,
        "id": item.stored.pk,
        "pages": item.pages,
        "bytes": item.size,
        "sha256": item.sha256,
        "came_at": item.moment,
        "named_in": item.named_in,
        "note": item.missing or item.note,
    }


def _row(label: str, row: Row, places: dict[tuple[str, int], str], kinds: dict[int, str]) -> Row:
    """Write what a row points at so that it is found: another table's name, a file's place."""
    found = {}
    model: type[models.Model] = apps.get_model(label)
    for name, value in row.items():
        if name == "subject_type_id":
            value = kinds.get(value, value)
        found[name] = value
        target = model._meta.get_field(name).related_model if value is not None else None
        if isinstance(target, type) and (target.__name__, value) in places:
            found[f"{name.removesuffix('_id')}_path"] = places[target.__name__, value]
    return found
