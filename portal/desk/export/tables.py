"""Which tables hold rows of a case, and by which way each row leads to its site.

Nothing is listed by hand that can be found: a model that points at a site, or at something
that does, belongs to the case. A model that does not must be named below with its reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import models
from django.db.models import QuerySet

from permits.models import SearchWord, Site
from portal.models import Document, Mailing, OutboxMessage, Upload, User

__all__ = [
    "HOUSE",
    "LEFT_ASIDE",
    "NOT_OF_A_CASE",
    "OF_OTHER_CASES",
    "Table",
    "label_of",
    "tables",
]

HOUSE = tuple(
    config.label
    for config in apps.get_app_configs()
    if Path(config.path).resolve().is_relative_to(settings.BASE_DIR / config.name.partition(".")[0])
)
"""The parts of the house: what is a package of this repository, and not installed below it."""

Model = type[models.Model]

NOT_OF_A_CASE: dict[str, str] = {
    "portal.User": "people; those who are named in a case are listed with it",
    "portal.User_groups": "rights of an account",
    "portal.User_user_permissions": "rights of an account",
    "portal.Closure": "the city's calendar",
    "portal.CouncilValue": "what the council resolved for every case",
    "portal.Upload": "files; those of a case are listed with it, byte for byte",
    "portal.Document": "papers; those of a case are listed with it, byte for byte",
    "portal.Preview": "pictures made from an upload, made again at will",
    "portal.NumberCounter": "the last number of each series",
    "portal.Operation": "tokens of forms that were sent",
    "permits.RecordSeal": "one seal over the ends of all records",
    "portal.LetterBatch": "letters of many cases that were printed together",
    "permits.ImportSource": "how the city's earlier books are read",
    "permits.ImportBatch": "a spreadsheet with many cases; listed with each case from it",
    "records.DestructionList": "a list of many cases; listed with each case that stands on it",
    "records.ListApproval": "who approved such a list",
    "records.SocietyNotice": "what the historical society was told of such a list",
    "records.RecordsRequest": "a request that may ask for many cases; listed with each of them",
    "records.Acknowledgment": "a letter to whoever asked for records",
    "records.Answer": "the answer to a request for records",
    "records.Refusal": "why a part of a request was refused",
    "inspections.RainReading": "the rain of a station, for every case",
    "escrow.RollLayout": "how a county wants its file",
    "escrow.RollBatch": "a list of many cases; listed with each case that stands on it",
    "escrow.RollFile": "a file of many cases, for the county",
    "escrow.Deposit": "what was brought to the bank of many cases; listed with each",
    "escrow.DayClose": "the cash of a day",
}
"""Tables that lead to no site, and why; a row that a case points at is listed with the case."""

LEFT_ASIDE: dict[Model, str] = {
    SearchWord: "the words by which the site is found, made from its rows",
}
"""Tables of a case that say nothing of their own."""

OF_OTHER_CASES = {"permits.ImportBatch": {"report"}}
"""Columns of shared rows that tell of other cases: each case has its own row of the spreadsheet."""

KEPT_APART: tuple[Model, ...] = (User, Document, Upload)
"""What a case points at and the bag lists in a place of its own."""


@dataclass(frozen=True)
class Table:
    """A table with rows of a case: each way is a lookup that names the case."""

    model: Model
    ways: tuple[str, ...]

    @property
    def label(self) -> str:
        """The table's name in the bag."""
        return label_of(self.model)

    def rows(self, site: Site) -> list[dict[str, Any]]:
        """Return the rows of a site in the order in which they were made.

        Ways are asked one after the other: each of them has its index, and all together none.
        """
        found: dict[Any, dict[str, Any]] = {}
        for way in self.ways:
            given = site.number if way.endswith("reference") else site.pk
            for row in self._all().filter(**{way: given}).order_by().values(*columns(self.model)):
                found[row[self.key]] = row
        return [found[key] for key in sorted(found)]

    @property
    def key(self) -> str:
        """The name of the column that tells the rows apart."""
        field = self.model._meta.pk
        assert field is not None
        return field.attname

    def _all(self) -> QuerySet[Any]:
        return self.model._base_manager.all()


def label_of(model: Model) -> str:
    """Return the name of a model: permits.Site."""
    return model._meta.label


@cache
def columns(model: Model) -> tuple[str, ...]:
    """Return the columns of a table in their order, but for those that tell of other cases."""
    names = (field.attname for field in model._meta.concrete_fields)
    aside = OF_OTHER_CASES.get(label_of(model), set())
    return tuple(name for name in names if name not in aside)


@cache
def tables() -> tuple[Table, ...]:
    """Return every table with rows of a case, in the order of the house."""
    found = []
    for model in house_models():
        ways = ways_to_site(model)
        if ways and model not in LEFT_ASIDE:
            found.append(Table(model, ways))
    return tuple(found)


def house_models() -> Iterator[Model]:
    """Yield every model of the house, those of many-to-many tables included."""
    for label in HOUSE:
        yield from apps.get_app_config(label).get_models(include_auto_created=True)


ROOTS: dict[Model, str] = {Site: "pk", Mailing: "reference", OutboxMessage: "reference"}
"""Where a way ends: at the site, or at the site's number where the floor writes it."""


@cache
def ways_to_site(model: Model) -> tuple[str, ...]:
    """Return the lookups that lead from a model to its site; none if it belongs to no case."""
    return _ways(model, ())


def _ways(model: Model, behind: tuple[Model, ...]) -> tuple[str, ...]:
    if model in ROOTS:
        return (ROOTS[model],)
    steps = [
        (field, _ways(field.related_model, (*behind, model)))
        for field in _pointers(model)
        if field.related_model not in behind and field.related_model is not model
    ]
    steps = [(field, ways) for field, ways in steps if ways]
    sure = [(field, ways[0]) for field, ways in steps if not field.null and _is_sure(field, ways)]
    if sure:  # one way that every row has is enough; the shortest asks the least
        field, way = min(
            sure, key=lambda step: (_join(step[0].name, step[1]).count("__"), step[0].name)
        )
        return (_join(field.name, way),)
    return tuple(_join(field.name, way) for field, ways in steps for way in ways)


def _pointers(model: Model) -> Iterator[Any]:
    """Yield the foreign keys of a model within the house."""
    for field in model._meta.concrete_fields:
        target = field.related_model
        if isinstance(target, type) and target._meta.app_label in HOUSE:
            yield field


def _is_sure(field: Any, ways: tuple[str, ...]) -> bool:
    """Whether every row that is pointed at has the way."""
    if len(ways) != 1:
        return False
    model = field.related_model
    for name in ways[0].split("__"):
        if name == "pk":
            break
        step = model._meta.get_field(name)
        if step.null:
            return False
        model = step.related_model
    return True


def _join(name: str, way: str) -> str:
    return name if way == "pk" else f"{name}__{way}"
