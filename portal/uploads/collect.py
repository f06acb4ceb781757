"""Takes the files of a request, each for itself, before the rest of the form is looked at.

A good file is stored even when another file or another field is wrong, so that nobody has to
choose ten files again because a date was missing.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest

from portal import clock
from portal.models import Upload
from portal.stored import NotStored, measure

from . import limits
from .check import PICTURE_SECONDS, Examined, Refused, check_received, examine
from .kinds import XLSX
from .names import clean_name
from .reasons import sentence
from .store import store
from .tasks import make_previews_later

if TYPE_CHECKING:
    from portal.models import User

AT_ONCE = 2
"""Files opened side by side; each child may use half a gigabyte."""
PATIENCE = 12.0
"""Seconds after which no more pictures are made while somebody waits."""
LAST_CALL = 35.0
"""Seconds after which no more files are opened: the answer must come within a minute."""


class Refusal(NamedTuple):
    """A file that was not taken, and why; `str()` of it is the message for the form."""

    name: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"


class Repeat(NamedTuple):
    """A file that was here already, byte for byte."""

    name: str
    upload: Upload

    def __str__(self) -> str:
        return f"{self.name} was here already (as {self.upload.original_name}), so it is kept once."


@dataclass
class Collected:
    """What became of the files of one request.

    `status` is the status code of the page that tells: 200, or 507 and 503 when the
    storage is full or does not answer.
    """

    stored: list[Upload] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    repeated: list[Repeat] = field(default_factory=list)
    status: int = 200

    def __bool__(self) -> bool:
        return bool(self.stored or self.refused or self.repeated)

    def note(self, name: str, trouble: NotStored) -> None:
        """Note a file that the storage did not take."""
        self.refused.append(Refusal(name, sentence(trouble.reason)))
        self.status = max(self.status, trouble.status)


def collect(
    request: HttpRequest,
    name: str = "files",
    *,
    by: User | None,
    existing: Iterable[Upload] = (),
    spreadsheets: bool = False,
) -> Collected:
    """Store the good files of a field, each for itself, and say what is wrong with the rest.

    `existing` are the files that the application has already: they count towards its limits,
    and a file that is among them is kept once. Call this before the form is validated and
    outside a transaction; then give the result to the form's `UploadsField`.
    A workbook is taken only where `spreadsheets` are asked for.
    """
    collected = Collected()
    room = Room(list(existing), by)
    wanted = list(room.choose(request.FILES.getlist(name), collected))
    started = time.monotonic()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        looked = [(file, pool.submit(look, file, started, spreadsheets)) for file in wanted]
        for file, future in looked:
            keep(file, future, by, collected)
    return collected


def look(file: UploadedFile, started: float, spreadsheets: bool = False) -> Examined:
    """Examine a file; make fewer pictures, the longer somebody has waited."""
    waited = time.monotonic() - started
    if waited > LAST_CALL:
        raise Refused("no_time")
    left = PATIENCE - waited
    found = examine(file, seconds=max(0.0, min(PICTURE_SECONDS, left)))
    if found.kind is XLSX and not spreadsheets:
        raise Refused("other_kind", called=XLSX.content_type)
    return found


def keep(
    file: UploadedFile, future: Future[Examined], by: User | None, collected: Collected
) -> None:
    """Store one file, or note why not."""
    try:
        examined = future.result()
        upload = store(file, by=by, examined=examined)
    except Refused as refused:
        collected.refused.append(Refusal(clean_name(file.name), refused.reason))
    except NotStored as trouble:
        collected.note(clean_name(file.name), trouble)
    else:
        collected.stored.append(upload)
        if not examined.all_pictures:
            make_previews_later.enqueue(upload.pk)


class Room:
    """How much an application, and a person in a day, may still send."""

    def __init__(self, existing: list[Upload], by: User | None) -> None:
        self.known = {upload.sha256: upload for upload in existing}
        self.files = len(existing)
        self.bytes = sum(upload.size for upload in existing)
        self.counted = by is not None and not by.is_city_staff
        self.today = sent_since_yesterday(by) if self.counted and by else 0

    def choose(self, files: Iterable[UploadedFile], collected: Collected) -> Iterator[UploadedFile]:
        """Yield the files for which there is room; a second copy of one needs none."""
        seen: set[str] = set()
        for file in files:
            name = clean_name(file.name)
            try:
                check_received(file)
                sha256, _ = measure(file)  # type: ignore[arg-type]
                file.seek(0)
                if sha256 in self.known:
                    collected.repeated.append(Repeat(name, self.known[sha256]))
                elif sha256 not in seen:
                    self.take(file.size or 0)
                    seen.add(sha256)
                    yield file
            except Refused as refused:
                collected.refused.append(Refusal(name, refused.reason))
            except NotStored as trouble:
                collected.note(name, trouble)

    def take(self, size: int) -> None:
        """Take room for one file, or refuse it with the figures."""
        most = limits.total_bytes()
        if self.files >= limits.files():
            raise Refused("too_many", have=self.files, most=limits.files())
        if self.bytes + size > most:
            total = limits.megabytes(self.bytes + size)
            raise Refused("too_much", total=total, most=limits.megabytes(most))
        if self.counted and self.today >= limits.files_a_day():
            raise Refused("too_many_today", have=self.today)
        self.files, self.bytes, self.today = self.files + 1, self.bytes + size, self.today + 1


def sent_since_yesterday(by: User) -> int:
    """How many files somebody sent in the last 24 hours."""
    since = clock.now() - timedelta(hours=24)
    return Upload.objects.filter(uploaded_by=by, uploaded_at__gte=since).count()
