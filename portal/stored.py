"""Writes a file into the city's storage: whole, or not at all.

A folder and an S3-compatible store alike. The name is ours and is used once, so nothing is
ever overwritten; a file whose database row is rolled back stays behind and harms nobody.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import logging
import os
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.files import File
from django.core.files.storage import default_storage

CHUNK = 1024 * 1024
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
FULL_CODES = {"XMinioStorageFull", "QuotaExceeded", "InsufficientStorage", "507"}

logger = logging.getLogger(__name__)


class NotStored(Exception):
    """The storage did not take the file; nothing of it is left there."""

    reason = "storage_down"
    status = 503


class StorageFull(NotStored):
    """There is no room left."""

    reason = "storage_full"
    status = 507


@dataclass(frozen=True)
class Stored:
    """A file in the storage: its name there, its size and its hash."""

    name: str
    size: int
    sha256: str


def new_name(folder: str, extension: str, year: int, key: uuid.UUID | None = None) -> str:
    """Return a name of our own: a folder, a year, a number drawn by chance."""
    return f"{folder}/{year:04d}/{key or uuid.uuid4()}.{extension}"


def put(name: str, source: IO[bytes]) -> Stored:
    """Write `source` under `name`; raise `StorageFull` or `NotStored`, leaving no part of it."""
    source.seek(0)
    try:
        path = Path(default_storage.path(name))
    except NotImplementedError:
        return put_remote(name, source)
    try:
        return put_folder(name, path, source)
    except OSError as error:
        logger.error("The folder for files did not take %s: %s", name, error)
        raise (StorageFull if error.errno in FULL else NotStored)(str(error)) from error


def put_folder(name: str, path: Path, source: IO[bytes]) -> Stored:
    """Write to a temporary name, make sure that it is on the disk, then give it its name."""
    make_folder(path.parent)
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("xb") as target:
            if settings.FILE_UPLOAD_PERMISSIONS is not None:
                os.fchmod(target.fileno(), settings.FILE_UPLOAD_PERMISSIONS)
            digest, size = copy(source, target)
            target.flush()
            os.fsync(target.fileno())
        part.rename(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)
    return Stored(name, size, digest)


def make_folder(folder: Path) -> None:
    """Make the folder, readable for the portal's own group and nobody else."""
    mode = settings.FILE_UPLOAD_DIRECTORY_PERMISSIONS
    for missing in [p for p in reversed([folder, *folder.parents]) if not p.exists()]:
        missing.mkdir(exist_ok=True)
        if mode is not None:
            missing.chmod(mode)


def sync_folder(folder: Path) -> None:
    """Make the file's new name survive a loss of power."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def copy(source: IO[bytes], target: IO[bytes]) -> tuple[str, int]:
    """Copy, and return the hash and size of what was copied."""
    digest, size = hashlib.sha256(), 0
    for chunk in chunks(source):
        digest.update(chunk)
        size += len(chunk)
        target.write(chunk)
    return digest.hexdigest(), size


def put_remote(name: str, source: IO[bytes]) -> Stored:
    """Hand the file to a store that keeps it whole or not at all, and ask what it kept."""
    sha256, size = measure(source)
    source.seek(0)
    try:
        kept = default_storage.save(name, File(source, name=name))
        if default_storage.size(kept) != size:
            raise NotStored(f"{kept} has another size in the storage")
    except Exception as error:
        # Whatever the store's library raises, the person is told the same.
        logger.exception("The store for files did not take %s", name)
        with contextlib.suppress(Exception):
            default_storage.delete(name)
        raise (StorageFull if is_full(error) else NotStored)(str(error)) from error
    return Stored(kept, size, sha256)


def is_full(error: Exception) -> bool:
    """Whether a store refused for want of room."""
    if isinstance(error, OSError) and error.errno in FULL:
        return True
    response: Any = getattr(error, "response", None)
    details = response.get("Error", {}) if isinstance(response, dict) else {}
    return str(details.get("Code", "")) in FULL_CODES


def chunks(source: IO[bytes]) -> Iterator[bytes]:
    """Read a file piece by piece."""
    while chunk := source.read(CHUNK):
        yield chunk


def measure(source: IO[bytes]) -> tuple[str, int]:
    """Return the hash and size of a file."""
    source.seek(0)
    digest, size = hashlib.sha256(), 0
    for chunk in chunks(source):
        digest.update(chunk)
        size += len(chunk)
    return digest.hexdigest(), size
