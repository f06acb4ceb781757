"""Hands out stored files, and checks that they are what was stored.

Who may have a file is the caller's question; this module only hands it over so that a
browser cannot mistake it for a page of the portal.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from django.core.files.storage import default_storage
from django.http import FileResponse, HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.http import content_disposition_header

from portal.models import Document, Preview, Upload
from portal.stored import chunks, measure
from portal.uploads.kinds import BY_EXTENSION, promised
from portal.uploads.names import clean_name

MEMORY = 4 * 1024 * 1024
POLICY = "sandbox; default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
PAPER_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
"""For our own papers shown in the browser: not every browser's PDF reader starts in a sandbox."""

Stored = Upload | Preview | Document

logger = logging.getLogger(__name__)

Gone = Callable[[], Iterable[str]]
_gone: list[Gone] = []


def register_gone(gone: Gone) -> None:
    """Add a function that names the files which were destroyed lawfully: none is missing."""
    if gone not in _gone:
        _gone.append(gone)


def serve(
    request: HttpRequest,
    stored: Stored,
    *,
    inline: bool = False,
    name: str = "",
    kind: str = "",
) -> HttpResponseBase:
    """Return the file's bytes after checking them against size and hash.

    A document that is no paper comes with its own `name` and `kind` of content.

    Only what the portal made itself is ever shown in the browser: previews, and papers when
    asked. What people sent is always saved to disk. A file that is missing or changed is
    answered with 410 and reported; a storage that does not answer, with 503.
    """
    copy = tempfile.SpooledTemporaryFile(MEMORY)  # noqa: SIM115 (the response closes it)
    trouble = read_checked(stored, copy)
    if trouble:
        copy.close()
        logger.error("A stored file is held back: %s", trouble)
        return held_back(request, stored, trouble)
    copy.seek(0)
    shown = isinstance(stored, Preview) or (inline and isinstance(stored, Document))
    response = FileResponse(copy, content_type=kind or content_type(stored))
    name = name or download_name(stored)
    response.headers["Content-Disposition"] = content_disposition_header(not shown, name) or ""
    paper = shown and isinstance(stored, Document)
    response.headers["Content-Security-Policy"] = PAPER_POLICY if paper else POLICY
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cache-Control"] = "private, no-store"
    response.headers["Accept-Ranges"] = "none"
    return response


@dataclass(frozen=True)
class Trouble:
    """Why a stored file is not handed out; `away` when only the storage is to blame."""

    sentence: str
    away: bool = False

    def __str__(self) -> str:
        return self.sentence


def read_checked(stored: Stored, target: IO[bytes]) -> Trouble | None:
    """Read a stored file into `target`; return what is wrong with it, if anything."""
    name = stored.file.name or ""
    try:
        with default_storage.open(name) as source:
            for chunk in chunks(source):
                target.write(chunk)
    except FileNotFoundError:
        return Trouble(f"{label(stored)}: {name} is missing.")
    except Exception as error:  # whatever the store's library raises
        return Trouble(f"{label(stored)}: {name} could not be read ({error!r}).", away=True)
    sentence = difference(stored, target)
    return Trouble(sentence) if sentence else None


def difference(stored: Stored, source: IO[bytes]) -> str:
    """Say how a file's content differs from its row, or nothing."""
    sha256, size = measure(source)
    if isinstance(stored, Preview):  # made from the upload and made again at will: no hash
        return "" if size else f"{label(stored)}: {stored.file.name} is empty."
    if size != stored.size:
        return f"{label(stored)}: {stored.file.name} has {size} bytes instead of {stored.size}."
    if sha256 != stored.sha256:
        return f"{label(stored)}: the content of {stored.file.name} has changed."
    return ""


def held_back(request: HttpRequest, stored: Stored, trouble: Trouble) -> HttpResponseBase:
    """The page in place of a file that cannot be read, or is not what was stored."""
    if isinstance(stored, Preview):
        name, moment = stored.upload.original_name, stored.upload.uploaded_at
    elif isinstance(stored, Upload):
        name, moment = stored.original_name, stored.uploaded_at
    else:
        name, moment = stored.title, stored.rendered_at
    context = {"name": name, "stored_at": moment, "away": trouble.away}
    return render(request, "uploads/broken.html", context, status=503 if trouble.away else 410)


def content_type(stored: Stored) -> str:
    """The type by which the file was recognised; never what its sender called it."""
    if isinstance(stored, Upload):
        return stored.content_type
    return "image/jpeg" if isinstance(stored, Preview) else "application/pdf"


def download_name(stored: Stored) -> str:
    """The name under which a file is saved: as it was sent, its ending by its content."""
    if isinstance(stored, Document):
        return f"{clean_name(stored.title)}.pdf"
    if isinstance(stored, Preview):
        return f"{Path(clean_name(stored.upload.original_name)).stem} page {stored.page}.jpg"
    name = clean_name(stored.original_name)
    extension = Path(stored.file.name or "").suffix.lstrip(".")
    kind = BY_EXTENSION.get(extension)
    ending = promised(name)
    if kind is None or ending in kind.endings:
        return name
    return f"{name[: len(name) - len(ending)]}.{extension}"


def find_broken() -> Iterator[str]:
    """Yield a sentence for each stored file that is missing or not what was stored."""
    rows: list[Any] = [
        Upload.objects.order_by("pk"),
        Preview.objects.select_related("upload").order_by("pk"),
        Document.objects.order_by("pk"),
    ]
    gone = {name for names in _gone for name in names()}
    for queryset in rows:
        for stored in queryset.iterator(chunk_size=500):
            if stored.file.name in gone:
                continue
            if trouble := check_stored(stored):
                yield str(trouble)


def check_stored(stored: Stored) -> Trouble | None:
    """Say what is wrong with one stored file, or nothing; never more than one in memory."""
    with tempfile.SpooledTemporaryFile(MEMORY) as copy:
        return read_checked(stored, copy)


def label(stored: Stored) -> str:
    """Name a row for whoever reads the log or the result of `manage.py verify`."""
    return f"{type(stored).__name__} {stored.pk}"
