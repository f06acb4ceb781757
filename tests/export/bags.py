"""Reading a case file as whoever receives it does."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from pathlib import Path
from typing import Any

from portal.desk.export.making import Result, export
from tests import factory

__all__ = ["Opened", "make", "opened"]


class Opened:
    """A ZIP that was opened: its files by their path below the bag's folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with zipfile.ZipFile(path) as bag:
            self.names = bag.namelist()
            self.folder = self.names[0].partition("/")[0]
            self.files = {name.partition("/")[2]: bag.read(name) for name in self.names}

    def __getitem__(self, path: str) -> bytes:
        return self.files[path]

    @property
    def case(self) -> dict[str, Any]:
        """The rows."""
        return json.loads(self["data/01-case.json"])

    def table(self, path: str) -> list[dict[str, str]]:
        """A sheet of it."""
        return list(csv.DictReader(io.StringIO(self[f"data/{path}"].decode(), newline="")))

    def info(self) -> dict[str, str]:
        """What the bag says of itself."""
        lines = self["bag-info.txt"].decode().splitlines()
        return dict(line.split(": ", 1) for line in lines)


def make(site: Any, folder: Path, audience: str = "full", **how: Any) -> Result:
    """Have a case file made into a folder."""
    by = how.pop("by", None) or factory.clerk()
    return export(site, audience, by=by, on=how.pop("on", factory.MONDAY), into=folder, **how)


def opened(result: Result, folder: Path) -> Opened:
    """Open a case file that was made into a folder."""
    return Opened(folder / f"{result.export.name}.zip")
