"""What the destruction of a case erases: every text, name and position in its rows.

The rows themselves stay as a skeleton of numbers, kinds, days and amounts, so that the books
balance and the chain of the record can be walked. What is erased is worked out from the
models: a table that a later part adds is erased, too, unless it is named here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.apps import apps
from django.db import models
from django.db.models import Case, Field, Model, QuerySet, Value, When

from permits.models import CaseEvent, FeeEntry, RecordSeal, SearchWord, Site
from portal.models import (
    Document,
    LetterBatch,
    LetterBatchLine,
    Mailing,
    MailingEvent,
    OutboxMessage,
)

__all__ = ["ERASED", "Table", "erase", "erase_titles", "fact_table", "tables"]

ERASED = "[destroyed]"
PARTS = ("permits", "inspections", "enforcement")
"""The parts whose rows tell of a case. The books of the money stay by their own series."""

STAYS: frozenset[type[Model]] = frozenset({FeeEntry, RecordSeal, SearchWord})
"""Money, seals over all cases, and words that are deleted altogether."""

KEPT = frozenset(
    {"number", "section", "rule", "hash", "previous_hash", "steps_done", "activities", "device"}
    | {"standard", "token", "unit", "content_type", "sha256", "kind", "cause", "reference"}
    | {"tracking_number"}
)
"""Columns that tell no more than a number, a kind or a proof."""

KEPT_IN: dict[str, frozenset[str]] = {
    "permits_site": frozenset({"address"}),
    "permits_importedrow": frozenset({"key"}),
}
"""By the address of the land a certificate is found again; by the number of the permit its row
in the earlier books is known, so that it comes in once.
"""

POSITION = frozenset({"latitude", "longitude"})


@dataclass(frozen=True)
class Table:
    """One table of a case: how its rows find their site, and what of them is erased."""

    model: type[Model]
    path: tuple[str, ...]
    texts: tuple[str, ...]
    lists: tuple[str, ...]
    positions: tuple[str, ...]

    @property
    def name(self) -> str:
        """The table in the database."""
        return self.model._meta.db_table

    @property
    def erased(self) -> tuple[str, ...]:
        """The columns that are erased."""
        return (*self.texts, *self.lists, *self.positions)

    def rows(self, site: Site) -> QuerySet[Any]:
        """The rows of a case."""
        found: QuerySet[Any] = self.model._default_manager.order_by()
        return found.filter(**{"__".join(self.path) or "pk": site.pk})

    def blank(self) -> dict[str, Any]:
        """What is written in the place of each column; what was empty stays empty."""
        made: dict[str, Any] = {}
        for name in self.texts:
            field = self.model._meta.get_field(name)
            longest = getattr(field, "max_length", None)
            word = Value(ERASED[:longest], output_field=models.TextField())
            empty = When(**{name: "", "then": Value("", output_field=models.TextField())})
            made[name] = Case(empty, default=word, output_field=models.TextField())
        for name in self.lists:
            default = self.model._meta.get_field(name).default  # type: ignore[union-attr]
            made[name] = [] if default is list else {}
        return made | dict.fromkeys(self.positions)


@cache
def tables() -> tuple[Table, ...]:
    """Every table that holds something of a case, by the models as they are."""
    found = []
    for part in PARTS:
        for model in apps.get_app_config(part).get_models():
            path = _path(model)
            if path is not None and model not in STAYS:
                table = _table(model, path)
                if table.erased:
                    found.append(table)
    return tuple(found)


def _table(model: type[Model], path: tuple[str, ...]) -> Table:
    kept = KEPT | KEPT_IN.get(model._meta.db_table, frozenset())
    texts, lists, positions = [], [], []
    for field in model._meta.concrete_fields:
        if field.name in kept or field.unique or field.choices:
            continue
        if isinstance(field, models.JSONField):
            lists.append(field.name)
        elif isinstance(field, models.CharField | models.TextField):
            texts.append(field.name)
        elif field.name in POSITION and field.null:
            positions.append(field.name)
    return Table(model, path, tuple(texts), tuple(lists), tuple(positions))


def _path(model: type[Model]) -> tuple[str, ...] | None:
    """The shortest way by keys from a row to its site; a key that must be there comes first."""
    if model is Site:
        return ()
    seen: set[type[Model]] = {model}
    ways: list[tuple[type[Model], tuple[str, ...]]] = [(model, ())]
    while ways:
        here, path = ways.pop(0)
        for field in sorted(_keys(here), key=lambda each: each.null):
            other: Any = field.related_model
            if other is Site:
                return (*path, field.name)
            if other not in seen and other._meta.app_label in PARTS:
                seen.add(other)
                ways.append((other, (*path, field.name)))
    return None


def _keys(model: type[Model]) -> Iterator[Field[Any, Any]]:
    for field in model._meta.concrete_fields:
        if field.is_relation and field.related_model is not None:
            yield field


def erase(site: Site, *, through: int, files: QuerySet[Any]) -> dict[str, int]:
    """Erase the contents of a case; returns how many rows of each table were erased.

    Only while the database's door for this one case is open. `through` is the last event of
    the chain whose contents go; the certificate's own event stays.
    """
    counted: dict[str, int] = {}
    for table in tables():
        rows = table.rows(site)
        if table.model is CaseEvent:
            rows = rows.filter(sequence__lte=through)
        counted[table.name] = rows.update(**table.blank())
    counted["portal_upload"] = files.update(
        original_name=ERASED, taken_at="", latitude=None, longitude=None
    )
    counted |= _erase_mail(site)
    SearchWord.objects.filter(site=site).delete()
    return {name: count for name, count in sorted(counted.items()) if count}


def erase_titles(names: list[str]) -> None:
    """Blank the titles of destroyed papers; a title may name a person."""
    Document.objects.filter(file__in=names).update(title=ERASED)


def _erase_mail(site: Site) -> dict[str, int]:
    """Letters lose addressee, address and words; e-mails as sent are removed."""
    letters = Mailing.objects.filter(reference=site.number).order_by()
    facts = MailingEvent.objects.filter(mailing__reference=site.number).order_by()
    mails = OutboxMessage.objects.filter(reference=site.number)
    lines = LetterBatchLine.objects.filter(mailing__reference=site.number).order_by()
    stacks = LetterBatch.objects.filter(pk__in=lines.values("batch")).order_by()
    for troubled in (lines, stacks):  # why a stack was not made may name an addressee
        troubled.exclude(trouble="").update(trouble=ERASED)
    removed = mails.count()
    mails.delete()
    return {
        "portal_mailing": letters.update(**_letter().blank()),
        "portal_mailingevent": facts.update(**fact_table().blank()),
        "portal_outboxmessage": removed,
    }


def _letter() -> Table:
    return _table(Mailing, ("reference",))


def fact_table() -> Table:
    """The facts about letters, which find their site by its number."""
    return _table(MailingEvent, ("mailing", "reference"))
