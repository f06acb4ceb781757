"""Looks at a file that somebody sent: what it is, or why it is not taken."""

from __future__ import annotations

import base64
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.core.files import File

from portal.stored import StorageFull

from . import limits
from .kinds import BY_KEY, Kind, fits, promised
from .names import clean_name
from .reasons import sentence
from .sandbox import run_child

PICTURE_SECONDS = 3.0
"""While somebody waits, pictures are made for so long; the rest is made afterwards."""


class Refused(Exception):
    """A file that is not taken, with the reason in words for whoever sent it."""

    def __init__(self, key: str, **facts: Any) -> None:
        self.key = key
        self.reason = sentence(key, **facts)
        super().__init__(self.reason)


@dataclass(frozen=True)
class Picture:
    """One page as a JPEG to look at."""

    page: int
    width: int
    height: int
    jpeg: bytes


@dataclass(frozen=True)
class Examined:
    """A file that is taken: what it is, from its content and never from its name."""

    kind: Kind
    name: str
    pages: int | None = None
    taken_at: str = ""
    latitude: Decimal | None = None
    longitude: Decimal | None = None
    pictures: tuple[Picture, ...] = ()
    all_pictures: bool = True

    @property
    def family(self) -> str:
        return self.kind.family

    @property
    def content_type(self) -> str:
        return self.kind.content_type

    @property
    def extension(self) -> str:
        return self.kind.extension


def examine(file: File, *, seconds: float = PICTURE_SECONDS) -> Examined:
    """Return what a file is, or raise `Refused`.

    The file is opened in a child process, so a bomb ends the child and not us. A file whose
    pages could not all be drawn in `seconds` is taken all the same.
    """
    name = clean_name(file.name)
    check_received(file)
    with on_disk(file) as path:
        answer = run_child("examine", str(path), str(seconds))
    if not answer.lines:
        raise Refused("heavy" if answer.ended else "unreadable")
    verdict = answer.lines[0]
    if "refused" in verdict:
        raise Refused(verdict.pop("refused"), **verdict)
    kind = BY_KEY[verdict["kind"]]
    if not fits(kind, name):
        raise Refused("mismatch", ending=promised(name), called=kind.called)
    return Examined(
        kind=kind,
        name=name,
        pages=verdict.get("pages"),
        taken_at=verdict.get("taken_at", ""),
        latitude=degrees(verdict, "latitude"),
        longitude=degrees(verdict, "longitude"),
        pictures=tuple(read_pictures(answer.lines)),
        # A child that was ended drew as much as it can: trying again would end it again.
        all_pictures=answer.finished or answer.ended,
    )


def check_received(file: File) -> None:
    """Refuse what is empty, too big or could not be received, before it is opened."""
    if getattr(file, "disk_full", False):
        raise StorageFull("no room to receive a file")
    size = file.size or 0
    if not size:
        raise Refused("empty")
    if size > limits.file_bytes():
        most = limits.megabytes(limits.file_bytes())
        raise Refused("too_big", size=limits.megabytes(size), most=most)
    if getattr(file, "too_much", False):
        raise Refused("too_much_at_once", most=limits.megabytes(limits.total_bytes()))


def degrees(verdict: dict[str, Any], key: str) -> Decimal | None:
    """Return a coordinate of the photo, if its camera noted one."""
    return Decimal(verdict[key]) if key in verdict else None


def read_pictures(lines: Iterable[dict[str, Any]]) -> Iterator[Picture]:
    """Yield the pictures that the child made."""
    for line in lines:
        if "jpeg" in line:
            jpeg = base64.b64decode(line["jpeg"])
            yield Picture(line["page"], line["width"], line["height"], jpeg)


@contextmanager
def on_disk(file: File) -> Iterator[Path]:
    """Give a file a path that the child can open, for as long as it looks."""
    own = getattr(file, "temporary_file_path", None)
    if own is not None:
        yield Path(own())
        return
    file.seek(0)
    with tempfile.NamedTemporaryFile(prefix="look-") as copy:
        shutil.copyfileobj(file, copy, 1024 * 1024)
        copy.flush()
        yield Path(copy.name)
    file.seek(0)
