"""A BagIt bag (RFC 8493) in a ZIP, written as it comes: the same contents give the same bytes.

Every file is written once and hashed on its way; nothing is kept in memory but the hashes.
Order, times and modes are fixed, so that two bags of the same case can be compared.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import IO

from portal.stored import chunks

__all__ = ["Bag"]

DECLARATION = b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
MANIFEST = "manifest-sha256.txt"
TAG_MANIFEST = "tagmanifest-sha256.txt"
PACKED = frozenset({"pdf", "jpg", "jpeg", "png", "heic", "webp", "zip", "xlsx", "dwg"})
"""Endings of files that are packed already: packing them again only takes time."""
MODE = 0o100644
EARLIEST = 1980
LARGE = 2**31 - 1


class Bag:
    """A bag that is being written: first what it carries, then what describes it."""

    def __init__(self, target: IO[bytes], name: str, moment: datetime) -> None:
        self._zip = zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=6)
        self._name = name
        year = max(moment.year, EARLIEST)
        self._time = (year, moment.month, moment.day, moment.hour, moment.minute, 0)
        self._payload: dict[str, str] = {}
        self._tags: dict[str, str] = {}
        self._octets = 0

    def __enter__(self) -> Bag:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def add(self, path: str, content: bytes | Iterable[bytes], *, size: int = 0) -> str:
        """Add a file to what the bag carries, below `data/`; return its hash."""
        if path in self._payload:
            raise ValueError(f"{path} is in the bag already")
        digest, octets = self._write(path, content, size)
        self._payload[path] = digest
        self._octets += octets
        return digest

    def copy(self, path: str, source: IO[bytes], *, size: int) -> str:
        """Add a stored file, piece by piece."""
        source.seek(0)
        return self.add(path, chunks(source), size=size)

    def manifest(self) -> bytes:
        """Return the list of what the bag carries, as `sha256sum -c` reads it."""
        return _lines(self._payload)

    def tag(self, path: str, content: bytes) -> None:
        """Add a file that describes the bag, beside `data/`."""
        self._tags[path], _ = self._write(path, content, len(content))

    def finish(self, info: Mapping[str, str]) -> None:
        """Write what makes it a bag: declaration, information and the two lists of hashes."""
        self.tag("bagit.txt", DECLARATION)
        oxum = {"Payload-Oxum": f"{self._octets}.{len(self._payload)}"}
        self.tag("bag-info.txt", "".join(_info(dict(info) | oxum)).encode())
        self.tag(MANIFEST, self.manifest())
        self._write(TAG_MANIFEST, _lines(self._tags), 0)

    def _write(self, path: str, content: bytes | Iterable[bytes], size: int) -> tuple[str, int]:
        entry = zipfile.ZipInfo(f"{self._name}/{path}", self._time)
        packed = path.rpartition(".")[2].lower() in PACKED
        entry.compress_type = zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED
        entry.external_attr = MODE << 16
        entry.create_system = 3  # the same on every machine
        digest, octets = hashlib.sha256(), 0
        parts = [content] if isinstance(content, bytes) else content
        with self._zip.open(entry, "w", force_zip64=size > LARGE) as target:
            for part in parts:
                digest.update(part)
                octets += len(part)
                target.write(part)
        return digest.hexdigest(), octets


def _lines(hashes: Mapping[str, str]) -> bytes:
    return "".join(f"{hashes[path]}  {path}\n" for path in sorted(hashes)).encode()


def _info(info: Mapping[str, str]) -> Iterator[str]:
    """Yield each label with its value on a line of its own."""
    for label, value in info.items():
        if value:
            yield f"{label}: {' '.join(value.split())}\n"
