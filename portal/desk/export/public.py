"""The case as the public gets it, and a list of what was left out with the ground of each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import models

from inspections.models import UpkeepInspection, Visit
from permits.models import Application, CaseEvent, MaintenanceAgreement, PlanRevision
from portal.models import Role

from .content import Content, Row, Rows
from .grounds import GROUNDS, Ground
from .policy import PEOPLE_GIVEN, ROWS, ground_of, is_prose
from .tables import label_of, tables

__all__ = ["LEFT_OUT", "Omission", "Omissions", "mask", "prints_any", "reduce", "secrets_of"]

LEFT_OUT = "[left out]"
EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
TELEPHONE = re.compile(
    r"(?<![\w-])(?:\+?1[ .-]?)?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}(?![\w-])"
)
FACT = re.compile(
    r"\d{4}-\d\d-\d\d(?:T[\d:.+Z-]+)?"  # a day or a moment
    r"|-?\d+(?:\.\d+)?"  # an amount
    r"|[A-Z]{1,3}-20\d\d-\d{4,}"  # a number of the city's
)
CODE = re.compile(r"[a-z][a-z_-]{0,29}")
CODES = frozenset({"means", "rule", "what", "form", "kind", "path"})
"""Facts that are words of our own, chosen from a list."""


@dataclass(frozen=True)
class Omission:
    """Something that was left out: what, how often, and on what ground."""

    what: str
    count: int
    ground: Ground


@dataclass
class Omissions:
    """What was left out so far."""

    counted: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, what: str, ground: str, count: int = 1) -> None:
        """Note that something was left out on a ground."""
        if count:
            self.counted[ground, what] += count

    def listed(self) -> list[Omission]:
        """Return the omissions by ground, each with how often."""
        order = list(GROUNDS)
        found = sorted(self.counted.items(), key=lambda i: (order.index(i[0][0]), i[0][1]))
        return [Omission(what, count, GROUNDS[ground]) for (ground, what), count in found]


def reduce(content: Content, omissions: Omissions) -> Content:
    """Return what of a case is given to the public."""
    gone: dict[str, set[Any]] = {}
    given: dict[str, Rows] = {}
    for table in tables():
        rows = content.rows.get(table.label, [])
        if ground := ROWS.get(table.label):
            omissions.add(words_of(table.model), ground, len(rows))
            gone[table.label] = {row[table.key] for row in rows}
        else:
            drafts = {row[table.key] for row in rows if is_draft(table.model, row)}
            omissions.add(words_of(table.model), "draft", len(drafts))
            gone[table.label] = drafts
            given[table.label] = rows
    _spread(content, given, gone, omissions)
    reduced = replace(
        content,
        rows={
            label: [row for row in rows if _key(label, row) not in gone[label]]
            for label, rows in given.items()
        },
    )
    _columns(reduced, omissions)
    people = content.people
    omissions.add("People with an account: email, telephone", "contact", len(people))
    reduced.people = [{name: row[name] for name in PEOPLE_GIVEN} for row in people]
    return reduced


MODELS: dict[str, type[models.Model]] = {}


def _model(label: str) -> type[models.Model]:
    if label not in MODELS:
        MODELS.update({table.label: table.model for table in tables()})
    return MODELS[label]


def _key(label: str, row: Row) -> Any:
    pk = _model(label)._meta.pk
    assert pk is not None
    return row[pk.attname]


def is_draft(model: type[models.Model], row: Row) -> bool:
    """Whether a row was never filed or finished: an application, a plan revision, a visit or an
    inspection in hand, an agreement that nobody was sent.
    """
    if model in (Application, Visit, UpkeepInspection):
        return row["number"] is None
    if model is MaintenanceAgreement:
        return bool(row["status"] == MaintenanceAgreement.Status.DRAFTED)
    return model is PlanRevision and row["filed_on"] is None


def _spread(
    content: Content, given: dict[str, Rows], gone: dict[str, set[Any]], omissions: Omissions
) -> None:
    """Leave out, too, what hangs on a row that is left out, until nothing more does."""
    changed = True
    while changed:
        changed = False
        for label, rows in given.items():
            model = _model(label)
            ties = [
                (each.attname, label_of(each.related_model))
                for each in model._meta.concrete_fields
                if isinstance(each.related_model, type) and not each.null
            ]
            for row in rows:
                key = _key(label, row)
                if key in gone[label]:
                    continue
                tied = next((o for c, o in ties if row[c] in gone.get(o, ())), None)
                if tied is not None:
                    gone[label].add(key)
                    omissions.add(words_of(model), ROWS.get(tied, "draft"))
                    changed = True


def _columns(content: Content, omissions: Omissions) -> None:
    """Leave out what no column may tell, and mask numbers to call in what people wrote."""
    for label, rows in content.rows.items():
        content.rows[label] = _table(_model(label), rows, omissions)
    content.shared = {
        label: _table(apps.get_model(label), rows, omissions)
        for label, rows in content.shared.items()
    }


def _table(model: type[models.Model], rows: Rows, omissions: Omissions) -> Rows:
    names = [each.attname for each in model._meta.concrete_fields]
    held = {name: ground for name in names if (ground := ground_of(model, name))}
    prose = {name for name in names if name not in held and is_prose(model, name)}
    found = []
    for row in rows:
        kept: Row = {}
        for name, value in row.items():
            if name in held:
                if model is CaseEvent and name == "facts":
                    kept[name] = plain_facts(value)
                omissions.add(
                    f"{words_of(model)}: {words(name)}", held[name], value not in (None, "", [], {})
                )
            elif name in prose:
                kept[name], masked = mask_all(value)
                omissions.add(f"{words_of(model)}: within {words(name)}", "contact", masked)
            else:
                kept[name] = value
        found.append(kept)
    return found


def words_of(model: type[models.Model]) -> str:
    """Name a table for a reader: Plan sheets."""
    return str(model._meta.verbose_name_plural).capitalize()


def words(column: str) -> str:
    """Name a column for a reader."""
    return column.removesuffix("_id").replace("_", " ")


def plain_facts(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts of an event that are days, amounts, counts or numbers of the city's."""
    return {
        key: value
        for key, value in facts.items()
        if isinstance(value, bool | int | float)
        or (
            isinstance(value, str) and (FACT.fullmatch(value) or (key in CODES and _is_code(value)))
        )
    }


