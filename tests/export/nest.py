"""A case with one row in every table that leads to a site, and a canary in every text of it.

Made for the tables themselves, not by acts: a table of tomorrow gets its row and its canaries
without a line here. The database's own checks are off meanwhile (SQLite).
"""

from __future__ import annotations

import hashlib
import itertools
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, time
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.contenttypes.models import ContentType
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection, models

from permits.models import CaseEvent, CaseExport, Site
from portal import guards
from portal.desk.export.tables import HOUSE, tables
from portal.models import Document, Upload, User
from tests import factory

__all__ = ["LATITUDE", "LONGITUDE", "Nest", "built"]

LATITUDE, LONGITUDE = "43.271828", "-88.314159"
KEEPS_ITS_SHAPE = {"sha256", "content_type", "feed_key", "password", "role", "reference"}
SHORTEST = 9


@dataclass
class Nest:
    """The case, and each canary by the table and column in which it sits."""

    site: Site
    rows: dict[type[models.Model], models.Model] = field(default_factory=dict)
    canaries: dict[tuple[type[models.Model], str], str] = field(default_factory=dict)
    _serial: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def canary(self, model: type[models.Model], name: str) -> str:
        """Return another canary: no two are the same, and none is part of another."""
        number = next(self._serial)
        bird = f"qzx{number:05d}z"
        self.canaries[model, f"{name}@{number}" if (model, name) in self.canaries else name] = bird
        return bird

    def fill(self) -> None:
        """Put a row into every table, those first that others point at."""
        self.event("case.exported", 1)
        for table in tables():
            self.row_of(table.model)

    def event(self, kind: str, sequence: int) -> CaseEvent:
        """Record a fact by hand."""
        return CaseEvent.objects.create(
            **self.values(CaseEvent) | {"kind": kind, "sequence": sequence}
        )

    def row_of(self, model: type[models.Model]) -> Any:
        """Return the row of a table, made when it is first asked for."""
        if model not in self.rows:
            self.rows[model] = self.make(model)
        return self.rows[model]

    def make(self, model: type[models.Model]) -> Any:
        """Put a row into a table, without asking what an act would ask."""
        if model is Site:
            values = self.values(Site) | {"number": self.site.number}
            Site.objects.filter(pk=self.site.pk).update(**values)
            del self.canaries[Site, "number"]
            self.site.refresh_from_db()
            return self.site
        if model is CaseEvent:
            return self.event("application.begun", 2)
        values = self.values(model)
        if model is CaseExport:  # an earlier one, of which the record tells
            values["event"] = CaseEvent.objects.get(site=self.site, sequence=1)
        (row,) = model._base_manager.bulk_create([model(**values)])
        return row

    def values(self, model: type[models.Model]) -> dict[str, Any]:
        return {
            each.name: value
            for each in model._meta.concrete_fields
            if not each.generated and not isinstance(each, models.AutoField | models.FileField)
            if (value := self.value(model, each)) is not None
        }

    def value(self, model: type[models.Model], each: Any) -> Any:
        """Return what stands in a column."""
        if each.is_relation:
            return self.pointed(model, each)
        if each.name == "reference" and model._meta.app_label == "portal":
            return self.site.number
        if each.choices:
            return next(value for value, _ in each.flatchoices if value != "")
        if isinstance(each, models.JSONField):
            bird = self.canary(model, each.attname)
            return [bird] if each.default is list else {"text": bird}
        if isinstance(each, models.CharField | models.TextField):
            return self.text(model, each)
        return PLAIN[type(each).__name__]()

    def text(self, model: type[models.Model], each: Any) -> str:
        if each.name in KEEPS_ITS_SHAPE or (each.max_length or 99) < SHORTEST:
            return "x"
        bird = self.canary(model, each.attname)
        return f"{bird}@example.test" if isinstance(each, models.EmailField) else bird

    def pointed(self, model: type[models.Model], each: Any) -> Any:
        """Return what a column points at; nothing where that would go round in a circle."""
        target = each.related_model
        if target is ContentType:
            return ContentType.objects.get_for_model(Site)
        of_many = model is CaseExport or model not in {table.model for table in tables()}
        if target in (Document, Upload) and of_many:
            # A file of many cases, or an earlier case file: it is named, and not packed.
            return None if each.null else self.silent(lambda: self.upload(model, each))
        if target in (User, Upload, Document):
            return getattr(self, target.__name__.lower())(model, each)
        if target is model or target._meta.app_label not in HOUSE:
            return None
        if each.null and target not in self.rows:
            return None
        return self.row_of(target)

    def silent(self, make: Callable[[], Any]) -> Any:
        """Make something whose canaries nobody listens to."""
        before = dict(self.canaries)
        made = make()
        self.canaries = before
        return made

    def user(self, model: type[models.Model], each: Any) -> User:
        """The one person who did everything."""
        if User not in self.rows:
            values = self.values(User) | {"role": "applicant", "feed_key": "x"}
            (self.rows[User],) = User.objects.bulk_create([User(**values)])
        return self.rows[User]  # type: ignore[return-value]

    def upload(self, model: type[models.Model], each: Any) -> Upload:
        """A file of its own for each column that names one, with a canary in its bytes."""
        content = self.canary(Upload, f"{model._meta.label}.{each.name}").encode()
        values = self.values(Upload) | {
            "file": default_storage.save(f"uploads/{uuid.uuid4()}.pdf", ContentFile(content)),
            "sha256": hashlib.sha256(content).hexdigest(),
            "size": len(content),
            "latitude": Decimal(LATITUDE),
            "longitude": Decimal(LONGITUDE),
        }
        return Upload.objects.create(**values)

    def document(self, model: type[models.Model], each: Any) -> Document:
        content = self.canary(Document, f"{model._meta.label}.{each.name}").encode()
        values = self.values(Document) | {
            "file": default_storage.save(f"papers/{uuid.uuid4()}.pdf", ContentFile(content)),
            "sha256": hashlib.sha256(content).hexdigest(),
            "size": len(content),
        }
        return Document.objects.create(**values)


PLAIN: dict[str, Any] = {
    "BooleanField": lambda: False,
    "DateField": lambda: factory.MONDAY,
    "DateTimeField": lambda: datetime(2026, 11, 16, 12, tzinfo=ZoneInfo("America/Chicago")),
    "TimeField": lambda: time(9, 30),
    "DecimalField": lambda: Decimal("1.00"),
    "UUIDField": uuid.uuid4,
    "PositiveIntegerField": lambda: 1,
    "PositiveSmallIntegerField": lambda: 1,
    "PositiveBigIntegerField": lambda: 1,
    "IntegerField": lambda: 1,
}


@contextmanager
def built() -> Iterator[Nest]:
    """Build the nest while the database takes everything."""
    guards.take_down()
    connection.connection.execute("PRAGMA ignore_check_constraints = ON")
    try:
        nest = Nest(Site.objects.create(number="S-2026-0777"))
        nest.fill()
        yield nest
    finally:
        connection.connection.execute("PRAGMA ignore_check_constraints = OFF")
        if not connection.needs_rollback:  # else they come back with all else
            guards.put_up()
