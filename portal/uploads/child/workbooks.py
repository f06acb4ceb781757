"""Spreadsheets: a workbook is a package of files; it is looked through and never computed."""

from __future__ import annotations

import io
import zipfile
import zlib

from .verdict import Finding, refuse

ZIP_HEAD = b"PK\x03\x04"
CONTENTS, WORKBOOK = "[Content_Types].xml", "xl/workbook.xml"
MOST_PARTS = 2_000
UNPACKED_MOST = 100 * 1024 * 1024
PACKED_TIGHTLY = 200
"""Times smaller than unpacked: no sheet packs so well, a bomb does."""
WORTH_A_LOOK = 1024 * 1024
PROGRAMS = ("vbaproject", "xl/macrosheets/", "xl/activex/", "xl/embeddings/", "customui/")
PROGRAM_TYPES = (b"macroenabled", b"vbaproject", b"oleobject")


def is_workbook(data: bytes) -> bool:
    """Whether the file is a package that says it holds a workbook."""
    if not data.startswith(ZIP_HEAD):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            return {CONTENTS, WORKBOOK} <= set(package.namelist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError, UnicodeError):
        return False


def examine(data: bytes) -> Finding:
    """Take a whole workbook without programs in it; nothing before, behind or hidden."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        parts = package.infolist()
        _check_ends(package, parts, data)
        _check_parts(parts)
        try:
            torn = package.testzip()
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError):
            refuse("damaged")
        if torn is not None:
            refuse("damaged")
        types = package.read(CONTENTS).lower()
        if any(mark in types for mark in PROGRAM_TYPES):
            refuse("macros")
    return Finding()


def _check_ends(package: zipfile.ZipFile, parts: list[zipfile.ZipInfo], data: bytes) -> None:
    """The first part is at the first byte, and the list of parts is the last thing."""
    if min(part.header_offset for part in parts) or package.comment:
        refuse("behind_end")
    end = data.rfind(b"PK\x05\x06")
    if end + 22 != len(data):
        refuse("behind_end")


def _check_parts(parts: list[zipfile.ZipInfo]) -> None:
    names = [part.filename.lower() for part in parts]
    if any(part.flag_bits & 0x1 for part in parts):
        refuse("password")
    if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > UNPACKED_MOST:
        refuse("heavy")
    for part in parts:
        packed = max(part.compress_size, 1)
        if part.file_size > WORTH_A_LOOK and part.file_size > PACKED_TIGHTLY * packed:
            refuse("heavy")
    if len(set(names)) != len(names) or any(_leads_out(name) for name in names):
        refuse("damaged")
    if any(mark in name for name in names for mark in PROGRAMS):
        refuse("macros")


def _leads_out(name: str) -> bool:
    return name.startswith("/") or "\\" in name or ".." in name.split("/")