def _is_code(value: str) -> bool:
    return bool(re.fullmatch(r"[a-z][a-z_-]{0,29}", value))


def mask(text: str) -> tuple[str, int]:
    """Return a text without telephone numbers and e-mail addresses, and how many there were."""
    text, emails = EMAIL.subn(LEFT_OUT, text)
    text, numbers = TELEPHONE.subn(LEFT_OUT, text)
    return text, emails + numbers


def mask_all(value: Any) -> tuple[Any, int]:
    """Mask each text in a value, however deep it lies."""
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, list):
        pairs = [mask_all(each) for each in value]
        return [pair[0] for pair in pairs], sum(pair[1] for pair in pairs)
    if isinstance(value, dict):
        masked = {key: mask_all(each) for key, each in value.items()}
        return {k: pair[0] for k, pair in masked.items()}, sum(p[1] for p in masked.values())
    return value, 0


HARD = frozenset({"contact", "bank", "complainant"})
"""Grounds whose values no paper that is given may print."""
TOLD_ANYWAY = frozenset({"place", "text", "answer", "facts"})
"""Columns that may say the same as the case itself: where the site is, what was seen."""
SHORTEST = 5


def secrets_of(content: Content) -> frozenset[str]:
    """Return the values of the whole case that no paper for the public may print."""
    city = {squeezed(settings.CITY["email"]), squeezed(settings.CITY["telephone"])}
    found = {squeezed(text) for text in _secrets(content)} - city
    return frozenset(text for text in found if len(text) >= SHORTEST)


def _secrets(content: Content) -> Iterator[str]:
    for label, rows in content.rows.items():
        model = _model(label)
        for each in model._meta.concrete_fields:
            text = isinstance(each, models.CharField | models.TextField) and not each.choices
            hard = ground_of(model, each.attname) in HARD and each.name not in TOLD_ANYWAY
            if text and hard:
                yield from (row[each.attname] or "" for row in rows)
    for row in content.people:
        if row["role"] == Role.APPLICANT:
            yield from (row["email"], row["telephone"])


def squeezed(text: str) -> str:
    """Return a text as it is compared: a telephone's last digits, or small and without blanks."""
    digits = re.sub(r"\D", "", text)
    if 10 <= len(digits) <= 15 and not re.search(r"[A-Za-z]{3}", text):
        return digits[-10:]
    return "".join(text.lower().split())


def prints_any(text: str, secrets: frozenset[str]) -> bool:
    """Whether a text prints a value that is held back, however its blanks fall."""
    numbers = {squeezed(found) for found in TELEPHONE.findall(text)}
    small = "".join(text.lower().split())
    return bool(numbers & secrets) or any(secret in small for secret in secrets)
