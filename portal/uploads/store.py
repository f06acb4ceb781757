"""Stores what somebody sent, byte for byte, and the pictures to look at."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction

from portal import clock
from portal.models import Preview, Upload
from portal.stored import NotStored, StorageFull, chunks, new_name, put

from .check import Examined, Picture, examine, read_pictures
from .kinds import BY_EXTENSION
from .sandbox import run_child

if TYPE_CHECKING:
    from portal.models import User

__all__ = ["NotStored", "StorageFull", "make_previews", "store"]


def store(file: File, *, by: User | None, examined: Examined | None = None) -> Upload:
    """Keep the file as it is, with its pictures, and return its row.

    Raises `Refused` for a file that is not taken, `StorageFull` or `NotStored` when the
    storage does not take it. Call it outside a transaction that others wait for.
    """
    found = examined or examine(file)
    upload = Upload(
        original_name=found.name,
        family=found.family,
        content_type=found.content_type,
        pages=found.pages,
        taken_at=found.taken_at,
        latitude=found.latitude,
        longitude=found.longitude,
        uploaded_by=by,
    )
    kept = put(new_name("uploads", found.extension, clock.today().year, upload.key), file)
    upload.file.name, upload.size, upload.sha256 = kept.name, kept.size, kept.sha256
    previews = put_pictures(upload, found.pictures)
    with transaction.atomic():
        upload.save()
        Preview.objects.bulk_create(previews)
    return upload


def put_pictures(upload: Upload, pictures: Iterable[Picture]) -> list[Preview]:
    """Write the pictures; a storage that is just full costs the picture, not the file."""
    previews = []
    for picture in pictures:
        name = new_name("previews", "jpg", clock.today().year)
        try:
            kept = put(name, BytesIO(picture.jpeg))
        except NotStored:
            break
        previews.append(
            Preview(
                upload=upload,
                page=picture.page,
                file=kept.name,
                width=picture.width,
                height=picture.height,
            )
        )
    return previews


def make_previews(upload: Upload) -> int:
    """Make the pictures that an upload lacks; return how many were made.

    A picture that cannot be made is not an error: the file itself is kept and can be opened.
    """
    if upload.family in (Upload.Family.DRAWING, Upload.Family.SHEET):
        return 0
    have = set(upload.previews.values_list("page", flat=True))
    first = max(have, default=0) + 1
    name = upload.file.name or ""
    kind = BY_EXTENSION[Path(name).suffix.lstrip(".")]
    with (
        tempfile.NamedTemporaryFile(prefix="show-") as copy,
        default_storage.open(name) as source,
    ):
        for chunk in chunks(source):
            copy.write(chunk)
        copy.flush()
        answer = run_child("show", copy.name, kind.key, str(first))
    pictures = (picture for picture in read_pictures(answer.lines) if picture.page not in have)
    previews = put_pictures(upload, pictures)
    # Two workers may have drawn the same page; the first one's picture stands.
    Preview.objects.bulk_create(previews, ignore_conflicts=True)
    return len(previews)
