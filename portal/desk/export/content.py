"""What a case consists of: the rows of every table, the people in them, its papers and files.

Read under the site's lock, so that no act stands half in it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.db import models

from permits.models import CaseEvent, CaseExport, CasePaper, Site
from portal.models import Document, Upload, User

from .tables import HOUSE, KEPT_APART, Table, columns, label_of, tables

__all__ = ["Content", "Row", "Rows", "Source", "find_head", "gather"]

Row = dict[str, Any]
Rows = list[Row]
Source = str
"""Where a file is named: the table and the column, permits.PlanSheet.upload."""

EXPORTED = CaseEvent.Kind.CASE_EXPORTED
NEVER = {"password", "feed_key"}
"""Secrets of an account: they belong to no file of any case."""
PERSON = ("id", "name", "role", "email", "telephone")


@dataclass
class Content:
    """A case as it is read: rows by table, what they point at, and the end of its record."""

    site: Site
    head: CaseEvent
    rows: dict[str, Rows]
    shared: dict[str, Rows] = field(default_factory=dict)
    people: Rows = field(default_factory=list)
    documents: dict[int, Document] = field(default_factory=dict)
    uploads: dict[int, Upload] = field(default_factory=dict)
    # In which table and column each paper and each file is named.
    sources: dict[tuple[str, int], set[Source]] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many rows there are."""
        return sum(map(len, self.rows.values()))

    def objects(self, model: type[models.Model]) -> list[Any]:
        """Return the rows of a table as objects, as they stand here; nothing is asked."""
        return [model(**row) for row in self.rows.get(label_of(model), ())]


def find_head(site: Site) -> CaseEvent | None:
    """Return the last fact of a case. That it was handed out is no fact about the case."""
    events = CaseEvent.objects.filter(site=site).exclude(kind=EXPORTED)
    return events.order_by("-sequence").first()


def gather(site: Site, head: CaseEvent) -> Content:
    """Read everything of a case, up to the last fact of its record."""
    rows = {table.label: _until(head, table, table.rows(site)) for table in tables()}
    content = Content(site, head, {label: found for label, found in rows.items() if found})
    pointed = _pointed_at(content)
    content.documents = Document.objects.in_bulk(pointed[Document])
    content.uploads = Upload.objects.in_bulk(pointed[Upload])
    content.shared = dict(_shared(pointed))
    for model in (Document, Upload):
        if found := list(
            model._base_manager.filter(pk__in=pointed[model]).order_by("pk").values(*columns(model))
        ):
            content.shared[label_of(model)] = found
    people = pointed[User] | {
        u.uploaded_by_id for u in content.uploads.values() if u.uploaded_by_id
    }
    content.people = list(User.objects.filter(pk__in=people).order_by("pk").values(*PERSON))
    return content


def _until(head: CaseEvent, table: Table, rows: Rows) -> Rows:
    """Leave out what came after the last fact: only that the case was handed out."""
    if table.model is CaseEvent:
        return [row for row in rows if row["sequence"] <= head.sequence]
    if table.model is CaseExport:
        known = set(
            CaseEvent.objects.filter(
                site=head.site_id, kind=EXPORTED, sequence__lt=head.sequence
            ).values_list("pk", flat=True)
        )
        return [row for row in rows if row["event_id"] in known]
    return rows


Pointed = dict[type[models.Model], set[int]]


def _pointed_at(content: Content) -> Pointed:
    """Return the keys of what the rows point at outside of the case's own tables."""
    found: Pointed = defaultdict(set)
    for table in tables():
        for column, target in pointers(table.model):
            keys = {row[column] for row in content.rows.get(table.label, ())} - {None}
            found[target] |= keys
            if target in (Document, Upload) and table.model is not CaseExport:
                source = f"{table.label}.{column.removesuffix('_id')}"
                for key in keys:
                    content.sources.setdefault((target.__name__, key), set()).add(source)
    exported = {row["document_id"] for row in content.rows.get(label_of(CaseExport), ())}
    found[Document] -= exported  # earlier case files are named, not packed into the next one
    return found


def pointers(model: type[models.Model]) -> Iterator[tuple[str, type[models.Model]]]:
    """Yield the columns of a table that point at something shared by many cases."""
    own = {table.model for table in tables()}
    for each in model._meta.concrete_fields:
        target = each.related_model
        if isinstance(target, type) and target._meta.app_label in HOUSE and target not in own:
            yield each.attname, target


def _shared(pointed: Pointed) -> Iterator[tuple[str, Rows]]:
    """Yield the rows of other tables that the case points at, and what these point at."""
    waiting = {model: keys for model, keys in pointed.items() if model not in KEPT_APART}
    done: Pointed = defaultdict(set)
    while waiting:
        model, keys = waiting.popitem()
        keys = keys - done[model]
        done[model] |= keys
        found = list(model._base_manager.filter(pk__in=keys).order_by("pk").values(*columns(model)))
        for column, target in pointers(model):
            more = {row[column] for row in found} - {None}
            if target in KEPT_APART:
                pointed.setdefault(User, set()).update(more if target is User else ())
            elif more - done[target]:
                waiting[target] = waiting.get(target, set()) | more
    for model in sorted(done, key=label_of):
        rows = model._base_manager.filter(pk__in=done[model]).order_by("pk")
        if done[model]:
            yield label_of(model), list(rows.values(*columns(model)))


def told(content: Content) -> tuple[list[CaseEvent], list[CasePaper]]:
    """Return the facts of the record and the papers, as objects."""
    return content.objects(CaseEvent), content.objects(CasePaper)


def subject_names(rows: Iterable[Row]) -> dict[int, str]:
    """Return the names of the tables that rows point at by their kind."""
    kinds = {row["subject_type_id"] for row in rows if "subject_type_id" in row}
    return {
        key: label_of(model)
        for key in kinds
        if (model := ContentType.objects.get_for_id(key).model_class()) is not None
    }
