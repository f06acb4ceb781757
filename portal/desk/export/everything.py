"""Leaving the portal with all that is in it: a bag for each case, and every table as a sheet.

Broken off and begun again, it goes on: a bag that is there and still tells of the newest fact
is not made anew. Two processes work at once; each is given up after some cases and begun
afresh, so that what the typesetter keeps never adds up.
"""

from __future__ import annotations

import csv
import json
import multiprocessing
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.apps import apps
from django.db import connections, models
from django.db.models import Max, Q

from permits.models import CaseExport, NotNow, Site
from portal import clock
from portal.stored import NotStored

from .content import EXPORTED, NEVER
from .making import export
from .sheets import written
from .tables import HOUSE, columns

__all__ = ["Told", "bags", "check_in", "sheets_of_tables", "waiting"]

CASES_A_PROCESS = 200
CHUNK = 2000
CASES = "cases"
TABLES = "tables"
DONE = "bags.csv"
HEAD = ("case", "file", "number", "sha256", "bytes", "rows", "files", "fact")


@dataclass(frozen=True)
class Told:
    """What became of one case: its line in the list of bags, or why there is none."""

    case: str
    line: tuple[str, ...] = ()
    trouble: str = ""


def check_in(out: Path) -> dict[str, tuple[str, ...]]:
    """Return the bags that are whole: named in the list and there under their names."""
    path = out / DONE
    if not path.exists():
        return {}
    with path.open(newline="", encoding="utf-8") as file:
        lines = [tuple(line) for line in csv.reader(file)][1:]
    return {
        line[0]: line
        for line in lines
        if len(line) == len(HEAD) and _size(out / line[1]) == int(line[4])
    }


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else -1


def waiting(done: dict[str, tuple[str, ...]]) -> list[tuple[int, str]]:
    """Return the cases that have no bag yet, or one that a newer fact has overtaken."""
    facts = Max("events__sequence", filter=~Q(events__kind=EXPORTED))
    rows = Site.objects.order_by("pk").annotate(fact=facts).filter(fact__isnull=False)
    return [
        (pk, number)
        for pk, number, fact in rows.values_list("pk", "number", "fact").iterator(chunk_size=CHUNK)
        if number not in done or done[number][-1] != str(fact)
    ]


def bags(
    cases: list[tuple[int, str]], audience: str, out: Path, *, processes: int, gaps: bool
) -> Iterator[Told]:
    """Make a bag of each case, and yield what became of it as it is done."""
    asked = [(pk, number, audience, str(out), gaps) for pk, number in cases]
    if processes < 2:
        yield from map(_one, asked)
        return
    connections.close_all()  # no process may use another's
    with multiprocessing.get_context("fork").Pool(
        processes, maxtasksperchild=CASES_A_PROCESS
    ) as pool:
        yield from pool.imap_unordered(_one, asked)


def _one(asked: tuple[int, str, str, str, bool]) -> Told:
    """Make one bag; a case that cannot be packed does not keep the others from it."""
    pk, number, audience, out, gaps = asked
    folder = Path(CASES) / _year(number)
    try:
        result = export(
            Site.objects.get(pk=pk),
            audience,
            by=None,
            on=clock.today(),
            into=Path(out) / folder,
            gaps=gaps,
        )
    except (NotNow, NotStored, OSError) as why:
        return Told(number, trouble=str(why))
    made: CaseExport = result.export
    counts = (made.size, made.rows, made.files, made.head_sequence)
    size, *rest = map(str, counts)
    file = str(folder / f"{made.name}.zip")
    return Told(number, (number, file, made.number, made.sha256, size, *rest))


def _year(number: str) -> str:
    """Return the folder of a case, so that none holds all of them."""
    return number.split("-")[1] if number.count("-") > 1 else "other"


def head_of(out: Path) -> None:
    """Begin the list of bags."""
    out.mkdir(parents=True, exist_ok=True)
    path = out / DONE
    if not path.exists():
        path.write_text(",".join(HEAD) + "\r\n", encoding="utf-8")


def note(out: Path, told: Told, done: dict[str, tuple[str, ...]]) -> None:
    """Add a bag to the list, once it is whole; the one that it overtakes goes."""
    before = done.get(told.case)
    if before is not None and before[1] != told.line[1]:
        (out / before[1]).unlink(missing_ok=True)
    with (out / DONE).open("a", newline="", encoding="utf-8") as file:
        csv.writer(file).writerow(told.line)


# Tables -----------------------------------------------------------------------------------


def sheets_of_tables(out: Path, audience: str) -> Iterator[tuple[str, int]]:
    """Write every table of the house as CSV, row by row; yield each with how many rows it has."""
    folder = out / TABLES
    folder.mkdir(parents=True, exist_ok=True)
    if audience != CaseExport.Audience.FULL:
        return  # who gets no whole case gets no whole table
    for label in HOUSE:
        for model in apps.get_app_config(label).get_models(include_auto_created=True):
            yield model._meta.label, _sheet(model, folder / f"{model._meta.label}.csv")


def _sheet(model: type[models.Model], path: Path) -> int:
    names = [name for name in columns(model) if name not in NEVER]
    pk = model._meta.pk
    assert pk is not None
    part, count = path.with_suffix(".part"), 0
    rows = model._base_manager.order_by(pk.attname).values_list(*names)
    with part.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\r\n")
        out.writerow(names)
        for row in rows.iterator(chunk_size=CHUNK):
            out.writerow([_cell(value) for value in row])
            count += 1
    part.replace(path)
    return count


def _cell(value: Any) -> str:
    if isinstance(value, list | dict):
        return written(json.dumps(value, ensure_ascii=False, sort_keys=True))
    return written(value)
